package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.DemoScript.Item;
import dev.parlance.demo.QuestionTally.StreamMedians;
import dev.parlance.demo.agent.Receipt;
import dev.parlance.demo.agent.Talk;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Tells the first act: a table with one line per draft, written as soon as a question is settled,
 * the counts, and what the reader can do with what is held.
 */
final class FirstActNarrator {
  private static final String ROW = "%-4s %-46s %5s  %-26s %5s  %s  %s%s%n";
  private static final int QUESTION_CHARS = 46;
  private static final int RECEIVED_CHARS = 56;
  private static final int ROUTE_CHARS = 10;
  private static final String CURL_QUESTION = "What does \\\"Contributor\\\" mean?";

  private final Narrator narrator;
  private final DemoOptions options;

  FirstActNarrator(Narrator narrator) {
    this.narrator = narrator;
    this.options = narrator.options();
  }

  void cast(AgentPairs.Gated gated) {
    narrator.say(
        "Agent B (license-officer) asks, agent A (license-scholar) answers from LICENSE.%n");
    narrator.detail(
        "  A listens on 127.0.0.1:%d, its sidecar stands in front of it on 127.0.0.1:%d%n",
        gated.agents().scholar().port(), gated.scholarSidecar().inbound());
    narrator.detail(
        "  B listens on 127.0.0.1:%d, its sidecar on 127.0.0.1:%d (in) and 127.0.0.1:%d (out)%n%n",
        gated.agents().officer().port(),
        gated.officerSidecar().inbound(),
        gated.officerSidecar().outbound());
    manner();
    narrator.detail(
        ROW,
        "",
        "question",
        "draft",
        "ASP header",
        "drift",
        pad("route"),
        stream("events", "first", "words", "end"),
        "what reached B");
  }

  /** Says how B asks, where that is not the usual way. */
  private void manner() {
    if (options.binding() == Talk.Binding.JSONRPC && options.streaming() == Streaming.OFF) {
      return;
    }
    String binding =
        switch (options.binding()) {
          case JSONRPC -> "JSON-RPC";
          case REST -> "HTTP+JSON";
          case GRPC -> "gRPC";
        };
    String streamed =
        switch (options.streaming()) {
          case OFF -> "";
          case HOLD -> ", answers are streamed; A's sidecar holds each until it is judged";
          case WINDOW -> ", answers are streamed; A's sidecar judges each piece by piece";
          case OBSERVE -> ", answers are streamed; A's sidecar lets them pass and judges beside it";
        };
    narrator.say("B asks A over %s%s.%n", binding, streamed);
    if (options.streaming() != Streaming.OFF) {
      narrator.detail(
          "  events: how many reached B; first, words, end: ms from B's question to the first"
              + " event, to A's first words, to the last event%n"
              + "  a row without them: the sidecar asked for another draft before anything had left"
              + " to B%n");
    }
    narrator.detail("%n");
  }

  void rows(QuestionResult result) {
    Item item = result.item();
    int row = 0;
    for (SidecarAdmin.DraftVerdict draft : result.drafts()) {
      boolean first = row == 0;
      Optional<Receipt.StreamTiming> stream = result.stream(row);
      boolean last = ++row == result.drafts().size();
      narrator.detail(
          ROW,
          first ? item.id() : "",
          first ? Narrator.cut(item.question(), QUESTION_CHARS) : "",
          row,
          draft.header().isEmpty() ? "not measured" : draft.header(),
          draft.driftSqrtJsd().isPresent()
              ? String.format(Locale.ROOT, "%.3f", draft.driftSqrtJsd().getAsDouble())
              : "-",
          paint(draft.route()),
          stream(stream),
          last ? received(result.gated()) : "");
    }
    if (row == 0) {
      narrator.detail(
          ROW,
          item.id(),
          Narrator.cut(item.question(), QUESTION_CHARS),
          "-",
          "no decision found",
          "-",
          pad(""),
          stream(Optional.empty()),
          received(result.gated()));
    }
    for (String difference : result.differences()) {
      narrator.detail("     %s%n", narrator.emphasise("!! " + difference, Narrator.RED));
    }
  }

  private String stream(Optional<Receipt.StreamTiming> stream) {
    return stream
        .map(so ->
            stream(
                String.valueOf(so.events()),
                String.valueOf(so.firstMs()),
                so.wordsMs().isPresent() ? String.valueOf(so.wordsMs().getAsLong()) : "-",
                String.valueOf(so.lastMs())))
        .orElseGet(() -> stream("", "", "", ""));
  }

  private String stream(String events, String first, String words, String end) {
    return options.streaming() == Streaming.OFF
        ? ""
        : "%6s %6s %6s %6s  ".formatted(events, first, words, end);
  }

  private static String received(Receipt receipt) {
    if (receipt.reached()) {
      return Narrator.cut(receipt.receivedText(), RECEIVED_CHARS);
    }
    boolean begun =
        !receipt.streams().isEmpty() && receipt.streams().getLast().wordsMs().isPresent();
    return (begun ? "a beginning (" : "nothing (") + receipt.taskState() + ")";
  }

