package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** 1,000 messages of every kind at once through one sidecar. */
@ExtendWith(LeakCheck.class)
class ConcurrentMessagesIT {
  private static final int CONNECTIONS = 100;
  private static final int MESSAGES_EACH = 10;
  private static final int MESSAGES = CONNECTIONS * MESSAGES_EACH;

  @TempDir Path folder = Path.of("");

  /** What becomes of a message; it begins with the name of its kind. */
  private enum Kind {
    EXECUTE("execute", 1),
    WARN("warn", 1),
    REPAIRED("execute", 2),
    YIELD("yield", 2),
    UNJUDGED("", 0);

    /** Route that the caller is told. */
    private final String route;

    /** How often the agent is asked. */
    private final int asks;

    Kind(String route, int asks) {
      this.route = route;
      this.asks = asks;
    }

    static Kind of(int message) {
      return values()[message % values().length];
    }
  }

  /** One message and what came back for it. */
  private record Told(int message, HttpBytes reply) {
    Kind kind() {
      return Kind.of(message);
    }
  }

  @Test
  void aThousandMessagesAtOnce_noneIsLost_noneAnsweredTwice_noneUnjudgedButThoseMeantToBe()
      throws Exception {
    List<Told> told;
    List<JsonNode> held = new ArrayList<>();
    List<JsonNode> log;
    List<HttpBytes> asked;
    double unjudgedCount;
    double droppedCount;
    try (StubAgent agent = new StubAgent(ConcurrentMessagesIT::answer)) {
      LocalSidecar sidecar =
          LocalSidecar.start(
              folder,
              "node",
              LocalSidecar.inboundTo(agent.port()),
              "review:\n  capacity: 1000\nroutes:\n  - name: all\n    binary: block\n");
      try (sidecar) {
        told = sendAll(sidecar.inbound());
        sidecar.admin().json("/review?state=pending&limit=1000").path("items").forEach(held::add);
        unjudgedCount = sidecar.admin().sum("parlance_unjudged_total");
        droppedCount = sidecar.admin().sum("parlance_decision_log_dropped_total");
      }
      log = sidecar.log();
      asked = List.copyOf(agent.asked());
    }
    int perKind = MESSAGES / Kind.values().length;

    assertThat(told).extracting(Told::message).doesNotHaveDuplicates().hasSize(MESSAGES);
    assertThat(told).allSatisfy(ConcurrentMessagesIT::hasItsOwnAnswer);
    assertThat(asksPerKind(asked)).isEqualTo(expectedAsks(perKind));
    assertThat(unjudgedCount).isEqualTo(perKind);
    assertThat(droppedCount).isZero();

    Set<String> reviewIds = new HashSet<>();
    told.stream()
        .filter(one -> one.kind() == Kind.YIELD)
        .forEach(one -> reviewIds.add(A2a.reviewId(one.reply())));
    assertThat(reviewIds).hasSize(perKind).doesNotContain("");
    assertThat(held)
        .extracting(item -> item.path("id").asString(""))
        .containsExactlyInAnyOrderElementsOf(reviewIds);

    assertThat(linesPerAction(log))
        .isEqualTo(
            Map.of(
                "request execute forward",
                4 * perKind,
                "request regenerate refuse_unjudged_binary_part",
                perKind,
                "response execute forward",
                2 * perKind,
                "response warn forward",
                perKind,
                "response regenerate ask_again",
                2 * perKind,
                "response yield hold",
                perKind));
    assertThat(log.stream().filter(line -> line.path("type").asString("").equals("repair")))
        .hasSize(2 * perKind);
    assertThat(
            log.stream()
                .filter(line -> line.path("type").asString("").equals("decision"))
                .map(line -> line.path("id").asString("")))
        .doesNotHaveDuplicates();
  }

