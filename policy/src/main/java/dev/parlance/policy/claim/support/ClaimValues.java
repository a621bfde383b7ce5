package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Claims;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.Changes;
import dev.parlance.policy.claim.support.ClaimMeasure.Feature;
import dev.parlance.policy.claim.value.ValueArithmetic;
import dev.parlance.policy.claim.value.ValueComparison;
import dev.parlance.policy.claim.value.ValueKind;
import dev.parlance.policy.claim.value.ValueLexicon;
import dev.parlance.policy.claim.value.ValueMatch;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.signal.ClaimFindings.Departure;
import dev.parlance.policy.text.Utf8Span;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * The values of an answer, held against those of the evidence: whether they are there, in the row,
 * sentence or source that the claim is about, or follow from others. For one thread.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
final class ClaimValues {
  /** A claim that has this share of its words in a sentence follows it. */
  private static final double NEAR = 0.75;

  /** So many bytes stand between a number and the colon behind what it counts. */
  private static final int MAX_LISTED_NAME = 60;

  /** A list of what a number counts is no longer. */
  private static final int MAX_LIST_BYTES = 400;

  /** One that has this share is about it. */
  private static final double ABOUT = 0.33;

  /** So many units of a claim are looked at for the row of a table that it is about. */
  private static final int ROW_UNITS = 64;

  /** Around so many values of an answer the evidence is read for what they are for. */
  private static final int MAX_LOOKED_AROUND = 256;

  private static final ValueMatch[] MATCHES = ValueMatch.values();

  /** Say that a number is of each of the things that were counted before. */
  private static final byte[][] EACH =
      Stream.of(" each", " apiece", " je ", " jeweils", " chacun", " cada ", " ciascun", " elk ")
          .map(word -> Utf8Span.of(word).toByteArray())
          .toArray(byte[][]::new);

  private static final int EACH_BYTES = 24;
  private static final int EACH_BEFORE = 10;

  private final Units answer;
  private final Claims claims;
  private final TextWords words;
  private final Values said;
  private final ValueComparison comparison;

  /** So many bytes behind a number say what is counted. */
  private static final int MAX_COUNTED = 16;

  private static final byte[][] NOT =
      Stream.of("not ", "nicht ", "pas ", "no ", "non ", "niet ", "não ", "nie ", "не ", "inte ")
          .map(word -> Utf8Span.of(word).toByteArray())
          .toArray(byte[][]::new);

  private final ValueArithmetic arithmetic;
  private final EvidenceReading reading;
  private final EvidenceIndex evidence;
  private final ClaimMeasure measure;
  private final NotedDepartures departures;
  private final ClauseValues clauses;
  private final Changes changes;
  private final ValueArithmetic.Operands isCarried = value -> match(value).isCarried();
  private final IntPredicate isEach = this::isEach;

  /** How the evidence carries each value of the answer plus one, and which of its own does. */
  private byte[] matches = new byte[64];

  private int[] founds = new int[64];

  /** The answer has a value that no marker covers. */
  private boolean any;

  private int lookedAround;
  private final int[] row = new int[8];
  private Utf8Span text = Utf8Span.EMPTY;

  /**
   * Values of answers.
   *
   * @param answer the units of the answer
   * @param claims its claims
   * @param words what is known of their words
   * @param said takes its values
   * @param reading the evidence
   * @param measure has measured the claim whose values are checked
   * @param departures takes what is found
   * @param changes knows where the words of the evidence stand
   */
  ClaimValues(
      Units answer,
      Claims claims,
      TextWords words,
      ValueLexicon lexicon,
      Values said,
      ValueComparison comparison,
      EvidenceReading reading,
      ClaimMeasure measure,
      NotedDepartures departures,
      Changes changes) {
    this.answer = answer;
    this.claims = claims;
    this.words = words;
    this.said = said;
    this.comparison = comparison;
    this.arithmetic = new ValueArithmetic(lexicon);
    this.reading = reading;
    this.evidence = reading.index();
    this.measure = measure;
    this.departures = departures;
    this.changes = changes;
    clauses = new ClauseValues(answer, claims, words, said, comparison, reading, changes);
  }

