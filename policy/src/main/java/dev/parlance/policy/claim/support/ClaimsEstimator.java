package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Citations;
import dev.parlance.policy.claim.Claims;
import dev.parlance.policy.claim.KeySet;
import dev.parlance.policy.claim.PlainText;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.ChangeKind;
import dev.parlance.policy.claim.change.Changes;
import dev.parlance.policy.claim.support.ClaimMeasure.Feature;
import dev.parlance.policy.claim.value.ValueArithmetic;
import dev.parlance.policy.claim.value.ValueComparison;
import dev.parlance.policy.claim.value.ValueIndex;
import dev.parlance.policy.claim.value.ValueLexicon;
import dev.parlance.policy.claim.value.ValueMatch;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.ClaimFindings.ClaimNote;
import dev.parlance.policy.signal.ClaimFindings.Departure;
import dev.parlance.policy.signal.ClaimFindings.Detail;
import dev.parlance.policy.signal.ClaimFindings.Excerpt;
import dev.parlance.policy.signal.ClaimFindings.WeakClaim;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Estimator;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.text.KnownTexts;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The estimator that holds each claim of an answer against the evidence: how well a sentence of the
 * evidence carries it ({@link ClaimMeasure}, {@link SupportModel}), whether its values are there
 * ({@link ValueIndex}), and where it departs from what it otherwise repeats ({@link Changes}).
 *
 * <p>The answer's support is that of its weakest claim, so that nothing that stands beside a claim
 * makes up for it: neither repeating nor padding raises it. In the measurement o_c is the support;
 * n and o_q are shares of the answer's different words, as in the paper.
 *
 * <p>Linear in the sum of all lengths. Scratch is reused, nothing is allocated per word. For one
 * thread; what is known of words is shared.
 */
@SuppressWarnings("EnumOrdinal") // index of an array that never leaves this process
public final class ClaimsEstimator implements Estimator {
  /** A claim less of which is in the evidence has nothing there. */
  private static final double UNFOUNDED = 0.3;

  /** A claim that has this share of its words in a sentence follows it. */
  private static final double NEAR = 0.75;

  /** A claim in a script of syllables that has this share of them in a sentence is about it. */
  private static final double NEGATED_NEAR = 0.5;

  /** Support of what nobody can hold against anything: a bare yes, a heading of other words. */
  private static final double UNTOLD = 0.45;

  /** A heading with so many words that neither evidence nor question have is not only one. */
  private static final int HEADING_SAYS = 3;

  /** So many words in a row that the evidence does not have are looked at as a claim. */
  private static final int CLAUSE_GAP = 4;

  /** A question of so many words, such a share of which one sentence has, is answered there. */
  private static final int ASKED_WORDS = 2;

  private static final double ASKED = 0.95;

  /** So many units of a claim are looked at for the row of a table that it is about. */
  private static final int ROW_UNITS = 64;

  /** Evidence of so many bytes is kept for the next message. */
  private static final int KEPT_BYTES = 1 << 16;

  private static final int DETAIL_PARTS = 6;
  private static final Departure[] DEPARTURES = Departure.values();
  private static final ValueMatch[] MATCHES = ValueMatch.values();

  private static final int NONE = -1;

  private final Vocabulary vocabulary;
  private final WordCache words;
  private final SupportModel model;
  private final KnownTexts<ReadChunk> known;
  private final Units answer;
  private final Units other;
  private final EvidenceIndex evidence;
  private final EvidenceIndex question;
  private final ClaimMeasure measure;
  private final Changes changes;
  private final Claims claims;
  private final IntPredicate isPart;
  private final IntPredicate isAsked;
  private final ValueArithmetic.Operands isCarried = value -> match(value).isCarried();
  private final IntPredicate mayFollow;
  private final Citations citations = new Citations();
  private final PlainText plain = new PlainText();
  private final Values answerValues;
  private final Values evidenceValues;
  private final ValueIndex values;
  private final ValueComparison comparison;
  private final ValueArithmetic arithmetic;

