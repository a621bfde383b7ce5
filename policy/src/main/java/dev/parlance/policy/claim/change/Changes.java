package dev.parlance.policy.claim.change;

import dev.parlance.policy.claim.Thesaurus;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.value.ValueComparison;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.text.Utf8Span;
import java.util.function.IntPredicate;

/**
 * Finds critical changes: places where a claim that follows its evidence nearly word for word says
 * something else.
 *
 * <p>The pieces of a claim are laid beside the stretches of evidence that they follow ({@link
 * PieceCheck}); a claim that follows none may still say otherwise than a sentence, a field or a row
 * of it, of which each kind has a check of its own.
 *
 * <p>The work is linear in claim and evidence ({@link Alignment}, {@link PairIndex}). Reusable, for
 * one thread; nothing is allocated for a claim.
 */
public final class Changes {
  private static final double LEAST = 0.5;

  private final Units claim;
  private final PairIndex evidence = new PairIndex();
  private final GapCheck gaps;
  private final Values evidenceValues;
  private final ValueCheck values;
  private final Negations negations;
  private final DenialCheck denials;
  private final PieceCheck pieces;
  private final SwapCheck swaps;
  private final PhraseCheck phrases;
  private final OrderCheck orders;
  private final CountCheck counts;
  private final FieldCheck fields;
  private final RowCheck rows;
  private final SideCheck sides;
  private final ListCheck lists;
  private final DoneCheck dones;
  private final SpeakerCheck speakers;
  private final PriceCheck prices;
  private final DayCheck days;
  private final NotedCheck noted;
  private final RivalWords rivals;
  private final NormCheck norms;
  private final FrameCheck frames;
  private final RunOpposites runs = new RunOpposites();
  private final FoundChanges changes;
  private final FoundChanges scratch;

  /**
   * A search in answers that these units and values will hold, and evidence with these values.
   *
   * @param thesaurus with keys of the same seed, as of the tables behind it
   */
  public Changes(
      Units answer,
      Values answerValues,
      Values evidenceValues,
      ValueComparison comparison,
      Thesaurus thesaurus,
      CriticalWords words,
      NormWords normWords,
      FrameWords frameWords) {
    claim = answer;
    changes = new FoundChanges(answer, evidence);
    scratch = new FoundChanges(answer, evidence);
    this.evidenceValues = evidenceValues;
    negations = new Negations(answer, evidence, words);
    gaps = new GapCheck(answer, words, thesaurus, evidence, negations);
    EdgeCheck edges = new EdgeCheck(answer, evidence, words, gaps, negations);
    denials = new DenialCheck(answer, evidence, frameWords, gaps, negations, edges);
    counts =
        new CountCheck(
            answer, answerValues, evidenceValues, comparison, evidence, words, thesaurus);
    phrases = new PhraseCheck(answer, evidence, words, gaps, negations);
    swaps = new SwapCheck(answer, evidence, gaps, negations);
    values = new ValueCheck(answer, answerValues, evidenceValues, comparison, evidence);
    pieces = new PieceCheck(answer, evidence, words, gaps, values, negations, edges, changes);
    sides = new SideCheck(answer, evidence, words);
    lists = new ListCheck(answer, evidence, words, thesaurus);
    dones = new DoneCheck(answer, evidence, words, thesaurus, values);
    speakers = new SpeakerCheck(answer, evidence, words, thesaurus);
    prices = new PriceCheck(answer, evidence, words);
    days = new DayCheck(answer, evidence, words);
    noted = new NotedCheck(answer, evidence, words);
    rivals = new RivalWords(answer, evidence, words);
    fields = new FieldCheck(answer, evidence, words, thesaurus, values, answer::keyOf);
    orders = new OrderCheck(answer, evidence);
    rows = new RowCheck(answer, evidence, words, thesaurus);
    norms = new NormCheck(answer, evidence, words, normWords, thesaurus);
    frames = new FrameCheck(answer, evidence, words, frameWords, thesaurus, negations);
  }

  /** Forgets the evidence. */
  public void clear() {
    evidence.clear();
    norms.clear();
    changes.cutTo(0);
  }