  /**
   * Takes up the values of an answer.
   *
   * @param markers byte ranges of it that claim nothing: begin, end, ...
   * @param ranges how many of them there are
   */
  void read(Utf8Span given, int[] markers, int ranges) {
    text = given;
    lookedAround = 0;
    said.read(text, answer);
    for (int i = 0; i < ranges; i++) {
      // One that begins before the marker may reach into it.
      int first = Math.max(0, firstValue(markers[2 * i]) - 1);
      said.label(first, firstValue(markers[2 * i + 1]), markers[2 * i], markers[2 * i + 1]);
    }
    int count = said.count();
    any = false;
    int range = 0;
    for (int i = 0; i < count && !any; i++) {
      while (range < ranges && markers[2 * range + 1] <= said.start(i)) {
        range++;
      }
      any =
          range == ranges
              || said.start(i) < markers[2 * range]
              || said.end(i) > markers[2 * range + 1];
    }
    if (matches.length < count || matches.length > Math.max(1 << 14, 4 * count)) {
      matches = new byte[count + count / 2 + 64];
      founds = new int[matches.length];
    } else {
      Arrays.fill(matches, 0, count, (byte) 0);
    }
  }

  /** False if nothing that is asked of an answer needs the values of the evidence. */
  boolean any() {
    return any;
  }

  /**
   * How all of the evidence carries a value of the answer: asked for several times, looked up once.
   */
  private ValueMatch match(int value) {
    if (matches[value] == 0) {
      matches[value] = (byte) (reading.valueIndex().best(said, value).ordinal() + 1);
      founds[value] = reading.valueIndex().found();
    }
    return MATCHES[matches[value] - 1];
  }

  /** Marks the units of a claim that are values which the evidence has in some notation. */
  void findCarried(int first, int after, BitSet carriedUnits) {
    carriedUnits.clear();
    int to = answer.end(after - 1);
    int unit = first;
    for (int i = firstValue(answer.start(first)); i < said.count() && said.start(i) < to; i++) {
      if (!said.isLabel(i) && match(i).isCarried()) {
        while (unit < after && answer.end(unit) <= said.start(i)) {
          unit++;
        }
        for (int u = unit; u < after && answer.start(u) < said.end(i); u++) {
          carriedUnits.set(u);
        }
      }
    }
  }

  /**
   * Checks the values of a claim.
   *
   * @param cited the chunks that it cites
   * @param carriedUnits gets the units of values that follow from others
   * @return true if one follows from others that the claim names
   */
  boolean check(int first, int after, BitSet cited, BitSet carriedUnits) {
    int from = answer.start(first);
    int to = answer.end(after - 1);
    boolean derived = false;
    int best = measure.bestSentence();
    if (best != EvidenceIndex.NONE && changes.hasFields()) {
      changes.readCounts(
          first, after, firstValue(from), firstValue(to), evidence.begin(best), evidence.end(best));
    }
    for (int i = firstValue(from); i < said.count() && said.start(i) < to; i++) {
      // What a change was found in the place of is told already.
      if (!said.isLabel(i) && !said.isWeak(i) && !departures.touches(said.start(i), said.end(i))) {
        boolean follows = isDerived(i, first, after, cited);
        derived |= follows;
        for (int unit = first; unit < after && follows; unit++) {
          if (answer.start(unit) < said.end(i) && answer.end(unit) > said.start(i)) {
            carriedUnits.set(unit);
          }
        }
      }
    }
    return derived;
  }

