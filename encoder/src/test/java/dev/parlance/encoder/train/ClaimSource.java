package dev.parlance.encoder.train;

import dev.parlance.encoder.train.Claim.Adjunct;
import dev.parlance.encoder.train.Claim.Mood;
import dev.parlance.encoder.train.ClaimWords.Deed;
import dev.parlance.encoder.train.ClaimWords.Domain;
import dev.parlance.encoder.train.Item.Difference;
import dev.parlance.encoder.train.Item.Likeness;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Draws claims of one part of the texts, and what is like them and is not. */
final class ClaimSource {
  private static final List<String> UNITS =
      List.of("days", "hours", "weeks", "months", "euros", "metres", "minutes", "years");
  private static final int SAME_TEXTS = 3;
  private static final int OTHER_TEXTS = 4;

  private final Split split;
  private final ClaimWords vocabulary;
  private final Wording wording;
  private final RandomGenerator random;

  ClaimSource(Split split, ClaimWords vocabulary, RandomGenerator random) {
    this.split = split;
    this.vocabulary = vocabulary;
    this.wording = new Wording(split, vocabulary.templates());
    this.random = random;
  }

  /** What puts its claims into sentences. */
  Wording wording() {
    return wording;
  }

  /** An item of so many claims a text; one of them is changed in each text that differs. */
  Item draw(Likeness likeness, int sentences) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < sentences; i++) {
      claims.add(claim(likeness));
    }
    List<String> same = new ArrayList<>();
    same.add(text(claims, likeness, false));
    for (int i = 1; i < SAME_TEXTS; i++) {
      same.add(text(claims, likeness, likeness == Likeness.FREE));
    }
    List<Item.Other> others = new ArrayList<>();
    List<Difference> kinds = new ArrayList<>(List.of(Difference.values()));
    while (!kinds.isEmpty() && others.size() < OTHER_TEXTS) {
      Difference kind = kinds.remove(random.nextInt(kinds.size()));
      int at = random.nextInt(sentences);
      changed(claims.get(at), kind)
          .ifPresent(claim -> {
            List<Claim> changed = new ArrayList<>(claims);
            changed.set(at, claim);
            if (kind == Difference.TOPIC) {
              changed.replaceAll(ignored -> claim(likeness));
            }
            others.add(new Item.Other(kind, text(changed, likeness, false)));
          });
    }
    return new Item(likeness, sentences, same, others);
  }

  private String text(List<Claim> claims, Likeness likeness, boolean free) {
    List<Claim> order = new ArrayList<>(claims);
    StringBuilder text = new StringBuilder();
    while (!order.isEmpty()) {
      Claim claim = order.remove(random.nextInt(order.size()));
      boolean synonyms = likeness == Likeness.LEARNED_WORDS || likeness == Likeness.NEW_WORDS;
      text.append(text.isEmpty() ? "" : " ").append(wording.say(claim, synonyms, free, random));
    }
    return text.toString();
  }

  private Claim claim(Likeness likeness) {
    Domain domain = one(vocabulary.domainsOf(split));
    boolean newVerbs = likeness == Likeness.NEW_WORDS || likeness == Likeness.REORDERED;
    Deed deed = one(vocabulary.deedsOf(newVerbs ? split : Split.TRAIN));
    Claim.Noun doer = someone(domain);
    int kind = random.nextInt(4);
    Claim.Noun object = kind == 0 ? other(someone(domain), doer, domain) : thing(domain);
    int count = kind == 1 ? Numbers.draw(split, random) : 0;
    return new Claim(one(Mood.values()), deed, false, doer, object, count, when(domain));
  }

  private Adjunct when(Domain domain) {
    Adjunct.Kind kind = one(Adjunct.Kind.values());
    int number = Numbers.draw(split, random);
    String unit = one(UNITS);
    String event = one(domain.events());
    return switch (kind) {
      case NONE -> Adjunct.NONE;
      case AT_MOST, AT_LEAST -> new Adjunct(kind, number, unit, "");
      case BEFORE, AFTER -> new Adjunct(kind, 0, "", event);
      case AT_MOST_AFTER -> new Adjunct(kind, number, unit, event);
    };
  }

  private Claim.Noun someone(Domain domain) {
    return random.nextInt(3) == 0 ? ClaimNames.draw(split, random) : one(domain.people());
  }

  private Claim.Noun thing(Domain domain) {
    return split == Split.TRAIN && random.nextBoolean()
        ? ClaimNames.drawThing(split, random)
        : one(domain.things());
  }

  private Claim.Noun other(Claim.Noun drawn, Claim.Noun than, Domain domain) {
    Claim.Noun noun = drawn;
    while (noun.equals(than)) {
      noun = someone(domain);
    }
    return noun;
  }

  private Optional<Claim> changed(Claim claim, Difference kind) {
    return switch (kind) {
      case NEGATION -> Optional.of(claim.withMood(one(claim.mood().denials())));
      case MODALITY ->
          claim.mood().otherForces().isEmpty()
              ? Optional.empty()
              : Optional.of(claim.withMood(one(claim.mood().otherForces())));
      case NUMBER -> otherNumber(claim);
      case ENTITY -> Optional.of(otherEntity(claim));
      case ROLE ->
          claim.count() == 0 && claim.object().plural().isEmpty()
              ? Optional.of(claim.swapped())
              : Optional.empty();
      case DIRECTION ->
          claim.when().turned().equals(claim.when())
              ? Optional.empty()
              : Optional.of(claim.withWhen(claim.when().turned()));
      case OPPOSITE ->
          claim.deed().opposites().isEmpty() ? Optional.empty() : Optional.of(claim.turned());
      case TOPIC -> Optional.of(claim);
    };
  }

  private Optional<Claim> otherNumber(Claim claim) {
    int number = Numbers.draw(split, random);
    if (claim.count() > 0 && number != claim.count()) {
      return Optional.of(claim.withCount(number));
    }
    if (claim.when().hasNumber() && number != claim.when().number()) {
      return Optional.of(claim.withWhen(claim.when().withNumber(number)));
    }
    return Optional.empty();
  }

  private Claim otherEntity(Claim claim) {
    Domain domain = one(vocabulary.domainsOf(split));
    if (random.nextBoolean()) {
      Claim.Noun other = other(someone(domain), claim.doer(), domain);
      return claim.withDoer(other);
    }
    if (claim.object().plural().isEmpty()) {
      return claim.withObject(other(someone(domain), claim.object(), domain));
    }
    Claim.Noun thing = claim.object();
    while (thing.equals(claim.object())) {
      thing = thing(domain);
    }
    return claim.withObject(thing);
  }

  private <T> T one(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private <T> T one(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  /**
   * Made-up names and nouns, of other syllables in each part. There are so many of them that, by
   * their hashes, nearly every row of the table is trained as that of a word whose meaning nobody
   * knows.
   */
  static final class ClaimNames {
    private static final List<String> FIRST =
        List.of(
            "Ve Bri Ta Mo Ka Lu Sar Fen Do Pel Cra Nor Ash Tri Vol Min Bel Hor Sti Gre Pa Ul Ed"
                + " Fro",
            "Gu Ri Osk Ny",
            "Zy Hal Wex Im Qua Jor");
    private static final List<String> MIDDLE =
        List.of(
            "lo ni ra ve da mi so ke ri mu pe no ca ti le ga du sa ",
            "bu ta fo gi",
            "lu pha ro be xi ne");
    private static final List<String> LAST =
        List.of(
            "ra na s k lin dor va mas tel bin ster p rick mund wen ga ley cott d tta",
            "ff gen tia ron",
            "nix th ver by lond qo");

    private ClaimNames() {}

    /** A name of that part. */
    static Claim.Noun draw(Split split, RandomGenerator random) {
      String name =
          one(FIRST.get(split.number()), random)
              + one(MIDDLE.get(split.number()), random)
              + one(LAST.get(split.number()), random);
      return new Claim.Noun(List.of(name), "");
    }

    /** A made-up thing of that part. */
    static Claim.Noun drawThing(Split split, RandomGenerator random) {
      String word = draw(split, random).words().getFirst().toLowerCase(Locale.ROOT);
      return new Claim.Noun(List.of("the " + word), word + "s");
    }

    private static String one(String syllables, RandomGenerator random) {
      String[] choices = syllables.split(" ", -1);
      return choices[random.nextInt(choices.length)];
    }
  }
}