  /** How the evidence carries each value of the answer plus one, and which of its own does. */
  private byte[] matches = new byte[64];

  private int[] founds = new int[64];

  /** Where the values of each chunk begin. */
  private int[] chunkValues = new int[16];

  /** The chunk that {@link #plain} holds. */
  private int plainChunk = NONE;

  /** Chunks that are not read as they were given, but without their markup. */
  private final BitSet rewritten = new BitSet();

  /** Chunks with rows of tables or fields of JSON. */
  private final BitSet records = new BitSet();

  private boolean hasRecords;
  private final int[] row = new int[8];

  private int[] markers = new int[16];
  private final KeySet seen = new KeySet();

  /** The evidence that was read last. */
  private List<Chunk> chunks = List.of();

  private boolean held;

  // What was found in one answer.
  private double support;
  private boolean unfounded;
  private int claimCount;

  /** A yes or no stands right before the claim. */
  private boolean confirms;

  private final EnumSet<Departure> departures = EnumSet.noneOf(Departure.class);
  private final EnumSet<ClaimNote> notes = EnumSet.noneOf(ClaimNote.class);
  private final List<WeakClaim> weak = new ArrayList<>();

  // The departures of a claim: which, where it says so, where the evidence says otherwise.
  private int detailCount;
  private final int[] detailParts = new int[DETAIL_PARTS * WeakClaim.MAX_DETAILS];

  private final BitSet cited = new BitSet();
  private final BitSet carriedUnits = new BitSet();

  /** An estimator with scratch of its own. */
  public ClaimsEstimator(Vocabulary vocabulary) {
    this(vocabulary, KnownTexts.none());
  }

  /**
   * An estimator that need not read all evidence.
   *
   * @param known what was read of chunks that came before, with the same vocabulary
   */
  public ClaimsEstimator(Vocabulary vocabulary, KnownTexts<ReadChunk> known) {
    this(vocabulary, known, SupportModel.LEARNED);
  }

  /** One with other weights, to learn them. */
  ClaimsEstimator(Vocabulary vocabulary, SupportModel model) {
    this(vocabulary, KnownTexts.none(), model);
  }

  private ClaimsEstimator(Vocabulary vocabulary, KnownTexts<ReadChunk> known, SupportModel model) {
    this.vocabulary = vocabulary;
    this.known = known;
    this.model = model;
    long seed = vocabulary.seed();
    answer = new Units(seed);
    other = new Units(seed);
    words = new WordCache(vocabulary);
    evidence = new EvidenceIndex(vocabulary, words);
    question = new EvidenceIndex(vocabulary, words);
    measure = new ClaimMeasure(vocabulary, words, evidence);
    claims = new Claims(seed);
    isPart = claims::isPart;
    mayFollow = chunk -> cited.isEmpty() || cited.get(chunk);
    isAsked = unit -> !vocabulary.isAsking(other.key(unit));
    ValueLexicon lexicon = vocabulary.values();
    answerValues = new Values(lexicon, words::look);
    evidenceValues = new Values(lexicon, words::look);
    comparison = new ValueComparison(lexicon);
    changes = new Changes(answer, answerValues, evidenceValues, comparison, vocabulary.thesaurus());
    values = new ValueIndex(lexicon);
    arithmetic = new ValueArithmetic(lexicon);
  }