  private int firstValue(int from) {
    int low = 0;
    int high = said.count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (said.start(middle) < from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isDerived(int value, int first, int after, BitSet cited) {
    ValueMatch match = match(value);
    int found = founds[value];
    if (match.isCarried()) {
      if (isOfOtherRow(value, first, after) && !countsItems(value, answer.end(after - 1))) {
        note(Departure.NUMBER_CHANGED, value, found);
      } else if (isPerOther(value, found, first, after)) {
        note(Departure.UNIT_CHANGED, value, found);
      } else if (!isBoundAlone(value, found) && !isOfField(value)) {
        exchanged(value, first, after, cited);
      }
      return false;
    }
    int firstOfClaim = firstValue(answer.start(first));
    int afterOfClaim = firstValue(answer.end(after - 1));
    if (arithmetic.isDerived(said, value, firstOfClaim, afterOfClaim, isCarried)
        || countsItems(value, answer.end(after - 1))
        || followsThere(value)
        || isMultiple(value, firstOfClaim, afterOfClaim)) {
      return true;
    }
    if (isCorrected(value, firstOfClaim, afterOfClaim)) {
      return true;
    }
    note(departure(match), value, found);
    return false;
  }

  /** True of the number of a field that the claim names, whose other number is noted. */
  private boolean isOfField(int value) {
    if (measure.bestSentence() == EvidenceIndex.NONE || !changes.hasFields()) {
      return false;
    }
    int other = changes.otherOfField(value);
    if (other >= 0) {
      note(Departure.NUMBER_CHANGED, value, other);
    }
    return other >= 0 || changes.isOfItsField(value);
  }

  /** True if it follows from two values of the sentence that the claim is about. */
  private boolean followsThere(int value) {
    int sentence = measure.bestSentence();
    return sentence != EvidenceIndex.NONE
        && measure.feature(Feature.BEST) >= ABOUT
        && arithmetic.follows(
            said,
            value,
            reading.values(),
            reading.firstOf(sentence),
            reading.afterOf(sentence),
            isEach);
  }

  /**
   * True of three nights and of 420 euros where the claim has both and its sentence 140 euros per
   * night.
   */
  private boolean isMultiple(int value, int from, int to) {
    int sentence = measure.bestSentence();
    if (sentence == EvidenceIndex.NONE || said.kind(value) != ValueKind.NUMBER) {
      return false;
    }
    int first = Math.max(from, value - ValueArithmetic.MAX_OPERANDS);
    int after = Math.min(to, value + ValueArithmetic.MAX_OPERANDS + 1);
    int there = reading.firstOf(sentence);
    int thereAfter = Math.min(reading.afterOf(sentence), there + ValueArithmetic.MAX_OPERANDS);
    for (int other = first; other < after; other++) {
      for (int amount = there; amount < thereAfter && other != value; amount++) {
        if (isTimes(other, value, amount) || isTimes(value, other, amount)) {
          return true;
        }
      }
    }
    return false;
  }

  /** True if so many times an amount that is for one of them are a total. */
  private boolean isTimes(int times, int total, int amount) {
    Utf8Span there = changes.text(reading.chunkOf(amount));
    int to = Math.min(text.length(), said.end(times) + MAX_COUNTED);
    return arithmetic.isTimes(said, times, total, reading.values(), amount)
        && PerWords.isFor(
            text,
            said.start(times),
            to,
            there,
            reading.values().start(amount),
            reading.values().end(amount));
  }

  /** True of a number right behind "not" where the claim has another one that the evidence has. */
  private boolean isCorrected(int value, int from, int to) {
    boolean denied = false;
    for (byte[] not : NOT) {
      int at = said.start(value) - not.length;
      denied |= at >= 0 && isAt(text, at, not);
    }
    boolean corrected = false;
    int first = Math.max(from, value - ValueArithmetic.MAX_OPERANDS);
    int after = Math.min(to, value + ValueArithmetic.MAX_OPERANDS + 1);
    for (int other = first; other < after && denied && !corrected; other++) {
      corrected =
          other != value
              && said.kind(other) == said.kind(value)
              && (comparison.isAlike(said, value, said, other) || !said.hasUnit(other))
              && match(other).isCarried();
    }
    return corrected;
  }

  /** True if a word for each stands behind a value of the evidence, or right before it. */
  private boolean isEach(int found) {
    Utf8Span there = changes.text(reading.chunkOf(found));
    int start = reading.values().start(found);
    int end = Math.min(there.length(), reading.values().end(found) + EACH_BYTES);
    boolean is = false;
    for (int at = Math.max(0, start - EACH_BEFORE); at < end && !is; at++) {
      for (byte[] each : EACH) {
        is |= isAt(there, at, each);
      }
    }
    return is;
  }

  private static boolean isAt(Utf8Span text, int at, byte[] word) {
    int same = at + word.length <= text.length() ? 0 : word.length + 1;
    while (same < word.length && text.byteAt(at + same) == word[same]) {
      same++;
    }
    return same == word.length;
  }

  /**
   * True of an end of a range that the evidence has as a bound of its own: "at least 2 kg. At most
   * 8 kg" for "between 2 and 8 kg".
   */
  private boolean isBoundAlone(int value, int found) {
    Values.Bound there = found < 0 ? Values.Bound.NONE : reading.values().bound(found);
    return switch (said.bound(value)) {
      case FROM -> there != Values.Bound.FROM && there.isLower();
      case TO -> there != Values.Bound.TO && there.isUpper();
      default -> false;
    };
  }

  /** True if claim and evidence say what the amount is for, and it is not the same. */
  private boolean isPerOther(int value, int found, int first, int after) {
    // Units that say both are compared as units.
    if (found < 0 || (said.isQuotient(value) && reading.values().isQuotient(found))) {
      return false;
    }
    Utf8Span there = changes.text(reading.chunkOf(found));
    int from = reading.values().start(found);
    int to = reading.values().end(found);
    if (said.hasUnit(value)
        && PerWords.differ(text, said.start(value), said.end(value), there, from, to)) {
      return true;
    }
    return lookedAround++ < MAX_LOOKED_AROUND
        && PerTimes.differ(
            text,
            answer.start(first),
            answer.end(after - 1),
            said.start(value),
            said.end(value),
            there,
            from,
            to,
            said.hasUnit(value));
  }

  /** True of the number of what is listed behind a colon: three plans: Basic, Pro and Team. */
  private boolean countsItems(int value, int claimEnd) {
    int end = Math.min(claimEnd, said.end(value) + MAX_LIST_BYTES);
    int colon = said.end(value);
    while (colon < end && colon - said.end(value) < MAX_LISTED_NAME && text.byteAt(colon) != ':') {
      colon++;
    }
    if (colon >= end || text.byteAt(colon) != ':' || said.hasUnit(value)) {
      return false;
    }
    int items = 1;
    boolean comma = true;
    for (int at = colon + 1; at < end; at++) {
      int b = text.byteAt(at);
      boolean joins = b == ' ' && !comma && ClauseValues.isJoin(text, at, end);
      items += b == ',' || joins ? 1 : 0;
      comma = b == ',' || joins || (comma && b == ' ');
    }
    return items > 1 && said.isWhole(value, items);
  }

  /**
   * True if words of the claim name rows of a table, or records, none of which has the value though
   * one has another of its kind.
   */
  private boolean isOfOtherRow(int value, int first, int after) {
    boolean other = false;
    for (int unit = first;
        unit < Math.min(after, first + ROW_UNITS) && reading.hasRecords();
        unit++) {
      boolean own = answer.start(unit) < said.end(value) && answer.end(unit) > said.start(value);
      if (own
          || !claims.isPart(unit)
          || (words.kind(unit) & EvidenceIndex.FUNCTION) != 0
          || (said.kind(value) == ValueKind.IDENTIFIER && isOfIdentifier(unit))) {
        continue;
      }
      int rows = rowsOf(words.lemma(unit));
      for (int i = 0; i < rows; i++) {
        ValueMatch there = inRow(value, row[i]);
        if (there.isCarried()) {
          return false;
        }
        other |= isOther(there);
      }
    }
    return other;
  }

  /** True of a unit of a name with digits: two of them in a claim are two rows. */
  private boolean isOfIdentifier(int unit) {
    int behind = firstValue(answer.start(unit) + 1);
    return behind > 0
        && said.kind(behind - 1) == ValueKind.IDENTIFIER
        && said.end(behind - 1) >= answer.end(unit);
  }

  private ValueMatch inRow(int value, int sentence) {
    int from = reading.firstOf(sentence);
    int to = Math.min(reading.afterOf(sentence), from + ROW_UNITS);
    ValueMatch best = ValueMatch.OTHER;
    for (int i = from; i < to; i++) {
      ValueMatch match = comparison.match(said, value, reading.values(), i);
      best = match.compareTo(best) < 0 ? match : best;
    }
    return best;
  }

  /** Collects the rows that a word stands in; 0 if it is in too many to name one, or in prose. */
  private int rowsOf(long lemma) {
    int rows = 0;
    int most = Math.min(row.length, Math.max(1, evidence.sentences() / 2));
    for (int p = evidence.first(lemma); p >= 0; p = evidence.next(p)) {
      int sentence = evidence.sentence(p);
      if (rows > 0 && row[rows - 1] == sentence) {
        continue;
      }
      if (rows == most || !reading.hasRecords(evidence.chunkOf(sentence))) {
        return 0;
      }
      row[rows++] = sentence;
    }
    return rows;
  }

  /**
   * A value that the evidence has, but not where the claim stands: its word has another one in the
   * sentence that carries the claim, or that sentence, or the cited source, has one of its kind
   * that is another.
   */
  private void exchanged(int value, int firstUnit, int afterUnit, BitSet cited) {
    int sentence = measure.bestSentence();
    if (sentence == EvidenceIndex.NONE) {
      return;
    }
    int chunk = evidence.chunkOf(sentence);
    int first = reading.firstOf(sentence);
    int after = reading.afterOf(sentence);
    boolean near = measure.feature(Feature.BEST) >= NEAR;
    ValueMatch there = reading.valueIndex().ofNeighbour(said, value, first, after);
    if (near
        && isOther(there)
        && !clauses.isOfItsClause(text, value, sentence, firstUnit, afterUnit)) {
      note(Departure.NUMBER_CHANGED, value, reading.valueIndex().found());
      return;
    }
    if (said.isNamed(value)) {
      there = reading.valueIndex().ofNeighbour(said, value);
      if (isOther(there)) {
        note(Departure.NUMBER_CHANGED, value, reading.valueIndex().found());
        return;
      }
    }
    if (measure.feature(Feature.BEST) >= ABOUT && measure.feature(Feature.LONGEST) < 1.0) {
      int from = firstValue(answer.start(firstUnit));
      int to = firstValue(answer.end(afterUnit - 1));
      int other = clauses.other(text, value, sentence, firstUnit, afterUnit, from, to);
      if (other >= 0) {
        note(Departure.NUMBER_CHANGED, value, other);
        return;
      }
    }
    if (near && (cited.isEmpty() || cited.get(chunk))) {
      there = reading.valueIndex().best(said, value, first, after);
      int alike = there == ValueMatch.OTHER ? alikeOf(value, first, after) : -1;
      if (alike >= 0) {
        note(Departure.NUMBER_CHANGED, value, alike);
        return;
      }
    } else if (!cited.isEmpty()) {
      there = inCited(value, cited);
    } else {
      return;
    }
    if (isOther(there)) {
      note(departure(there), value, reading.valueIndex().found());
    }
  }

  /** The only amount of a sentence in the unit of one that it does not have, or -1. */
  private int alikeOf(int value, int first, int after) {
    int alike = -1;
    for (int i = first; i < Math.min(after, first + ROW_UNITS) && said.hasUnit(value); i++) {
      if (comparison.isAlike(said, value, reading.values(), i)) {
        if (alike >= 0) {
          return -1;
        }
        alike = i;
      }
    }
    return alike;
  }

  /** How well the cited chunks carry a value. */
  private ValueMatch inCited(int value, BitSet cited) {
    ValueMatch best = ValueMatch.OTHER;
    for (int chunk = cited.nextSetBit(0); chunk >= 0; chunk = cited.nextSetBit(chunk + 1)) {
      ValueMatch match =
          reading
              .valueIndex()
              .best(said, value, reading.firstValue(chunk), reading.firstValue(chunk + 1));
      if (match.compareTo(best) < 0) {
        best = match;
      }
    }
    return best;
  }

  private static boolean isOther(ValueMatch match) {
    return match != ValueMatch.OTHER && !match.isCarried();
  }

  private void note(Departure departure, int value, int found) {
    int from = said.start(value);
    int to = said.end(value);
    if (found < 0) {
      departures.add(departure, from, to);
    } else {
      Values there = reading.values();
      departures.add(
          departure, from, to, reading.chunkOf(found), there.start(found), there.end(found));
    }
  }

  private static Departure departure(ValueMatch match) {
    return switch (match) {
      case UNIT, CURRENCY -> Departure.UNIT_CHANGED;
      case DATE, TIME -> Departure.DATE_CHANGED;
      case SIGN, BOUND, BOUND_LOST, NUMBER, IDENTIFIER -> Departure.NUMBER_CHANGED;
      case OTHER, SAME, CONVERTED, ROUNDED, NUMBER_ONLY, DERIVED -> Departure.VALUE_UNSUPPORTED;
    };
  }

  /** Lets go of the answer. */
  void release() {
    text = Utf8Span.EMPTY;
    said.release();
  }
}
