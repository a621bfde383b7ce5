package dev.parlance.encoder.train;

import dev.parlance.encoder.train.Claim.Adjunct;
import dev.parlance.encoder.train.Claim.Mood;
import dev.parlance.encoder.train.ClaimWords.Deed;
import dev.parlance.encoder.train.ClaimWords.Domain;
import dev.parlance.encoder.train.Item.Difference;
import dev.parlance.encoder.train.Item.Likeness;
import java.util.ArrayList;
import java.util.List;
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
    Noun doer = someone(domain);
    int kind = random.nextInt(4);
    Noun object = kind == 0 ? other(someone(domain), doer, domain) : thing(domain);
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

  private Noun someone(Domain domain) {
    return random.nextInt(3) == 0 ? ClaimNames.draw(split, random) : one(domain.people());
  }

  private Noun thing(Domain domain) {
    return split == Split.TRAIN && random.nextBoolean()
        ? ClaimNames.drawThing(split, random)
        : one(domain.things());
  }

  private Noun other(Noun drawn, Noun than, Domain domain) {
    Noun noun = drawn;
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
      Noun other = other(someone(domain), claim.doer(), domain);
      return claim.withDoer(other);
    }
    if (claim.object().plural().isEmpty()) {
      return claim.withObject(other(someone(domain), claim.object(), domain));
    }
    Noun thing = claim.object();
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
}
