package dev.parlance.proxy.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.config.TraceSettings;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of spans, whatever the collector does. */
class SpanExporterTest {
  private static final String NODE = "test";

  @TempDir Path folder = Path.of("");
  private final Map<String, Integer> outcomes = new ConcurrentHashMap<>();

  private static TraceSettings settings(String url, int queue, int batch, int timeoutMs) {
    return new TraceSettings(
        URI.create(url), Optional.empty(), Optional.empty(), 1, false, queue, batch, 20, timeoutMs);
  }

  private Tracer tracer(TraceSettings settings) throws IOException {
    return Tracer.open(
        settings,
        NODE,
        "1",
        System::currentTimeMillis,
        (outcome, spans) -> outcomes.merge(outcome, spans, Integer::sum));
  }

  private static void end(Tracer tracer, int spans) {
    for (int i = 0; i < spans; i++) {
      tracer
          .begin(Optional.empty(), Optional.empty(), System.nanoTime())
          .orElseThrow()
          .end(
              new ExchangeSpan.Facts(
                  new DecisionEvent.Place(
                      "f", "", "inbound", "request", "", "POST", "/a", "caller", "all"),
                  "127.0.0.1",
                  8080,
                  "observe",
                  "1",
                  200));
    }
  }

  private void untilCounted(int spans) {
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> outcomes.values().stream().mapToInt(Integer::intValue).sum() >= spans);
  }

  @Test
  void spans_goInBatches_withTheFieldsOfTheFile() throws Exception {
    Path fields = folder.resolve("fields");
    Files.writeString(
        fields, "# of the collector\nAuthorization: Bearer s3cret\n\nX-Team:  a b \n");
    try (FakeCollector collector = new FakeCollector()) {
      TraceSettings plain = settings(collector.url(), 100, 10, 10_000);
      TraceSettings settings =
          new TraceSettings(
              plain.endpoint(),
              Optional.of(fields),
              Optional.empty(),
              1,
              false,
              plain.queue(),
              plain.batch(),
              plain.intervalMs(),
              plain.timeoutMs());
      try (Tracer tracer = tracer(settings)) {
        end(tracer, 25);
        untilCounted(25);
      }
      assertThat(outcomes).isEqualTo(Map.of("exported", 25));
      assertThat(collector.spans()).hasSize(25);
      assertThat(collector.posted()).hasSizeGreaterThanOrEqualTo(3);
      assertThat(collector.posted().getFirst().fields())
          .containsEntry("Authorization", List.of("Bearer s3cret"))
          .containsEntry("X-team", List.of("a b"))
          .containsEntry("Content-type", List.of("application/json"));
      assertThat(collector.spans().stream().map(span -> span.path("spanId").asString("")))
          .doesNotHaveDuplicates()
          .allMatch(id -> id.matches("[0-9a-f]{16}"));
      assertThat(collector.spans().stream().map(span -> span.path("traceId").asString("")))
          .doesNotHaveDuplicates()
          .allMatch(id -> id.matches("[0-9a-f]{32}"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"no colon", "Content-Length: 7", "Bad Name: x", ": x"})
  void fileOfFieldsThatCannotBeSent_isRefusedAtTheStart_withoutItsWords(String line)
      throws IOException {
    Path fields = folder.resolve("fields");
    Files.writeString(fields, "Authorization: Bearer s3cret\n" + line + "\n");
    TraceSettings settings =
        new TraceSettings(
            URI.create("http://127.0.0.1:1/v1/traces"),
            Optional.of(fields),
            Optional.empty(),
            1,
            false,
            1,
            1,
            10,
            10);
    assertThatThrownBy(() -> tracer(settings))
        .isInstanceOf(IOException.class)
        .hasMessage("/traces/headersFile: line 2 is no field 'Name: value' that can be sent")
        .hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 502, 503, 504})
  void whatMayBeSentAgain_isSentAgain(int status) throws Exception {
    try (FakeCollector collector =
            new FakeCollector(number ->
                number == 1
                    ? new FakeCollector.Answer(status, "Retry-After: 0", "")
                    : FakeCollector.Answer.TAKEN);
        Tracer tracer = tracer(settings(collector.url(), 100, 10, 10_000))) {
      end(tracer, 1);
      untilCounted(1);
      assertThat(outcomes).isEqualTo(Map.of("exported", 1));
      assertThat(collector.posted()).hasSize(2);
      assertThat(collector.posted().get(1).body()).isEqualTo(collector.posted().get(0).body());
    }
  }

  @Test
  void collectorIsNotAskedAgain_beforeTheTimeThatItNames() throws Exception {
    List<Long> askedNs = new CopyOnWriteArrayList<>();
    try (FakeCollector collector =
            new FakeCollector(number -> {
              askedNs.add(System.nanoTime());
              return number == 1
                  ? new FakeCollector.Answer(503, "Retry-After: 2", "")
                  : FakeCollector.Answer.TAKEN;
            });
        Tracer tracer = tracer(settings(collector.url(), 100, 1, 10_000))) {
      end(tracer, 1);
      await().atMost(60, TimeUnit.SECONDS).until(() -> !collector.posted().isEmpty());
      end(tracer, 5); // full batches, which wake the exporter
      untilCounted(6);
      assertThat(outcomes).isEqualTo(Map.of("exported", 6));
      assertThat(askedNs.get(1) - askedNs.get(0)).isGreaterThanOrEqualTo(2_000_000_000L);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 400, 401, 404, 413, 500})
  void whatWouldBeRefusedAgain_isNotSentAgain(int status) throws Exception {
    try (FakeCollector collector =
            new FakeCollector(_ -> new FakeCollector.Answer(status, "Location: /v1/traces", "no"));
        Tracer tracer = tracer(settings(collector.url(), 100, 10, 10_000))) {
      end(tracer, 3);
      untilCounted(3);
      assertThat(outcomes).isEqualTo(Map.of("failed", 3));
    }
  }

  @Test
  void collectorThatTakesOnlySome_isBelieved_andGarbageIsNone() throws Exception {
    String some = "{\"partialSuccess\":{\"rejectedSpans\":\"2\",\"errorMessage\":\"\"}}";
    String absurd = "{\"partialSuccess\":{\"rejectedSpans\":\"9999999999\"}}";
    try (FakeCollector collector =
            new FakeCollector(number ->
                new FakeCollector.Answer(
                    200, "", number == 1 ? some : number == 2 ? absurd : "\0garbage{"));
        Tracer tracer = tracer(settings(collector.url(), 100, 3, 10_000))) {
      end(tracer, 3);
      untilCounted(3);
      assertThat(outcomes).isEqualTo(Map.of("exported", 1, "rejected", 2));
      end(tracer, 3);
      untilCounted(6);
      assertThat(outcomes).isEqualTo(Map.of("exported", 1, "rejected", 5));
      end(tracer, 3);
      untilCounted(9);
      assertThat(outcomes).isEqualTo(Map.of("exported", 4, "rejected", 5));
    }
  }

  @Test
  void collectorThatSaysMoreThanAnybodyReads_isNoAnswer() throws Exception {
    try (FakeCollector collector =
            new FakeCollector(number ->
                number == 1
                    ? new FakeCollector.Answer(200, "", "x".repeat(1 << 20))
                    : FakeCollector.Answer.TAKEN);
        Tracer tracer = tracer(settings(collector.url(), 100, 10, 10_000))) {
      end(tracer, 1);
      untilCounted(1);
      assertThat(collector.posted()).hasSize(2);
    }
  }

  @Test
  void slowCollector_delaysNobody_andWhatIsTooMuchIsDropped() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (FakeCollector collector =
            new FakeCollector(_ -> {
              try {
                assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return FakeCollector.Answer.TAKEN;
            });
        Tracer tracer = tracer(settings(collector.url(), 8, 4, 60_000))) {
      end(tracer, 4);
      await().atMost(60, TimeUnit.SECONDS).until(() -> !collector.posted().isEmpty());
      end(tracer, 100); // from this thread, which none of them holds up
      assertThat(outcomes).isEqualTo(Map.of("dropped", 92));
      go.countDown();
      untilCounted(104);
      assertThat(outcomes).isEqualTo(Map.of("dropped", 92, "exported", 12));
    }
  }

  @Test
  void collectorThatIsAway_orSilent_costsSpansOnly() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }
    try (Tracer tracer =
        tracer(settings("http://127.0.0.1:" + closed + "/v1/traces", 8, 4, 10_000))) {
      end(tracer, 30);
    }
    assertThat(outcomes.keySet()).isSubsetOf("dropped", "failed");
    assertThat(outcomes.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(30);

    outcomes.clear();
    try (ServerSocket silent = new ServerSocket(0)) {
      try (Tracer tracer =
          tracer(settings("http://127.0.0.1:" + silent.getLocalPort() + "/v1/traces", 8, 4, 50))) {
        end(tracer, 3);
      }
      assertThat(outcomes.keySet()).isSubsetOf("dropped", "failed");
      assertThat(outcomes.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(3);
    }
  }

  @Test
  void ending_sendsWhatWaits() throws Exception {
    try (FakeCollector collector = new FakeCollector()) {
      TraceSettings seldom =
          new TraceSettings(
              URI.create(collector.url()),
              Optional.empty(),
              Optional.empty(),
              1,
              false,
              100,
              50,
              60_000,
              10_000);
      try (Tracer tracer = tracer(seldom)) {
        end(tracer, 7);
      }
      assertThat(outcomes).isEqualTo(Map.of("exported", 7));
      assertThat(collector.spans()).hasSize(7);
    }
  }

  @Test
  void shareOfExchangesWithoutCaller_isSampled_andTheCallersWordCountsElse() throws Exception {
    TraceSettings half =
        new TraceSettings(
            URI.create("http://127.0.0.1:1/v1/traces"),
            Optional.empty(),
            Optional.empty(),
            0.25,
            false,
            1,
            1,
            60_000,
            10);
    try (Tracer tracer = tracer(half)) {
      int sampled = 0;
      for (int i = 0; i < 40_000; i++) {
        sampled += tracer.begin(Optional.empty(), Optional.empty(), 0).isPresent() ? 1 : 0;
      }
      assertThat(sampled).isBetween(9_500, 10_500); // five times the deviation is 433
      TraceContext caller =
          new TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", 1);
      assertThat(tracer.begin(Optional.of(caller), Optional.empty(), 0)).isPresent();
      assertThat(
              tracer.begin(
                  Optional.of(new TraceContext(caller.traceId(), caller.spanId(), 0)),
                  Optional.empty(),
                  0))
          .isEmpty();
    }
  }
}
