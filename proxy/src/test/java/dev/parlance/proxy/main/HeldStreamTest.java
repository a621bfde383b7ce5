package dev.parlance.proxy.main;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Mode hold: nothing that an agent says goes on before the verdict that covers it. */
class HeldStreamTest extends StreamFixture {
  private static final String VERDICT = "https://w3id.org/parlance/ext/asp/v1";

  @Test
  void nothingSaidGoesOnBeforeItsVerdict_andThenAllOfItDoes() throws Exception {
    CountDownLatch half = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.event(artifact(FACT, true, false, EVIDENCE));
          half.countDown();
          assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
          reply.event(artifact(" [Chunk c1].", false, true, EVIDENCE));
          reply.event(DONE);
          reply.end("Grpc-Status: 0", "ASP-Signal: forged");
        };
    start("stream: hold", "");
    Caller caller = ask(QUESTION);
    assertThat(half.await(60, TimeUnit.SECONDS)).isTrue();
    caller.until("TASK_STATE_WORKING");
    assertThat(caller.seen()).doesNotContain("impeller");
    go.countDown();
    String seen = caller.whole();
    assertThat(seen)
        .contains("text/event-stream")
        .doesNotContain("ETag")
        .contains(FACT)
        .contains("[Chunk c1].")
        .contains(VERDICT)
        .contains("TASK_STATE_COMPLETED")
        .contains("\r\nASP-Signal: [@C:")
        .contains("\r\nParlance-Route: execute")
        .doesNotContain("forged");
    assertThat(seen.indexOf(VERDICT)).isGreaterThan(seen.indexOf("[Chunk c1]"));
    assertThat(agent.requests().getFirst()).containsIgnoringCase("accept-encoding: identity");
    assertThat(scrape())
        .contains("parlance_stream_open 0")
        .contains("parlance_stream_held_bytes 0")
        .contains("parlance_stream_first_byte_seconds_count 1");
  }

  @Test
  void everyVerdictHasALineThatSaysWhatOfTheStreamItCovers() throws Exception {
    script = reply -> task(reply, GROUNDED, 20);
    start("stream: hold", "");
    String seen = ask(QUESTION).whole();
    int at = seen.indexOf("Parlance-Decision: ") + "Parlance-Decision: ".length();
    String id = seen.substring(at, seen.indexOf("\r\n", at));
    JsonNode line = JSON.readTree(admin("GET", "/decisions/" + id, "").body());
    assertThat(line.at("/stream/mode").asString("")).isEqualTo("hold");
    assertThat(line.at("/stream/events").asInt(0)).isGreaterThan(3);
    assertThat(line.at("/stream/bytes").asLong(0)).isEqualTo(line.at("/bytesIn").asLong(-1));
    JsonNode explained = JSON.readTree(admin("GET", "/explain/" + id, "").body());
    assertThat(explained.path("reproduces").asBoolean(false)).isTrue();
    assertThat(explained.toString()).contains("in mode hold");
  }

  @Test
  void aBadStreamIsAskedForAgain_whileNothingOfItWasSeen() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.event(message(reply.number == 1 ? INVENTED : GROUNDED));
          reply.end();
        };
    start("stream: hold", "");
    String seen = ask(QUESTION).whole();
    assertThat(seen).contains("radial play").doesNotContain("friendly");
    assertThat(agent.requests()).hasSize(2);
    assertThat(agent.requests().get(1)).doesNotContain("\"m-1\"").contains("Your previous answer");
    assertThat(scrape()).contains("parlance_regenerations_total{reason=");
  }

  @Test
  void aStreamThatIsAskedForAgainMayComeBackWhole() throws Exception {
    script =
        reply -> {
          if (reply.number == 1) {
            reply.events();
            reply.event(message(INVENTED));
            reply.end();
          } else {
            reply.whole("application/json", message(GROUNDED));
          }
        };
    start("stream: hold", "");
    Caller caller = ask(QUESTION);
    caller.until("radial play");
    assertThat(caller.seen()).contains("Parlance-Route: execute").doesNotContain("friendly");
  }

  @Test
  void aBadStreamWhoseTaskWasSeen_isHeld_andIsNotRunTwice() throws Exception {
    script = reply -> task(reply, INVENTED, 30);
    start("stream: hold", "");
    String seen = ask(QUESTION).whole();
    assertThat(seen)
        .contains("TASK_STATE_WORKING")
        .contains("\"t-1\"")
        .doesNotContain("friendly")
        .contains("\r\nParlance-Route: yield")
        .contains("acted");
    assertThat(agent.requests()).hasSize(1);
    assertThat(scrape()).contains("parlance_stream_cut_total{reason=\"yield\"} 1");
  }

  @Test
  void aYieldedStreamIsHeld_andItsReleaseDeliversAWholeValidStream() throws Exception {
    script = reply -> task(reply, INVENTED, 30);
    start("stream: hold\n    profile: none-left", "");
    String seen = ask(QUESTION).whole();
    assertThat(seen).contains("held for a person").doesNotContain("friendly");
    JsonNode items = JSON.readTree(admin("GET", "/review?state=pending", "").body()).path("items");
    assertThat(items.size()).isEqualTo(1);
    assertThat(items.get(0).path("contentType").asString("")).startsWith("text/event-stream");
    String id = items.get(0).path("id").asString("");
    assertThat(
            admin(
                    "POST",
                    "/review/" + id + "/release",
                    "{\"who\":\"ada\",\"note\":\"fine\",\"undoMs\":0}")
                .statusCode())
        .isEqualTo(200);
    Caller again = connect().reading();
    again.send(request(QUESTION, "").replace("\"id\":1,", "\"id\":7,"));
    String delivered = again.until("TASK_STATE_COMPLETED");
    assertThat(delivered)
        .contains("TASK_STATE_WORKING")
        .contains("friendly")
        .contains("\"id\":7")
        .doesNotContain("\"id\":1,")
        .contains("Parlance-Reason: released");
    assertThat(agent.requests()).hasSize(1);
  }

  @Test
  void whileAnAnswerIsHeld_heartbeatsKeepTheConnectionAlive_andMeanNothing() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    script =
        reply -> {
          reply.events();
          reply.event(artifact(FACT, true, false, EVIDENCE));
          assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
          reply.event(artifact(" [Chunk c1].", false, true, EVIDENCE));
          reply.end();
        };
    start("stream: hold", "streams: { heartbeatMs: 50 }");
    Caller caller = ask(QUESTION);
    String seen = caller.until(": \n\n\r\n4\r\n: \n\n");
    assertThat(seen).doesNotContain("impeller");
    go.countDown();
    assertThat(caller.whole()).contains("[Chunk c1].");
  }

  @Test
  void G15_whatWaitsIsBoundedInBytes() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          for (int i = 0; i < 5; i++) {
            reply.event(artifact("x".repeat(1000), i == 0, false, "{}"));
          }
          reply.awaitClose();
          closed.set(true);
        };
    start("stream: hold", "streams: { holdBytes: 4096 }");
    String seen = ask(QUESTION).whole();
    assertThat(seen).contains("stream_limit").doesNotContain("xxx").contains("\"t-1\"");
    await().untilTrue(closed);
    assertThat(scrape())
        .contains("parlance_stream_cut_total{reason=\"stream_limit\"} 1")
        .contains("parlance_rejected_total{layer=\"stream\",reason=\"stream_limit\"} 1");
  }

  @Test
  void whatWaitsIsBoundedInTime() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.event(artifact(INVENTED, true, false, "{}"));
          reply.awaitClose();
        };
    start("stream: hold", "streams: { holdMs: 200 }");
    String seen = ask(QUESTION).whole();
    assertThat(seen).contains("stream_timeout").doesNotContain("friendly");
  }

  @Test
  void anAgentThatDiesInsideAnEvent_leavesAValidStreamBehind() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.event(artifact(INVENTED, true, false, "{}"));
          reply.send("data: {\"jsonrpc\":\"2.0\",\"id\":1,\"resu");
          assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
          reply.die();
        };
    start("stream: hold", "");
    Caller caller = ask(QUESTION);
    caller.until("TASK_STATE_WORKING");
    arrived.countDown();
    String seen = caller.whole();
    assertThat(seen)
        .contains("response_incomplete")
        .doesNotContain("friendly")
        .doesNotContain("resu\r\n");
    assertThat(scrape()).contains("parlance_stream_cut_total{reason=\"origin\"} 1");
  }

  @Test
  void aCallerThatLeaves_endsTheAgentsWork() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.event(artifact(INVENTED, true, false, "{}"));
          reply.awaitClose();
          closed.set(true);
        };
    start("stream: hold", "");
    Caller caller = ask(QUESTION);
    caller.until("TASK_STATE_WORKING");
    caller.close();
    await().atMost(60, TimeUnit.SECONDS).untilTrue(closed);
    await().until(() -> scrape().contains("parlance_stream_open 0"));
    assertThat(scrape()).contains("parlance_stream_held_bytes 0");
  }

  @Test
  void W04_K13_wordsThatNobodyReads_areLeftOut_andTheAnswerIsDelivered() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.send("\uFEFF:" + " ".repeat(2048) + "\n\n");
          reply.send("event: ping\ndata: {}\n\n: " + INVENTED + "\n\n");
          reply.send("event: surprise\ndata: {\"hidden\":\"" + INVENTED + "\"}\n\n");
          reply.send("id: " + INVENTED + "\nhidden: " + INVENTED + "\ndata: " + TASK + "\n\n");
          reply.event(artifact(GROUNDED, true, true, EVIDENCE));
          reply.event(DONE);
          reply.end();
        };
    start("stream: hold", "");
    assertThat(ask(QUESTION).whole())
        .contains(" ".repeat(2048), "event: ping\ndata: {}\n\n", "data: " + TASK, "radial play")
        .doesNotContain("friendly", "error");
    assertThat(scrape()).contains("reason=\"stream_comment\"} 1", "reason=\"event_name\"} 1");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eventsOfAnAnswerByAnyName_areJudgedAndDelivered(boolean grounded) throws Exception {
    String text = grounded ? GROUNDED : INVENTED;
    script =
        reply -> {
          reply.events();
          for (String event : List.of(TASK, artifact(text, true, true, EVIDENCE), DONE)) {
            reply.send("event: update\ndata: " + event + "\n\n");
          }
          reply.end();
        };
    start("stream: hold\n    profile: none-left", "");
    String answer = ask(QUESTION).whole();
    if (grounded) {
      assertThat(answer).contains("data: " + TASK, "radial play", DONE);
    } else {
      assertThat(answer).contains("held for a person").doesNotContain("friendly");
    }
  }

  @Test
  void W04_anEventThatNobodyCanRead_passesWhereTheRouteSaysSo() throws Exception {
    String event = "event: surprise\ndata: {\"hidden\":\"" + INVENTED + "\"}\n\n";
    script =
        reply -> {
          reply.events();
          reply.send(event);
          reply.event(artifact(GROUNDED, true, true, EVIDENCE));
          reply.event(DONE);
          reply.end();
        };
    start("stream: hold\n    onUnjudged: warn", "");
    assertThat(ask(QUESTION).whole()).contains(event, "radial play");
  }

  @Test
  void B9_bytesThatAreNoEvents_endTheStream() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.send("Data: {\"hidden\":\"" + INVENTED + "\"}\n\n");
          reply.end();
        };
    start("stream: hold", "");
    assertThat(ask(QUESTION).whole()).contains("bad_message").doesNotContain("friendly");
  }

  @Test
  void B9_aStreamInACodingThatNobodyKnows_isNotRead() throws Exception {
    script =
        reply -> {
          reply.begin("Content-Type: text/event-stream", "Content-Encoding: br");
          reply.send("not brotli, but " + INVENTED);
          reply.end();
        };
    start("stream: hold", "");
    Caller caller = ask(QUESTION);
    caller.until("coded_stream");
    assertThat(caller.seen()).doesNotContain("friendly");
  }

  /** The events as an agent sends them that compresses each one for itself. */
  private static void coded(StreamingAgent.Reply reply, String... events) throws IOException {
    reply.begin("Content-Type: text/event-stream", "Content-Encoding: gzip");
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded, /* syncFlush= */ true)) {
      for (String event : events) {
        gzip.write(("data: " + event + "\n\n").getBytes(UTF_8));
        gzip.flush();
        reply.sendBytes(coded.toByteArray(), 0, coded.size());
        coded.reset();
      }
    }
    reply.sendBytes(coded.toByteArray(), 0, coded.size());
    reply.end();
  }

  @Test
  void B9_aStreamInGzip_isReadEventByEvent_andGoesOnWithoutCoding() throws Exception {
    script =
        reply ->
            coded(
                reply,
                TASK,
                artifact(FACT, true, false, EVIDENCE),
                artifact(" [Chunk c1].", false, true, EVIDENCE),
                DONE);
    start("stream: hold", "");
    assertThat(ask(QUESTION).whole())
        .contains(FACT)
        .contains("[Chunk c1].")
        .contains("TASK_STATE_COMPLETED")
        .contains("\r\nParlance-Route: execute")
        .doesNotContainIgnoringCase("content-encoding");
  }

  @Test
  void B9_aStreamInGzip_isJudgedAsAnyOther_andABombEndsIt() throws Exception {
    script = reply -> coded(reply, message(reply.number == 1 ? INVENTED : "x".repeat(10_000_000)));
    start("stream: hold", "");
    assertThat(ask(QUESTION).whole()).contains("inflation_limit").doesNotContain("friendly");
    assertThat(agent.requests()).hasSize(2);
  }

  @Test
  void aStreamThatNobodyCouldAskFor_passesRawWhereTheRouteSaysSo() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.send(": hello\n\ndata: " + INVENTED + "\n\n");
          reply.end();
        };
    start("onUnjudged: warn", "");
    Caller caller = connect().reading();
    caller.send(
        "POST /other HTTP/1.1\r\nHost: agent\r\nContent-Type: application/x-other\r\n"
            + "Content-Length: 2\r\n\r\n{}");
    assertThat(caller.whole())
        .contains("friendly")
        .contains("Parlance-Route: warn")
        .contains("Parlance-Reason: unjudged");
  }

  @Test
  void anAnswerOverHttp10_isAStreamToTheEndOfTheConnection() throws Exception {
    script = reply -> task(reply, GROUNDED, 20);
    start("stream: hold", "");
    Caller caller = connect().reading();
    caller.send(request(QUESTION, "").replace("HTTP/1.1", "HTTP/1.0"));
    await().atMost(60, TimeUnit.SECONDS).until(caller::ended);
    assertThat(caller.seen())
        .contains("radial play")
        .contains("TASK_STATE_COMPLETED")
        .doesNotContain("chunked");
  }

  @Test
  void oneByteAtATime_comesOutAsTheSameEvents() throws Exception {
    script =
        reply -> {
          reply.events();
          String bytes =
              "data: "
                  + TASK
                  + "\r\n\r\n: note\r\n"
                  + "data: "
                  + artifact(GROUNDED, true, true, EVIDENCE)
                  + "\r\n\r\n";
          for (int i = 0; i < bytes.length(); i++) {
            reply.send(bytes.substring(i, i + 1));
          }
          reply.end();
        };
    start("stream: hold", "");
    assertThat(ask(QUESTION).whole())
        .contains("data: " + TASK + "\r\n\r\n")
        .contains("\r\n:\r\n")
        .doesNotContain("note")
        .contains("radial play");
  }
}
