package dev.parlance.loadtest.load;

import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadResult.Outcome;
import dev.parlance.loadtest.load.LoadResult.Percentiles;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The state of one load phase; everything happens on one event loop.
 *
 * <pre>
 * CONNECTING --all connected--> WARMING --warm-up over--> MEASURING --time or count--> DRAINING --> DONE
 * </pre>
 *
 * <p>Requests fall due in WARMING and MEASURING; DRAINING only waits for what is due already, at
 * most one time-out. A request counts as measured if it fell due in MEASURING.
 */
final class LoadRun {
  private enum Stage {
    CONNECTING,
    WARMING,
    MEASURING,
    DRAINING,
    DONE
  }

  private static final int RECONNECT_MS = 20;
  private static final int CONNECT_MS = 5_000;

  private final LoadPlan plan;
  private final RequestBytes requests;
  private final CpuWatch watch;
  private final EventLoop loop;
  private final Bootstrap bootstrap;
  private final CompletableFuture<LoadResult> result;
  private final long timeoutNs;
  private final long firstId;
  private final List<LoadConnection> open = new ArrayList<>();
  private final ArrayDeque<LoadConnection> idle = new ArrayDeque<>();
  private final ArrayDeque<Long> dueWithoutConnection = new ArrayDeque<>();
  private final BitSet answered = new BitSet();
  private final Tally warmup = new Tally();
  private final Tally measured = new Tally();

  private Stage stage = Stage.CONNECTING;
  private volatile long nextId; // written by the loop only
  private long startNs;
  private long issued;
  private long measuredIssued;
  private long ended;
  private long windowStartNs = Long.MAX_VALUE;
  private long windowEndNs;
  private long completed;
  private long unsolicited;
  private CpuWatch.Reading cpuAtStart = CpuWatch.Reading.EMPTY;
  private CpuWatch.Reading cpuUsed = CpuWatch.Reading.EMPTY;