  private String paint(String route) {
    return switch (route) {
      case "execute" -> narrator.emphasise(pad(route), Narrator.GREEN);
      case "warn" -> narrator.emphasise(pad(route), Narrator.YELLOW);
      case "regenerate" -> narrator.emphasise(pad(route), "36");
      case "yield" -> narrator.emphasise(pad(route), Narrator.RED);
      default -> pad(route);
    };
  }

  private static String pad(String text) {
    return String.format(Locale.ROOT, "%-" + ROUTE_CHARS + "s", text);
  }

  void tally(QuestionTally tally) {
    narrator.detail("%n");
    narrator.say(
        "%d questions, %d drafts judged: %d answers executed (%d of them after repair),"
            + " %d delivered with a warning, %d held for a person%s.%n",
        tally.questions(),
        tally.drafts(),
        tally.executed(),
        tally.repaired(),
        tally.warned(),
        tally.held(),
        tally.givenUp() == 0
            ? ""
            : ", %d given up by B after three drafts were sent back to it"
                .formatted(tally.givenUp()));
    narrator.say(
        "Ungrounded answers that reached B:      %d of %d without Parlance, %d of %d with it.%n",
        tally.ungroundedReachedWithoutParlance(),
        tally.ungrounded(),
        tally.ungroundedReachedWithParlance(),
        tally.ungrounded());
    narrator.say(
        "Unfinished first drafts that reached B: %d of %d without Parlance, %d of %d with it.%n",
        tally.unfinishedReachedWithoutParlance(),
        tally.unfinished(),
        tally.unfinishedReachedWithParlance(),
        tally.unfinished());
    narrator.detail(
        "(\"Without\" is the same script, asked by the same agents without sidecars.)%n");
  }

  void streams(Optional<StreamMedians> gated, Optional<StreamMedians> direct) {
    gated.ifPresent(with ->
        narrator.say(
            "Streams that reached B, medians: first event after %d ms, first words after %d ms, end"
                + " after %d ms%s.%n",
            with.firstEventMs(),
            with.firstWordsMs(),
            with.lastEventMs(),
            direct
                .map(without ->
                    "; without Parlance %d, %d and %d ms"
                        .formatted(
                            without.firstEventMs(), without.firstWordsMs(), without.lastEventMs()))
                .orElse("")));
  }

  void queue(Path dataDir, Optional<String> heldId) {
    if (!options.streaming().guards()) {
      narrator.say("A's sidecar only observes streams, so nothing was held for a person.%n");
      return;
    }
    narrator.detail("%n");
    narrator.say("Held answers wait in the review queue of A's sidecar, in %s%n", dataDir);
    narrator.say("  %s review list --data-dir %s%n", options.launcher(), dataDir);
    heldId.ifPresent(id ->
        narrator.say(
            "  %s review release %s --data-dir %s --who you%n", options.launcher(), id, dataDir));
  }

  void released(String reviewId, Item item, Receipt receipt) {
    narrator.detail("%n");
    narrator.say(
        "Released %s (%s) and let B ask again; what reached it: %s%n",
        reviewId, item.id(), received(receipt));
  }

  /** What the reader can try while everything stays up. */
  void invite(AgentPairs.Gated gated) {
    String admin = "http://127.0.0.1:" + gated.scholarSidecar().admin();
    String inbound = gated.scholarSidecar().inboundUrl();
    narrator.say("%nEverything stays up until you press Ctrl-C. Try:%n");
    curl("ask agent A through its sidecar (A2A message/send)", "-si", inbound, CURL_QUESTION);
    if (options.binding() == Talk.Binding.REST) {
      narrator.say("  # the same over HTTP+JSON%n");
      narrator.say(
          "  curl -si %sv1/message:send -H 'Content-Type: application/json' -d '%s'%n",
          inbound,
          "{\"message\":{\"role\":\"ROLE_USER\",\"messageId\":\"m-1\",\"content\":[{\"text\":\""
              + CURL_QUESTION
              + "\"}]}}");
    }
    if (options.streaming() != Streaming.OFF) {
      narrator.say("  # the same as a stream%n");
      narrator.say(
          "  curl -siN %s -H 'Content-Type: application/json' -d '%s'%n",
          inbound, request(CURL_QUESTION).replace("message/send", "message/stream"));
    }
    curl(
        "let agent B ask, through both sidecars",
        "-s",
        gated.officerSidecar().inboundUrl(),
        "ask: " + CURL_QUESTION);
    narrator.say("  # what A's sidecar counts, decided and holds%n");
    narrator.say("  curl -s %s/metrics | grep ^parlance_%n", admin);
    String token = "-H \"Authorization: Bearer $(cat " + gated.admin().tokenFile() + ")\" ";
    narrator.say("  curl -s %s%s/decisions%n", token, admin);
    narrator.say("  curl -s %s%s/review%n", token, admin);
  }

  /** A command that sends one text to an agent. */
  void curl(String what, String flags, String url, String escapedText) {
    narrator.say("  # %s%n", what);
    narrator.say(
        "  curl %s %s -H 'Content-Type: application/json' -d '%s'%n",
        flags, url, request(escapedText));
  }

  private static String request(String escapedText) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message",\
    "role":"user","messageId":"m-1","parts":[{"kind":"text","text":"%s"}]}}}\
    """
        .formatted(escapedText);
  }
}
