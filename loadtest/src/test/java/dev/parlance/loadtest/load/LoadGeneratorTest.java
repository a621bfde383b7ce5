package dev.parlance.loadtest.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadResult.Outcome;
import dev.parlance.loadtest.process.ProcFs;
import dev.parlance.loadtest.process.TargetLauncher;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LoadGeneratorTest {
  private static final List<SampleExchange> EXCHANGES =
      ExchangeCorpus.build(new CorpusPlan(1, 16, 0.5, 1, 0));
  private static final int WHOLE = 1500;
  private static final int TIMEOUT_MS = 1500;

  private final LoadGenerator generator = new LoadGenerator();

  @AfterEach
  void close() {
    generator.close();
  }

  private LoadResult run(
      int port, Pace pace, int connections, int measureMs, int maxRequests, int timeoutMs)
      throws IOException, InterruptedException {
    LoadPlan plan =
        new LoadPlan(port, "/a2a/0", pace, connections, 0, measureMs, maxRequests, timeoutMs);
    return generator.run(plan, EXCHANGES, CpuWatch.none());
  }

  /** A short closed loop of 20 requests on one connection. */
  private LoadResult twenty(ScriptedServer.Script script) throws IOException, InterruptedException {
    try (ScriptedServer server = new ScriptedServer(script)) {
      return run(server.port(), new Pace.ClosedLoop(), 1, 20_000, 20, TIMEOUT_MS);
    }
  }

  @Test
  void closedLoop_answersEverything_countsToTheBound_andUpstreamSawNoMore() throws Exception {
    try (FakeUpstream upstream = new FakeUpstream(0, List.of(EXCHANGES))) {
      LoadResult result = run(upstream.port(), new Pace.ClosedLoop(), 8, 20_000, 2000, 10_000);
      assertThat(result.count(Outcome.ANSWERED)).isEqualTo(2000);
      assertThat(result.requests()).isEqualTo(2000);
      assertThat(result.faults()).isZero();
      assertThat(upstream.answered()).isEqualTo(2000);
      assertThat(result.latency().p50Us()).isPositive();
    }
  }

  @Test
  void openLoop_keepsItsRate_andTheWarmupIsNotCounted() throws Exception {
    try (FakeUpstream upstream = new FakeUpstream(0, List.of(EXCHANGES))) {
      LoadPlan plan =
          new LoadPlan(
              upstream.port(), "/a2a/0", new Pace.OpenLoop(500), 8, 200, 1000, 100_000, 5000);
      long own = ProcessHandle.current().pid();
      CpuWatch watch =
          new CpuWatch(() -> ProcFs.cpuUs(own), () -> ProcFs.cpuUs(own), ProcFs::machineCpuUs);
      LoadResult result = generator.run(plan, EXCHANGES, watch);
      assertThat(result.requests() / result.windowSeconds()).isCloseTo(500, within(25.0));
      assertThat(result.count(Outcome.ANSWERED)).isEqualTo(result.requests());
      assertThat(upstream.answered()).isGreaterThan(result.requests() + 50);
      assertThat(result.proxyCpuUsPerRequest()).isPresent();
      assertThat(result.otherBusyCores()).isPresent();
    }
  }

  @Test
  void stalledServer_showsInTheLatencyOfEveryRequestItHeldUp() throws Exception {
    ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
    ScriptedServer.Script stallOnce =
        (n, id, out) -> {
          if (n == 150) {
            gate.writeLock().lock();
            try {
              assertThat(new CountDownLatch(1).await(400, TimeUnit.MILLISECONDS)).isFalse();
            } finally {
              gate.writeLock().unlock();
            }
          }
          gate.readLock().lock();
          try {
            out.write(ScriptedServer.result(id, WHOLE));
          } finally {
            gate.readLock().unlock();
          }
          return true;
        };
    try (ScriptedServer server = new ScriptedServer(stallOnce)) {
      LoadPlan plan =
          new LoadPlan(server.port(), "/a2a/0", new Pace.OpenLoop(400), 4, 0, 1500, 100_000, 5000);
      LoadResult result = generator.run(plan, EXCHANGES, CpuWatch.none());
      assertThat(result.faults()).isZero();
      // 160 of 600 requests fell due in the stall; only four were on the wire when it began.
      assertThat(result.latency().p99Us()).isGreaterThan(250_000);
      assertThat(result.latency().p90Us()).isGreaterThan(100_000);
      assertThat(result.service().p90Us()).isLessThan(result.latency().p90Us() / 2);
    }
  }

  @Test
  void answerWithAnotherId_isNoticed() throws Exception {
    LoadResult result =
        twenty((n, id, out) -> {
          out.write(ScriptedServer.result(n == 7 ? id + 1000 : id, WHOLE));
          return true;
        });
    assertThat(result.count(Outcome.WRONG_ID)).isEqualTo(1);
    assertThat(result.count(Outcome.ANSWERED)).isEqualTo(19);
  }

  @Test
  void answerGivenTwice_isNoticed_inPlaceOfAnother() throws Exception {
    LoadResult result =
        twenty((n, id, out) -> {
          out.write(ScriptedServer.result(n == 7 ? id - 1 : id, WHOLE));
          return true;
        });
    assertThat(result.count(Outcome.DUPLICATE)).isEqualTo(1);
    assertThat(result.count(Outcome.ANSWERED)).isEqualTo(19);
  }

  @Test
  void answerGivenTwiceInARow_isNoticed() throws Exception {
    LoadResult result =
        twenty((n, id, out) -> {
          byte[] answer = ScriptedServer.result(id, WHOLE);
          byte[] twice = new byte[2 * answer.length];
          System.arraycopy(answer, 0, twice, 0, answer.length);
          System.arraycopy(answer, 0, twice, answer.length, answer.length);
          out.write(n == 7 ? twice : answer);
          return true;
        });
    assertThat(result.count(Outcome.DUPLICATE) + result.unsolicited()).isEqualTo(1);
    assertThat(result.faults()).isEqualTo(1);
    assertThat(result.requests()).isEqualTo(20);
  }

  @Test
  void droppedConnection_losesOneRequest_andTheRunGoesOn() throws Exception {
    LoadResult result =
        twenty((n, id, out) -> {
          if (n == 7) {
            return false;
          }
          out.write(ScriptedServer.result(id, WHOLE));
          return true;
        });
    assertThat(result.count(Outcome.LOST)).isEqualTo(1);
    assertThat(result.count(Outcome.ANSWERED)).isEqualTo(19);
  }

  @Test
  void silentServer_timesOut_andItsWaitCountsAsLatency() throws Exception {
    LoadResult result =
        twenty((n, id, out) -> {
          if (n != 7) {
            out.write(ScriptedServer.result(id, WHOLE));
          }
          return true;
        });
    assertThat(result.count(Outcome.TIMED_OUT)).isEqualTo(1);
    assertThat(result.count(Outcome.ANSWERED)).isEqualTo(19);
    assertThat(result.latency().maxUs()).isGreaterThan(1_490_000);
  }

  @Test
  void badStatusErrorsShortAnswersAndNonsense_areToldApart() throws Exception {
    LoadResult result =
        twenty((n, id, out) -> {
          out.write(
              switch (n) {
                case 3 -> ScriptedServer.response(503, "{}");
                case 5 ->
                    ScriptedServer.response(200, "{\"id\":" + id + ",\"error\":{\"code\":1}}");
                case 7 -> ScriptedServer.result(id, 1);
                case 9 -> ScriptedServer.response(200, "hello");
                case 11 -> Http1Endpoint.ascii("HTTP/1.1 200 OK\r\n\r\n");
                default -> ScriptedServer.result(id, WHOLE);
              });
          return true;
        });
    assertThat(result.count(Outcome.BAD_STATUS)).isEqualTo(1);
    assertThat(result.count(Outcome.REFUSED)).isEqualTo(2);
    assertThat(result.count(Outcome.BAD_ANSWER)).isEqualTo(2);
    assertThat(result.count(Outcome.ANSWERED)).isEqualTo(15);
    assertThat(result.faults()).isEqualTo(3);
  }

  @Test
  void serverThatNeverAnswers_endsInTime_withEveryRequestAccountedFor() throws Exception {
    try (ScriptedServer server = new ScriptedServer((n, id, out) -> true)) {
      LoadResult result = run(server.port(), new Pace.OpenLoop(200), 2, 500, 100_000, 500);
      assertThat(result.requests() / result.windowSeconds()).isCloseTo(200, within(20.0));
      assertThat(result.count(Outcome.ANSWERED)).isZero();
      assertThat(result.count(Outcome.UNSENT)).isPositive();
      assertThat(result.count(Outcome.TIMED_OUT)).isPositive();
      assertThat(result.latency().p99Us()).isGreaterThan(400_000);
    }
  }

  @Test
  void nobodyListening_isAnError() throws Exception {
    int port = TargetLauncher.freePort();
    assertThatThrownBy(() -> run(port, new Pace.ClosedLoop(), 2, 100, 10, 500))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(Integer.toString(port));
  }

  @Test
  void impossiblePlans_areRefused() {
    assertThatThrownBy(() -> new Pace.OpenLoop(Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> new LoadPlan(0, "/", new Pace.ClosedLoop(), 1, 0, 100, 1, 100))
        .hasMessageContaining("port");
    assertThatThrownBy(() -> new LoadPlan(1, "x", new Pace.ClosedLoop(), 1, 0, 100, 1, 100))
        .hasMessageContaining("path");
  }
}
