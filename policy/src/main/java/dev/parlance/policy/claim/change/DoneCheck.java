package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.CriticalWords.WordClass;
import dev.parlance.policy.claim.value.ValueMatch;

/**
 * Finds claims that say by a verb what a field says by a noun, and say another thing: "reported by
 * Omar" of {@code Reporter: Lena}, "assigned to Lena" of {@code Assignee: Omar}, "created on 12
 * May" of {@code Created: 11 May}, "Carl sent the offer" of {@code From: Anna}.
 *
 * <p>One field of that name that agrees acquits, and so does other evidence that has the claim's
 * words side by side. For one thread; nothing is allocated for a claim, and what is compared for
 * one answer is bounded.
 */
final class DoneCheck {
  private static final int MAX_CLAIM = 32;
  private static final int MAX_LABELS = 64;
  private static final int MAX_COMPARED = 1 << 15;

  /** So far behind "was" stands the verb. */
  private static final int MAX_BETWEEN = 2;

  private static final String[] BY = {"by", "von", "par", "por", "da", "door"};
  private static final String[] TO = {"to"};
  private static final String[] ON = {"on", "at", "in", "am", "um", "le", "el", "il", "op"};
  private static final String[] SENT = {
    "sent", "sends", "wrote", "writes", "written", "emailed", "authored", "committed", "submitted"
  };
  private static final String[] SENDERS = {"from", "author", "sender", "von", "autor", "de"};

  private final Units claim;
  private final PairIndex evidence;
  private final CriticalWords words;
  private final Thesaurus thesaurus;
  private final ValueCheck values;
  private final FieldReader field;
  private final long[] by;
  private final long[] to;
  private final long[] on;
  private final long[] sent;
  private final long[] senders;
  private final long assigned;
  private final long assignee;
  private int left;
  private int first;
  private int after;

  DoneCheck(
      Units claim,
      PairIndex evidence,
      CriticalWords words,
      Thesaurus thesaurus,
      ValueCheck values) {
    this.claim = claim;
    this.evidence = evidence;
    this.words = words;
    this.thesaurus = thesaurus;
    this.values = values;
    field = new FieldReader(evidence);
    by = TruthField.keys(claim::keyOf, BY);
    to = TruthField.keys(claim::keyOf, TO);
    on = TruthField.keys(claim::keyOf, ON);
    sent = TruthField.keys(claim::keyOf, SENT);
    senders = TruthField.keys(claim::keyOf, SENDERS);
    assigned = claim.keyOf("assigned");
    assignee = claim.keyOf("assignee");
  }

  /** Begins with another answer. */
  void start() {
    left = MAX_COMPARED;
  }

  /** Looks for a field that names another one, or another time. */
  void find(int claimFirst, int claimAfter, FoundChanges changes) {
    first = claimFirst;
    after = claimAfter;
    if (evidence.labels() == 0 || after - first > MAX_CLAIM || left <= 0) {
      return;
    }
    for (int unit = first + 1; unit + 1 < after && changes.count() == 0; unit++) {
      if (words.is(claim.key(unit), WordClass.COPULA)) {
        passive(unit, changes);
      }
    }
    if (changes.count() == 0) {
      active(changes);
    }
  }

  /** "The ticket was reported by X", and "on D". */
  private void passive(int copula, FoundChanges changes) {
    int verb = copula + 1;
    while (verb < after && verb - copula <= MAX_BETWEEN && isLight(verb)) {
      verb++;
    }
    for (int unit = verb + 1; unit + 1 < after && changes.count() == 0; unit++) {
      long key = claim.key(unit);
      if (words.is(key, WordClass.COPULA) || words.is(key, WordClass.NEGATION)) {
        return;
      }
      if (TruthField.isOneOf(key, by)) {
        compareNames(verb, unit + 1, Role.BY, changes);
      } else if (TruthField.isOneOf(key, to)) {
        compareNames(verb, unit + 1, Role.TO, changes);
      } else if (TruthField.isOneOf(key, on)) {
        compareTimes(verb, unit + 1, changes);
      }
    }
  }

  /** "X sent the offer". */
  private void active(FoundChanges changes) {
    int verb = first;
    while (verb < after && verb - first <= MAX_BETWEEN + 1 && isName(verb)) {
      verb++;
    }
    if (verb > first && verb < after && !isLight(verb)) {
      compareNames(verb, first, Role.BY, changes);
    }
  }

  private enum Role {
    BY,
    TO
  }

  private boolean isLight(int unit) {
    return words.is(claim.key(unit), WordClass.FUNCTION);
  }

