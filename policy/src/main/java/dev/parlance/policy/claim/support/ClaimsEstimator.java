package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Citations;
import dev.parlance.policy.claim.Claims;
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
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

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

  private static final int NONE = -1;

  private final Vocabulary vocabulary;
  private final SupportModel model;
  private final Units answer;
  private final Units other;
  private final EvidenceIndex evidence;
  private final EvidenceIndex question;
  private final ClaimMeasure measure;
  private final Changes changes;
  private final Claims claims;
  private final Citations citations = new Citations();
  private final PlainText plain = new PlainText();
  private final Values answerValues;
  private final Values evidenceValues;
  private final ValueIndex values;
  private final ValueArithmetic arithmetic;

  /** Where the values of each chunk begin. */
  private int[] chunkValues = new int[16];

  private int[] markers = new int[16];
  private final LemmaSet seen = new LemmaSet();

  // What was found in one answer.
  private List<Chunk> chunks = List.of();
  private double support;
  private boolean unfounded;
  private int claimCount;
  private final EnumSet<Departure> departures = EnumSet.noneOf(Departure.class);
  private final EnumSet<ClaimNote> notes = EnumSet.noneOf(ClaimNote.class);
  private final List<WeakClaim> weak = new ArrayList<>();
  private final List<Detail> details = new ArrayList<>();
  private final BitSet cited = new BitSet();
  private final BitSet carriedUnits = new BitSet();

  /** An estimator with scratch of its own. */
  public ClaimsEstimator(Vocabulary vocabulary) {
    this(vocabulary, SupportModel.LEARNED);
  }

  /** One with other weights, to learn them. */
  ClaimsEstimator(Vocabulary vocabulary, SupportModel model) {
    this.vocabulary = vocabulary;
    this.model = model;
    long seed = vocabulary.seed();
    answer = new Units(seed);
    other = new Units(seed);
    evidence = new EvidenceIndex(vocabulary);
    question = new EvidenceIndex(vocabulary);
    measure = new ClaimMeasure(vocabulary, evidence);
    claims = new Claims(seed);
    ValueLexicon lexicon = vocabulary.values();
    answerValues = new Values(lexicon);
    evidenceValues = new Values(lexicon);
    changes =
        new Changes(
            answer,
            answerValues,
            evidenceValues,
            new ValueComparison(lexicon),
            vocabulary.thesaurus());
    values = new ValueIndex(lexicon);
    arithmetic = new ValueArithmetic(lexicon);
  }

  @Override
  public Measurement measure(AgentMessage message) {
    chunks = message.evidence().chunks();
    readMarkers(message);
    readEvidence();
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
    for (int piece = 0; piece < claims.count(); piece++) {
      if (claims.kind(piece) == Claims.Kind.CLAIM) {
        claim(message.answer(), piece);
      }
      abstains |= claims.kind(piece) == Claims.Kind.ABSTAINS;
    }
    if (abstains) {
      notes.add(ClaimNote.ABSTAINS);
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

  private void readEvidence() {
    evidence.clear();
    changes.clear();
    evidenceValues.clear();
    if (chunkValues.length <= chunks.size()) {
      chunkValues = new int[2 * chunks.size() + 2];
    }
    for (int i = 0; i < chunks.size(); i++) {
      plain.read(chunks.get(i).text());
      Utf8Span text = plain.text();
      other.read(text);
      evidence.add(other, i);
      chunkValues[i] = evidenceValues.count();
      changes.add(other, text);
      evidenceValues.add(text, other);
    }
    chunkValues[chunks.size()] = evidenceValues.count();
    evidence.build();
    changes.build();
    values.build(evidenceValues);
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
      answerValues.label(0, answerValues.count(), markers[2 * i], markers[2 * i + 1]);
    }
  }

  // ---- one claim ----

  private void claim(Utf8Span text, int piece) {
    int first = claims.first(piece);
    int after = claims.after(piece);
    findCarried(first, after);
    measure.measure(answer, first, after, claims, carriedUnits, question);
    if (measure.count() == 0) {
      return;
    }
    claimCount++;
    details.clear();
    double carried = model.support(measure.features());
    readCited(piece);
    compare(text, first, after);
    if (!cited.isEmpty() && measure.isElsewhere(cited)) {
      notes.add(ClaimNote.CITATION_MISPLACED);
    }
    checkValues(text, answer.start(first), answer.end(after - 1));
    carried = model.afterDepartures(carried, details.size());
    if (carried < support) {
      support = carried;
      unfounded = measure.feature(Feature.ALL) < UNFOUNDED;
    }
    if (carried < ClaimFindings.WEAK || !details.isEmpty()) {
      name(text, first, after, carried);
    }
  }

  private void name(Utf8Span text, int first, int after, double carried) {
    if (weak.size() == ClaimFindings.MAX_WEAK) {
      WeakClaim strongest = weak.stream().max(Comparator.comparingDouble(WeakClaim::support)).get();
      if (strongest.support() <= carried) {
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
            details.subList(0, Math.min(details.size(), WeakClaim.MAX_DETAILS))));
  }

  /** A piece of a chunk, as it says it, with its place in the chunk as it was given. */
  private Excerpt excerpt(int chunk, int from, int to) {
    plain.read(chunks.get(chunk).text());
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

  private boolean mayFollow(int chunk) {
    return cited.isEmpty() || cited.get(chunk);
  }

  /** Compares the parts of a claim between markers with what they repeat. */
  private void compare(Utf8Span text, int first, int after) {
    for (int from = first; from < after; ) {
      int to = from;
      while (to < after && claims.isPart(to)) {
        to++;
      }
      int found = changes.find(text, from, to, this::mayFollow);
      for (int i = 0; i < found; i++) {
        add(
            new Detail(
                departure(changes.kind(i)),
                Excerpt.of("", text, changes.start(i), changes.end(i)),
                Optional.of(
                    excerpt(changes.chunk(i), changes.evidenceStart(i), changes.evidenceEnd(i)))));
      }
      from = to + 1;
    }
  }

  private void add(Detail detail) {
    departures.add(detail.departure());
    details.add(detail);
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
      if (!answerValues.isLabel(i) && values.best(answerValues, i).isCarried()) {
        while (unit < after && answer.end(unit) <= answerValues.start(i)) {
          unit++;
        }
        for (int u = unit; u < after && answer.start(u) < answerValues.end(i); u++) {
          carriedUnits.set(u);
        }
      }
    }
  }

  private void checkValues(Utf8Span text, int from, int to) {
    for (int i = firstValue(from); i < answerValues.count() && answerValues.start(i) < to; i++) {
      if (!answerValues.isLabel(i) && !answerValues.isWeak(i)) {
        checkValue(text, i, from, to);
      }
    }
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

  private void checkValue(Utf8Span text, int value, int from, int to) {
    ValueMatch match = values.best(answerValues, value);
    int found = values.found();
    if (match.isCarried()) {
      exchanged(text, value);
      return;
    }
    int firstOfClaim = firstValue(from);
    int afterOfClaim = firstValue(to);
    if (arithmetic.isDerived(
        answerValues,
        value,
        firstOfClaim,
        afterOfClaim,
        i -> values.best(answerValues, i).isCarried())) {
      notes.add(ClaimNote.DERIVED);
      return;
    }
    add(detail(text, departure(match), value, found));
  }

  /**
   * A value that the evidence has, but not where the claim stands: its word has another one in the
   * sentence that carries the claim, or that sentence, or the cited source, has one of its kind
   * that is another.
   */
  private void exchanged(Utf8Span text, int value) {
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
      add(detail(text, Departure.NUMBER_CHANGED, value, values.found()));
      return;
    }
    if (near && (cited.isEmpty() || cited.get(chunk))) {
      there = values.best(answerValues, value, first, after);
    } else if (!cited.isEmpty()) {
      there = inCited(value);
    } else {
      return;
    }
    if (isOther(there)) {
      add(detail(text, departure(there), value, values.found()));
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

  private Detail detail(Utf8Span text, Departure departure, int value, int found) {
    int chunk = NONE;
    if (found >= 0) {
      chunk = 0;
      while (chunkValues[chunk + 1] <= found) {
        chunk++;
      }
    }
    return new Detail(
        departure,
        Excerpt.of("", text, answerValues.start(value), answerValues.end(value)),
        found < 0
            ? Optional.empty()
            : Optional.of(excerpt(chunk, evidenceValues.start(found), evidenceValues.end(found))));
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
      long lemma = vocabulary.lemma(answer.key(unit));
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

  /** A set of lemmas that is emptied in no time. */
  private static final class LemmaSet {
    private long[] lemmas = new long[512];
    private int[] stamps = new int[512];
    private int stamp;
    private int size;

    void clear() {
      size = 0;
      if (++stamp == Integer.MAX_VALUE || lemmas.length > 1 << 14) {
        lemmas = new long[512];
        stamps = new int[512];
        stamp = 1;
      }
    }

    boolean add(long lemma) {
      if (2 * size >= lemmas.length) {
        grow();
      }
      return put(lemma);
    }

    private boolean put(long lemma) {
      int mask = lemmas.length - 1;
      int slot = (int) ((lemma * 0x9e3779b97f4a7c15L) >>> 20) & mask;
      while (stamps[slot] == stamp) {
        if (lemmas[slot] == lemma) {
          return false;
        }
        slot = slot + 1 & mask;
      }
      stamps[slot] = stamp;
      lemmas[slot] = lemma;
      size++;
      return true;
    }

    private void grow() {
      long[] old = lemmas;
      int[] oldStamps = stamps;
      lemmas = new long[2 * old.length];
      stamps = new int[lemmas.length];
      size = 0;
      for (int i = 0; i < old.length; i++) {
        if (oldStamps[i] == stamp) {
          put(old[i]);
        }
      }
    }
  }

  private void release() {
    chunks = List.of();
    answer.release();
    other.release();
    citations.release();
    claims.release();
    values.release();
    answerValues.release();
    evidenceValues.release();
    Arrays.fill(markers, 0);
    if (markers.length > 1 << 12) {
      markers = new int[16];
    }
  }
}
