package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.client.ControlClient;
import dev.parlance.client.SidecarClient;
import dev.parlance.console.ConsoleServer;
import dev.parlance.console.ConsoleSettings;
import dev.parlance.console.api.ControlRecords;
import dev.parlance.console.source.AgentSource;
import dev.parlance.console.source.SidecarCalls;
import dev.parlance.console.source.SidecarGroup;
import dev.parlance.console.source.SidecarSource;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.proto.v1.AuditKind;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The console in front of real sidecars and a real control plane. */
class ConsoleIT {
  private static final String ROUTES =
      """
      profiles:
        none-left: { errorMax: 0 }
      routes:
        - { name: all, profile: none-left, grounding: required }
      """;

  @TempDir private Path folder = Path.of("");

  private static LocalSidecar holding(Path folder, String name, StubAgent agent) throws Exception {
    return holding(folder, name, ROUTES, agent);
  }

  private static LocalSidecar holding(Path folder, String name, String routes, StubAgent agent)
      throws Exception {
    LocalSidecar sidecar =
        LocalSidecar.start(folder, name, LocalSidecar.inboundTo(agent.port()), routes);
    try (HttpClient caller = HttpClient.newHttpClient()) {
      for (int ask = 0; ask < 2; ask++) {
        HttpResponse<String> held =
            caller.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.inbound() + "/a2a"))
                    .header("Content-Type", "application/json")
                    .header("A2A-Version", "1.0")
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            A2a.ask("1", "ctx-" + name + ask, "When is it replaced, " + ask + "?")))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(held.body()).contains("held for a person");
      }
    }
    return sidecar;
  }

  private SidecarClient client(LocalSidecar sidecar, String name) throws Exception {
    String token = Files.readString(folder.resolve(name).resolve("admin.token")).strip();
    return new SidecarClient(
        new SidecarClient.Address(URI.create("http://127.0.0.1:" + sidecar.adminPort()), token),
        A2a.JSON);
  }

  @Test
  void heldMessagesOfTwoSidecarsAreOneQueue_andWhatIsDecidedHoldsThere() throws Exception {
    try (StubAgent agent =
            new StubAgent(
                asked -> StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a-1", A2a.INVENTED)));
        LocalSidecar ann = holding(folder, "ann", agent);
        LocalSidecar ben = holding(folder, "ben", agent);
        SidecarClient first = client(ann, "ann");
        SidecarClient second = client(ben, "ben")) {
      SortedMap<String, AgentSource> both = new TreeMap<>();
      both.put("one", new SidecarSource("one", new SidecarCalls(first)));
      both.put("two", new SidecarSource("two", new SidecarCalls(second)));
      try (SidecarGroup group = new SidecarGroup(() -> both);
          ConsoleServer server =
              ConsoleServer.start(
                  ConsoleSettings.onLoopback(0, "1", "ada"), group, Optional.empty());
          ConsoleCaller browser = new ConsoleCaller(server.link(), "ada")) {
        JsonNode page = browser.post("/review/search", "{\"limit\":3}");
        assertThat(page.path("total").asInt()).isEqualTo(4);
        assertThat(page.path("items").size()).isEqualTo(3);
        assertThat(page.path("distribution").path("sidecars").path("two").asInt()).isEqualTo(2);
        JsonNode rest =
            browser.post(
                "/review/search",
                "{\"limit\":3,\"after\":\"" + page.path("next").asString() + "\"}");
        assertThat(rest.path("items").size()).isOne();
        assertThat(rest.has("next")).isFalse();
        JsonNode shown = rest.path("items").get(0);
        String path =
            "/review/" + shown.path("sidecar").asString() + "/" + shown.path("id").asString();
        JsonNode item = browser.get(path);
        assertThat(item.path("answer").asString()).contains(A2a.INVENTED);
        assertThat(item.path("acts").valueStream().map(JsonNode::asString))
            .contains("claim", "release", "reject", "send-back");
        assertThat(browser.post(path + "/claim", "{}").path("claim").path("mine").asBoolean())
            .isTrue();
        JsonNode decided = browser.post(path + "/reject", "{\"note\":\"invented\"}");
        assertThat(decided.path("decision").path("who").asString()).isEqualTo("ada");
        assertThat(decided.path("acts").valueStream().map(JsonNode::asString))
            .containsExactly("undo");
        assertThat(browser.post(path + "/undo", "{}").path("state").asString())
            .isEqualTo("pending");
        assertThat(item.path("identical").asInt()).as("at both sidecars").isEqualTo(4);
        String all = "\"items\":" + refs(browser.post("/review/search", "{}").path("items"));
        JsonNode rejected = browser.post("/review/actions", "{\"act\":\"reject\"," + all + "}");
        assertThat(rejected.path("results").valueStream())
            .hasSize(4)
            .allMatch(one -> one.path("done").asBoolean());
        assertThat(browser.get(path).path("state").asString()).isEqualTo("decided");
        assertThat(
                browser.post("/review/actions", "{\"act\":\"undo\"," + all + "}").path("results"))
            .hasSize(4)
            .allMatch(one -> one.path("done").asBoolean());
        assertThat(browser.post("/review/search", "{}").path("items").valueStream())
            .hasSize(4)
            .allMatch(one ->
                one.path("state").asString().equals("pending")
                    && one.path("identical").asInt() == 4);
        assertThat(browser.get("/decisions?limit=2").path("decisions").size()).isEqualTo(2);
        JsonNode decisions = browser.get("/decisions?route=yield");
        assertThat(decisions.path("decisions").size()).isEqualTo(4);
        JsonNode one = decisions.path("decisions").get(0);
        JsonNode detail =
            browser.get(
                "/decisions/" + one.path("sidecar").asString() + "/" + one.path("id").asString());
        assertThat(detail.path("findings").size()).isPositive();
        assertThat(detail.path("review").path("id").asString()).startsWith("r-");
        String url = browser.post(path + "/link", "{\"role\":\"reviewer\"}").path("url").asString();
        String token = url.substring(url.indexOf("/#/link/") + 8);
        assertThat(browser.post("/session", "{\"link\":\"" + token + "\"}").path("roles").get(0))
            .hasToString("\"reviewer\"");
        assertThat(browser.get(path).path("id").asString()).isEqualTo(shown.path("id").asString());
        assertThat(browser.get("/sidecars").path("code").asString()).isEqualTo("role_missing");
      }
    }
  }

  /** The ids of items, as a call about several takes them. */
  private static JsonNode refs(JsonNode items) {
    ArrayNode refs = A2a.JSON.createArrayNode();
    for (JsonNode item : items) {
      refs.addObject()
          .put("sidecar", item.path("sidecar").asString())
          .put("id", item.path("id").asString());
    }
    return refs;
  }

  private static final String TO_LEADS =
      ROUTES + "review: { escalate: [ { afterMs: 1000, to: leads, only: true } ] }\n";

  @Test
  void whatWentToLeadsAlone_othersReadAndDoNotDecide_andItWaitsForThem() throws Exception {
    try (StubAgent agent =
            new StubAgent(
                asked -> StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a-1", A2a.INVENTED)));
        LocalSidecar ann = holding(folder, "ann", TO_LEADS, agent);
        SidecarClient client = client(ann, "ann")) {
      AgentSource source = new SidecarSource("one", new SidecarCalls(client));
      ConsoleSettings staff = ConsoleSettings.onLoopback(0, "1", "ada");
      try (ConsoleServer server = ConsoleServer.start(staff, source, Optional.empty());
          ConsoleServer leads =
              ConsoleServer.start(staff.in(Set.of("leads")), source, Optional.empty());
          ConsoleCaller ada = new ConsoleCaller(server.link(), "ada");
          ConsoleCaller lead = new ConsoleCaller(leads.link(), "ada")) {
        Awaitility.await()
            .until(() ->
                ada.post("/review/search", "{\"queue\":\"leads\"}").path("total").asInt() == 2);
        JsonNode first = ada.post("/review/search", "{}").path("items").get(0);
        String path = "/review/one/" + first.path("id").asString();
        assertThat(first.path("only").asString()).isEqualTo("leads");
        assertThat(ada.get(path).path("answer").asString()).contains(A2a.INVENTED);
        assertThat(ada.get(path).path("acts").isEmpty()).isTrue();
        for (String act : List.of("claim", "release", "reject")) {
          JsonNode refused = ada.post(path + "/" + act, "{}");
          assertThat(refused.path("code").asString()).as(act).isEqualTo("role_missing");
          assertThat(refused.path("title").asString()).contains("leads", "waits for them");
        }
        String url = lead.post(path + "/link", "{\"role\":\"reviewer\"}").path("url").asString();
        String token = url.substring(url.indexOf("/#/link/") + 8);
        ada.post("/session", "{\"link\":\"" + token + "\"}");
        assertThat(ada.post(path + "/reject", "{}").path("code").asString())
            .as("a link says of nobody who he is")
            .isEqualTo("role_missing");
        assertThat(ada.get(path).path("state").asString()).isEqualTo("pending");
        assertThat(lead.get(path).path("acts").valueStream().map(JsonNode::asString))
            .contains("claim", "release");
        assertThat(lead.post(path + "/release", "{}").path("decision").path("who").asString())
            .isEqualTo("ada");
      }
    }
  }

  @Test
  void whatTheControlPlaneKeeps_isShownAndItsProofsAreRecomputed() throws Exception {
    try (Kit kit = Kit.start(folder.resolve("control"))) {
      kit.attach("alice", Minds.plain());
      kit.attach("bob", Minds.plain());
      kit.awaitAttached("alice", "bob");
      kit.put(Kit.plan("words", List.of("alice", "bob"), List.of("notice", "liability")));
      kit.audit("words", AuditKind.AUDIT_KIND_CERTIFY);
      try (ControlClient client =
              new ControlClient(
                  ControlClient.Address.plain(
                      kit.plane.grpcAddress().toString(), kit.plane.operatorToken()));
          SidecarGroup nobody = new SidecarGroup(TreeMap::new);
          ConsoleServer server =
              ConsoleServer.start(
                  ConsoleSettings.onLoopback(0, "1", "ada"),
                  nobody,
                  Optional.of(new ControlRecords(client)));
          ConsoleCaller browser = new ConsoleCaller(server.link(), "ada")) {
        JsonNode core = browser.get("/cores").path("cores").get(0);
        assertThat(core.path("id").asString()).startsWith("alice+bob/");
        JsonNode terms = browser.get("/cores/" + core.path("key").asString());
        assertThat(terms.path("list").size()).isEqualTo(2);
        assertThat(terms.path("list").get(0).path("upper").isNumber()).isTrue();
        JsonNode ledger = browser.get("/ledger");
        assertThat(ledger.path("signed").asBoolean()).isTrue();
        assertThat(browser.get("/ledger").path("extends").asBoolean()).isTrue();
        JsonNode entries = browser.get("/ledger/entries?limit=5").path("entries");
        assertThat(entries.size()).isEqualTo(5);
        assertThat(entries.get(0).path("index").asLong())
            .isEqualTo(ledger.path("size").asLong() - 1);
        JsonNode entry = browser.get("/ledger/entries/3");
        assertThat(entry.path("kind").asString()).isNotEqualTo("unknown");
        assertThat(entry.path("proof").path("holds").asBoolean()).isTrue();
        assertThat(browser.get("/ledger/entries/99999999").path("status").asInt())
            .isGreaterThanOrEqualTo(400);
        assertThat(browser.get("/rounds").path("rounds").isArray()).isTrue();
        assertThat(browser.get("/pacts").path("pacts").isArray()).isTrue();
        assertThat(browser.get("/boards").path("boards").isArray()).isTrue();
      }
    }
  }
}
