package dev.parlance.policy.claim.support;

import dev.parlance.policy.claim.Citations;
import dev.parlance.policy.claim.Claims;
import dev.parlance.policy.claim.KeySet;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.support.NotedDepartures.Noted;
import dev.parlance.policy.signal.MarkedAnswer;
import dev.parlance.policy.signal.MarkedAnswer.ChangeMark;
import dev.parlance.policy.signal.MarkedAnswer.CitationMark;
import dev.parlance.policy.signal.MarkedAnswer.CitedId;
import dev.parlance.policy.signal.MarkedAnswer.ClaimMark;
import dev.parlance.policy.signal.MarkedAnswer.Cut;
import dev.parlance.policy.signal.MarkedAnswer.Mark;
import dev.parlance.policy.signal.MarkedAnswer.Place;
import dev.parlance.policy.signal.MarkedAnswer.Range;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.text.CitationId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The places of what {@link ClaimsEstimator} has found in one answer: the words that it counts by
 * their units, each claim as it was judged. The evidence is indexed by word and not by byte, so
 * where a word of it stands is looked up in the units of its chunk, read once more by the same
 * reader.
 */
final class ClaimMarks {
  /** A place that is still known by a sentence, a position or bytes of plain text. */
  private static final class Pending {
    private final int chunk;

    /** The position of a word, or {@link EvidenceIndex#NONE}. */
    private final int position;

    private final int from;
    private final int to;
    private Optional<Place> found = Optional.empty();

    private Pending(int chunk, int position, int from, int to) {
      this.chunk = chunk;
      this.position = position;
      this.from = from;
      this.to = to;
    }
  }

  private record Change(Noted noted, Optional<Pending> instead) {}

  private record Claim(
      Range range,
      double support,
      Optional<Pending> nearest,
      List<Integer> cites,
      List<Change> changes) {}

  private record Word(
      int unit, boolean again, Optional<Pending> evidence, Optional<Range> question) {}

  private final Units answer;
  private final Claims pieces;
  private final TextWords words;
  private final EvidenceIndex evidence;
  private final EvidenceReading reading;
  private final Units scratch;

  private final Map<Integer, List<Pending>> pending = new TreeMap<>();
  private final BitSet carried = new BitSet();
  private final List<Claim> claims = new ArrayList<>();
  private final List<Word> marked = new ArrayList<>();
  private final List<CitationMark> citations = new ArrayList<>();
  private int wordsCut;
  private int citationsCut;
  private int claimsCut;

  ClaimMarks(
      Units answer,
      Claims pieces,
      TextWords words,
      EvidenceIndex evidence,
      EvidenceReading reading,
      Units scratch) {
    this.answer = answer;
    this.pieces = pieces;
    this.words = words;
    this.evidence = evidence;
    this.reading = reading;
    this.scratch = scratch;
  }

  /** Notes a unit of the answer that the evidence has in some form. */
  void carried(int unit) {
    carried.set(unit);
  }

  /** Notes a claim that has just been judged. */
  void claim(
      int first,
      int after,
      double support,
      ClaimMeasure measure,
      List<Noted> departures,
      BitSet cited) {
    measure.addCarried(carried);
    if (claims.size() == MarkedAnswer.MAX_CLAIMS) {
      claimsCut++;
      return;
    }
    int sentence = measure.bestSentence();
    Optional<Pending> nearest =
        sentence == EvidenceIndex.NONE
            ? Optional.empty()
            : Optional.of(
                pending(
                    evidence.chunkOf(sentence),
                    EvidenceIndex.NONE,
                    evidence.startByte(sentence),
                    evidence.endByte(sentence)));
    List<Change> changes = new ArrayList<>();
    for (Noted noted : departures) {
      changes.add(
          new Change(
              noted,
              noted.chunk() < 0
                  ? Optional.empty()
                  : Optional.of(
                      pending(
                          noted.chunk(),
                          EvidenceIndex.NONE,
                          noted.insteadFrom(),
                          noted.insteadTo()))));
    }
    claims.add(
        new Claim(
            range(first, after),
            support,
            nearest,
            cited.stream().limit(MarkedAnswer.MAX_IDS).boxed().toList(),
            changes));
  }

  /** Notes a heading that says something of its own. */
  void heading(int first, int after, double support) {
    if (claims.size() == MarkedAnswer.MAX_CLAIMS) {
      claimsCut++;
    } else {
      claims.add(new Claim(range(first, after), support, Optional.empty(), List.of(), List.of()));
    }
  }

  private Range range(int first, int after) {
    return new Range(answer.start(first), answer.end(after - 1));
  }

  private Pending pending(int chunk, int position, int from, int to) {
    Pending place = new Pending(chunk, position, from, to);
    pending.computeIfAbsent(chunk, _ -> new ArrayList<>()).add(place);
    return place;
  }

