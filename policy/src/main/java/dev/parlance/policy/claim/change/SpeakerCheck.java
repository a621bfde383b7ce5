package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;

/**
 * Finds claims that say of one person what another one says of itself: "Ann could reproduce it" of
 * {@code Bob: I can reproduce it}, or what another one has done: "Ann fixed the rounding" of a log
 * where that stands under {@code Author: Bob}.
 *
 * <p>A turn is what follows a name and a colon at the beginning of a line, or a field that says who
 * wrote what follows. For one thread; nothing is allocated for a claim.
 */
final class SpeakerCheck {
  private static final int MAX_CLAIM = 48;
  private static final int MAX_NAME = 3;

  /** So many fields before a sentence its speaker is looked for. */
  private static final int MAX_BACK = 16;

  private static final int MAX_SENTENCE = 64;
  private static final int MAX_LABELS = 64;

  private static final String[] AUTHORS = {"author", "autor", "auteur", "autore", "from", "von"};
  private static final String[] HEADERS = {
    "subject",
    "re",
    "fwd",
    "to",
    "cc",
    "betreff",
    "objet",
    "asunto",
    "oggetto",
    "onderwerp",
    "note",
    "summary",
    "description",
    "title"
  };
  private static final String[] SELF = {
    "i", "i'm", "i've", "i'd", "i'll", "my", "myself", "ich", "mein", "meine", "je", "yo", "io"
  };
  private static final String[] OTHERS = {
    "you", "your", "he", "she", "they", "his", "her", "him", "them", "their", "du", "dich", "dir",
    "sie", "ihn", "ihm", "er", "tu", "vous", "il", "elle", "te", "usted"
  };

  /** Verbs of what one hears from another. */
  private static final String[] HEARS = {
    "told",
    "asked",
    "informed",
    "heard",
    "learned",
    "learns",
    "learnt",
    "knows",
    "knew",
    "agrees",
    "agreed",
    "receives",
    "received",
    "gets",
    "got",
    "advised",
    "invited",
    "offered",
    "thanked",
    "helped",
    "reassured",
    "reminded",
    "thinks",
    "believes"
  };

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final Thesaurus thesaurus;
  private final FieldReader field;
  private final long[] authors;
  private final long[] headers;
  private final long[] self;
  private final long[] others;
  private final long[] hears;

  // The speaker that was found last.
  private int nameFrom;
  private int nameAfter;
  private boolean isAuthor;