  @Override
  public Measurement measure(AgentMessage message) {
    if (!holds(message.evidence().chunks())) {
      chunks = message.evidence().chunks();
      readEvidence();
    }
    readMarkers(message);
    readQuestion(message.question());
    answer.read(message.answer());
    claims.read(message.answer(), answer, other, markers, citations.markers());
    readValues(message.answer());
    support = 1.0;
    unfounded = false;
    claimCount = 0;
    departures.clear();
    notes.clear();
    weak.clear();
    boolean abstains = false;
    boolean yesNo = false;
    confirms = false;
    for (int piece = 0; piece < claims.count(); piece++) {
      confirms = piece > 0 && claims.kind(piece - 1) == Claims.Kind.YES_NO;
      switch (claims.kind(piece)) {
        case CLAIM -> claim(message.answer(), piece);
        case HEADING -> heading(message.answer(), piece);
        case ABSTAINS -> abstains = true;
        case YES_NO -> yesNo = true;
        case FRAMING, GREETING, QUESTION, HANDOVER -> {}
      }
    }
    if (abstains) {
      notes.add(ClaimNote.ABSTAINS);
      if (claimCount == 0 && isAnswered()) {
        notes.add(ClaimNote.ABSTAINS_WRONGLY);
      }
    } else if (claimCount == 0 && yesNo) {
      notes.add(ClaimNote.YES_NO);
      claimCount = 1;
      support = UNTOLD;
    } else if (claimCount == 0) {
      notes.add(ClaimNote.NO_CLAIM);
    }
    if (unfounded) {
      notes.add(ClaimNote.UNFOUNDED);
    }
    if (citations.citedIds().isEmpty()) {
      notes.add(ClaimNote.UNCITED);
    }
    Measurement measured = measurement();
    release();
    return measured;
  }

  @Override
  public boolean hasToken(AgentMessage message) {
    if (NormalizedText.beginsWithToken(message.answer())) {
      return true;
    }
    readMarkers(message);
    other.read(Utf8Span.EMPTY);
    answer.read(message.answer());
    claims.read(message.answer(), answer, other, markers, citations.markers());
    boolean any = false;
    for (int unit = 0; unit < answer.count() && !any; unit++) {
      any = claims.isPart(unit) && (answer.flags(unit) & Units.SYMBOL) == 0;
    }
    release();
    return any;
  }

  private void readMarkers(AgentMessage message) {
    citations.read(message.answer(), message.evidence().chunks());
    message.evidence().citations().forEach(citations::addStructured);
    if (markers.length < 2 * citations.markers()) {
      markers = new int[4 * citations.markers()];
    }
    for (int i = 0; i < citations.markers(); i++) {
      markers[2 * i] = citations.start(i);
      markers[2 * i + 1] = citations.end(i);
    }
  }

  /**
   * True if this is the evidence that was read last: drafts that are asked for again and the pieces
   * of a stream come with the same one.
   */
  public boolean holds(List<Chunk> other) {
    if (!held || other.size() != chunks.size()) {
      return false;
    }
    for (int i = 0; i < other.size(); i++) {
      Utf8Span a = other.get(i).text();
      Utf8Span b = chunks.get(i).text();
      boolean same =
          other.get(i).id().equals(chunks.get(i).id())
              && Arrays.equals(
                  a.array(),
                  a.arrayOffset(),
                  a.arrayOffset() + a.length(),
                  b.array(),
                  b.arrayOffset(),
                  b.arrayOffset() + b.length());
      if (!same) {
        return false;
      }
    }
    return true;
  }

  private void readEvidence() {
    held = true;
    evidence.clear();
    changes.clear();
    evidenceValues.clear();
    records.clear();
    rewritten.clear();
    if (chunkValues.length <= chunks.size()) {
      chunkValues = new int[2 * chunks.size() + 2];
    }
    plainChunk = NONE;
    for (int i = 0; i < chunks.size(); i++) {
      readChunk(i, chunks.get(i).text());
    }
    hasRecords = !records.isEmpty();
    chunkValues[chunks.size()] = evidenceValues.count();
    evidence.build();
    changes.build();
    values.build(evidenceValues);
  }

