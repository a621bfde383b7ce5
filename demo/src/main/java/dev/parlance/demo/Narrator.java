package dev.parlance.demo;

import dev.parlance.demo.DemoScript.Item;
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
    this.table = new Table(out, options.colour() ? Table.Colour.ON : Table.Colour.OFF);
  }

  void cast(Stage stage) {
    Stage.Gated gated = stage.gated();
    out.println("Agent B (license-officer) asks, agent A (license-scholar) answers from LICENSE.");
    out.printf(
        "  A listens on 127.0.0.1:%d, its sidecar stands in front of it on 127.0.0.1:%d%n",
        gated.agents().scholar().port(), gated.scholarSidecar().inbound());
    out.printf(
        "  B listens on 127.0.0.1:%d, its sidecar on 127.0.0.1:%d (in) and 127.0.0.1:%d (out)%n%n",
        gated.agents().officer().port(),
        gated.officerSidecar().inbound(),
        gated.officerSidecar().outbound());
    table.head();
    out.flush();
  }

  void exchange(Exchange exchange) {
    table.rows(exchange);
  }

  void tally(Tally tally) {
    out.printf(
        "%n%d questions, %d drafts judged: %d answers executed (%d of them after repair),"
            + " %d delivered with a warning, %d held for a person.%n",
        tally.questions(),
        tally.drafts(),
        tally.executed(),
        tally.repaired(),
        tally.warned(),
        tally.held());
    out.printf(
        "Ungrounded answers that reached B:     %d of %d without Parlance, %d of %d with it.%n",
        tally.ungroundedDirect(), tally.ungrounded(), tally.ungroundedGated(), tally.ungrounded());
    out.printf(
        "Unfinished first drafts that reached B: %d of %d without Parlance, %d of %d with it.%n",
        tally.unfinishedDirect(), tally.unfinished(), tally.unfinishedGated(), tally.unfinished());
    out.println("(\"Without\" is the same script, asked by the same agents without sidecars.)");
  }

  void queue(Stage stage, Optional<Exchange> held) {
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

  void invite(Stage stage) {
    Stage.Gated gated = stage.gated();
    String admin = "http://127.0.0.1:" + gated.scholarSidecar().admin();
    out.println("\nEverything stays up until you press Ctrl-C. Try:");
    out.println("  # ask agent A through its sidecar (A2A message/send)");
    out.printf(
        "  curl -si %s -H 'Content-Type: application/json' -d '%s'%n",
        gated.scholarSidecar().inboundUrl(), request(CURL_QUESTION));
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

  private static String authorised(Stage.Gated gated, String url) {
    return "-H \"Authorization: Bearer $(cat " + gated.admin().tokenFile() + ")\" " + url;
  }

  static String request(String escapedText) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message",\
    "role":"user","messageId":"m-1","parts":[{"kind":"text","text":"%s"}]}}}\
    """
        .formatted(escapedText);
  }
}
