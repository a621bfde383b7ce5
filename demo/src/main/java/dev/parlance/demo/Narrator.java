package dev.parlance.demo;

import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.DemoScript.Item;
import dev.parlance.demo.QuestionTally.StreamMedians;
import dev.parlance.demo.agent.Binding;
import dev.parlance.demo.agent.Receipt;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Says in words what happens. */
final class Narrator {
  private static final String CURL_QUESTION = "What does \\\"Contributor\\\" mean?";

  private final DemoOptions options;
  private final PrintStream out;
  private final Table table;

  Narrator(DemoOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
    this.table =
        new Table(out, options.colour() ? Table.Colour.ON : Table.Colour.OFF, options.streaming());
  }

  void cast(DemoStage stage) {
    DemoStage.Gated gated = stage.gated();
    out.println("Agent B (license-officer) asks, agent A (license-scholar) answers from LICENSE.");
    out.printf(
        "  A listens on 127.0.0.1:%d, its sidecar stands in front of it on 127.0.0.1:%d%n",
        gated.agents().scholar().port(), gated.scholarSidecar().inbound());
    out.printf(
        "  B listens on 127.0.0.1:%d, its sidecar on 127.0.0.1:%d (in) and 127.0.0.1:%d (out)%n%n",
        gated.agents().officer().port(),
        gated.officerSidecar().inbound(),
        gated.officerSidecar().outbound());
    manner();
    table.head();
    out.flush();
  }

  /** Says how B asks, where that is not the usual way. */
  private void manner() {
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
    if (options.binding() != Binding.JSONRPC || options.streaming() != Streaming.OFF) {
      out.println("B asks A over " + binding + streamed + ".");
    }
    if (options.streaming() != Streaming.OFF) {
      out.println(
          "  events: how many reached B; first, words, end: ms from B's question to the first"
              + " event, to A's first words, to the last event");
      out.println(
          "  a row without them: the sidecar asked for another draft before anything had left to"
              + " B");
    }
    if (options.binding() != Binding.JSONRPC || options.streaming() != Streaming.OFF) {
      out.println();
    }
  }

  void streams(Optional<StreamMedians> gated, Optional<StreamMedians> direct) {
    gated.ifPresent(with ->
        out.printf(
            "Streams that reached B, medians: first event after %d ms, first words after %d ms, end"
                + " after %d ms%s.%n",
            with.firstMs(),
            with.wordsMs(),
            with.lastMs(),
            direct
                .map(without ->
                    "; without Parlance %d, %d and %d ms"
                        .formatted(without.firstMs(), without.wordsMs(), without.lastMs()))
                .orElse("")));
  }

  void exchange(QuestionResult exchange) {
    table.rows(exchange);
  }

  void tally(QuestionTally tally) {
    out.printf(
        "%n%d questions, %d drafts judged: %d answers executed (%d of them after repair),"
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
    out.printf(
        "Ungrounded answers that reached B:     %d of %d without Parlance, %d of %d with it.%n",
        tally.ungroundedDirect(), tally.ungrounded(), tally.ungroundedGated(), tally.ungrounded());
    out.printf(
        "Unfinished first drafts that reached B: %d of %d without Parlance, %d of %d with it.%n",
        tally.unfinishedDirect(), tally.unfinished(), tally.unfinishedGated(), tally.unfinished());
    out.println("(\"Without\" is the same script, asked by the same agents without sidecars.)");
  }

  void queue(DemoStage stage, Optional<QuestionResult> held) {
    if (!options.streaming().guards()) {
      out.println("A's sidecar only observes streams, so nothing was held for a person.");
      return;
    }
    Path dataDir = stage.gated().scholarSidecar().dataDir();
    out.printf("%nHeld answers wait in the review queue of A's sidecar, in %s%n", dataDir);
    out.printf("  %s review list --data-dir %s%n", options.launcher(), dataDir);
    held.flatMap(Demo::reviewId)
        .ifPresent(id ->
            out.printf(
                "  %s review release %s --data-dir %s --who you%n",
                options.launcher(), id, dataDir));
  }

  void released(String reviewId, Item item, Receipt receipt) {
    out.printf(
        "%nReleased %s (%s) and let B ask again; what reached it: %s%n",
        reviewId, item.id(), Table.received(receipt));
  }

  void end(List<String> problems) {
    if (problems.isEmpty()) {
      out.println(table.emphasise("\nEvery expected route was taken.", "32"));
    } else {
      out.println(table.emphasise("\nNot as expected:", "31"));
      problems.forEach(problem -> out.println("  " + problem));
      out.println("Logs and configurations are in " + options.workDir());
    }
    out.flush();
  }

  void invite(DemoStage stage) {
    DemoStage.Gated gated = stage.gated();
    String admin = "http://127.0.0.1:" + gated.scholarSidecar().admin();
    out.println("\nEverything stays up until you press Ctrl-C. Try:");
    out.println("  # ask agent A through its sidecar (A2A message/send)");
    out.printf(
        "  curl -si %s -H 'Content-Type: application/json' -d '%s'%n",
        gated.scholarSidecar().inboundUrl(), request(CURL_QUESTION));
    if (options.binding() == Binding.REST) {
      out.println("  # the same over HTTP+JSON");
      out.printf(
          "  curl -si %sv1/message:send -H 'Content-Type: application/json' -d '%s'%n",
          gated.scholarSidecar().inboundUrl(), restRequest(CURL_QUESTION));
    }
    if (options.streaming() != Streaming.OFF) {
      out.println("  # the same as a stream");
      out.printf(
          "  curl -siN %s -H 'Content-Type: application/json' -d '%s'%n",
          gated.scholarSidecar().inboundUrl(),
          request(CURL_QUESTION).replace("message/send", "message/stream"));
    }
    out.println("  # let agent B ask, through both sidecars");
    out.printf(
        "  curl -s %s -H 'Content-Type: application/json' -d '%s'%n",
        gated.officerSidecar().inboundUrl(), request("ask: " + CURL_QUESTION));
    out.println("  # what A's sidecar counts, decided and holds");
    out.printf("  curl -s %s/metrics | grep ^parlance_%n", admin);
    out.printf("  curl -s %s%n", authorised(gated, admin + "/decisions"));
    out.printf("  curl -s %s%n", authorised(gated, admin + "/review"));
    out.flush();
  }

  private static String authorised(DemoStage.Gated gated, String url) {
    return "-H \"Authorization: Bearer $(cat " + gated.admin().tokenFile() + ")\" " + url;
  }

  private static String restRequest(String escapedText) {
    return """
    {"message":{"role":"ROLE_USER","messageId":"m-1","content":[{"text":"%s"}]}}\
    """
        .formatted(escapedText);
  }

  static String request(String escapedText) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message",\
    "role":"user","messageId":"m-1","parts":[{"kind":"text","text":"%s"}]}}}\
    """
        .formatted(escapedText);
  }
}