  private void readChunk(int chunk, Utf8Span given) {
    chunkValues[chunk] = evidenceValues.count();
    Optional<ReadChunk> kept = known.find(given);
    if (kept.isPresent()) {
      ReadChunk read = kept.get();
      rewritten.set(chunk, read.rewritten());
      records.set(chunk, read.records());
      evidence.add(read.words(), chunk);
      evidenceValues.add(read.values());
      changes.add(read.units(), read.text());
      return;
    }
    plain.read(given);
    plainChunk = chunk;
    // What was rewritten lies in a buffer of the next chunk, too.
    Utf8Span text = plain.isChanged() ? plain.text().detached() : given;
    rewritten.set(chunk, plain.isChanged());
    records.set(chunk, plain.hasRecords());
    other.read(text);
    evidence.add(other, chunk);
    evidenceValues.add(text, other);
    changes.add(other, text);
    known.keep(
        given,
        copy ->
            new ReadChunk(
                rewritten.get(chunk) ? text : copy,
                rewritten.get(chunk),
                records.get(chunk),
                evidence.kept(chunk),
                evidenceValues.keptFrom(chunkValues[chunk]),
                changes.kept()));
  }

  private void readQuestion(Utf8Span text) {
    other.read(text);
    question.clear();
    question.add(other, 0);
    question.build();
  }

  private void readValues(Utf8Span text) {
    answerValues.read(text, answer);
    for (int i = 0; i < citations.markers(); i++) {
      // One that begins before the marker may reach into it.
      int first = Math.max(0, firstValue(markers[2 * i]) - 1);
      answerValues.label(first, firstValue(markers[2 * i + 1]), markers[2 * i], markers[2 * i + 1]);
    }
    int count = answerValues.count();
    if (matches.length < count || matches.length > Math.max(1 << 14, 4 * count)) {
      matches = new byte[count + count / 2 + 64];
      founds = new int[matches.length];
    } else {
      Arrays.fill(matches, 0, count, (byte) 0);
    }
  }

  /**
   * How all of the evidence carries a value of the answer: asked for several times, looked up once.
   */
  private ValueMatch match(int value) {
    if (matches[value] == 0) {
      matches[value] = (byte) (values.best(answerValues, value).ordinal() + 1);
      founds[value] = values.found();
    }
    return MATCHES[matches[value] - 1];
  }

  // ---- one claim ----

  private void claim(Utf8Span text, int piece) {
    int first = claims.first(piece);
    int after = claims.after(piece);
    findCarried(first, after);
    measure.measure(answer, first, after, isPart, carriedUnits, question);
    if (measure.count() == 0) {
      return;
    }
    claimCount++;
    detailCount = 0;
    double ofClause = ofClause(first, after);
    double carried = Math.min(ofClause, model.support(measure.features()));
    readCited(piece);
    compare(text, first, after);
    if (!cited.isEmpty() && measure.isElsewhere(cited)) {
      notes.add(ClaimNote.CITATION_MISPLACED);
    }
    checkValues(first, after);
    int opposed = measure.opposed();
    if (opposed >= 0 && detailCount == 0) {
      note(Departure.WORD_REVERSED, answer.start(opposed), answer.end(opposed), NONE, 0, 0);
    }
    int best = measure.bestSentence();
    if (detailCount == 0
        && best != EvidenceIndex.NONE
        && measure.feature(Feature.BEST) >= NEGATED_NEAR
        && changes.isNegatedOtherwise(
            text,
            first,
            after,
            evidence.chunkOf(best),
            evidence.startByte(best),
            evidence.endByte(best))) {
      note(Departure.NEGATION_CHANGED, answer.start(first), answer.end(after - 1), NONE, 0, 0);
    }
    int echoed = confirms && detailCount == 0 ? measure.echoed(question) : -1;
    if (echoed >= 0) {
      note(Departure.NAME_CHANGED, answer.start(echoed), answer.end(echoed), NONE, 0, 0);
    }
    if (detailCount == 0 && measure.leavesConditionOut()) {
      notes.add(ClaimNote.CONDITION_LEFT_OUT);
    }
    carried = model.afterDepartures(carried, detailCount);
    if (carried < support) {
      support = carried;
      unfounded = measure.feature(Feature.ALL) < UNFOUNDED;
    }
    if (carried < ClaimFindings.WEAK || detailCount > 0) {
      name(text, first, after, carried);
    }
  }