  private boolean isName(int unit) {
    return (claim.flags(unit) & (Units.UPPER | Units.DIGITS)) == Units.UPPER && !isLight(unit);
  }

  private void compareNames(int verb, int from, Role role, FoundChanges changes) {
    int to = from;
    while (to < after && to != verb && isName(to)) {
      to++;
    }
    if (to == from || isElsewhere(verb, from, to)) {
      return;
    }
    int other = -1;
    int labels = Math.min(evidence.labels(), MAX_LABELS);
    for (int label = 0; label < labels && left > 0; label++) {
      left--;
      field.read(label);
      if (!isOf(verb, role) || !field.isShort()) {
        continue;
      }
      if (hasAny(from, to)) {
        return;
      }
      boolean named = (evidence.flags(field.nameAfter) & Units.UPPER) != 0;
      other = named && other < 0 ? label : other;
    }
    if (other >= 0 && left > 0) {
      field.read(other);
      changes.add(ChangeKind.NAME, from, to, field.nameAfter, field.valueAfter);
    }
  }

  /** True if a text has the name right before the verb, or behind "by". */
  private boolean isElsewhere(int verb, int from, int to) {
    int at =
        from == first
            ? evidence.last(claim.key(to - 1), claim.key(verb))
            : evidence.last(claim.key(from - 1), claim.key(from));
    while (at >= 0 && left > 0 && (isLabel(at) || evidence.begins(at + 1))) {
      left--;
      at = evidence.before(at);
    }
    return at >= 0;
  }

  private boolean isLabel(int position) {
    int label = evidence.labelsFrom(position);
    return label < evidence.labels() && evidence.label(label) == position;
  }

  /** True if the field that was read says who does what a verb says, or to whom. */
  private boolean isOf(int verb, Role role) {
    long name = evidence.key(field.nameAfter - 1);
    long key = claim.key(verb);
    if (role == Role.TO) {
      return key == assigned && name == assignee;
    }
    if (TruthField.isOneOf(name, by)) {
      long done = evidence.key(Math.max(field.nameFrom, field.nameAfter - 2));
      return done == key || thesaurus.isSameWord(done, key);
    }
    return (TruthField.isOneOf(name, senders) && TruthField.isOneOf(key, sent))
        || (name != key && !thesaurus.isSameWord(name, key) && isDoer(name, key));
  }

  /** Reporter, of reported: a noun that is derived from the verb and ends as doers do. */
  private boolean isDoer(long name, long verb) {
    if (!thesaurus.isDerived(name, verb)) {
      return false;
    }
    int last = field.nameAfter - 1;
    int end = evidence.endByte(last);
    int before = evidence.text(evidence.chunk(last)).byteAt(end - 1);
    int letter = end < 2 ? 0 : evidence.text(evidence.chunk(last)).byteAt(end - 2);
    return before == 'r' && (letter == 'e' || letter == 'o');
  }

  private boolean hasAny(int from, int to) {
    for (int unit = from; unit < to; unit++) {
      for (int p = field.nameAfter; p < field.valueAfter; p++) {
        if (claim.key(unit) == evidence.key(p)) {
          return true;
        }
      }
    }
    return false;
  }

  private void compareTimes(int verb, int from, FoundChanges changes) {
    int to = from;
    while (to < after && (isDated(to) || (isLight(to) && !TruthField.isOneOf(claim.key(to), by)))) {
      to++;
    }
    if (to == from) {
      return;
    }
    int other = -1;
    int labels = Math.min(evidence.labels(), MAX_LABELS);
    for (int label = 0; label < labels && left > 0; label++) {
      left--;
      long name = evidence.key(evidence.label(label));
      if (name != claim.key(verb) && !thesaurus.isSameWord(name, claim.key(verb))) {
        continue;
      }
      field.read(label);
      if (values.isCarried(from, to, field.nameAfter, field.valueAfter)) {
        return;
      }
      ValueMatch match = values.bestAlike(from, to, field.nameAfter, field.valueAfter);
      if (match == ValueMatch.DATE || match == ValueMatch.TIME) {
        other = other < 0 ? label : other;
      }
    }
    if (other >= 0 && left > 0) {
      field.read(other);
      changes.add(ChangeKind.DATE, from, to, field.nameAfter, field.valueAfter);
    }
  }

  private boolean isDated(int unit) {
    return (claim.flags(unit) & Units.DIGITS) != 0
        || words.is(claim.key(unit), WordClass.MONTH)
        || words.is(claim.key(unit), WordClass.WEEKDAY);
  }
}
