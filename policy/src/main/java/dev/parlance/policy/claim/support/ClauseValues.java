package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Claims;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.Changes;
import dev.parlance.policy.claim.value.ValueComparison;
import dev.parlance.policy.claim.value.ValueMatch;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;

/**
 * Tells a value that a claim took from another clause of the sentence that carries it: "headache in
 * 12 %" of {@code nausea (12 %), headache (8 %)}.
 *
 * <p>Where a sentence has several values that a claim might have meant, commas, semicolons and
 * "and" between them part it. A value was taken from another clause if the claim has no other word
 * of the clause that the value stands in, but words that stand in another one alone. For one
 * thread; nothing is allocated for a claim.
 */
final class ClauseValues {
  private static final int MAX_VALUES = 8;
  private static final int MAX_PLACES = 16;

  /** So often a word of a claim is compared with one of the sentence whose form it may be. */
  private static final int MAX_FORMS = 128;

  /** A sentence with more values is a list. */
  private static final int MAX_LOOKED_AT = 32;

  /** A longer claim is about more than a clause. */
  private static final int MAX_CLAIM = 64;

  /** The first clause may have the subject of all. */
  private static final int LEAST_OF_FIRST = 2;

  private static final byte[][] JOINS = {
    Utf8Span.of(" and ").toByteArray(),
    Utf8Span.of(" but ").toByteArray(),
    Utf8Span.of(" while ").toByteArray(),
    Utf8Span.of(" und ").toByteArray(),
    Utf8Span.of(" et ").toByteArray(),
    Utf8Span.of(" y ").toByteArray(),
    Utf8Span.of(" e ").toByteArray(),
    Utf8Span.of(" en ").toByteArray(),
  };

  private final Units answer;
  private final Claims claims;
  private final TextWords words;
  private final Values said;
  private final ValueComparison comparison;
  private final EvidenceReading reading;
  private final EvidenceIndex evidence;
  private final Changes changes;

  // The values of the sentence that compare, and where the clause of each begins.
  private int count;
  private int own;
  private int formsLeft;
  private Utf8Span answerText = Utf8Span.EMPTY;
  private final int[] values = new int[MAX_VALUES];
  private final int[] begins = new int[MAX_VALUES];
  private final int[] ends = new int[MAX_VALUES];
  private final int[] counts = new int[MAX_VALUES];

  ClauseValues(
      Units answer,
      Claims claims,
      TextWords words,
      Values said,
      ValueComparison comparison,
      EvidenceReading reading,
      Changes changes) {
    this.answer = answer;
    this.claims = claims;
    this.words = words;
    this.said = said;
    this.comparison = comparison;
    this.reading = reading;
    this.evidence = reading.index();
    this.changes = changes;
  }

  /**
   * The value of the clause that the claim is about, if the one it has is of another clause.
   *
   * @param text of the answer
   * @param value of the answer, which the sentence has
   * @param first the first unit of the claim
   * @param firstSaid the first value of the claim
   * @param afterSaid the value behind its last
   * @return a value of the evidence, or -1
   */
  int other(
      Utf8Span text, int value, int sentence, int first, int after, int firstSaid, int afterSaid) {
    if (!count(text, value, sentence, first, after)) {
      return -1;
    }
    for (int i = 0; i < count && counts[own] == 0; i++) {
      if (i != own
          && counts[i] >= (i == 0 ? LEAST_OF_FIRST : 1)
          && !isSaid(values[i], firstSaid, afterSaid)) {
        return values[i];
      }
    }
    return ofNamedClause(sentence, first, after, firstSaid, afterSaid);
  }

  /** True if a claim has a word that stands in the clause of its value alone, a later one. */
  boolean isOfItsClause(Utf8Span text, int value, int sentence, int first, int after) {
    return count(text, value, sentence, first, after) && own > 0 && counts[own] > 0;
  }