  /**
   * The support of the clause of a claim that the evidence has nothing of: however much of the
   * claim stands around it. 1 if there is none, or it is all of the claim.
   */
  private double ofClause(int first, int after) {
    if (measure.gap() < CLAUSE_GAP) {
      return 1.0;
    }
    int from = measure.gapFirst();
    while (from > first && !claims.isParted(from)) {
      from--;
    }
    int to = measure.gapLast() + 1;
    while (to < after && !claims.isParted(to)) {
      to++;
    }
    if (to - from == after - first) {
      return 1.0;
    }
    measure.measure(answer, from, to, isPart, carriedUnits, question);
    double support = model.support(measure.features());
    measure.measure(answer, first, after, isPart, carriedUnits, question);
    return support;
  }

  /**
   * A heading with words that neither the evidence nor the question has: one that begins with a
   * verb orders something and is a claim; of another one the receiver is told.
   */
  private void heading(Utf8Span text, int piece) {
    int first = claims.first(piece);
    int others = 0;
    for (int unit = first; unit < claims.after(piece); unit++) {
      int word = words.slot(answer.key(unit));
      boolean says =
          claims.isPart(unit)
              && (answer.flags(unit) & Units.SYMBOL) == 0
              && (words.kind(word) & EvidenceIndex.FUNCTION) == 0;
      if (says
          && evidence.first(words.lemma(word)) < 0
          && question.first(words.lemma(word)) < 0
          && !claims.isUsual(unit)) {
        others++;
      }
    }
    if (others < HEADING_SAYS) {
      return;
    }
    if (vocabulary.isVerb(words.lemma(words.slot(answer.key(first))))) {
      claim(text, piece);
    } else {
      claimCount++;
      support = Math.min(support, UNTOLD);
    }
  }

  /** True if a sentence of the evidence is about all that was asked. */
  private boolean isAnswered() {
    carriedUnits.clear();
    measure.measure(other, 0, other.count(), isAsked, carriedUnits, question);
    return measure.words() >= ASKED_WORDS && measure.feature(Feature.BEST) >= ASKED;
  }

  private void name(Utf8Span text, int first, int after, double carried) {
    if (weak.size() == ClaimFindings.MAX_WEAK) {
      int strongest = 0;
      for (int i = 1; i < weak.size(); i++) {
        strongest = weak.get(i).support() > weak.get(strongest).support() ? i : strongest;
      }
      if (weak.get(strongest).support() <= carried) {
        return;
      }
      weak.remove(strongest);
    }
    int sentence = measure.bestSentence();
    weak.add(
        new WeakClaim(
            Excerpt.of("", text, answer.start(first), answer.end(after - 1)),
            carried,
            sentence == EvidenceIndex.NONE
                ? Optional.empty()
                : Optional.of(
                    excerpt(
                        evidence.chunkOf(sentence),
                        evidence.startByte(sentence),
                        evidence.endByte(sentence))),
            details(text)));
  }

  /** A piece of a chunk, as it says it, with its place in the chunk as it was given. */
  private Excerpt excerpt(int chunk, int from, int to) {
    if (!rewritten.get(chunk)) {
      return Excerpt.of(chunks.get(chunk).id(), chunks.get(chunk).text(), from, to);
    }
    if (plainChunk != chunk) {
      plain.read(chunks.get(chunk).text());
      plainChunk = chunk;
    }
    Excerpt piece = Excerpt.of(chunks.get(chunk).id(), plain.text(), from, to);
    return new Excerpt(
        piece.where(), plain.origin(from), plain.origin(Math.max(from, to - 1)) + 1, piece.text());
  }

