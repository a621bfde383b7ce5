package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.config.ConsoleConfig;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.testing.Kit;
import dev.parlance.service.config.Listen;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The console of a control plane, before three sidecars that have attached to it. */
class MeshConsoleIT {
  private static final List<String> NAMES = List.of("ann", "ben", "cid");
  private static final String ROUTES =
      """
      profiles:
        none-left: { errorMax: 0 }
      routes:
        - { name: all, profile: none-left, grounding: required }
      review: { undoMs: 0 }
      """;

  @TempDir private Path folder = Path.of("");
  private final SortedMap<String, Running> sidecars = new TreeMap<>();
  private StubAgent agent = unstarted();
  private Kit kit = unstarted();
  private ConsoleCaller page = unstarted();

  /** A sidecar, in a process of its own or in this one. */
  private record Running(int inbound, int admin, AutoCloseable process) {}

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  @BeforeEach
  void start() throws Exception {
    agent =
        new StubAgent(
            asked -> StubAgent.Reply.json(A2a.answer(A2a.idOf(asked), "a-1", A2a.INVENTED)));
    startControl(0);
    Files.writeString(folder.resolve("keys"), kit.plane.coreKey().format() + "\n");
    for (String name : NAMES) {
      startSidecar(name);
      hold(name, "1");
      hold(name, "2");
    }
    awaitAttached(3);
  }

  private void startControl(int port) throws Exception {
    ControlConfig config =
        Kit.config(folder.resolve("control"))
            .listening(new Listen("127.0.0.1", port), new Listen("127.0.0.1", 0))
            .withConsole(
                new ConsoleConfig(
                    new Listen("127.0.0.1", 0), "ada", Optional.empty(), Optional.empty()));
    kit = Kit.start(config);
    page = new ConsoleCaller(kit.plane.console().orElseThrow().opening(), "ada");
  }

  private void startSidecar(String name) throws Exception {
    LocalSidecar sidecar =
        LocalSidecar.start(
            folder,
            name,
            LocalSidecar.inboundTo(agent.port()),
            PactPair.control(folder, kit, name),
            ROUTES);
    sidecars.put(name, new Running(sidecar.inbound(), sidecar.adminPort(), sidecar));
  }

  /** In its place one that can be killed. */
  private ChildSidecar startKillable(String name) throws Exception {
    sidecar(name).process().close();
    ChildSidecar child =
        ChildSidecar.start(
            folder,
            name,
            LocalSidecar.inboundTo(agent.port()),
            PactPair.control(folder, kit, name),
            ROUTES);
    sidecars.put(name, new Running(child.inbound(), 0, child));
    return child;
  }

  private Running sidecar(String name) {
    return Optional.ofNullable(sidecars.get(name)).orElseThrow();
  }