  /** Counts the words of the claim that stand in one clause alone; false if they are not parted. */
  private boolean count(Utf8Span text, int value, int sentence, int first, int after) {
    answerText = text;
    if (after - first > MAX_CLAIM || !gather(value, sentence) || count < 2 || !part(sentence)) {
      return false;
    }
    Arrays.fill(counts, 0, count, 0);
    formsLeft = MAX_FORMS;
    for (int unit = first; unit < after; unit++) {
      boolean itself = answer.start(unit) < said.end(value) && answer.end(unit) > said.start(value);
      if (!itself
          && claims.isPart(unit)
          && (answer.flags(unit) & Units.SYMBOL) == 0
          && (words.kind(unit) & EvidenceIndex.FUNCTION) == 0) {
        int clause =
            evidence.first(words.lemma(unit)) < 0
                ? clauseOfForm(unit, sentence)
                : onlyClause(words.lemma(unit), sentence);
        if (clause >= 0) {
          counts[clause]++;
        }
      }
    }
    return true;
  }

  /**
   * The value of a clause all of whose words the claim has, where the clause of its own value has
   * one that it does not have; or -1.
   */
  private int ofNamedClause(int sentence, int first, int after, int firstSaid, int afterSaid) {
    if (counts[own] == 0 || excepts(first, after)) {
      return -1;
    }
    boolean lacking = lacksWord(own, sentence, first, after);
    for (int i = 1; i < count; i++) {
      if (i != own
          && counts[i] > 0
          && (lacking || isQualified(i, sentence, first, after))
          && !lacksWord(i, sentence, first, after)
          && !isSaid(values[i], firstSaid, afterSaid)) {
        return values[i];
      }
    }
    return -1;
  }

  /** True if a clause has a word that says something and stands nowhere in the claim. */
  private boolean lacksWord(int clause, int sentence, int first, int after) {
    int end = Math.min(evidence.end(sentence), evidence.begin(sentence) + MAX_FORMS);
    int from = reading.values().start(values[clause]);
    int to = reading.values().end(values[clause]);
    for (int p = evidence.begin(sentence); p < end; p++) {
      int at = changes.startByte(p);
      boolean itself = at >= from && at < to;
      if (!itself
          && (evidence.kind(p) & EvidenceIndex.FUNCTION) == 0
          && !changes.hasDigits(p)
          && clauseAt(at) == clause
          && !isInClaim(p, first, after)) {
        return true;
      }
    }
    return false;
  }

  /** True if the claim has a word of a clause with the preposition that stands before it there. */
  private boolean isQualified(int clause, int sentence, int first, int after) {
    int end = Math.min(evidence.end(sentence), evidence.begin(sentence) + MAX_FORMS);
    for (int p = evidence.begin(sentence) + 1; p < end; p++) {
      if (clauseAt(changes.startByte(p)) == clause
          && (evidence.kind(p) & EvidenceIndex.FUNCTION) == 0
          && (evidence.kind(p - 1) & EvidenceIndex.FUNCTION) != 0
          && !changes.hasDigits(p)) {
        return changes.hasPair(first, after, p - 1);
      }
    }
    return false;
  }

  /** True of a claim that denies or excepts something. */
  private boolean excepts(int first, int after) {
    for (int unit = first; unit < after; unit++) {
      if ((words.kind(unit) & (EvidenceIndex.NEGATION | EvidenceIndex.CONDITION)) != 0) {
        return true;
      }
    }
    return false;
  }

  private boolean isInClaim(int position, int first, int after) {
    for (int unit = first; unit < after; unit++) {
      if (changes.isForm(answerText, unit, position)) {
        return true;
      }
    }
    return false;
  }

  /** Collects the values of the sentence that compare; false if several are the one asked for. */
  private boolean gather(int value, int sentence) {
    count = 0;
    own = -1;
    int from = reading.firstOf(sentence);
    int to = reading.afterOf(sentence);
    for (int i = from; i < to; i++) {
      if (i - from == MAX_LOOKED_AT) {
        return false;
      }
      ValueMatch match = comparison.match(said, value, reading.values(), i);
      boolean carried = match.isCarried();
      boolean other =
          match == ValueMatch.NUMBER
              || match == ValueMatch.DATE
              || match == ValueMatch.TIME
              || comparison.areVersions(said, value, reading.values(), i);
      if (!carried && !(other && comparison.isAlike(said, value, reading.values(), i))) {
        continue;
      }
      if (!carried && isOtherEnd(i, said.bound(value))) {
        continue;
      }
      if ((carried && own >= 0) || count == MAX_VALUES) {
        return false;
      }
      own = carried ? count : own;
      values[count++] = i;
    }
    return own >= 0;
  }

