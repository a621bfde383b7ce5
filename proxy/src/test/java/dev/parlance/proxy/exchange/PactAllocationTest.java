package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactMac;
import dev.parlance.ledger.pact.PactMac.Part;
import dev.parlance.ledger.pact.PactMac.Stamp;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.ConfigForTests;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.Digests;
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
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a pact adds to the garbage of an exchange under it: naming it, and no second scan. */
class PactAllocationTest {
  private static final String HASH = "ab".repeat(32);
  private static final String NAMED = "p-1;" + HASH;
  private static final String JSON = "application/json";
  private static final Stamp FIRST = new Stamp(0, 1);
  private static final PactMac ALICE = mac("alice", "bob", true);
  private static final PactMac BOB = mac("bob", "alice", false);
  private static final int TRIES = 2;
  private static final int EXCHANGES = 400;

  /**
   * Most that is added for a request and its answer: who names the pact and proves them, and that
   * it was kept; with the names of its header fields. It is some 1,550, and depends a little on
   * what the compiler has seen.
   */
  private static final long MOST_ADDED = 1_800;

  private static final int TEXT_BYTES = 20_000;

  private static final String REQUEST =
      """
      {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
      "role":"ROLE_USER","parts":[{"text":"hello %s"},{"data":{"name":"x"}}]}}}\
      """
          .formatted("there ".repeat(TEXT_BYTES / 6));

  private static final String ANSWER =
      """
      {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m-2","role":"ROLE_AGENT",\
      "parts":[{"text":"%s"},{"data":{"name":"y"}}]}}}\
      """
          .formatted("hello back ".repeat(TEXT_BYTES / 11));

  private static final String ASKED =
      "0;1;" + BOB.tag(Part.REQUEST, FIRST, 0, sha256(REQUEST), "POST", JSON);
  private static final String ANSWERED = BOB.tag(Part.ANSWER, FIRST, 200, sha256(ANSWER), "", JSON);

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path folder = Path.of("");
  private final EventLoop loop = new DefaultEventLoop();

  private static PactMac mac(String own, String peer, boolean initiator) {
    return PactMac.of(key(own), key(peer).verifier(), HASH, initiator).orElseThrow();
  }

  private static SignerKey key(String name) {
    byte[] seed = new byte[32];
    Arrays.fill(seed, (byte) name.length());
    return SignerKey.fromSeed(name, KeyType.ED25519, seed);
  }

