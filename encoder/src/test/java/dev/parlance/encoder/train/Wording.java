package dev.parlance.encoder.train;

import dev.parlance.encoder.train.Claim.Adjunct;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * Puts claims into sentences of one part of the texts.
 *
 * @param split whose templates
 * @param sections the templates
 */
record Wording(Split split, Sections sections) {
  /** How often a sentence gets something in front, and how often behind: one time in so many. */
  private static final int LEAD_ONE_IN = 4;

  private static final int TAIL_ONE_IN = 10;

  /**
   * Says a claim.
   *
   * @param synonyms true to take any of a meaning's words, false for the first
   * @param free true for a construction of the free ones
   */
  String say(Claim claim, boolean synonyms, boolean free, RandomGenerator random) {
    String heading = claim.mood().label() + " " + (free ? "free" : split.label());
    List<String> templates = new ArrayList<>(sections.under(heading));
    if (claim.when().kind() == Adjunct.Kind.NONE) {
      templates.removeIf(template -> template.contains("{T,}"));
    }
    String template = one(templates, random);
    List<Verb> verbs = claim.opposite() ? claim.deed().opposites() : claim.deed().words();
    Verb verb = synonyms ? one(verbs, random) : verbs.getFirst();
    String who = synonyms ? one(claim.doer().words(), random) : claim.doer().words().getFirst();
    String object =
        claim.count() > 0
            ? Numbers.write(claim.count(), random) + " " + claim.object().plural()
            : synonyms ? one(claim.object().words(), random) : claim.object().words().getFirst();
    String when = when(claim.when(), random);
    String sentence =
        template
            .replace("{S}", who)
            .replace("{Vs}", verb.third())
            .replace("{Vd}", verb.participle())
            .replace("{Vg}", verb.gerund())
            .replace("{V}", verb.base())
            .replace("{O}", object)
            .replace("{is}", claim.count() > 0 ? "are" : "is")
            .replace("{has}", claim.count() > 0 ? "have" : "has")
            .replace("{T,}", when + ",")
            .replace(" {T}", when.isEmpty() ? "" : " " + when);
    return capital(dress(sentence, random));
  }

  /** Puts something in front or behind that says nothing about the claim, sometimes. */
  String dress(String sentence, RandomGenerator random) {
    String dressed = sentence;
    if (random.nextInt(LEAD_ONE_IN) == 0) {
      String inner =
          dressed.startsWith("The ") || dressed.startsWith("It ")
              ? dressed.substring(0, 1).toLowerCase(Locale.ROOT) + dressed.substring(1)
              : dressed;
      dressed = one(sections.under("lead " + split.label()), random).replace("*", inner);
    }
    if (random.nextInt(TAIL_ONE_IN) == 0 && dressed.endsWith(".")) {
      String bare = dressed.substring(0, dressed.length() - 1);
      dressed = one(sections.under("tail " + split.label()), random).replace("*", bare);
    }
    return dressed;
  }

  private String when(Adjunct when, RandomGenerator random) {
    boolean test = split == Split.TEST;
    String number = when.hasNumber() ? Numbers.write(when.number(), random) : "";
    String amount = number + " " + when.unit();
    String atMost =
        one(
            test
                ? List.of("in no more than " + amount, "in a maximum of " + amount)
                : List.of(
                    "within " + amount,
                    "no later than " + amount,
                    "in at most " + amount,
                    "in " + amount + " or less"),
            random);
    return switch (when.kind()) {
      case NONE -> "";
      case AT_MOST -> atMost;
      case AT_MOST_AFTER -> atMost + " after " + when.event();
      case AT_LEAST ->
          one(
              test
                  ? List.of("for not less than " + amount, "for " + amount + " or more")
                  : List.of(
                      "for at least " + amount,
                      "for no less than " + amount,
                      "for a minimum of " + amount),
              random);
      case BEFORE ->
          one(test ? List.of("ahead of ", "before ") : List.of("before ", "prior to "), random)
              + when.event();
      case AFTER ->
          one(test ? List.of("subsequent to ", "after ") : List.of("after "), random)
              + when.event();
    };
  }

  private static String capital(String sentence) {
    return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
  }

  private static <T> T one(List<T> choices, RandomGenerator random) {
    return choices.get(random.nextInt(choices.size()));
  }
}