  LoadRun(
      LoadPlan plan,
      RequestBytes requests,
      CpuWatch watch,
      LoadTransport transport,
      long firstId,
      CompletableFuture<LoadResult> result) {
    this.plan = plan;
    this.requests = requests;
    this.watch = watch;
    this.loop = transport.loop();
    this.result = result;
    this.timeoutNs = TimeUnit.MILLISECONDS.toNanos(plan.timeoutMs());
    this.firstId = firstId;
    this.nextId = firstId;
    this.bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(transport.clientChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MS)
            .remoteAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), plan.port()))
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(line(channel));
                  }
                });
  }

  /** The first id that this phase has not used. */
  long nextId() {
    return nextId;
  }

  private ChannelHandler line(Channel channel) {
    return switch (plan.protocol()) {
      case HTTP1 -> new LoadConnection.Http1LoadConnection(this, channel);
      case H2 -> new LoadConnection.Http2LoadConnection(this, channel);
    };
  }

  /** Opens the connections; the phase starts when all of them are there. */
  void start() {
    for (int i = 0; i < plan.connections(); i++) {
      var _ =
          bootstrap
              .connect()
              .addListener((ChannelFuture future) -> {
                if (!future.isSuccess()) {
                  fail(future.cause());
                }
              });
    }
    later(TimeUnit.MILLISECONDS.toNanos(CONNECT_MS), this::checkConnected);
  }

  private void checkConnected() {
    if (stage == Stage.CONNECTING) {
      fail(new IOException("only " + open.size() + " connections were ready in time"));
    }
  }

  /** A connection has come to the point where it can carry requests. */
  void ready(LoadConnection line) {
    if (stage == Stage.DONE) {
      line.giveUp();
      return;
    }
    open.add(line);
    if (stage != Stage.CONNECTING) {
      free(line);
      return;
    }
    idle.add(line);
    if (open.size() == plan.connections()) {
      begin();
    }
  }

  /** Ends the phase without a result. */
  void fail(Throwable cause) {
    if (stage == Stage.DONE) {
      return;
    }
    stage = Stage.DONE;
    List.copyOf(open).forEach(LoadConnection::giveUp);
    result.completeExceptionally(cause);
  }

  /** Runs a step of this phase on the loop; a step that throws ends the phase. */
  private void later(long delayNs, Runnable step) {
    var _ =
        loop.schedule(
            () -> {
              try {
                step.run();
              } catch (RuntimeException e) {
                fail(e);
              }
            },
            delayNs,
            TimeUnit.NANOSECONDS);
  }

  private void begin() {
    startNs = System.nanoTime();
    stage = Stage.WARMING;
    if (plan.warmupMs() == 0) {
      openWindow();
    } else {
      later(TimeUnit.MILLISECONDS.toNanos(plan.warmupMs()), this::openWindow);
    }
    later(TimeUnit.MILLISECONDS.toNanos(50), this::checkTimeouts);
    switch (plan.pace()) {
      case Pace.OpenLoop openLoop -> tick(openLoop);
      case Pace.ClosedLoop _ -> sendOnIdle();
    }
  }

  private void openWindow() {
    if (stage != Stage.WARMING) {
      return;
    }
    stage = Stage.MEASURING;
    windowStartNs = System.nanoTime();
    cpuAtStart = watch.read();
    later(TimeUnit.MILLISECONDS.toNanos(plan.measureMs()), this::closeWindow);
  }

  private void closeWindow() {
    if (stage != Stage.MEASURING) {
      return;
    }
    stage = Stage.DRAINING;
    windowEndNs = System.nanoTime();
    cpuUsed = watch.read().since(cpuAtStart);
    later(timeoutNs, this::finish);
    finishIfDrained();
  }

  // ---- requests falling due

  private boolean isIssuing() {
    return stage == Stage.WARMING || stage == Stage.MEASURING;
  }

  /** Sends whatever is due by now, then sleeps until the next one is. */
  private void tick(Pace.OpenLoop openLoop) {
    double intervalNs = 1e9 / openLoop.ratePerSecond();
    while (isIssuing()) {
      long dueNs = startNs + Math.round((double) issued * intervalNs);
      long waitNs = dueNs - System.nanoTime();
      if (waitNs > 0) {
        later(waitNs, () -> tick(openLoop));
        return;
      }
      issue(dueNs);
    }
  }

  private void sendOnIdle() {
    while (isIssuing() && !idle.isEmpty()) {
      issue(System.nanoTime());
    }
  }

  private void issue(long dueNs) {
    issued++;
    if (dueNs >= windowStartNs) {
      measuredIssued++;
    }
    LoadConnection connection = idle.poll();
    if (connection == null) {
      dueWithoutConnection.add(dueNs);
    } else {
      send(connection, dueNs);
    }
    if (stage == Stage.MEASURING && measuredIssued >= plan.maxRequests()) {
      closeWindow();
    }
  }

  private void send(LoadConnection connection, long dueNs) {
    long id = nextId;
    nextId = id + 1;
    connection.send(id, requests, dueNs);
  }

  // ---- what connections report

  /** What an answer to request {@code id} is worth; remembers it as answered. */
  Outcome judge(long id, int status, JsonRpcHead head, int length) {
    if (status != 200) {
      return Outcome.BAD_STATUS;
    }
    if (head.kind() != JsonRpcHead.Kind.RESULT && head.kind() != JsonRpcHead.Kind.ERROR) {
      return Outcome.BAD_ANSWER;
    }
    if (head.id() != id) {
      boolean known =
          head.id() >= firstId && head.id() < nextId && answered.get((int) (head.id() - firstId));
      return known ? Outcome.DUPLICATE : Outcome.WRONG_ID;
    }
    answered.set((int) (id - firstId));
    boolean whole = head.kind() == JsonRpcHead.Kind.RESULT && length >= requests.responseBytes(id);
    return whole ? Outcome.ANSWERED : Outcome.REFUSED;
  }

  /** A request came to its end. */
  void ended(LoadConnection connection, Outcome outcome, boolean judged) {
    long now = System.nanoTime();
    if (stage == Stage.MEASURING && !outcome.isFault()) {
      completed++;
    }
    count(outcome, judged, connection.dueNs(), now, now - connection.sentNs());
  }

  private void count(Outcome outcome, boolean judged, long dueNs, long now, long sinceSentNs) {
    boolean isMeasured = dueNs >= windowStartNs;
    (isMeasured ? measured : warmup).add(outcome, judged, now - dueNs, sinceSentNs);
    ended++;
    if (stage == Stage.DRAINING) {
      finishIfDrained();
    }
  }

  /** An answer that nobody asked for. */
  void unsolicited() {
    unsolicited++;
  }

  /** A connection may carry the next request. */
  void free(LoadConnection connection) {
    Long dueNs = dueWithoutConnection.poll();
    if (dueNs != null && stage != Stage.DONE) {
      send(connection, dueNs);
    } else {
      idle.add(connection);
      if (plan.pace() instanceof Pace.ClosedLoop) {
        sendOnIdle();
      }
    }
  }

  /** A connection is gone; another takes its place. */
  void closed(LoadConnection connection) {
    boolean wasReady = open.remove(connection);
    idle.remove(connection);
    if (stage == Stage.CONNECTING) {
      fail(new IOException("the peer closed a connection before the first request"));
    } else if (wasReady) {
      reconnect();
    } else {
      later(TimeUnit.MILLISECONDS.toNanos(RECONNECT_MS), this::reconnect);
    }
  }

  private void reconnect() {
    if (stage == Stage.DONE) {
      return;
    }
    var _ =
        bootstrap
            .connect()
            .addListener((ChannelFuture future) -> {
              if (!future.isSuccess()) {
                later(TimeUnit.MILLISECONDS.toNanos(RECONNECT_MS), this::reconnect);
              }
            });
  }

  // ---- the end

  private void checkTimeouts() {
    if (stage == Stage.DONE) {
      return;
    }
    long now = System.nanoTime();
    for (LoadConnection connection : List.copyOf(open)) {
      if (connection.isWaiting() && now - connection.sentNs() > timeoutNs) {
        connection.giveUp();
        ended(connection, Outcome.TIMED_OUT, false);
      }
    }
    later(TimeUnit.MILLISECONDS.toNanos(50), this::checkTimeouts);
  }

  private void finishIfDrained() {
    if (ended == issued) {
      finish();
    }
  }

  private void finish() {
    if (stage == Stage.DONE) {
      return;
    }
    stage = Stage.DONE;
    long now = System.nanoTime();
    for (LoadConnection connection : List.copyOf(open)) {
      if (connection.isWaiting()) {
        count(Outcome.TIMED_OUT, false, connection.dueNs(), now, now - connection.sentNs());
      }
      connection.giveUp();
    }
    for (long dueNs : dueWithoutConnection) {
      count(Outcome.UNSENT, false, dueNs, now, -1);
    }
    result.complete(
        new LoadResult(
            measured.outcomes(),
            warmup.outcomes(),
            unsolicited,
            measured.judged(),
            (windowEndNs - windowStartNs) / 1e9,
            completed,
            measured.latency(),
            measured.service(),
            cpuUsed));
  }

  /** Counts and latencies of one phase; used on one event loop. */
  static final class Tally {
    private static final long HIGHEST_NS = 3_600_000_000_000L;

    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private final Histogram latency = new Histogram(HIGHEST_NS, 3);
    private final Histogram service = new Histogram(HIGHEST_NS, 3);
    private long judged;

    /**
     * Counts a request's end.
     *
     * @param sinceDueNs time since it was due
     * @param sinceSentNs time since it was sent, negative if it never was
     */
    void add(Outcome outcome, boolean withSignal, long sinceDueNs, long sinceSentNs) {
      outcomes.merge(outcome, 1L, Long::sum);
      judged += withSignal ? 1 : 0;
      latency.recordValue(Math.clamp(sinceDueNs, 0, HIGHEST_NS));
      if (sinceSentNs >= 0) {
        service.recordValue(Math.min(sinceSentNs, HIGHEST_NS));
      }
    }

    long judged() {
      return judged;
    }

    Map<Outcome, Long> outcomes() {
      return Map.copyOf(outcomes);
    }

    Percentiles latency() {
      return Percentiles.of(latency);
    }

    Percentiles service() {
      return Percentiles.of(service);
    }
  }
}
