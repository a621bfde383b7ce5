package dev.parlance.loadtest.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.load.LoadResult.Outcome;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Generator and fake upstream over h2c: against each other, and the generator against Netty's. */
@Timeout(60)
// A failed write shows as a request without an answer, which the tests count.
@SuppressWarnings("FutureReturnValueIgnored")
class Http2LoadTest {
  private static final List<SampleExchange> SMALL =
      ExchangeCorpus.build(new CorpusPlan(1, 16, 0.5, 1, 0));
  private static final List<SampleExchange> LARGE =
      ExchangeCorpus.build(new CorpusPlan(1, 4, 200, 100, 0));
  private static final int STANDARD_WINDOW = 65_535;
  private static final int STANDARD_TABLE = 4096;
  private static final int WHOLE = 1500;

  private final LoadGenerator generator = new LoadGenerator();

  @AfterEach
  void close() {
    generator.close();
  }

  private LoadResult run(
      int port, String path, List<SampleExchange> exchanges, Pace pace, int connections, int count)
      throws IOException, InterruptedException {
    LoadPlan plan =
        new LoadPlan(port, path, pace, connections, 0, 20_000, count, 10_000, Protocol.H2);
    return generator.run(plan, exchanges, CpuWatch.none());
  }

  private LoadResult twenty(NettyHttp2Server.Script script)
      throws IOException, InterruptedException {
    try (NettyHttp2Server server = new NettyHttp2Server(STANDARD_WINDOW, STANDARD_TABLE, script)) {
      return run(server.port(), "/a2a/0", SMALL, new Pace.ClosedLoop(), 1, 20);
    }
  }

  @Test
  void closedLoop_answersEverything_andUpstreamSawNoMore() throws Exception {
    try (FakeUpstream upstream = new FakeUpstream(0, List.of(SMALL))) {
      LoadResult result = run(upstream.port(), "/a2a/0/new", SMALL, new Pace.ClosedLoop(), 8, 2000);
      assertThat(result.count(Outcome.ANSWERED)).isEqualTo(2000);
      assertThat(result.faults()).isZero();
      assertThat(upstream.answered()).isEqualTo(2000);
    }
  }

  @Test
  void openLoop_isJudgedFromTheMomentDue_onBothProtocolsAtOnePort() throws Exception {
    try (FakeUpstream upstream = new FakeUpstream(0, List.of(SMALL))) {
      LoadResult h2 = run(upstream.port(), "/a2a/0", SMALL, new Pace.OpenLoop(500), 4, 200);
      assertThat(h2.count(Outcome.ANSWERED)).isEqualTo(200);
      LoadPlan plan =
          new LoadPlan(
              upstream.port(), "/a2a/0", new Pace.OpenLoop(500), 4, 0, 20_000, 200, 10_000);
      LoadResult http1 = generator.run(plan, SMALL, CpuWatch.none());
      assertThat(http1.count(Outcome.ANSWERED)).isEqualTo(200);
      assertThat(h2.latency().p50Us()).isPositive();
    }
  }

  @Test
  void bodiesBeyondEveryWindow_goThroughWhole_bothWays() throws Exception {
    try (FakeUpstream upstream = new FakeUpstream(0, List.of(SMALL, LARGE))) {
      LoadResult result = run(upstream.port(), "/a2a/1/new", LARGE, new Pace.ClosedLoop(), 4, 200);
      assertThat(result.count(Outcome.ANSWERED)).isEqualTo(200);
      assertThat(result.faults()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"65535,4096,100000", "1000,4096,7", "1,0,333", "200000,0,100000"})
  void againstNettysServer_fieldsAndBodiesArrive_whateverItsWindowsAndTable(
      int window, int tableBytes, int piece) throws Exception {
    Set<String> fields = ConcurrentHashMap.newKeySet();
    int count = window == 1 ? 3 : 60;
    NettyHttp2Server.Script script =
        (_, id, asked, stream) -> {
          int length = SMALL.get((int) (id % SMALL.size())).responseBytes(10);
          fields.add(
              "%s %s %s %s %s %s"
                  .formatted(
                      asked.method(),
                      asked.scheme(),
                      asked.path(),
                      asked.get("content-type"),
                      asked.get("a2a-version"),
                      asked.authority()));
          NettyHttp2Server.write(stream, "200", NettyHttp2Server.result(id, length), piece);
        };
    try (NettyHttp2Server server = new NettyHttp2Server(window, tableBytes, script)) {
      LoadResult result = run(server.port(), "/a2a/0", SMALL, new Pace.ClosedLoop(), 3, count);
      assertThat(result.count(Outcome.ANSWERED)).isEqualTo(count);
      assertThat(result.judged()).isEqualTo(count);
      assertThat(result.faults()).isZero();
      assertThat(fields)
          .containsExactly("POST http /a2a/0 application/json 1.0 127.0.0.1:" + server.port());
    }
  }

  @Test
  void answerWithAnotherId_isNoticed() throws Exception {
    LoadResult result =
        twenty((n, id, _, stream) ->
            NettyHttp2Server.write(
                stream, "200", NettyHttp2Server.result(n == 7 ? id + 1000 : id, WHOLE), 100_000));
    assertThat(result.count(Outcome.WRONG_ID)).isEqualTo(1);
    assertThat(result.count(Outcome.ANSWERED)).isEqualTo(19);
  }

  @Test
  void otherStatus_isNoticed_andTheConnectionGoesOn() throws Exception {
    LoadResult result =
        twenty((n, id, _, stream) ->
            NettyHttp2Server.write(
                stream, n % 2 == 0 ? "503" : "200", NettyHttp2Server.result(id, WHOLE), 100_000));
    assertThat(result.count(Outcome.BAD_STATUS)).isEqualTo(10);
    assertThat(result.count(Outcome.ANSWERED)).isEqualTo(10);
  }

  @Test
  void resetStream_isALostRequest_andTheConnectionGoesOn() throws Exception {
    LoadResult result =
        twenty((n, id, _, stream) -> {
          if (n == 5) {
            stream.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
          } else {
            NettyHttp2Server.write(stream, "200", NettyHttp2Server.result(id, WHOLE), 100_000);
          }
        });
    assertThat(result.count(Outcome.LOST)).isEqualTo(1);
    assertThat(result.count(Outcome.ANSWERED)).isEqualTo(19);
  }

  @Test
  void closedConnection_isALostRequest_andAnotherTakesItsPlace() throws Exception {
    LoadResult result =
        twenty((n, id, _, stream) -> {
          if (n == 5) {
            stream.channel().parent().close();
          } else {
            NettyHttp2Server.write(stream, "200", NettyHttp2Server.result(id, WHOLE), 100_000);
          }
        });
    assertThat(result.count(Outcome.LOST)).isEqualTo(1);
    assertThat(result.count(Outcome.ANSWERED)).isEqualTo(19);
  }

  @Test
  void serverOfHttp1_isAFailureInWords() throws Exception {
    try (ScriptedServer server = new ScriptedServer((_, _, _) -> false)) {
      assertThatThrownBy(() -> run(server.port(), "/a2a/0", SMALL, new Pace.ClosedLoop(), 1, 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("load on port " + server.port() + " failed");
    }
  }
}
