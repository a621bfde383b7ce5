package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Citations;
import dev.parlance.policy.claim.Claims;
import dev.parlance.policy.claim.KeySet;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.change.ChangeKind;
import dev.parlance.policy.claim.change.Changes;
import dev.parlance.policy.claim.support.ClaimMeasure.Feature;
import dev.parlance.policy.claim.value.ValueComparison;
import dev.parlance.policy.claim.value.ValueIndex;
import dev.parlance.policy.claim.value.ValueLexicon;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.ClaimFindings.ClaimNote;
import dev.parlance.policy.signal.ClaimFindings.Departure;
import dev.parlance.policy.signal.ClaimFindings.Excerpt;
import dev.parlance.policy.signal.ClaimFindings.WeakClaim;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Estimator;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.MarkedAnswer;
import dev.parlance.policy.signal.Marker;
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
public final class ClaimsEstimator implements Estimator, Marker {
  /** A claim less of which is in the evidence has nothing there. */
  private static final double UNFOUNDED = 0.3;

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

  /** So many sentences are asked whether they forbid what a claim allows. */
  private static final int NEAREST = 4;

  private final Vocabulary vocabulary;
  private final TextWords words;
  private final TextWords otherWords;
  private final SupportModel model;
  private final Units answer;
  private final Units other;
  private final EvidenceIndex evidence;
  private final EvidenceReading reading;
  private final EvidenceIndex question;
  private final ClaimMeasure measure;
  private final ClaimMeasure clause;
  private final Changes changes;
  private final Claims claims;
  private final IntPredicate isPart;
  private final IntPredicate isAsked;
  private final IntPredicate isThere;
  private final IntPredicate mayFollow;
  private final Citations citations = new Citations();
  private final ClaimValues values;

  private int[] markers = new int[16];
  private final KeySet seen = new KeySet();

  // What was found in one answer.
  private double support;
  private boolean unfounded;
  private int claimCount;

  /** A yes or no stands right before the claim. */
  private boolean confirms;

  private final NotedDepartures departures;
  private final EnumSet<ClaimNote> notes = EnumSet.noneOf(ClaimNote.class);
  private final List<WeakClaim> weak = new ArrayList<>();

