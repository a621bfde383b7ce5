package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.DemoScript.Item;
import dev.parlance.demo.agent.Receipt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One question of the script and what came of it.
 *
 * @param item the question
 * @param direct what reached the officer without sidecars
 * @param gated what reached it through both sidecars
 * @param drafts what the scholar's sidecar decided about each draft
 * @param streaming whether answers were streamed, and how the sidecar treated them
 */
record QuestionResult(
    Item item,
    Receipt direct,
    Receipt gated,
    List<SidecarAdmin.DraftVerdict> drafts,
    Streaming streaming) {
  QuestionResult {
    drafts = List.copyOf(drafts);
  }

  /** Under which id the review queue holds a draft, if it does. */
  Optional<String> reviewId() {
    return drafts.stream().flatMap(draft -> draft.reviewId().stream()).findFirst();
  }

  /** The routes of all drafts in words. */
  String path() {
    return drafts.stream().map(SidecarAdmin.DraftVerdict::route).collect(Collectors.joining(">"));
  }

  /**
   * How the stream went that brought draft {@code index}; empty if nothing was streamed, or if the
   * sidecar asked for another draft before anything had left to B.
   */
  Optional<Receipt.StreamTiming> stream(int index) {
    List<Receipt.StreamTiming> streams = gated.streams();
    if (streaming == Streaming.WINDOW && index < drafts.size() - 1) {
      return Optional.empty(); // some rows are verdicts on one and the same stream
    }
    int before = drafts.size() - streams.size();
    return index >= before && index < drafts.size()
        ? Optional.of(streams.get(index - before))
        : Optional.empty();
  }

  /** Where the expected route was not taken, in words; empty if all is as expected. */
  List<String> differences() {
    List<String> differences = new ArrayList<>();
    String expected = item.expectedPath(streaming);
    if (!sameRoutes(path(), expected)) {
      differences.add("expected " + expected + ", decision log says " + path());
    }
    boolean delivered = item.delivered(streaming);
    if (gated.reached() != delivered) {
      differences.add(
          (delivered ? "the answer did not reach B: " : "a held answer reached B: ")
              + gated.taskState()
              + ", "
              + gated.receivedText());
    }
    boolean held = !delivered && !item.givenUp(streaming);
    if (held && !gated.taskState().equals("working")) {
      differences.add("expected a task that works, B got " + gated.taskState());
    }
    // Of a held answer B is told by the task; B's own sidecar has the last word about it.
    String told = gated.verdict().route().orElse("no verdict");
    String toTell = item.toldRoute(streaming).code();
    if (delivered && !told.equals(toTell)) {
      differences.add("expected B to be told " + toTell + ", it read " + told);
    }
    boolean streamed = streaming != Streaming.OFF;
    if (streamed == gated.streams().isEmpty() || streamed == direct.streams().isEmpty()) {
      differences.add(streamed ? "the answer was not streamed" : "the answer was streamed");
    }
    if (!direct.reached()) {
      differences.add("without sidecars no answer reached B: " + direct.receivedText());
    }
    return differences;
  }

  /** In mode window one draft is judged several times, the same route then counts once. */
  private boolean sameRoutes(String taken, String expected) {
    return streaming == Streaming.WINDOW
        ? withoutRepetition(taken).equals(withoutRepetition(expected))
        : taken.equals(expected);
  }

  private static String withoutRepetition(String path) {
    return path.replaceAll("\\b(\\w+)(?:>\\1\\b)+", "$1");
  }

  Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("id", item.id());
    members.put("question", item.question());
    members.put("character", item.character().name().toLowerCase(java.util.Locale.ROOT));
    members.put("groundTruthUngrounded", item.groundTruthUngrounded());
    members.put("expected", item.expectedPath(streaming));
    members.put("taken", path());
    members.put("drafts", drafts);
    members.put("received", gated);
    members.put("receivedWithoutParlance", direct);
    members.put("differences", differences());
    return members;
  }
}