  private static byte[] sha256(String body) {
    return Digests.sha256(Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
  }

  @AfterEach
  void stop() {
    assertThat(loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5_000))
        .isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aPact_addsTheSameToAnExchange_howeverLargeItsBodiesAre(Direction direction)
      throws Exception {
    long without = bytesEach(direction, "pact: off", new HeldPacts(direction), "off");
    HeldPacts pacts = new HeldPacts(direction);
    long with = bytesEach(direction, "pact: required\n    peer: bob", pacts, "on");
    assertThat(pacts.messages).isEqualTo(2L * TRIES * EXCHANGES);
    assertThat(with - without).as("%s: %d and %d", direction, without, with).isLessThan(MOST_ADDED);
  }

  /** The least of some tries. */
  private long bytesEach(Direction direction, String route, HeldPacts pacts, String name)
      throws IOException {
    SidecarConfig config = ConfigForTests.withPacts(folder, route);
    try (ReviewQueue review =
            ReviewQueue.open(
                folder.resolve("review-" + name), ReviewLimits.DEFAULT, System::currentTimeMillis);
        DecisionLog decisions =
            DecisionLog.open(folder.resolve(name), DecisionLog.Settings.DEFAULT)) {
      SidecarHandler handler =
          new SidecarHandler(
              new Services(
                  new Gate(
                      new FlowBudgets(16),
                      () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                      "test",
                      Cores.NONE,
                      Gate.PeerResolver.NONE),
                  Rounds.NONE,
                  pacts,
                  Lexicons.NONE,
                  new RelayedTexts(),
                  Optional.empty(),
                  HeldBytes.ofHeap(),
                  review,
                  Optional.empty(),
                  decisions,
                  new SidecarMetrics("test"),
                  Optional.empty(),
                  MessageChecks.ORDER,
                  (_, _, sent, _, _, receiver) -> {
                    sent.body().release();
                    receiver.done(new OriginResult.Answered(answer(direction)));
                    return NO_CALL;
                  },
                  ByteBufAllocator.DEFAULT,
                  () -> config,
                  System::currentTimeMillis),
              direction);
      Caller caller = new Caller(loop);
      long least = Long.MAX_VALUE;
      for (int attempt = 0; attempt < TRIES; attempt++) {
        least =
            Math.min(
                least,
                CompletableFuture.supplyAsync(() -> run(handler, caller, direction), loop)
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join());
      }
      assertThat(caller.answered).isEqualTo(TRIES * EXCHANGES);
      return least;
    }
  }

  private static long run(SidecarHandler handler, Caller caller, Direction direction) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < EXCHANGES; i++) {
      handler.onRequest(
          caller,
          new WholeRequest(
              HttpMethod.POST,
              "/a2a",
              "agent.example:8080",
              false,
              headers(direction == Direction.INBOUND, ASKED).set("A2A-Version", "1.0"),
              Unpooled.copiedBuffer(REQUEST, StandardCharsets.UTF_8)));
    }
    return (THREADS.getCurrentThreadAllocatedBytes() - before) / EXCHANGES;
  }

  private static WholeResponse answer(Direction direction) {
    return new WholeResponse(
        200,
        headers(direction == Direction.OUTBOUND, ANSWERED),
        Unpooled.copiedBuffer(ANSWER, StandardCharsets.UTF_8));
  }

  private static HttpHeaders headers(boolean named, String proof) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", JSON);
    return named ? headers.set("Parlance-Pact", NAMED).set("Parlance-Pact-Proof", proof) : headers;
  }

  private static final OriginCall NO_CALL =
      new OriginCall() {
        @Override
        public void cancel() {}

        @Override
        public void pauseReading() {}

        @Override
        public void resumeReading() {}
      };

  /** A caller without a socket, who counts the answers. */
  private static final class Caller implements UnwiredCall {
    private final EventLoop loop;
    private int answered;

    Caller(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    public EventLoop loop() {
      return loop;
    }

    @Override
    public void respond(WholeResponse response, boolean close) {
      answered += response.status() == 200 ? 1 : 0;
      response.body().release();
    }
  }

  /** One pact, that holds. */
  private static final class HeldPacts implements Pacts, Pacts.Held {
    private final Direction direction;
    private final Optional<Held> itself = Optional.of(this);
    private final PactCheck check =
        new PactCheck(
            List.of(
                new Predicate("scope", "scope", "fields=name;max_request_kb=64"),
                new Predicate("size", "output", "max_kb=64;format=json"),
                new Predicate("all", "termination", "max_messages=1000000")));
    private long messages;

    HeldPacts(Direction direction) {
      this.direction = direction;
    }

    @Override
    public String id() {
      return "p-1";
    }

    @Override
    public String sha256() {
      return HASH;
    }

    @Override
    public String named() {
      return NAMED;
    }

    @Override
    public String peer() {
      return "bob";
    }

    @Override
    public boolean isInitiator() {
      return direction == Direction.OUTBOUND;
    }

    @Override
    public Standing standing() {
      return Standing.ACTIVE;
    }

    @Override
    public PactCheck check() {
      return check;
    }

    @Override
    public Optional<String> signature() {
      return Optional.empty();
    }

    @Override
    public void confirmed() {}

    @Override
    public boolean isSeenAt(Object place) {
      return true;
    }

    @Override
    public void lostAt(Object place) {}

    @Override
    public boolean isBound() {
      return true;
    }

    @Override
    public Stamp next() {
      return FIRST;
    }

    @Override
    public Arrival arrived(Stamp stamp) {
      return Arrival.FRESH;
    }

    @Override
    public Stamp expected() {
      return new Stamp(0, 1);
    }

    @Override
    public void resume(Stamp expected) {}

    @Override
    public boolean isRefused(String code, String proof, String signature) {
      return false;
    }

    @Override
    public String tag(
        Part part, Stamp request, int status, byte[] bodySha256, String line, String type) {
      return ALICE.tag(part, request, status, bodySha256, line, type);
    }

    @Override
    public boolean isPeers(
        String text,
        int from,
        Part part,
        Stamp request,
        int status,
        byte[] bodySha256,
        String line,
        String type) {
      return ALICE.isPeers(text, from, part, request, status, bodySha256, line, type);
    }

    @Override
    public void count(PactTerms.Leg leg, long number, long bytes, Counted into) {
      into.set(++messages, bytes, 1);
    }

    @Override
    public void countMore(long bytes, Counted into) {
      throw new AssertionError("nothing is streamed here");
    }

    @Override
    public void observed(boolean own, PactCheck.Result result) {
      if (result.action() != PactCheck.Action.PASS) {
        throw new AssertionError(result.toString());
      }
    }

    @Override
    public Optional<Held> with(String peer) {
      return itself;
    }

    @Override
    public Optional<Held> of(String id) {
      return itself;
    }

    @Override
    public List<Held> works(String flow) {
      return List.of();
    }

    @Override
    public void working(Held pact, String flow) {}

    @Override
    public void done(Held pact, String flow) {}

    @Override
    public CompletableFuture<Outcome> obtain(String peer, Channel channel) {
      throw new AssertionError("there is one");
    }

    @Override
    public CompletableFuture<Outcome> admit(Named named) {
      throw new AssertionError("it is known");
    }

    @Override
    public CompletableFuture<byte[]> negotiate(byte[] body) {
      throw new AssertionError("nothing is negotiated");
    }

    @Override
    public void forget(Held pact) {
      throw new AssertionError("nothing ends");
    }

    @Override
    public void end(Held pact, Ending reason, Optional<String> responsible) {
      throw new AssertionError("nothing ends");
    }

    @Override
    public int active() {
      return 1;
    }
  }
}