  /**
   * Takes up a chunk of evidence, whose units may be read anew afterwards. Its values are those
   * that were added since the chunk before.
   */
  public void add(Units chunk, Utf8Span text) {
    evidence.add(chunk, text, evidenceValues.count());
  }

  /** The same of a chunk that was taken up before. */
  public void add(Kept chunk, Utf8Span text) {
    evidence.add(chunk.units, text, evidenceValues.count());
  }

  /** What is to be kept of the chunk that was taken up last. */
  public Kept kept() {
    return new Kept(evidence.kept());
  }

  /** What is kept of a chunk of evidence, so that it need not be read again. Immutable. */
  public static final class Kept {
    private final PairIndex.Kept units;

    private Kept(PairIndex.Kept units) {
      this.units = units;
    }

    /** Memory that it takes. */
    public long memoryBytes() {
      return units.memoryBytes();
    }
  }

  /** Ends the evidence; to be called for each answer to it, whose units are read by then. */
  public void build() {
    evidence.build(claim);
    lists.start();
    dones.start();
  }

  /**
   * Compares a claim, the units {@code first} to {@code after} of the answer, with the evidence.
   *
   * @param text of the answer
   * @param within the chunks, counted from 0, that the claim may follow
   * @return how many changes there are
   */
  public int find(Utf8Span text, int first, int after, IntPredicate within) {
    changes.cutTo(0);
    gaps.read(text);
    negations.read(text);
    values.read(text);
    fields.read(text);
    pieces.read(text, first, after, within);
    int from = first;
    for (int i = first; i < after && evidence.count() > 0; i++) {
      if (i + 1 == after || i + 1 - from == Alignment.MAX_UNITS || endsClause(i)) {
        pieces.find(from, i + 1);
        from = i + 1;
      }
    }
    if (isOnlyDenied()
        && (norms.agree(text, first, after, changes.evidencePosition(0))
            || fields.confirms(first, after, changes.evidencePosition(0))
            || lists.confirms(first, after, scratch)
            || (isOneNegation() && denials.denyBoth(first, after, changes.evidencePosition(0))))) {
      changes.cutTo(0);
    }
    return changes.count();
  }

  private boolean isOneNegation() {
    return changes.count() == 1
        && changes.kind(0) == ChangeKind.NEGATION
        && negations.said(changes.claimFrom(0), changes.claimTo(0));
  }

  /** True if all that changed is whether, or how, something is to be done. */
  private boolean isOnlyDenied() {
    for (int i = 0; i < changes.count(); i++) {
      ChangeKind kind = changes.kind(i);
      if (kind != ChangeKind.NEGATION
          && kind != ChangeKind.MODALITY
          && kind != ChangeKind.ANTONYM) {
        return false;
      }
    }
    return changes.count() > 0;
  }

  /**
   * True behind a clause of a script without blanks: its commas part what is said of one another.
   */
  private boolean endsClause(int unit) {
    return (claim.flags(unit) & claim.flags(unit + 1) & Units.GRAM) != 0
        && claim.start(unit + 1) > claim.end(unit);
  }

  /**
   * The unit of a claim whose opposite stands in a sentence of the evidence, or -1.
   *
   * @param from the first unit, of all those of the evidence, of the sentence
   * @param to the one after its last
   */
  public int opposed(Utf8Span text, int first, int after, int from, int to) {
    gaps.read(text);
    negations.read(text);
    int opposed = gaps.opposed(first, after, from, to);
    if (opposed >= 0 || from >= to) {
      return opposed;
    }
    Utf8Span chunk = evidence.text(evidence.chunk(from));
    return runs.find(
        text, claim, first, after, chunk, evidence.startByte(from), evidence.endByte(to - 1));
  }

  /** Index of the first byte in its chunk of a unit of the evidence. */
  public int startByte(int position) {
    return evidence.startByte(position);
  }

  /** True if a unit of the claim is another form of a word of the evidence: ermäßigt, ermäßigte. */
  public boolean isForm(Utf8Span text, int unit, int position) {
    gaps.read(text);
    return gaps.isForm(unit, position);
  }

