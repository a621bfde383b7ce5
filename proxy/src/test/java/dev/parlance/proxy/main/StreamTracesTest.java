package dev.parlance.proxy.main;

import static dev.parlance.proxy.trace.FakeCollector.events;
import static dev.parlance.proxy.trace.FakeCollector.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.proxy.trace.FakeCollector;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Spans of streamed answers: one for the whole stream, however it passes and ends. */
class StreamTracesTest extends StreamFixture {
  private static JsonNode span(FakeCollector collector) {
    await().atMost(60, TimeUnit.SECONDS).until(() -> !collector.spans().isEmpty());
    return collector.spans().getFirst();
  }

  private static String traces(FakeCollector collector) {
    return "traces: { endpoint: '%s', intervalMs: 10 }".formatted(collector.url());
  }

  @ParameterizedTest
  @ValueSource(strings = {"stream: hold", "stream: window", "stream: observe", "mode: observe"})
  void stream_isOneSpan_thatEndsWithIt(String route) throws Exception {
    script = reply -> task(reply, GROUNDED, 20);
    try (FakeCollector collector = new FakeCollector()) {
      start(route, traces(collector));
      assertThat(ask(QUESTION).whole()).contains("COMPLETED");
      JsonNode span = span(collector);
      assertThat(value(span, "a2a.method.name")).isEqualTo("SendStreamingMessage");
      assertThat(value(span, "http.response.status_code")).isEqualTo("200");
      assertThat(events(span, "gen_ai.evaluation.result")).isNotEmpty();
      assertThat(span.path("status").path("code").isMissingNode()).isTrue();
      sidecar.close();
      assertThat(collector.spans()).hasSize(1);
    }
  }

  @Test
  void streamThatIsCut_isNoError() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.event(artifact((GROUNDED + " ").repeat(5), true, false, EVIDENCE));
          for (int i = 0; i < 200; i++) {
            reply.event(artifact(INVENTED + " ", false, false, EVIDENCE));
          }
          reply.awaitClose();
        };
    try (FakeCollector collector = new FakeCollector()) {
      start("stream: window", traces(collector));
      ask(QUESTION).whole();
      JsonNode span = span(collector);
      assertThat(value(events(span, "parlance.decision").getLast(), "parlance.route"))
          .isEqualTo("yield");
      assertThat(value(span, "http.response.status_code")).isEqualTo("200");
      assertThat(span.path("status").path("code").isMissingNode()).isTrue();
    }
  }

  @Test
  void streamThatItsAgentBreaksOff_isAnError() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.die();
        };
    try (FakeCollector collector = new FakeCollector()) {
      start("stream: observe", traces(collector));
      String _ = ask(QUESTION).until("WORKING");
      JsonNode span = span(collector);
      assertThat(value(span, "error.type")).startsWith("response_");
      assertThat(span.path("status").path("code").intValue()).isEqualTo(2);
    }
  }

  @Test
  void callerThatLeaves_endsTheSpan_withoutStatus() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.awaitClose();
        };
    try (FakeCollector collector = new FakeCollector()) {
      start("stream: observe", traces(collector));
      Caller caller = ask(QUESTION);
      caller.until("WORKING");
      caller.close();
      JsonNode span = span(collector);
      assertThat(value(events(span, "parlance.rejection").getLast(), "parlance.rejection.code"))
          .isEqualTo("caller_gone");
      assertThat(value(span, "error.type")).isEmpty();
    }
  }
}
