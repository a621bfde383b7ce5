package dev.parlance.policy.signal;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.signal.MarkedAnswer.CitationMark;
import dev.parlance.policy.signal.MarkedAnswer.CitedId;
import dev.parlance.policy.signal.MarkedAnswer.Cut;
import dev.parlance.policy.signal.MarkedAnswer.Mark;
import dev.parlance.policy.signal.MarkedAnswer.Place;
import dev.parlance.policy.signal.MarkedAnswer.Range;
import dev.parlance.policy.text.CitationId;
import dev.parlance.policy.text.CitationScanner;
import dev.parlance.policy.text.PlacedText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The places of what {@link TokenOverlapEstimator} counts: its tokens, by the same reader, each
 * with where it first stands in the question and the evidence.
 */
final class OverlapMarks {
  /** A token of the answer, however often it stands there. */
  private static final class Word {
    private Optional<Place> evidence = Optional.empty();
    private Optional<Range> question = Optional.empty();
  }

  private record Occurrence(Word word, Range range, boolean number, boolean again) {}

  private final Map<String, Word> words = new HashMap<>();
  private final List<Occurrence> occurrences = new ArrayList<>();
  private final List<CitationMark> citations = new ArrayList<>();
  private int wordsCut;
  private int citationsCut;

  /** How many different words are still to be found in the evidence. */
  private int missing;

  private OverlapMarks() {}

  static MarkedAnswer of(AgentMessage message, Measurement measured) {
    OverlapMarks marks = new OverlapMarks();
    marks.answer(message);
    marks.question(message);
    marks.evidence(message.evidence().chunks());
    return new MarkedAnswer(
        measured,
        marks.occurrences.stream()
            .map(one ->
                new Mark(
                    one.range,
                    one.number,
                    one.again,
                    one.word.evidence,
                    one.word.question,
                    /* otherwise= */ false))
            .toList(),
        marks.citations,
        List.of(),
        new Cut(marks.wordsCut, marks.citationsCut, 0));
  }

  private void answer(AgentMessage message) {
    Map<String, Integer> chunks = new HashMap<>();
    List<Chunk> given = message.evidence().chunks();
    for (int i = 0; i < given.size(); i++) {
      chunks.putIfAbsent(CitationId.canonical(given.get(i).id()), i);
    }
    PlacedText answer = new PlacedText(message.answer());
    CitationScanner scanner = new CitationScanner();
    scanner.scan(answer.normal());
    int from = answer.normal().start();
    for (int marker = 0; marker < scanner.markers(); marker++) {
      answer.tokens(from, scanner.markerStart(marker), this::add);
      from = scanner.markerEnd(marker);
      Range range = new Range(answer.start(scanner.markerStart(marker)), answer.end(from));
      cite(Optional.of(range), scanner.idsOf(answer.normal(), marker), chunks);
    }
    answer.tokens(from, answer.normal().end(), this::add);
    for (String beside : message.evidence().citations()) {
      String id = CitationId.canonical(beside);
      if (!id.isEmpty()) {
        cite(Optional.empty(), List.of(id), chunks);
      }
    }
    missing = words.size();
  }

  private void add(String token, boolean digit, int from, int to) {
    Word known = words.get(token);
    if (known == null) {
      known = new Word();
      words.put(token, known);
      list(new Occurrence(known, new Range(from, to), digit, /* again= */ false));
    } else {
      list(new Occurrence(known, new Range(from, to), digit, /* again= */ true));
    }
  }

  private void list(Occurrence one) {
    if (occurrences.size() < MarkedAnswer.MAX_WORDS) {
      occurrences.add(one);
    } else {
      wordsCut++;
    }
  }

  private void cite(Optional<Range> range, List<String> ids, Map<String, Integer> chunks) {
    if (citations.size() == MarkedAnswer.MAX_CITATIONS) {
      citationsCut++;
      return;
    }
    citations.add(
        new CitationMark(
            range, ids.stream().map(id -> new CitedId(id, chunk(chunks, id))).toList()));
  }

  private static OptionalInt chunk(Map<String, Integer> chunks, String id) {
    Integer found = chunks.get(id);
    return found == null ? OptionalInt.empty() : OptionalInt.of(found);
  }

  private void question(AgentMessage message) {
    new PlacedText(message.question())
        .tokens((token, _, from, to) -> {
          Word word = words.get(token);
          if (word != null && word.question.isEmpty()) {
            word.question = Optional.of(new Range(from, to));
          }
        });
  }

  private void evidence(List<Chunk> chunks) {
    for (int i = 0; i < chunks.size() && missing > 0; i++) {
      int chunk = i;
      new PlacedText(chunks.get(i).text())
          .tokens((token, _, from, to) -> {
            Word word = words.get(token);
            if (word != null && word.evidence.isEmpty()) {
              word.evidence = Optional.of(new Place(chunk, new Range(from, to)));
              missing--;
            }
          });
    }
  }
}
