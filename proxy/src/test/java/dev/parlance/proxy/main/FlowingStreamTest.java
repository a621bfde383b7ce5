package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Modes window and observe: what goes on early, what is cut, and what it costs in memory. */
class FlowingStreamTest extends StreamFixture {
  private static final String VERDICT = "https://w3id.org/parlance/ext/asp/v1";

  private static String sentences(int count) {
    return (GROUNDED + " ").repeat(count);
  }

  @Test
  void window_aGoodBeginningGoesOnWhileTheAgentStillWrites() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.event(artifact(sentences(5), true, false, EVIDENCE));
          reply.event(artifact("The unjudged tail.", false, false, EVIDENCE));
          assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
          reply.event(artifact(sentences(1), false, true, EVIDENCE));
          reply.event(DONE);
          reply.end();
        };
    start("stream: window", "");
    Caller caller = ask(QUESTION);
    String early = caller.until("radial play");
    assertThat(early).doesNotContain("unjudged tail").doesNotContain(VERDICT);
    go.countDown();
    assertThat(caller.whole())
        .contains("unjudged tail")
        .contains(VERDICT)
        .contains("TASK_STATE_COMPLETED")
        .contains("\r\nParlance-Route: ");
  }

  @Test
  void window_aStreamThatTurnsBad_isCutWithATypedEvent() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.event(artifact(sentences(5), true, false, EVIDENCE));
          for (int i = 0; i < 200; i++) {
            reply.event(artifact(INVENTED + " ", false, false, EVIDENCE));
          }
          reply.awaitClose();
        };
    start("stream: window", "");
    String seen = ask(QUESTION).whole();
    assertThat(seen)
        .contains("radial play")
        .doesNotContain("friendly specialists")
        .contains("\"t-1\"")
        .contains("is done, or has begun")
        .contains("\r\nParlance-Route: yield");
    assertThat(scrape()).contains("parlance_stream_cut_total{reason=\"stream_turned_bad\"} 1");
    assertThat(agent.requests()).hasSize(1);
  }

  @Test
  void window_aBadEnd_isCutToo() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.event(artifact(sentences(5), true, false, EVIDENCE));
          reply.event(
              artifact((INVENTED + " It takes 91 days. ").repeat(9), false, true, EVIDENCE));
          reply.event(DONE);
          reply.end();
        };
    start("stream: window", "");
    assertThat(ask(QUESTION).whole()).contains("radial play").doesNotContain("91 days");
  }

  @Test
  void observe_everyEventGoesOnAtOnce_andOnlyTheLastCarriesAVerdict() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    String bad = artifact(INVENTED, true, false, EVIDENCE);
    String last = artifact(" The end.", false, true, EVIDENCE);
    script =
        reply -> {
          reply.events();
          reply.send("data: " + TASK + "\r\n\r\n");
          reply.event(bad);
          assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
          reply.event(last);
          reply.event(DONE);
          reply.end("X-Checksum: 1");
        };
    start("stream: observe", "");
    Caller caller = ask(QUESTION);
    assertThat(caller.until("friendly")).contains("data: " + TASK + "\r\n\r\n");
    go.countDown();
    String seen = caller.whole();
    assertThat(seen)
        .contains("data: " + bad + "\n\n")
        .doesNotContain("data: " + last + "\n\n")
        .contains("The end.")
        .contains(VERDICT)
        .contains("data: " + DONE + "\n\n")
        .contains("\r\nParlance-Route: yield")
        .contains("X-Checksum: 1");
    assertThat(seen.split(VERDICT, -1)).hasSize(3); // in the metadata and in the extensions
  }

  @Test
  void observe_anAgentThatDies_isSeenToHaveDied() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    script =
        reply -> {
          reply.events();
          reply.event(artifact(INVENTED, true, false, EVIDENCE));
          assertThat(seen.await(60, TimeUnit.SECONDS)).isTrue();
          reply.die();
        };
    start("stream: observe", "");
    Caller caller = ask(QUESTION);
    caller.until("friendly");
    seen.countDown();
    await().atMost(60, TimeUnit.SECONDS).until(caller::ended);
    assertThat(caller.seen()).doesNotContain("\r\n0\r\n");
  }

  @Test
  void B9_G15_aLongObservedStream_isJudgedInSegmentsAndLeavesNoMemoryBehind() throws Exception {
    AtomicLong sent = new AtomicLong();
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          String text = sentences(80);
          for (int i = 0; i < 400; i++) {
            reply.event(artifact(text, i == 0, false, EVIDENCE));
            sent.addAndGet(text.length());
          }
          reply.event(artifact(GROUNDED, false, true, EVIDENCE));
          reply.end();
        };
    start("stream: observe", "streams: { segmentBytes: 16384 }");
    ask(QUESTION).whole();
    assertThat(sent.get()).isGreaterThan(3_000_000);
    assertThat(scrape()).contains("parlance_stream_held_bytes 0");
    assertThat(admin("GET", "/decisions?limit=500", "").body().split("\"observe\"", -1).length)
        .isGreaterThan(100);
  }

  @Test
  void G15_aCallerThatDoesNotRead_stopsTheReadingOfItsAgent() throws Exception {
    AtomicLong sent = new AtomicLong();
    String text = sentences(80);
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          for (int i = 0; i < 6000; i++) {
            reply.event(artifact(text, i == 0, i == 5999, EVIDENCE));
            sent.addAndGet(text.length());
          }
          reply.end();
        };
    // Counting words, so that judging does not hold up what is tested.
    start("profile: overlap\n    stream: observe", "");
    Caller slow = connect();
    slow.send(request(QUESTION, ""));
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> {
          long before = sent.get();
          TimeUnit.MILLISECONDS.sleep(300);
          return before > 0 && sent.get() == before;
        });
    assertThat(sent.get()).isLessThan(40_000_000);
    assertThat(scrape())
        .containsPattern("parlance_stream_held_bytes [0-9.E]{1,9}\n")
        .contains("parlance_stream_open 1");
    slow.reading();
    slow.whole();
    assertThat(sent.get()).isEqualTo(6000L * text.length());
  }

  @Test
  void modeObserve_whatIsBrokenGoesOnByteForByte() throws Exception {
    String broken = "Data: x\n\ndata: more " + INVENTED + "\n\n: end\n\ndata: cut of";
    script =
        reply -> {
          reply.events();
          reply.event(TASK);
          reply.event("{ this is not JSON");
          reply.send(broken);
          reply.end("X-Checksum: 1");
        };
    start("mode: observe", "");
    String seen = ask(QUESTION).whole();
    assertThat(seen)
        .contains("data: " + TASK)
        .contains("{ this is not JSON")
        .contains("Data: x\n\n")
        .contains("friendly")
        .contains("data: cut of")
        .contains("X-Checksum: 1");
    assertThat(scrape()).contains("parlance_unjudged_total{policy=\"warn\",what=\"malformed\"} 2");
  }

  @Test
  void trailersThatAreTooLong_doNotPassBehindAJudgedBody() throws Exception {
    script =
        reply -> {
          reply.events();
          reply.event(artifact(GROUNDED, true, true, EVIDENCE));
          reply.end("X-Short: yes", "X-Long: " + (INVENTED + " ").repeat(9));
        };
    start("stream: hold", "");
    assertThat(ask(QUESTION).whole()).contains("X-Short: yes").doesNotContain("friendly");
    assertThat(scrape()).contains("reason=\"trailers_too_large\"} 1");
  }
}