  private static StubAgent.Reply answer(HttpBytes asked) {
    JsonNode request = A2a.JSON.readTree(asked.body());
    String id = request.path("id").toString();
    boolean again = asked.text().contains("[Chunk c1]");
    String text =
        switch (kindOf(request)) {
          case EXECUTE, WARN, UNJUDGED -> A2a.GROUNDED;
          case REPAIRED -> again ? A2a.GROUNDED : A2a.INVENTED;
          case YIELD -> A2a.INVENTED;
        };
    return StubAgent.Reply.json(
        kindOf(request) == Kind.WARN
            ? A2a.bare(id, "a-" + id, text)
            : A2a.answer(id, "a-" + id, text));
  }

  private static Kind kindOf(JsonNode request) {
    String text = request.at("/params/message/parts/0/text").asString("");
    return Kind.valueOf(text.substring(0, text.indexOf(' ')));
  }

  private static List<Told> sendAll(int port) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Told>>> running = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        int first = i * MESSAGES_EACH;
        Callable<List<Told>> connection =
            () -> {
              try (RawHttp client = new RawHttp(port)) {
                start.await();
                List<Told> told = new ArrayList<>();
                for (int message = first; message < first + MESSAGES_EACH; message++) {
                  told.add(new Told(message, client.send(A2a.post(request(message))).reply()));
                }
                // A second answer to any of them would stand here.
                assertThat(client.finish().rest()).isEmpty();
                return told;
              }
            };
        running.add(threads.submit(connection));
      }
      start.countDown();
      List<Told> all = new ArrayList<>();
      for (Future<List<Told>> one : running) {
        all.addAll(one.get());
      }
      return all;
    }
  }

  private static String request(int message) {
    String body =
        A2a.ask(
            Integer.toString(message),
            "conversation-" + message,
            Kind.of(message) + " " + message + ": when must the impeller be replaced?");
    return Kind.of(message) == Kind.UNJUDGED
        ? body.replace("\"parts\":[", "\"parts\":[{\"raw\":\"AAAA\",\"mediaType\":\"image/png\"},")
        : body;
  }

  private static void hasItsOwnAnswer(Told told) {
    HttpBytes reply = told.reply();
    assertThat(A2a.route(reply)).isEqualTo(told.kind().route);
    if (told.kind() == Kind.UNJUDGED) {
      assertThat(A2a.reason(reply)).isEqualTo("unjudged");
      assertThat(reply.text()).contains("-32081");
      return;
    }
    assertThat(reply.status()).isEqualTo(200);
    assertThat(A2a.idOf(reply)).isEqualTo(Integer.toString(told.message()));
    switch (told.kind()) {
      case EXECUTE, WARN, REPAIRED -> {
        assertThat(A2a.result(reply).path("messageId").asString(""))
            .isEqualTo("a-" + told.message());
        assertThat(A2a.verdict(reply).path("route").asString("")).isEqualTo(told.kind().route);
        assertThat(reply.text()).contains("2000 operating hours");
      }
      case YIELD -> {
        assertThat(A2a.state(reply)).isEqualTo("TASK_STATE_WORKING");
        assertThat(reply.text()).doesNotContain("friendly specialists");
      }
      case UNJUDGED -> throw new IllegalStateException("has been seen to");
    }
  }

  private static Map<Kind, Integer> asksPerKind(List<HttpBytes> asked) {
    Map<Kind, Integer> asks = new EnumMap<>(Kind.class);
    asked.forEach(
        request -> asks.merge(kindOf(A2a.JSON.readTree(request.body())), 1, Integer::sum));
    return asks;
  }

  private static Map<Kind, Integer> expectedAsks(int perKind) {
    Map<Kind, Integer> asks = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      if (kind.asks > 0) {
        asks.put(kind, kind.asks * perKind);
      }
    }
    return asks;
  }

  private static Map<String, Integer> linesPerAction(List<JsonNode> log) {
    Map<String, Integer> lines = new TreeMap<>();
    log.stream()
        .filter(line -> line.path("type").asString("").equals("decision"))
        .forEach(line ->
            lines.merge(
                line.path("kind").asString("")
                    + " "
                    + line.path("route").asString("")
                    + " "
                    + line.path("action").asString(""),
                1,
                Integer::sum));
    return lines;
  }
}
