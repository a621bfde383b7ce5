package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.client.SidecarClient;
import dev.parlance.console.ConsoleServer;
import dev.parlance.console.ConsoleSettings;
import dev.parlance.console.source.AgentSource;
import dev.parlance.console.source.SidecarCalls;
import dev.parlance.console.source.SidecarGroup;
import dev.parlance.console.source.SidecarSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A person at a browser, the console's own server, three sidecars that hold what their agent has
 * invented: what is decided by keys is what the sidecars have on record.
 */
class ConsoleInBrowserIT {
  private static final String QUESTION = "When must the impeller be replaced?";
  private static final String HOSTILE =
      "<img src=x onerror=\"window.harmed=1\"><script>window.harmed=2</script> Specialists"
          + " recommend \u202Eeverything\u202C tomorrow.";
  private static final List<String> NAMES = List.of("ann", "ben", "cid");
  private static final int HELD = 500;
  private static final int BY_KEYS = 20;

  @TempDir Path folder = Path.of("");
  private final SortedMap<String, LocalSidecar> sidecars = new TreeMap<>();
  private final List<SidecarClient> clients = new ArrayList<>();
  private StubAgent agent = unstarted();
  private HttpClient caller = unstarted();
  private SidecarGroup group = unstarted();
  private ConsoleServer console = unstarted();
  private JsSide.Program browser = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void start() throws Exception {
    if (ConsolePagesIT.browser().isEmpty()) {
      String message = "SKIPPED: no console was tested in a browser, because chromium is not there";
      System.out.println(message);
      Assumptions.abort(message);
    }
    JsSide js = JsSide.ready("pages");
    caller = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    agent =
        new StubAgent(asked -> {
          String text =
              asked.text().contains("hostile") ? HOSTILE : A2a.INVENTED + " " + A2a.idOf(asked);
          return StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a-1", text));
        });
    SortedMap<String, AgentSource> members = new TreeMap<>();
    for (String name : NAMES) {
      members.put(name, member(name));
    }
    group = new SidecarGroup(() -> members);
    console =
        ConsoleServer.start(ConsoleSettings.onLoopback(0, "test", "ada"), group, Optional.empty());
    browser = js.start("real.mjs", console.link().toString());
    assertThat(browser.next().path("ready").asBoolean()).isTrue();
  }

  private AgentSource member(String name) throws IOException {
    LocalSidecar sidecar =
        LocalSidecar.start(
            folder,
            name,
            LocalSidecar.inboundTo(agent.port()),
            """
            profiles:
              none-left: { errorMax: 0 }
            routes:
              - { name: all, profile: none-left, grounding: required }
            """);
    sidecars.put(name, sidecar);
    SidecarClient client =
        new SidecarClient(
            new SidecarClient.Address(
                URI.create("http://127.0.0.1:" + sidecar.adminPort()),
                Files.readString(folder.resolve(name).resolve("admin.token")).strip()),
            A2a.JSON);
    clients.add(client);
    return new SidecarSource(name, new SidecarCalls(client));
  }

  private LocalSidecar sidecar(String name) {
    return Optional.ofNullable(sidecars.get(name)).orElseThrow();
  }

  @AfterEach
  void stop() throws Exception {
    browser.close();
    console.close();
    group.close();
    clients.forEach(SidecarClient::close);
    for (LocalSidecar sidecar : sidecars.values()) {
      sidecar.close();
    }
    agent.close();
    caller.close();
  }

  private void ask(LocalSidecar sidecar, String id, String question) throws Exception {
    caller.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.inbound() + "/"))
            .header("Content-Type", "application/json")
            .header("A2A-Version", "1.0")
            .POST(HttpRequest.BodyPublishers.ofString(A2a.ask(id, "ctx-" + id, question)))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private JsonNode tell(Map<String, Object> command) throws Exception {
    browser.tell(A2a.JSON.valueToTree(command));
    JsonNode answer = browser.next();
    assertThat(answer.has("failed")).as(answer::toPrettyString).isFalse();
    assertThat(answer.path("errors")).as("errors in the browser").isEmpty();
    return answer;
  }

  @Test
  void heldMessagesOfThreeSidecars_decidedByKeysAlone_areOnRecordInTheNameOfWhoLoggedIn()
      throws Exception {
    for (int i = 0; i < HELD; i++) {
      ask(sidecar(NAMES.get(i % NAMES.size())), "\"q-" + i + "\"", "Pump " + i + ": " + QUESTION);
    }

    JsonNode done = tell(Map.of("do", "keys", "decide", BY_KEYS));

    assertThat(done.path("said").asString()).contains("ada");
    List<String> items = new ArrayList<>();
    done.path("ids").forEach(id -> items.add(id.asString("")));
    assertThat(new HashSet<>(items)).as("each item once").hasSize(BY_KEYS);
    for (int i = 0; i < BY_KEYS; i++) {
      String[] parts = items.get(i).split("/");
      JsonNode item = sidecar(parts[0]).admin().json("/review/" + parts[1]);
      String record = item.path("decision") + " " + item.path("review");
      assertThat(record).contains("\"ada\"").contains(i % 2 == 0 ? "release" : "reject");
    }
    assertThat(tell(Map.of("do", "live", "least", 200)).path("rows").asInt())
        .as("rows do not grow with what came")
        .isBetween(1, 60);
    List<String> pages = List.of("live", "review/" + items.getFirst(), "sidecars");
    assertThat(tell(Map.of("do", "axe", "pages", pages)).path("found")).isEmpty();

    sidecar("ben").close();

    assertThat(tell(Map.of("do", "gone")).path("said").asString()).contains("does not answer");
    assertThat(tell(Map.of("do", "keys", "decide", 1)).path("ids")).hasSize(1);
  }

  @Test
  void textsOfAgents_thatTryToBeMore_areLetters() throws Exception {
    LocalSidecar ann = sidecar("ann");
    ask(ann, "\"h-1\"", "hostile: " + QUESTION);
    String id = ann.admin().json("/review").path("items").path(0).path("id").asString("");

    JsonNode seen = tell(Map.of("do", "item", "sidecar", "ann", "id", id));

    assertThat(seen.path("harmed").asString()).isEqualTo("undefined");
    assertThat(seen.path("words").toString()).contains("<img src=x");
    assertThat(seen.path("hidden").toString()).contains("U+202E", "U+202C");
  }
}