  /** True if a claim has the two words that stand at a position of the evidence and behind it. */
  public boolean hasPair(int first, int after, int position) {
    boolean has = false;
    for (int unit = first; unit + 1 < after && !has; unit++) {
      has =
          claim.key(unit) == evidence.key(position)
              && claim.key(unit + 1) == evidence.key(position + 1);
    }
    return has;
  }

  /** True if digits stand at a position of the evidence. */
  public boolean hasDigits(int position) {
    return (evidence.flags(position) & Units.DIGITS) != 0;
  }

  /** The text of a chunk, as it was taken up. */
  public Utf8Span text(int chunk) {
    return evidence.text(chunk);
  }

  /**
   * Compares what a claim says of a field with what the evidence has there.
   *
   * @param bestFrom the first unit, of all those of the evidence, of the sentence that carries the
   *     claim best
   * @param bestAfter the one after its last
   * @param whole that sentence has all of the claim
   * @param isThere true of units of the answer that the evidence has in some form
   * @return how many changes there are
   */
  public int findFields(
      int first, int after, int bestFrom, int bestAfter, boolean whole, IntPredicate isThere) {
    changes.cutTo(0);
    fields.find(first, after, bestFrom, bestAfter, whole, isThere, changes);
    if (changes.count() == 0) {
      sides.find(first, after, changes);
    }
    if (changes.count() == 0 && !whole) {
      rows.find(first, after, bestFrom, bestAfter, changes);
    }
    if (changes.count() == 0
        && !(whole && evidence.labelsFrom(bestFrom) == evidence.labelsFrom(bestAfter))) {
      lists.find(first, after, isThere, changes);
    }
    if (changes.count() == 0) {
      dones.find(first, after, changes);
    }
    if (changes.count() == 0) {
      prices.findCurrency(first, after, bestFrom, bestAfter, isThere, changes);
    }
    if (changes.count() == 0) {
      speakers.find(first, after, bestFrom, bestAfter, changes);
    }
    if (changes.count() == 0) {
      prices.find(first, after, bestFrom, bestAfter, changes);
    }
    if (changes.count() == 0) {
      days.find(first, after, bestFrom, bestAfter, isThere, changes);
    }
    if (changes.count() == 0 && rivals.restricts(first, after, bestFrom, bestAfter)) {
      changes.add(ChangeKind.QUANTIFIER, first, first + 1, bestFrom, bestAfter);
    }
    if (changes.count() == 0 && noted.find(first, after, bestFrom) == NotedCheck.Noted.ANOTHER) {
      changes.add(ChangeKind.MODALITY, first, after, bestFrom, bestAfter);
    }
    return changes.count();
  }

  /**
   * Looks whether a sentence has the words of a claim in any order, and one of the two denies them
   * or has the opposite of one; or two parts of it in each other's place.
   *
   * @param from the first position, of all those of the evidence, of the sentence
   * @param to the one after its last
   * @return how many changes there are
   */
  public int findDenial(Utf8Span text, int first, int after, int from, int to) {
    changes.cutTo(0);
    if (denials.isDenied(first, after, from, to)) {
      changes.add(ChangeKind.NEGATION, first, after, from, to);
    } else {
      int clause = denials.deniedClause(first, after, from, to);
      if (clause >= 0) {
        changes.add(ChangeKind.NEGATION, first, after, clause, clause + 1);
      } else {
        swaps.find(first, after, from, to, changes);
      }
    }
    if (changes.count() == 0) {
      orders.find(text, first, after, from, to, changes);
    }
    return changes.count();
  }

  /**
   * Looks whether a claim denies what a clause of a sentence affirms with more words; to be asked
   * last, since others say better how a claim departs.
   *
   * @param from the first position of the sentence
   * @param to the one after its last
   * @return how many changes there are
   */
  public int findDeniedPart(int first, int after, int from, int to) {
    changes.cutTo(0);
    if (denials.deniesPart(first, after, from, to)) {
      changes.add(ChangeKind.NEGATION, first, after, from, to);
    }
    return changes.count();
  }

