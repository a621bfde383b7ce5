package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.SidecarAdmin.DraftVerdict;
import dev.parlance.demo.agent.Receipt;
import dev.parlance.demo.agent.Role;
import dev.parlance.policy.route.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One question of the script, what had to come of it, and what did.
 *
 * @param role the question, and who answers it
 * @param streaming whether answers were streamed, and how the sidecar treated them
 * @param direct what reached the officer without sidecars
 * @param gated what reached it through both sidecars
 * @param drafts what the scholar's sidecar decided about each draft
 */
record QuestionResult(
    Role role, Streaming streaming, Receipt direct, Receipt gated, List<DraftVerdict> drafts) {
  /** B asks, and asks again twice. */
  private static final int DRAFTS_UNTIL_GIVEN_UP = 3;

  QuestionResult {
    drafts = List.copyOf(drafts);
  }

  // ---- what had to come of it ----

  /**
   * True if no answer reaches B and none is held either. Where a stream has begun with its task, B
   * asks again itself; in other words that is another question with a budget of its own, so B is
   * refused until it gives up.
   */
  private static boolean givenUp(Role role, Streaming streaming) {
    return streaming == Streaming.HOLD
        && role.character().ungrounded()
        && role.shape() == Role.Shape.TASK;
  }

  /** With so many drafts none is to follow, whatever the last one's route. */
  static int enoughDrafts(Role role, Streaming streaming) {
    return !streaming.guards()
        ? 1
        : givenUp(role, streaming) ? DRAFTS_UNTIL_GIVEN_UP : Integer.MAX_VALUE;
  }

  /** The routes of all drafts; where a sidecar only observes, the first one reaches B as it is. */
  private String expectedPath() {
    String path = role.character().path();
    return !streaming.guards()
        ? path.replaceFirst(">.*", "")
        : givenUp(role, streaming)
            ? (Route.REGENERATE.code() + ">").repeat(DRAFTS_UNTIL_GIVEN_UP - 1)
                + Route.REGENERATE.code()
            : path;
  }

  // ---- what did ----

  /** Under which id the review queue holds a draft, if it does. */
  Optional<String> reviewId() {
    return drafts.stream().flatMap(draft -> draft.reviewId().stream()).findFirst();
  }

  private String path() {
    return drafts.stream().map(DraftVerdict::route).collect(Collectors.joining(">"));
  }

  /**
   * How the stream went that brought draft {@code index}; empty if nothing was streamed, or if the
   * sidecar asked for another draft before anything had left to B.
   */
  Optional<Receipt.StreamTiming> stream(int index) {
    if (streaming == Streaming.WINDOW && index < drafts.size() - 1) {
      return Optional.empty(); // some rows are verdicts on one and the same stream
    }
    int at = index - drafts.size() + gated.streams().size();
    return at >= 0 && index < drafts.size()
        ? Optional.of(gated.streams().get(at))
        : Optional.empty();
  }

  /** Where the expected route was not taken, in words; empty if all is as expected. */
  List<String> differences() {
    List<String> differences = new ArrayList<>();
    String expected = expectedPath();
    if (!comparable(path()).equals(comparable(expected))) {
      differences.add("expected " + expected + ", decision log says " + path());
    }
    boolean delivered = !streaming.guards() || !role.character().ungrounded();
    if (gated.reached() != delivered) {
      differences.add(
          (delivered ? "the answer did not reach B: " : "a held answer reached B: ")
              + gated.taskState()
              + ", "
              + gated.receivedText());
    }
    if (!delivered && !givenUp(role, streaming) && !gated.taskState().equals("working")) {
      differences.add("expected a task that works, B got " + gated.taskState());
    }
    // Of a held answer B is told by the task; B's own sidecar has the last word about it.
    String told = gated.verdict().route().orElse("no verdict");
    String toTell = expected.replaceFirst(".*>", "");
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

  /**
   * In mode window a draft is judged piece by piece: pieces that went on before another draft was
   * asked for, and the same route once more, count for nothing.
   */
  private String comparable(String path) {
    return streaming == Streaming.WINDOW
        ? path.replaceAll("\\b(?:execute|warn)>", "").replaceAll("\\b(\\w+)(?:>\\1\\b)+", "$1")
        : path;
  }

  Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("id", role.id());
    members.put("question", role.question());
    members.put("character", role.character().name().toLowerCase(Locale.ROOT));
    members.put("groundTruthUngrounded", role.character().ungrounded());
    members.put("expected", expectedPath());
    members.put("taken", path());
    members.put("drafts", drafts);
    members.put("received", gated);
    members.put("receivedWithoutParlance", direct);
    members.put("differences", differences());
    return members;
  }

  // ---- all of them ----

  /** What the questions have come to, named as in the report, counted from what was received. */
  static Map<String, Integer> tally(List<QuestionResult> results) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    counts.put("questions", results.size());
    counts.put("drafts", results.stream().mapToInt(one -> one.drafts.size()).sum());
    counts.put("executed", count(results, e -> e.ends("execute")));
    counts.put("repaired", count(results, e -> e.ends("execute") && e.drafts.size() > 1));
    counts.put("warned", count(results, e -> e.ends("warn")));
    counts.put("held", count(results, e -> e.ends("yield")));
    counts.put("givenUp", count(results, e -> e.ends("regenerate") && !e.gated.reached()));
    List<QuestionResult> invented =
        results.stream().filter(e -> e.role.character().ungrounded()).toList();
    counts.put("ungrounded", invented.size());
    counts.put("ungroundedReachedWithoutParlance", count(invented, e -> e.direct.reached()));
    counts.put("ungroundedReachedWithParlance", count(invented, e -> e.gated.reached()));
    List<QuestionResult> partial =
        results.stream().filter(e -> e.role.character().partialAtFirst()).toList();
    counts.put("unfinished", partial.size());
    counts.put("unfinishedReachedWithoutParlance", count(partial, e -> e.direct.reached()));
    // The first draft is what reaches B without sidecars: the same text was not repaired.
    counts.put(
        "unfinishedReachedWithParlance",
        count(
            partial,
            e -> e.gated.reached() && e.gated.receivedText().equals(e.direct.receivedText())));
    return counts;
  }

  private boolean ends(String route) {
    return !drafts.isEmpty() && drafts.getLast().route().equals(route);
  }

  private static int count(List<QuestionResult> results, Predicate<QuestionResult> counted) {
    return (int) results.stream().filter(counted).count();
  }

  /**
   * When streams of answers that reached B brought what, as medians in ms since B asked; an answer
   * that was asked for several times counts with its last stream. Empty if nothing was streamed.
   */
  static Map<String, Long> medians(List<Receipt> receipts) {
    List<Receipt.StreamTiming> streams =
        receipts.stream()
            .filter(receipt -> receipt.reached() && !receipt.streams().isEmpty())
            .map(receipt -> receipt.streams().getLast())
            .filter(stream -> stream.wordsMs().isPresent())
            .toList();
    Map<String, Long> medians = new LinkedHashMap<>();
    if (!streams.isEmpty()) {
      medians.put("streams", (long) streams.size());
      medians.put("firstEventMs", median(streams.stream().map(one -> one.firstMs()).toList()));
      medians.put(
          "firstWordsMs", median(streams.stream().map(s -> s.wordsMs().orElseThrow()).toList()));
      medians.put("lastEventMs", median(streams.stream().map(one -> one.lastMs()).toList()));
    }
    return medians;
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