  SpeakerCheck(Units claim, PairIndex evidence, CriticalWords words, Thesaurus thesaurus) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.thesaurus = thesaurus;
    field = new FieldReader(evidence);
    authors = TruthField.keys(claim::keyOf, AUTHORS);
    headers = TruthField.keys(claim::keyOf, HEADERS);
    self = TruthField.keys(claim::keyOf, SELF);
    others = TruthField.keys(claim::keyOf, OTHERS);
    hears = TruthField.keys(claim::keyOf, HEARS);
  }

  /**
   * Looks whether the sentence that carries a claim best is somebody else's.
   *
   * @param bestFrom the first position, of all those of the evidence, of the sentence
   * @param bestAfter the one after its last
   */
  void find(int first, int after, int bestFrom, int bestAfter, FoundChanges changes) {
    if (evidence.labels() == 0
        || after - first > MAX_CLAIM
        || bestAfter - bestFrom > MAX_SENTENCE) {
      return;
    }
    int verb = first;
    while (verb < after && verb - first <= MAX_NAME && isName(claim.key(verb), claim.flags(verb))) {
      verb++;
    }
    if (verb == first
        || verb - first > MAX_NAME
        || verb == after
        || (claim.flags(verb - 1) & Units.POSSESSIVE) != 0
        || words.is(claim.key(verb), WordClass.AND)
        || !findSpeaker(bestFrom)
        || isNamed(first, after)) {
      return;
    }
    for (int unit = verb; unit < after; unit++) {
      if (TruthField.isOneOf(claim.key(unit), hears)) {
        return;
      }
    }
    int from = Math.max(bestFrom, isAuthor ? bestFrom : nameAfter);
    boolean own = isDone(verb, after, from, bestAfter);
    for (int p = from; p < bestAfter; p++) {
      long key = evidence.key(p);
      own |= TruthField.isOneOf(key, self);
      if (TruthField.isOneOf(key, others) || has(first, verb, key)) {
        return;
      }
    }
    if (own && isPerson(first, verb)) {
      changes.add(ChangeKind.NAME, first, verb, nameFrom, nameAfter);
    }
  }

  private boolean isName(long key, int flags) {
    return (flags & (Units.UPPER | Units.DIGITS | Units.WORD)) == (Units.UPPER | Units.WORD)
        && !words.is(key, WordClass.FUNCTION)
        && !words.is(key, WordClass.QUANTIFIER)
        && !words.is(key, WordClass.NEGATION);
  }

  /** Finds the name before the turn in which a position stands. */
  private boolean findSpeaker(int position) {
    int chunk = evidence.chunk(position);
    int label = evidence.labelsFrom(position + MAX_NAME + 1) - 1;
    for (int i = 0; i < MAX_BACK && label >= 0; i++, label--) {
      if (evidence.label(label) < evidence.start(chunk)) {
        return false;
      }
      field.read(label);
      if (field.nameFrom > position) {
        continue;
      }
      if (TruthField.isOneOf(evidence.key(evidence.label(label)), authors)) {
        if (!isNameFrom(field.nameAfter) || field.nameAfter > position) {
          return false;
        }
        isAuthor = true;
        nameFrom = field.nameAfter;
        nameAfter = nameFrom;
        while (nameAfter < field.valueAfter && isNameFrom(nameAfter)) {
          nameAfter++;
        }
        return true;
      }
      if (isTurn()) {
        isAuthor = false;
        nameAfter = field.nameAfter;
        return true;
      }
    }
    return false;
  }

  private boolean isNameFrom(int position) {
    return isName(evidence.key(position), evidence.flags(position));
  }

  /** True of names alone, before more than a word, but for what a line begins with: a hash. */
  private boolean isTurn() {
    if (field.valueAfter == field.nameAfter) {
      return false;
    }
    nameFrom = field.nameAfter;
    while (nameFrom > field.nameFrom && isNameFrom(nameFrom - 1)) {
      nameFrom--;
    }
    int before = nameFrom - field.nameFrom;
    boolean marked = before == 1 && (evidence.flags(field.nameFrom) & Units.DIGITS) != 0;
    return nameFrom < field.nameAfter
        && (before == 0 || marked)
        && evidence.begins(field.nameFrom)
        && !TruthField.isOneOf(evidence.key(nameFrom), headers)
        && (!field.isShort() || hasSelf(field.nameAfter, field.valueAfter));
  }

  private boolean hasSelf(int from, int to) {
    boolean has = false;
    for (int p = from; p < to && !has; p++) {
      has = TruthField.isOneOf(evidence.key(p), self);
    }
    return has;
  }

  /** True if a field has a name that the claim begins with, or is called so. */
  private boolean isPerson(int first, int verb) {
    boolean is = false;
    int labels = Math.min(evidence.labels(), MAX_LABELS);
    for (int label = 0; label < labels && !is; label++) {
      field.read(label);
      for (int p = field.nameFrom; p < field.valueAfter && !is; p++) {
        is = isNameFrom(p) && has(first, verb, evidence.key(p));
      }
    }
    return is;
  }

  /** True if the claim has a word of the speaker's name. */
  private boolean isNamed(int first, int after) {
    boolean named = false;
    for (int p = nameFrom; p < nameAfter && !named; p++) {
      named = has(first, after, evidence.key(p));
    }
    return named;
  }

  private boolean has(int first, int after, long key) {
    boolean has = false;
    for (int unit = first; unit < after && !has; unit++) {
      has = claim.key(unit) == key;
    }
    return has;
  }

  /** True if a sentence begins with the verb of the claim: "Fix rounding" and "fixed". */
  private boolean isDone(int verb, int after, int from, int to) {
    return from < to
        && verb < after
        && !words.is(claim.key(verb), WordClass.FUNCTION)
        && (claim.key(verb) == evidence.key(from)
            || thesaurus.isSameWord(claim.key(verb), evidence.key(from)));
  }
}