  /**
   * Looks whether a sentence says of what a claim says that it is not so, or that nobody knows, or
   * has "with" or "within" where the claim has the opposite.
   *
   * @param from the first position, of all those of the evidence, of the sentence
   * @param to the one after its last
   * @return how many changes there are
   */
  public int findDisowned(int first, int after, int from, int to) {
    changes.cutTo(0);
    if (frames.isDisowned(first, after, from, to)) {
      changes.add(ChangeKind.NEGATION, first, after, from, to);
    } else {
      phrases.find(first, after, from, to, changes);
    }
    return changes.count();
  }

  /**
   * Looks for a sentence that forbids what a claim allows, or the other way round.
   *
   * @param sentences the first position, of all those of the evidence, of each that may, the one
   *     after its last, and 0 if it has no word that negates, forbids or frees
   * @param count how many of them there are
   * @return how many changes there are
   */
  public int findNorms(Utf8Span text, int first, int after, int[] sentences, int count) {
    changes.cutTo(0);
    norms.find(text, first, after, sentences, count, changes);
    if (changes.count() > 0
        && (lists.confirms(first, after, scratch)
            || noted.find(first, after, changes.evidencePosition(0))
                == NotedCheck.Noted.THE_SAME)) {
      changes.cutTo(0);
    }
    return changes.count();
  }

  /** True if a word of the evidence stands before a colon. */
  public boolean hasFields() {
    return evidence.labels() > 0;
  }

  /**
   * Reads which fields of a record the numbers of a claim belong to.
   *
   * @param firstValue of the claim
   * @param afterValue the one behind its last
   * @param from the first position of the sentence that carries the claim
   * @param to the one after its last
   */
  public void readCounts(int first, int after, int firstValue, int afterValue, int from, int to) {
    counts.read(first, after, firstValue, afterValue, from, to);
  }

  /** True of a number of the claim that was read whose field has that number. */
  public boolean isOfItsField(int value) {
    return counts.of(value) == CountCheck.Outcome.AGREES;
  }

  /**
   * What the evidence has in the field to which such a number belongs, where it is another; or -1.
   */
  public int otherOfField(int value) {
    return counts.of(value) == CountCheck.Outcome.DIFFERS ? counts.found() : -1;
  }

  /** In what the claim departs. */
  public ChangeKind kind(int change) {
    return changes.kind(change);
  }

  /**
   * Index of the first byte in the answer of the words that depart, with their neighbours if none.
   */
  public int start(int change) {
    return changes.start(change);
  }

  /** Index after their last byte. */
  public int end(int change) {
    return changes.end(change);
  }

  /** The chunk that says otherwise, counted from 0 in the order in which they were added. */
  public int chunk(int change) {
    return changes.chunk(change);
  }

  /** Index of the first byte in the chunk of what stands there, with its neighbours if nothing. */
  public int evidenceStart(int change) {
    return changes.evidenceStart(change);
  }

  /** Index after its last byte. */
  public int evidenceEnd(int change) {
    return changes.evidenceEnd(change);
  }

  /**
   * True if a claim in a script of syllables negates and a sentence of the evidence does not, or
   * the sentence does and is not much longer than the claim.
   */
  public boolean isNegatedOtherwise(
      Utf8Span text, int first, int after, int chunk, int fromByte, int toByte) {
    // Thai, Lao, Khmer: the first byte of their characters
    if ((claim.flags(first) & Units.GRAM) == 0
        || (text.byteAt(claim.start(first)) & 0xFE) != 0xE0) {
      return false;
    }
    int units = 0;
    boolean there = false;
    for (int at = evidence.start(chunk); at < evidence.end(chunk); at++) {
      if (evidence.startByte(at) >= fromByte && evidence.endByte(at) <= toByte) {
        units++;
        there |= (evidence.flags(at) & PairIndex.NEGATES) != 0;
      }
    }
    boolean here = false;
    for (int unit = first; unit < after; unit++) {
      here |= PairIndex.negates(claim, unit, text);
    }
    return here ? !there : there && after - first >= LEAST * units;
  }
}