  /** Finds the chunks that a claim cites: with markers in it, or between it and the next one. */
  private void readCited(int piece) {
    int from = answer.start(claims.first(piece));
    int to = piece + 1 < claims.count() ? answer.start(claims.first(piece + 1)) : Integer.MAX_VALUE;
    cited.clear();
    int marker = firstMarker(from);
    for (; marker < citations.markers() && markers[2 * marker] < to; marker++) {
      int end =
          marker + 1 < citations.markers()
              ? citations.firstCitation(marker + 1)
              : citations.citations();
      for (int c = citations.firstCitation(marker); c < end; c++) {
        if (citations.chunk(c) != Citations.UNKNOWN) {
          cited.set(citations.chunk(c));
        }
      }
    }
  }

  private int firstMarker(int from) {
    int low = 0;
    int high = citations.markers();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (markers[2 * middle] < from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Compares the parts of a claim between markers with what they repeat. */
  private void compare(Utf8Span text, int first, int after) {
    for (int from = first; from < after; ) {
      int to = from;
      while (to < after && claims.isPart(to)) {
        to++;
      }
      int found = changes.find(text, from, to, mayFollow);
      for (int i = 0; i < found; i++) {
        note(
            departure(changes.kind(i)),
            changes.start(i),
            changes.end(i),
            changes.chunk(i),
            changes.evidenceStart(i),
            changes.evidenceEnd(i));
      }
      from = to + 1;
    }
  }

  /**
   * Notes a departure of the claim, as long as not so many are noted that nobody would read another
   * one.
   *
   * @param chunk where something else stands instead, or {@link #NONE}
   */
  private void note(
      Departure departure, int from, int to, int chunk, int insteadFrom, int insteadTo) {
    departures.add(departure);
    if (detailCount < WeakClaim.MAX_DETAILS) {
      int at = DETAIL_PARTS * detailCount++;
      detailParts[at] = departure.ordinal();
      detailParts[at + 1] = from;
      detailParts[at + 2] = to;
      detailParts[at + 3] = chunk;
      detailParts[at + 4] = insteadFrom;
      detailParts[at + 5] = insteadTo;
    }
  }

  private List<Detail> details(Utf8Span text) {
    List<Detail> details = new ArrayList<>(detailCount);
    for (int i = 0; i < detailCount; i++) {
      int at = DETAIL_PARTS * i;
      int chunk = detailParts[at + 3];
      details.add(
          new Detail(
              DEPARTURES[detailParts[at]],
              Excerpt.of("", text, detailParts[at + 1], detailParts[at + 2]),
              chunk == NONE
                  ? Optional.empty()
                  : Optional.of(excerpt(chunk, detailParts[at + 4], detailParts[at + 5]))));
    }
    return details;
  }

  private static Departure departure(ChangeKind kind) {
    return switch (kind) {
      case NEGATION -> Departure.NEGATION_CHANGED;
      case VALUE -> Departure.NUMBER_CHANGED;
      case UNIT -> Departure.UNIT_CHANGED;
      case DATE -> Departure.DATE_CHANGED;
      case NAME -> Departure.NAME_CHANGED;
      case ANTONYM -> Departure.WORD_REVERSED;
      case QUANTIFIER -> Departure.QUANTIFIER_CHANGED;
      case MODALITY -> Departure.MODALITY_CHANGED;
      case ROLES -> Departure.ROLES_EXCHANGED;
    };
  }

  // ---- values ----

  /** Marks the units of a claim that are values which the evidence has in some notation. */
  private void findCarried(int first, int after) {
    carriedUnits.clear();
    int to = answer.end(after - 1);
    int unit = first;
    for (int i = firstValue(answer.start(first));
        i < answerValues.count() && answerValues.start(i) < to;
        i++) {
      if (!answerValues.isLabel(i) && match(i).isCarried()) {
        while (unit < after && answer.end(unit) <= answerValues.start(i)) {
          unit++;
        }
        for (int u = unit; u < after && answer.start(u) < answerValues.end(i); u++) {
          carriedUnits.set(u);
        }
      }
    }
  }

  private void checkValues(int first, int after) {
    int from = answer.start(first);
    int to = answer.end(after - 1);
    for (int i = firstValue(from); i < answerValues.count() && answerValues.start(i) < to; i++) {
      if (!answerValues.isLabel(i) && !answerValues.isWeak(i) && !isTold(i)) {
        checkValue(i, first, after);
      }
    }
  }

  /** True if a change was found in the place of a value already. */
  private boolean isTold(int value) {
    for (int at = 0; at < DETAIL_PARTS * detailCount; at += DETAIL_PARTS) {
      if (detailParts[at + 1] < answerValues.end(value)
          && detailParts[at + 2] > answerValues.start(value)) {
        return true;
      }
    }
    return false;
  }

  private int firstValue(int from) {
    int low = 0;
    int high = answerValues.count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (answerValues.start(middle) < from) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void checkValue(int value, int first, int after) {
    ValueMatch match = match(value);
    int found = founds[value];
    if (match.isCarried()) {
      if (isOfOtherRow(value, first, after)) {
        note(Departure.NUMBER_CHANGED, value, found);
      } else {
        exchanged(value);
      }
      return;
    }
    int firstOfClaim = firstValue(answer.start(first));
    int afterOfClaim = firstValue(answer.end(after - 1));
    if (arithmetic.isDerived(answerValues, value, firstOfClaim, afterOfClaim, isCarried)) {
      notes.add(ClaimNote.DERIVED);
      return;
    }
    note(departure(match), value, found);
  }

  /**
   * True if words of the claim name rows of a table, or records, none of which has the value though
   * one has another of its kind.
   */
  private boolean isOfOtherRow(int value, int first, int after) {
    boolean other = false;
    for (int unit = first; unit < Math.min(after, first + ROW_UNITS) && hasRecords; unit++) {
      boolean own =
          answer.start(unit) < answerValues.end(value)
              && answer.end(unit) > answerValues.start(value);
      int word = words.slot(answer.key(unit));
      if (own || !claims.isPart(unit) || (words.kind(word) & EvidenceIndex.FUNCTION) != 0) {
        continue;
      }
      int rows = rowsOf(words.lemma(word));
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

  private ValueMatch inRow(int value, int sentence) {
    int chunk = evidence.chunkOf(sentence);
    int from = chunkValue(chunk, evidence.startByte(sentence));
    int to = Math.min(chunkValue(chunk, evidence.endByte(sentence)), from + ROW_UNITS);
    ValueMatch best = ValueMatch.OTHER;
    for (int i = from; i < to; i++) {
      ValueMatch match = comparison.match(answerValues, value, evidenceValues, i);
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
      if (rows == most || !records.get(evidence.chunkOf(sentence))) {
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
  private void exchanged(int value) {
    int sentence = measure.bestSentence();
    if (sentence == EvidenceIndex.NONE) {
      return;
    }
    int chunk = evidence.chunkOf(sentence);
    int first = chunkValue(chunk, evidence.startByte(sentence));
    int after = chunkValue(chunk, evidence.endByte(sentence));
    boolean near = measure.feature(Feature.BEST) >= NEAR;
    ValueMatch there = values.ofNeighbour(answerValues, value, first, after);
    if (near && isOther(there)) {
      note(Departure.NUMBER_CHANGED, value, values.found());
      return;
    }
    if (answerValues.isNamed(value)) {
      there = values.ofNeighbour(answerValues, value);
      if (isOther(there)) {
        note(Departure.NUMBER_CHANGED, value, values.found());
        return;
      }
    }
    if (near && (cited.isEmpty() || cited.get(chunk))) {
      there = values.best(answerValues, value, first, after);
    } else if (!cited.isEmpty()) {
      there = inCited(value);
    } else {
      return;
    }
    if (isOther(there)) {
      note(departure(there), value, values.found());
    }
  }

  /** How well the cited chunks carry a value. */
  private ValueMatch inCited(int value) {
    ValueMatch best = ValueMatch.OTHER;
    for (int chunk = cited.nextSetBit(0); chunk >= 0; chunk = cited.nextSetBit(chunk + 1)) {
      ValueMatch match =
          values.best(answerValues, value, chunkValues[chunk], chunkValues[chunk + 1]);
      if (match.compareTo(best) < 0) {
        best = match;
      }
    }
    return best;
  }

  private static boolean isOther(ValueMatch match) {
    return match != ValueMatch.OTHER && !match.isCarried();
  }

  private int chunkValue(int chunk, int at) {
    int low = chunkValues[chunk];
    int high = chunkValues[chunk + 1];
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (evidenceValues.start(middle) < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void note(Departure departure, int value, int found) {
    int from = answerValues.start(value);
    int to = answerValues.end(value);
    if (found < 0) {
      note(departure, from, to, NONE, 0, 0);
      return;
    }
    int chunk = 0;
    while (chunkValues[chunk + 1] <= found) {
      chunk++;
    }
    note(departure, from, to, chunk, evidenceValues.start(found), evidenceValues.end(found));
  }

  private static Departure departure(ValueMatch match) {
    return switch (match) {
      case UNIT, CURRENCY -> Departure.UNIT_CHANGED;
      case DATE, TIME -> Departure.DATE_CHANGED;
      case SIGN, BOUND, BOUND_LOST, NUMBER, IDENTIFIER -> Departure.NUMBER_CHANGED;
      case OTHER, SAME, CONVERTED, ROUNDED, NUMBER_ONLY, DERIVED -> Departure.VALUE_UNSUPPORTED;
    };
  }

  // ---- the measurement ----

  private Measurement measurement() {
    int tokens = 0;
    int inContext = 0;
    int inQuestion = 0;
    int novel = 0;
    int novelNumbers = 0;
    seen.clear();
    for (int unit = 0; unit < answer.count(); unit++) {
      if (!claims.isPart(unit) || (answer.flags(unit) & Units.SYMBOL) != 0) {
        continue;
      }
      long lemma = words.lemma(words.slot(answer.key(unit)));
      if (!seen.add(lemma)) {
        continue;
      }
      boolean carried = evidence.first(lemma) >= 0;
      boolean asked = question.first(lemma) >= 0;
      tokens++;
      inContext += carried ? 1 : 0;
      inQuestion += asked ? 1 : 0;
      novel += carried || asked ? 0 : 1;
      novelNumbers += !carried && !asked && (answer.flags(unit) & Units.DIGITS) != 0 ? 1 : 0;
    }
    List<String> cited = citations.citedIds();
    List<String> known = citations.knownIds();
    Counts counts =
        new Counts(
            tokens,
            inContext,
            novel,
            inQuestion,
            novelNumbers,
            cited.size(),
            known.size(),
            cited,
            known);
    double carried = claimCount == 0 ? ClaimFindings.UNDECIDED : support;
    Features features =
        tokens == 0
            ? new Features(0.0, 0.0, 1.0, 0.0)
            : new Features(
                carried,
                cited.isEmpty() ? 0.0 : known.size() == cited.size() ? 1.0 : 0.0,
                (double) novel / tokens,
                (double) inQuestion / tokens);
    weak.sort(ClaimFindings.WEAKEST_FIRST);
    return new Measurement(
        counts,
        features,
        Optional.of(new ClaimFindings(claimCount, carried, departures, notes, weak)));
  }

  private void release() {
    answer.release();
    other.release();
    citations.release();
    claims.release();
    answerValues.release();
    int bytes = 0;
    for (Chunk chunk : chunks) {
      bytes += chunk.text().length();
    }
    if (bytes > KEPT_BYTES) {
      held = false;
      chunks = List.of();
      plainChunk = NONE;
      plain.release();
      values.release();
      evidenceValues.release();
    }
    Arrays.fill(markers, 0);
    if (markers.length > 1 << 12) {
      markers = new int[16];
    }
  }
}
