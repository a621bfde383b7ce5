package dev.parlance.proxy.exchange;

import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.FlowBudgets;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Lexicons;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.RelayedTexts;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.main.MessageChecks;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewLimits;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.proxy.stream.HeldBytes;
import dev.parlance.proxy.trace.Tracer;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.service.config.ConfigResult;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A sidecar's handler on one event loop, whose caller and agent are fakes without sockets: the same
 * exchange many times, for what it allocates and takes.
 */
final class ExchangeLoop implements AutoCloseable {
  private final ReviewQueue review;
  private final DecisionLog decisions;
  private final SidecarMetrics metrics = new SidecarMetrics("test");
  private final SidecarHandler handler;
  private final NobodyWaits caller;
  private byte[] answer = {};
  private String answerType = "";

  /**
   * A handler.
   *
   * @param settings beside a node, listeners and nothing else
   */
  ExchangeLoop(Path folder, EventLoop loop, String settings) throws IOException {
    this(folder, loop, settings, Optional.empty());
  }

  /** The same with spans. */
  ExchangeLoop(Path folder, EventLoop loop, String settings, Optional<Tracer> tracer)
      throws IOException {
    this(
        folder,
        loop,
        config(folder, "inbound: { listen: \"127.0.0.1:0\", agent: \"127.0.0.1:9\" }\n" + settings),
        Direction.INBOUND,
        MessageChecks.ORDER,
        tracer,
        Optional.empty());
  }

  /**
   * A handler of either direction.
   *
   * @param next the sidecar opposite; empty: the agent is asked
   */
  ExchangeLoop(
      Path folder,
      EventLoop loop,
      SidecarConfig config,
      Direction direction,
      Check.Order checks,
      Optional<Tracer> tracer,
      Optional<ExchangeLoop> next)
      throws IOException {
    caller = new NobodyWaits(loop);
    review =
        ReviewQueue.open(folder.resolve("review"), ReviewLimits.DEFAULT, System::currentTimeMillis);
    decisions = DecisionLog.open(folder, DecisionLog.Settings.DEFAULT);
    handler =
        new SidecarHandler(
            new Services(
                new Gate(
                    new FlowBudgets(16),
                    () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                    "test",
                    Cores.NONE,
                    Gate.PeerResolver.NONE),
                Rounds.NONE,
                Pacts.NONE,
                Lexicons.NONE,
                new RelayedTexts(),
                Optional.empty(),
                HeldBytes.ofHeap(),
                review,
                Optional.empty(),
                decisions,
                metrics,
                tracer,
                checks,
                (_, _, request, _, _, receiver) -> {
                  if (next.isPresent()) {
                    return next.get().relayed(loop, request, receiver);
                  }
                  request.body().release();
                  return answered(receiver);
                },
                ByteBufAllocator.DEFAULT,
                () -> config,
                System::currentTimeMillis),
            direction);
  }

  /** A configuration, beside a node and an admin listener. */
  static SidecarConfig config(Path folder, String settings) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve("parlance.yaml");
    Files.writeString(
        file,
        """
        version: 1
        node: test
        admin:
          listen: 127.0.0.1:0
        """
            + settings);
    if (ConfigLoader.load(file) instanceof ConfigResult.Loaded(SidecarConfig config)) {
      return config;
    }
    throw new AssertionError(ConfigLoader.load(file).toString());
  }

  /** Runs the same exchange so often; on the loop. */
  void run(String path, String type, byte[] request, byte[] reply, int times) {
    answers(type, reply);
    for (int i = 0; i < times; i++) {
      HttpHeaders headers = new DefaultHttpHeaders();
      headers.set("Content-Type", type);
      handler.onRequest(
          caller,
          new WholeRequest(HttpMethod.POST, path, "127.0.0.1:9", false, headers, direct(request)));
    }
  }

  /** What the agent says from now on. */
  void answers(String type, byte[] reply) {
    answerType = type;
    answer = reply;
  }

  /** What the metrics say. */
  String scrape() {
    return metrics.scrape();
  }

  /** A request of the sidecar opposite. */
  private OriginCall relayed(EventLoop loop, WholeRequest request, OriginReceiver receiver) {
    handler.onRequest(new Opposite(loop, receiver), request);
    return NOTHING_TO_STOP;
  }

  /** Answers of the agent that came with a verdict. */
  int judged() {
    return caller.judged;
  }

  /** Answers of the agent. */
  int answered() {
    return caller.answered;
  }

  @Override
  public void close() throws IOException {
    review.close();
    decisions.close();
  }

  private OriginCall answered(OriginReceiver receiver) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", answerType);
    give(new WholeResponse(200, headers, direct(answer)), receiver);
    return NOTHING_TO_STOP;
  }

  private static void give(WholeResponse answer, OriginReceiver receiver) {
    Optional<OriginReceiver.BodySink> pieces =
        receiver.onHead(answer.status(), answer.headers(), answer.body().readableBytes());
    if (pieces.isPresent()) {
      pieces.get().piece(answer.body());
      pieces.get().end(new DefaultHttpHeaders());
    } else {
      receiver.done(new OriginResult.Answered(answer));
    }
  }

  private static final OriginCall NOTHING_TO_STOP =
      new OriginCall() {
        @Override
        public void cancel() {}

        @Override
        public void pauseReading() {}

        @Override
        public void resumeReading() {}
      };

  private static ByteBuf direct(byte[] bytes) {
    return ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
  }

  /** The sidecar opposite, without a socket between. */
  private record Opposite(EventLoop loop, OriginReceiver receiver) implements UnwiredCall {
    @Override
    public String peer() {
      return "192.0.2.2";
    }

    @Override
    public void respond(WholeResponse response, boolean close) {
      give(response, receiver);
    }
  }

  /** A caller without a socket, who counts the answers that come with a verdict. */
  private static final class NobodyWaits implements UnwiredCall {
    private final EventLoop loop;
    private int judged;
    private int answered;

    NobodyWaits(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    public EventLoop loop() {
      return loop;
    }

    @Override
    public void respond(WholeResponse response, boolean close) {
      if (response.status() == 200 && response.headers().contains("Parlance-Decision")) {
        judged++;
      }
      answered += response.status() == 200 ? 1 : 0;
      response.body().release();
    }
  }
}