  private void hold(String name, String number) throws Exception {
    try (HttpClient caller = HttpClient.newHttpClient()) {
      HttpResponse<String> held =
          caller.send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + sidecar(name).inbound() + "/a2a"))
                  .header("Content-Type", "application/json")
                  .header("A2A-Version", "1.0")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          A2a.ask(
                              "1", "ctx-" + name + number, "When is it replaced, " + number + "?")))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(held.body()).contains("held for a person");
    }
  }

  private void awaitAttached(int sidecarsNow) {
    await()
        .atMost(Kit.PATIENCE)
        .until(() ->
            page.get("/sidecars")
                    .path("sidecars")
                    .valueStream()
                    .filter(one -> one.path("attached").asBoolean(false))
                    .count()
                == sidecarsNow);
  }

  /** The queue, once that many fit. */
  private JsonNode queue(int total) {
    return await()
        .atMost(Kit.PATIENCE)
        .until(
            () -> page.post("/review/search", "{\"state\":\"pending\"}"),
            found -> found.path("total").asInt() == total);
  }

  private static JsonNode of(JsonNode queue, String agent) {
    return queue
        .path("items")
        .valueStream()
        .filter(item -> item.path("agent").asString().equals(agent))
        .findFirst()
        .orElseThrow();
  }

  private static String path(JsonNode item) {
    return "/review/" + item.path("sidecar").asString() + "/" + item.path("id").asString();
  }

  @AfterEach
  void stop() throws Exception {
    page.close();
    for (Running sidecar : sidecars.values()) {
      sidecar.process().close();
    }
    kit.close();
    agent.close();
  }

  @Test
  void heldMessagesOfAllSidecars_areOneQueue_andWhatIsDecidedIsOnTheLedger_withWho()
      throws Exception {
    JsonNode queue = queue(6);
    assertThat(queue.path("gone")).isEmpty();
    JsonNode shown = of(queue, "ben");
    JsonNode item = page.get(path(shown));
    assertThat(item.path("answer").asString()).contains(A2a.INVENTED);
    assertThat(item.path("drafts").get(0).path("judgement").isObject()).isTrue();
    JsonNode judged =
        page.post(
            "/judgement",
            "{\"sidecar\":\"%s\",\"review\":\"%s\",\"answer\":\"It is never replaced.\"}"
                .formatted(shown.path("sidecar").asString(), shown.path("id").asString()));
    assertThat(judged.path("signals").isArray()).as(judged::toString).isTrue();
    JsonNode decided = page.post(path(shown) + "/reject", "{\"note\":\"invented\"}");
    assertThat(decided.path("decision").path("who").asString()).isEqualTo("ada");
    queue(5);
    JsonNode entry =
        await()
            .atMost(Kit.PATIENCE)
            .until(
                () -> page.get("/ledger/entries?limit=20"),
                found -> found.toString().contains("review_decided"))
            .path("entries")
            .valueStream()
            .filter(one -> one.path("kind").asString().equals("review_decided"))
            .findFirst()
            .orElseThrow();
    assertThat(page.get("/ledger/entries/" + entry.path("index").asLong()).toString())
        .contains("\"ada\"", "\"ben\"", shown.path("id").asString());
    kit.assertLedgerAgrees();
    JsonNode decisions = page.get("/decisions?route=yield").path("decisions");
    assertThat(decisions.size()).isEqualTo(6);
    JsonNode one = decisions.get(0);
    assertThat(
            page.get(
                    "/decisions/"
                        + one.path("sidecar").asString()
                        + "/"
                        + one.path("id").asString())
                .path("findings"))
        .isNotEmpty();
    JsonNode sidecars = page.get("/sidecars").path("sidecars");
    assertThat(sidecars.get(0).path("config").path("refused").asBoolean()).isFalse();
    assertThat(
            page.get("/sidecars/" + sidecars.get(0).path("id").asString() + "/config")
                .path("config")
                .path("routes"))
        .isNotEmpty();
  }

  @Test
  void whileASidecarIsAway_itIsNamed_itsItemsAreNotReachable_andThenTheyAreAgain()
      throws Exception {
    JsonNode item = of(queue(6), "ben");
    ChildSidecar ben = startKillable("ben");
    awaitAttached(3);
    queue(6);
    ben.kill();
    awaitAttached(2);
    JsonNode queue = queue(6);
    assertThat(queue.path("gone").valueStream().map(JsonNode::asString))
        .containsExactly(item.path("sidecar").asString());
    JsonNode away = of(queue, "ben");
    assertThat(away.path("reachable").asBoolean(true)).isFalse();
    assertThat(away.path("excerpt").asString()).isEmpty();
    assertThat(of(queue, "ann").path("reachable").asBoolean(true)).isTrue();
    assertThat(page.get(path(item)).path("code").asString()).isEqualTo("sidecar_gone");
    assertThat(page.post(path(item) + "/release", "{}").path("code").asString())
        .isEqualTo("sidecar_gone");
    assertThat(page.post(path(of(queue, "cid")) + "/release", "{}").path("state").asString())
        .isNotEqualTo("pending");
    startSidecar("ben");
    awaitAttached(3);
    JsonNode back = of(queue(5), "ben");
    assertThat(back.path("reachable").asBoolean(true)).isTrue();
    assertThat(page.post(path(back) + "/release", "{}").path("decision").path("who").asString())
        .isEqualTo("ada");
    queue(4);
  }

  @Test
  void afterARestartOfTheControlPlane_theQueueIsThereAgain() throws Exception {
    JsonNode item = of(queue(6), "ann");
    int port = kit.port();
    page.close();
    kit.close();
    hold("ann", "3");
    startControl(port);
    awaitAttached(3);
    assertThat(of(queue(7), "ann").path("sidecar").asString())
        .as("links go on")
        .isEqualTo(item.path("sidecar").asString());
    assertThat(page.post(path(item) + "/release", "{}").path("state").asString())
        .isNotEqualTo("pending");
    queue(6);
  }

  @Test
  void ofTwoPeopleAtOneItem_oneDecides_andTheOtherIsTold() throws Exception {
    JsonNode item = of(queue(6), "cid");
    String own = "/review/" + item.path("id").asString();
    try (Admin there = new Admin(sidecar("cid").admin(), folder.resolve("cid"))) {
      assertThat(there.post(own + "/claim", "{\"who\":\"bea\"}").statusCode()).isEqualTo(200);
      await()
          .atMost(Kit.PATIENCE)
          .until(() ->
              of(queue(6), "cid").path("claim").path("who").asString("").equals("bea")
                  || page.get(path(item)).path("claim").path("who").asString("").equals("bea"));
      JsonNode told = page.post(path(item) + "/release", "{}");
      assertThat(told.path("status").asInt()).isEqualTo(409);
      assertThat(told.path("item").path("claim").path("who").asString()).isEqualTo("bea");
      assertThat(there.post(own + "/reject", "{\"who\":\"bea\"}").statusCode()).isEqualTo(200);
      JsonNode late = page.post(path(item) + "/release", "{}");
      assertThat(late.path("status").asInt()).isEqualTo(409);
      assertThat(late.path("item").path("decision").path("who").asString()).isEqualTo("bea");
    }
  }

  @Test
  void whatHappensAtAnySidecar_isAnEvent() throws Exception {
    queue(6);
    try (InputStream stream = page.events();
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      // The first look at decisions says from where on they are new; a later one finds some.
      hold("cid", "7");
      Set<String> kinds = new HashSet<>();
      int number = 8;
      while (!kinds.containsAll(Set.of("event: review", "event: decision"))) {
        String line = lines.readLine();
        if (line.startsWith("event: ")) {
          kinds.add(line);
        }
        if (line.equals("event: review") || line.startsWith(":")) {
          hold("cid", Integer.toString(number++));
        }
      }
    }
  }
}