  /** True of one end of a range where the claim has the other one. */
  private boolean isOtherEnd(int value, Values.Bound bound) {
    Values.Bound there = reading.values().bound(value);
    return (bound == Values.Bound.FROM && there == Values.Bound.TO)
        || (bound == Values.Bound.TO && there == Values.Bound.FROM);
  }

  /**
   * Finds where the clause of each value begins and ends, which a semicolon ends too; false if two
   * are not parted.
   */
  private boolean part(int sentence) {
    Utf8Span text = changes.text(evidence.chunkOf(sentence));
    for (int i = 0; i < count; i++) {
      int from = i == 0 ? evidence.startByte(sentence) : reading.values().end(values[i - 1]);
      int start = reading.values().start(values[i]);
      int join = i == 0 ? lastSemicolon(text, from, start) : lastJoin(text, from, start);
      if (join < 0) {
        return false;
      }
      begins[i] = join;
      if (i > 0) {
        ends[i - 1] = firstSemicolon(text, reading.values().end(values[i - 1]), join);
      }
    }
    ends[count - 1] =
        firstSemicolon(text, reading.values().end(values[count - 1]), evidence.endByte(sentence));
    return true;
  }

  private static int lastSemicolon(Utf8Span text, int from, int to) {
    int at = to;
    while (at > from && text.byteAt(at - 1) != ';') {
      at--;
    }
    return at;
  }

  private static int firstSemicolon(Utf8Span text, int from, int to) {
    int at = from;
    while (at < to && text.byteAt(at) != ';') {
      at++;
    }
    return at;
  }

  private static int lastJoin(Utf8Span text, int from, int to) {
    for (int at = to - 1; at >= from; at--) {
      int b = text.byteAt(at);
      if (b == ',' || b == ';' || b == '|' || b == '\n' || (b == ' ' && isJoin(text, at, to))) {
        return at;
      }
    }
    return -1;
  }

  /** True if a word that joins clauses or items stands at a byte, with a blank on each side. */
  static boolean isJoin(Utf8Span text, int at, int to) {
    for (byte[] join : JOINS) {
      int i = 0;
      while (i < join.length && at + i < to && text.byteAt(at + i) == join[i]) {
        i++;
      }
      if (i == join.length) {
        return true;
      }
    }
    return false;
  }

  /** The clause that alone has a word, or -1. */
  private int onlyClause(long lemma, int sentence) {
    int clause = -1;
    int left = MAX_PLACES;
    for (int p = evidence.first(lemma); p >= 0; p = evidence.next(p)) {
      if (left-- == 0) {
        return -1;
      }
      if (evidence.sentence(p) == sentence) {
        int found = clauseAt(changes.startByte(p));
        if (found < 0 || (clause >= 0 && clause != found)) {
          return -1;
        }
        clause = found;
      }
    }
    return clause;
  }

  /** The clause that alone has another form of a unit, as its beginning tells, or -1. */
  private int clauseOfForm(int unit, int sentence) {
    int clause = -1;
    int end = Math.min(evidence.end(sentence), evidence.begin(sentence) + MAX_FORMS);
    for (int p = evidence.begin(sentence); p < end && formsLeft > 0; p++) {
      formsLeft--;
      if (changes.isForm(answerText, unit, p)) {
        int found = clauseAt(changes.startByte(p));
        if (found < 0 || (clause >= 0 && clause != found)) {
          return -1;
        }
        clause = found;
      }
    }
    return clause;
  }

  /** The clause that a byte of the sentence is in, or -1. */
  private int clauseAt(int at) {
    int found = count - 1;
    while (found >= 0 && begins[found] > at) {
      found--;
    }
    return found < 0 || at >= ends[found] ? -1 : found;
  }

  private boolean isSaid(int value, int firstSaid, int afterSaid) {
    for (int i = firstSaid; i < afterSaid; i++) {
      if (comparison.match(said, i, reading.values(), value).isCarried()) {
        return true;
      }
    }
    return false;
  }
}