  /** Where the sentences stand that may speak against a claim. */
  private final int[] nearest = new int[3 * NEAREST];

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
    this.model = model;
    long seed = vocabulary.seed();
    answer = new Units(seed);
    other = new Units(seed);
    WordCache cache = new WordCache(vocabulary);
    words = new TextWords(cache, answer);
    otherWords = new TextWords(cache, other);
    evidence = new EvidenceIndex(vocabulary);
    question = new EvidenceIndex(vocabulary);
    measure = new ClaimMeasure(vocabulary, evidence);
    clause = new ClaimMeasure(vocabulary, evidence);
    claims = vocabulary.claims();
    isPart = claims::isPart;
    isThere = unit -> evidence.first(words.lemma(unit)) >= 0;
    mayFollow = chunk -> cited.isEmpty() || cited.get(chunk);
    isAsked =
        unit ->
            !vocabulary.isAsking(other.key(unit))
                && (otherWords.kind(unit) & EvidenceIndex.FUNCTION) == 0;
    ValueLexicon lexicon = vocabulary.values();
    Values said = new Values(lexicon, (_, unit) -> words.look(unit));
    Values there = new Values(lexicon, (_, unit) -> otherWords.look(unit));
    ValueComparison comparison = new ValueComparison(lexicon);
    changes =
        new Changes(
            answer,
            said,
            there,
            comparison,
            vocabulary.thesaurus(),
            vocabulary.critical(),
            vocabulary.norms(),
            vocabulary.frames());
    reading =
        new EvidenceReading(known, otherWords, evidence, there, new ValueIndex(lexicon), changes);
    departures = new NotedDepartures(reading);
    values =
        new ClaimValues(
            answer,
            claims,
            words,
            lexicon,
            said,
            comparison,
            reading,
            measure,
            departures,
            changes);
  }

  @Override
  public Measurement measure(AgentMessage message) {
    judge(message, ClaimWatch.NONE);
    Measurement measured = measurement();
    release();
    return measured;
  }

  @Override
  public MarkedAnswer mark(AgentMessage message) {
    ClaimMarks marks =
        new ClaimMarks(answer, claims, words, evidence, reading, new Units(vocabulary.seed()));
    judge(
        message,
        new ClaimWatch() {
          @Override
          public void claim(int first, int after, double carried) {
            carriedUnits.stream().forEach(marks::carried);
            marks.claim(first, after, carried, measure, departures.noted(), cited);
          }

          @Override
          public void heading(int first, int after, double carried) {
            marks.heading(first, after, carried);
          }
        });
    marks.readWords(question, other);
    marks.readCitations(citations, message.evidence().citations());
    MarkedAnswer marked = marks.of(measurement());
    release();
    return marked;
  }

  /** Is told of claims once they are judged. */
  private interface ClaimWatch {
    /** On the message path nobody is. */
    ClaimWatch NONE =
        new ClaimWatch() {
          @Override
          public void claim(int first, int after, double carried) {}

          @Override
          public void heading(int first, int after, double carried) {}
        };

    void claim(int first, int after, double carried);

    void heading(int first, int after, double carried);
  }

  private void judge(AgentMessage message, ClaimWatch watch) {
    readMarkers(message);
    answer.read(message.answer());
    words.read();
    values.read(message.answer(), markers, citations.markers());
    reading.read(message.evidence().chunks(), values.any());
    readQuestion(message.question());
    claims.read(message.answer(), answer, other, markers, citations.markers());
    support = 1.0;
    unfounded = false;
    claimCount = 0;
    departures.start();
    notes.clear();
    weak.clear();
    boolean abstains = false;
    boolean yesNo = false;
    confirms = false;
    for (int piece = 0; piece < claims.count(); piece++) {
      confirms = piece > 0 && claims.kind(piece - 1) == Claims.Kind.YES_NO;
      switch (claims.kind(piece)) {
        case CLAIM -> claim(message.answer(), piece, watch);
        case HEADING -> heading(message.answer(), piece, watch);
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

  private void readQuestion(Utf8Span text) {
    other.read(text);
    otherWords.read();
    question.clear();
    question.add(otherWords, 0);
    question.build();
  }

  private void claim(Utf8Span text, int piece, ClaimWatch watch) {
    int first = claims.first(piece);
    int after = claims.after(piece);
    values.findCarried(first, after, carriedUnits);
    measure.measure(words, first, after, isPart, carriedUnits, question);
    if (measure.count() == 0) {
      return;
    }
    claimCount++;
    departures.startClaim();
    double ofClause = ofClause(first, after);
    double carried = Math.min(ofClause, model.support(measure.features()));
    readCited(piece);
    compare(text, first, after);
    if (!cited.isEmpty() && measure.isElsewhere(cited)) {
      notes.add(ClaimNote.CITATION_MISPLACED);
    }
    if (values.check(first, after, cited, carriedUnits)) {
      notes.add(ClaimNote.DERIVED);
      measure.measure(words, first, after, isPart, carriedUnits, question);
      carried = Math.max(carried, Math.min(ofClause, model.support(measure.features())));
    }
    int opposed = measure.opposed();
    if (opposed >= 0 && departures.isEmpty()) {
      departures.add(Departure.WORD_REVERSED, answer.start(opposed), answer.end(opposed));
    }
    int best = measure.bestSentence();
    if (departures.isEmpty()
        && best != EvidenceIndex.NONE
        && measure.feature(Feature.BEST) >= NEGATED_NEAR
        && changes.isNegatedOtherwise(
            text,
            first,
            after,
            evidence.chunkOf(best),
            evidence.startByte(best),
            evidence.endByte(best))) {
      departures.add(Departure.NEGATION_CHANGED, answer.start(first), answer.end(after - 1));
    }
    if (departures.isEmpty()
        && best != EvidenceIndex.NONE
        && measure.feature(Feature.BEST) >= NEGATED_NEAR) {
      int reversed =
          changes.opposed(text, first, after, evidence.begin(best), evidence.endOfLook(best));
      if (reversed >= 0) {
        departures.add(Departure.WORD_REVERSED, answer.start(reversed), answer.end(reversed));
      }
    }
    if (departures.isEmpty() && best != EvidenceIndex.NONE) {
      boolean whole = measure.feature(Feature.BEST) >= ASKED;
      addFound(
          changes.findFields(
              first, after, evidence.begin(best), evidence.end(best), whole, isThere));
    }
    if (departures.isEmpty() && best != EvidenceIndex.NONE) {
      addFound(changes.findDenial(text, first, after, evidence.begin(best), evidence.end(best)));
    }
    if (departures.isEmpty()
        && best != EvidenceIndex.NONE
        && measure.feature(Feature.BEST) >= NEGATED_NEAR) {
      addFound(changes.findDisowned(first, after, evidence.begin(best), evidence.endOfLook(best)));
    }
    if (departures.isEmpty()) {
      int sentences = measure.nearest(nearest);
      addFound(changes.findNorms(text, first, after, nearest, sentences));
    }
    if (departures.isEmpty() && best != EvidenceIndex.NONE) {
      addFound(changes.findDeniedPart(first, after, evidence.begin(best), evidence.end(best)));
    }
    int echoed = departures.isEmpty() ? measure.echoed(question, confirms) : -1;
    if (echoed >= 0) {
      departures.add(Departure.NAME_CHANGED, answer.start(echoed), answer.end(echoed));
    }
    int mixed = departures.isEmpty() ? measure.mixedIn() : -1;
    if (mixed >= 0) {
      departures.add(Departure.NAME_CHANGED, answer.start(mixed), answer.end(mixed));
    }
    if (departures.isEmpty() && measure.leavesConditionOut()) {
      notes.add(ClaimNote.CONDITION_LEFT_OUT);
    }
    carried = model.afterDepartures(carried, departures.count());
    if (carried < support) {
      support = carried;
      unfounded = measure.feature(Feature.ALL) < UNFOUNDED;
    }
    if (carried < ClaimFindings.WEAK || !departures.isEmpty()) {
      name(text, first, after, carried);
    }
    watch.claim(first, after, carried);
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
    clause.measure(words, from, to, isPart, carriedUnits, question);
    return model.support(clause.features());
  }

  /**
   * A heading with words that neither the evidence nor the question has: one that begins with a
   * verb orders something and is a claim; of another one the receiver is told.
   */
  private void heading(Utf8Span text, int piece, ClaimWatch watch) {
    int first = claims.first(piece);
    int others = 0;
    for (int unit = first; unit < claims.after(piece); unit++) {
      boolean says =
          claims.isPart(unit)
              && (answer.flags(unit) & Units.SYMBOL) == 0
              && (words.kind(unit) & EvidenceIndex.FUNCTION) == 0;
      if (says
          && evidence.first(words.lemma(unit)) < 0
          && question.first(words.lemma(unit)) < 0
          && !claims.isUsual(unit)) {
        others++;
      }
    }
    if (others < HEADING_SAYS) {
      return;
    }
    if (vocabulary.isVerb(words.lemma(first))) {
      claim(text, piece, watch);
    } else {
      claimCount++;
      support = Math.min(support, UNTOLD);
      watch.heading(first, claims.after(piece), UNTOLD);
    }
  }

  /** True if a sentence of the evidence is about all that was asked. */
  private boolean isAnswered() {
    carriedUnits.clear();
    measure.measure(otherWords, 0, other.count(), isAsked, carriedUnits, question);
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
                : Optional.of(reading.excerpt(sentence)),
            departures.details(text)));
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
      addFound(changes.find(text, from, to, mayFollow));
      from = to + 1;
    }
  }

  private void addFound(int found) {
    for (int i = 0; i < found; i++) {
      departures.add(
          departure(changes.kind(i)),
          changes.start(i),
          changes.end(i),
          changes.chunk(i),
          changes.evidenceStart(i),
          changes.evidenceEnd(i));
    }
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
      long lemma = words.lemma(unit);
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
        Optional.of(new ClaimFindings(claimCount, carried, departures.kinds(), notes, weak)));
  }

  private void release() {
    answer.release();
    other.release();
    citations.release();
    claims.release();
    values.release();
    reading.release();
    Arrays.fill(markers, 0);
    if (markers.length > 1 << 12) {
      markers = new int[16];
    }
  }
}