  /** Takes up the words that count, as {@link ClaimsEstimator} counts them. */
  void readWords(EvidenceIndex question, Units asked) {
    KeySet seen = new KeySet();
    seen.clear();
    for (int unit = 0; unit < answer.count(); unit++) {
      if (!pieces.isPart(unit) || (answer.flags(unit) & Units.SYMBOL) != 0) {
        continue;
      }
      if (marked.size() == MarkedAnswer.MAX_WORDS) {
        wordsCut++;
        continue;
      }
      long lemma = words.lemma(unit);
      int position = evidence.first(lemma);
      int inQuestion = question.first(lemma);
      marked.add(
          new Word(
              unit,
              !seen.add(lemma),
              position < 0
                  ? Optional.empty()
                  : Optional.of(
                      pending(evidence.chunkOf(evidence.sentence(position)), position, 0, 0)),
              inQuestion < 0
                  ? Optional.empty()
                  : Optional.of(new Range(asked.start(inQuestion), asked.end(inQuestion)))));
    }
  }

  /** Takes up what is cited, in the text and beside it. */
  void readCitations(Citations cited, List<String> beside) {
    List<String> unknown = cited.unknownIds();
    int nextUnknown = 0;
    for (int marker = 0; marker < cited.markers(); marker++) {
      int end = marker + 1 < cited.markers() ? cited.firstCitation(marker + 1) : cited.citations();
      List<CitedId> ids = new ArrayList<>();
      for (int c = cited.firstCitation(marker); c < end; c++) {
        ids.add(
            cited.chunk(c) == Citations.UNKNOWN
                ? new CitedId(unknown.get(nextUnknown++), OptionalInt.empty())
                : new CitedId(cited.idOf(cited.chunk(c)), OptionalInt.of(cited.chunk(c))));
      }
      cite(Optional.of(new Range(cited.start(marker), cited.end(marker))), ids);
    }
    for (String given : beside) {
      if (!given.isBlank()) {
        String id = CitationId.canonical(given);
        int chunk = cited.chunkOf(id);
        cite(
            Optional.empty(),
            List.of(
                chunk == Citations.UNKNOWN
                    ? new CitedId(id, OptionalInt.empty())
                    : new CitedId(cited.idOf(chunk), OptionalInt.of(chunk))));
      }
    }
  }

  private void cite(Optional<Range> range, List<CitedId> ids) {
    if (ids.isEmpty()) {
      return; // the end of a tag
    }
    if (citations.size() == MarkedAnswer.MAX_CITATIONS) {
      citationsCut++;
    } else {
      citations.add(new CitationMark(range, ids));
    }
  }

  /** The answer with all that was taken up. */
  MarkedAnswer of(Measurement measured) {
    findPlaces();
    return new MarkedAnswer(
        measured,
        marked.stream().map(this::mark).toList(),
        citations,
        claims.stream().map(ClaimMarks::mark).toList(),
        new Cut(wordsCut, citationsCut, claimsCut));
  }

  private Mark mark(Word word) {
    return new Mark(
        new Range(answer.start(word.unit), answer.end(word.unit)),
        (answer.flags(word.unit) & Units.DIGITS) != 0,
        word.again,
        place(word.evidence),
        word.question,
        word.evidence.isEmpty() && carried.get(word.unit));
  }

  private static ClaimMark mark(Claim claim) {
    return new ClaimMark(
        claim.range,
        claim.support,
        place(claim.nearest),
        claim.cites,
        claim.changes.stream()
            .map(change ->
                new ChangeMark(
                    change.noted.departure(),
                    new Range(change.noted.from(), change.noted.to()),
                    place(change.instead)))
            .toList());
  }

  private static Optional<Place> place(Optional<Pending> place) {
    return place.flatMap(known -> known.found);
  }

  /** Reads each chunk once more that has something. */
  private void findPlaces() {
    Map<Integer, Integer> bases = new TreeMap<>();
    for (int sentence = 0; sentence < evidence.sentences(); sentence++) {
      bases.putIfAbsent(evidence.chunkOf(sentence), evidence.begin(sentence));
    }
    pending.forEach((chunk, places) -> {
      scratch.read(reading.plainText(chunk));
      int base = bases.getOrDefault(chunk, 0);
      for (Pending place : places) {
        boolean isWord = place.position != EvidenceIndex.NONE;
        int from = isWord ? scratch.start(place.position - base) : place.from;
        int to = isWord ? scratch.end(place.position - base) : place.to;
        int origin = reading.origin(place.chunk, from);
        place.found =
            Optional.of(
                new Place(
                    place.chunk,
                    new Range(origin, Math.max(origin, reading.originEnd(place.chunk, from, to)))));
      }
      scratch.release();
    });
  }
}
