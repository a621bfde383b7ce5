package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.client.ControlClient;
import dev.parlance.console.ConsoleServer;
import dev.parlance.console.ConsoleSettings;
import dev.parlance.console.api.ControlRecords;
import dev.parlance.console.source.SidecarGroup;
import dev.parlance.control.testing.Council;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Lexicographer;
import dev.parlance.control.testing.Minds;
import dev.parlance.control.testing.Signatory;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proto.v1.AuditKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A person at a browser, the console's own server, and a control plane that has certified, decided
 * rounds, attested a pact and coined a term: what the pages show is what it has on record.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ConsoleRecordsInBrowserIT {
  private static final String COINING =
      "The text leaves an open gap here.\n[PART 2]\nopen gap = a point that the text leaves open";
  private static final String AGREED = "1 The pump is serviced every 2000 hours.";

  @TempDir Path folder = Path.of("");

  private static void makeRecords(Kit kit) throws Exception {
    kit.attach("alice", Minds.plain());
    kit.attach("bob", Minds.plain());
    kit.awaitAttached("alice", "bob");
    kit.put(Kit.plan("words", List.of("alice", "bob"), List.of("notice", "liability")));
    kit.audit("words", AuditKind.AUDIT_KIND_CERTIFY);
    try (Council council = Council.at(kit.plane)) {
      council.open(Council.seven("pumps/agreed"));
      council.open(Council.seven("pumps/tied"));
      for (String member : Council.SEVEN) {
        council.propose("pumps/agreed", member, "approve", AGREED);
        council.propose("pumps/tied", member, "v/" + member, "1 x");
      }
    }
    try (Signatory parties = Signatory.at(kit.plane).register();
        Lexicographer sidecars = Lexicographer.at(kit.plane)) {
      parties.attest("p-pumps");
      PactCase open =
          new PactCase(
              "n-pumps",
              Signatory.BUYER,
              Signatory.SELLER,
              Signatory.BOARD_KEY.name(),
              "p-next",
              System.currentTimeMillis() + 3_600_000);
      assertThat(
              parties.handOver(
                  open,
                  List.of(new Predicate("size", "output", "max_kb=9")),
                  Optional.of(Signatory.SELLER_KEY)))
          .isEqualTo("accepted");
      assertThat(sidecars.coin(Lexicographer.first("alice", COINING)).getAcceptedList()).hasSize(1);
    }
  }

  @Test
  void whatAControlPlaneHasOnRecord_isShown_pageByPage() throws Exception {
    if (ConsolePagesIT.browser().isEmpty()) {
      String message = "SKIPPED: no records were shown in a browser: chromium is not there";
      System.out.println(message);
      Assumptions.abort(message);
    }
    JsSide js = JsSide.ready("pages");
    try (Kit kit = Kit.start(folder.resolve("control"))) {
      makeRecords(kit);
      try (ControlClient client =
              new ControlClient(
                  ControlClient.Address.plain(
                      kit.plane.grpcAddress().toString(), kit.plane.operatorToken()));
          SidecarGroup nobody = new SidecarGroup(TreeMap::new);
          ConsoleServer console =
              ConsoleServer.start(
                  ConsoleSettings.onLoopback(0, "test", "ada"),
                  nobody,
                  Optional.of(new ControlRecords(client)));
          JsSide.Program browser = js.start("real.mjs", console.link().toString())) {
        assertThat(browser.next().path("ready").asBoolean()).isTrue();
        List<String> seen = new ArrayList<>(List.of("cores", "rounds", "pacts", "lexicon"));
        assertThat(page(browser, "cores").path("text").asString()).contains("alice", "bob");
        String core = link(browser, "cores", "cores/");
        assertThat(text(browser, core)).contains("notice", "liability");
        String rounds = text(browser, "rounds");
        assertThat(rounds).contains("pumps/agreed", "pumps/tied").containsIgnoringCase("commit");
        for (String round : links(browser, "rounds", "rounds/")) {
          assertThat(text(browser, round)).contains("a1", "a7");
          seen.add(round);
        }
        assertThat(text(browser, "pacts")).contains("p-pumps");
        String pact = link(browser, "pacts", "pacts/p-");
        assertThat(text(browser, pact)).contains(Signatory.BUYER, Signatory.SELLER);
        assertThat(text(browser, "pacts")).contains("Waiting for an arbiter: 1", "n-pumps");
        String open = link(browser, "pacts", "pacts/case/");
        assertThat(text(browser, open))
            .contains(
                "max_kb=9",
                "max_kb=5",
                "parlance pact case decide n-pumps",
                "which the console does not");
        assertThat(text(browser, "lexicon")).contains(Lexicographer.BOARD);
        String board = link(browser, "lexicon", "lexicon/");
        assertThat(text(browser, board)).contains("open gap", "a point that the text leaves open");
        assertThat(text(browser, "ledger")).contains("Signed by the ledger's key");
        String entry = link(browser, "ledger", "ledger/");
        assertThat(text(browser, entry)).containsIgnoringCase("proof");
        seen.addAll(List.of(core, pact, open, board, entry));
        assertThat(tell(browser, Map.of("do", "axe", "pages", seen)).path("found")).isEmpty();
      }
    }
  }

  private static JsonNode tell(JsSide.Program browser, Map<String, Object> command)
      throws Exception {
    browser.tell(A2a.JSON.valueToTree(command));
    JsonNode answer = browser.next();
    assertThat(answer.has("failed")).as(answer::toPrettyString).isFalse();
    assertThat(answer.path("errors")).as("errors in the browser").isEmpty();
    return answer;
  }

  private static JsonNode page(JsSide.Program browser, String name) throws Exception {
    return tell(browser, Map.of("do", "open", "page", name));
  }

  private static String text(JsSide.Program browser, String name) throws Exception {
    return page(browser, name).path("text").asString();
  }

  /** The pages that a page leads to, below this one. */
  private static List<String> links(JsSide.Program browser, String name, String below)
      throws Exception {
    List<String> found =
        page(browser, name)
            .path("links")
            .valueStream()
            .map(JsonNode::asString)
            .filter(link -> link.startsWith(below))
            .distinct()
            .toList();
    assertThat(found).as("links of %s", name).isNotEmpty();
    return found;
  }

  private static String link(JsSide.Program browser, String name, String below) throws Exception {
    return links(browser, name, below).getFirst();
  }
}
