package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.parlance.proxy.gate.AnswerSchemas;
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
import dev.parlance.relay.api.ExchangeHandler;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * An exchange with scripted pacts, origin and caller, for tests of what a pact does to messages.
 */
abstract class PactScene {
  static final String HASH = "ab".repeat(32);
  static final String NAMED = "p-1;" + HASH;
  static final String CODE = "0123456789abcdef".repeat(2);
  static final String REQUIRED = "pact: required\n    peer: bob";

  @TempDir Path folder = Path.of("");
  final EventLoop loop = new DefaultEventLoop();
  final List<WholeRequest> asked = new ArrayList<>();
  final List<String> bodies = new ArrayList<>();
  final FakePacts pacts = new FakePacts();
  String answerFields = NAMED;

  /** For how long the other side says to have been there. */
  String up = "3600000;" + CODE;

  Cores cores = Cores.NONE;
  Rounds rounds = Rounds.NONE;

  /** For the first answers, before {@link #answerFields} holds. */
  final List<String> firstFields = new ArrayList<>();

  Runnable whileAsked = () -> {};
  String data = "{\"name\":\"x\"}";
  List<String> answers = new ArrayList<>(List.of("hello back"));
  String method = "SendMessage";

  /** Of the answers that arrive whole; 204 for one without a body. */
  int status = 200;

  /** Answers that are streams of such events; none for answers that arrive whole. */
  final List<List<String>> events = new ArrayList<>();

  String streamType = "text/event-stream";
  final HttpHeaders trailers = new DefaultHttpHeaders();

  /** How many events had come when the caller got its first bytes. */
  int begunAfter = -1;

  int come;

  /** Called before each event. */
  Runnable betweenEvents = () -> {};

  @AfterEach
  void stop() {
    assertThat(loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5_000))
        .isTrue();
  }

  // ---- helpers ----

  String decisions() throws IOException {
    return Files.readString(folder.resolve("decisions.jsonl"));
  }

  Reply ask(Direction direction, String route) throws Exception {
    return ask(direction, route, "");
  }

  Reply ask(Direction direction, String route, String pact) throws Exception {
    return ask(direction, route, pact, "{}");
  }

  Reply ask(Direction direction, String route, String pact, String settings) throws Exception {
    Reply reply = new Reply();
    run(direction, route, reply, request(message(), pact, "application/json"), settings);
    return reply;
  }

  String message() {
    return """
    {"jsonrpc":"2.0","id":1,"method":"%s","params":{"message":{"messageId":"m-1",\
    "role":"ROLE_USER","parts":[{"text":"hello there"},{"data":%s}]}}}\
    """
        .formatted(method, data);
  }

  static WholeRequest request(String body, String pact, String type) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", type).set("A2A-Version", "1.0");
    if (!pact.isEmpty()) {
      headers.set("Parlance-Pact", pact).set("Parlance-Pact-Proof", "0;1;" + CODE);
    }
    return new WholeRequest(
        HttpMethod.POST,
        "/a2a",
        "agent.example:8080",
        false,
        headers,
        Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
  }

  void run(Direction direction, String route, Reply reply, WholeRequest request)
      throws IOException {
    run(direction, route, reply, request, "{}");
  }

  void run(Direction direction, String route, Reply reply, WholeRequest request, String settings)
      throws IOException {
    pacts.held.initiator = (direction == Direction.OUTBOUND) != pacts.pushes;
    handling(
        direction,
        ConfigForTests.withPacts(folder, route, settings),
        handler -> {
          Call call = new Call(loop, reply, () -> begunAfter = come);
          loop.execute(() -> handler.onRequest(call, request));
          assertThat(call.over).succeedsWithin(60, TimeUnit.SECONDS);
          // What follows for the pact follows the reply.
          assertThat(loop.submit(() -> {}).awaitUninterruptibly(60_000)).isTrue();
        });
  }

  /** What becomes of a CONNECT of the local agent to a host of {@code outbound.tunnels}. */
  String connect(String settings) throws IOException {
    List<ExchangeHandler.Tunnel> tunnels = new ArrayList<>();
    handling(
        Direction.OUTBOUND,
        ConfigForTests.withPacts(folder, REQUIRED, settings),
        handler -> tunnels.add(handler.onConnect("api.example:443")));
    return switch (tunnels.getFirst()) {
      case ExchangeHandler.Tunnel.Open _ -> "open";
      case ExchangeHandler.Tunnel.Refused refused -> refused.rejection().code();
    };
  }

  private void handling(Direction direction, SidecarConfig config, Consumer<SidecarHandler> then)
      throws IOException {
    try (ReviewQueue review =
            ReviewQueue.open(
                folder.resolve("review"), ReviewLimits.DEFAULT, System::currentTimeMillis);
        DecisionLog decisions = DecisionLog.open(folder, DecisionLog.Settings.DEFAULT)) {
      SidecarHandler handler =
          new SidecarHandler(
              new Services(
                  new Gate(
                      new FlowBudgets(16),
                      () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                      "test",
                      cores,
                      Gate.PeerResolver.NONE),
                  rounds,
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
                    asked.add(sent);
                    bodies.add(sent.body().toString(StandardCharsets.UTF_8));
                    sent.body().release();
                    whileAsked.run();
                    if (events.isEmpty()) {
                      receiver.done(new OriginResult.Answered(answer()));
                    } else {
                      stream(
                          receiver, events.size() > 1 ? events.removeFirst() : events.getFirst());
                    }
                    return NO_CALL;
                  },
                  ByteBufAllocator.DEFAULT,
                  () -> config,
                  System::currentTimeMillis),
              direction);
      then.accept(handler);
    }
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

  private void stream(OriginReceiver receiver, List<String> all) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", streamType);
    String fields = firstFields.isEmpty() ? answerFields : firstFields.removeFirst();
    if (!fields.isEmpty()) {
      headers
          .set("Parlance-Pact", fields)
          .set("Parlance-Pact-Proof", CODE)
          .set("Parlance-Pact-Up", up);
    }
    come = 0;
    Optional<OriginReceiver.BodySink> sink = receiver.onHead(200, headers);
    if (sink.isEmpty()) {
      ByteBuf whole = Unpooled.copiedBuffer(String.join("", all), StandardCharsets.UTF_8);
      receiver.done(new OriginResult.Answered(new WholeResponse(200, headers, whole)));
      return;
    }
    for (String event : all) {
      come++;
      betweenEvents.run();
      sink.get().piece(Unpooled.copiedBuffer(event, StandardCharsets.UTF_8));
    }
    sink.get().end(trailers.copy().set("Parlance-Pact-Proof", CODE));
  }

  WholeResponse answer() {
    String text = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", "application/json");
    String fields = firstFields.isEmpty() ? answerFields : firstFields.removeFirst();
    if (!fields.isEmpty()) {
      headers
          .set("Parlance-Pact", fields)
          .set("Parlance-Pact-Proof", CODE)
          .set("Parlance-Pact-Up", up);
    }
    if (status == 204) {
      return new WholeResponse(status, headers, Unpooled.EMPTY_BUFFER);
    }
    return new WholeResponse(
        status,
        headers,
        Unpooled.copiedBuffer(
            """
            {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m-2","role":"ROLE_AGENT",\
            "parts":[{"text":"%s"}]}}}\
            """
                .formatted(text),
            StandardCharsets.UTF_8));
  }

  /** What the caller got. */
  static final class Reply {
    int status;
    String route = "";
    String reason = "";
    String pact = "";
    String proof = "";
    String body = "";

    /** True if a stream came to its end in order. */
    boolean ended;
  }

  private static final class Call implements UnwiredCall {
    private final EventLoop loop;
    private final Reply reply;
    private final Runnable begun;
    final CompletableFuture<Boolean> over = new CompletableFuture<>();

    Call(EventLoop loop, Reply reply, Runnable begun) {
      this.loop = loop;
      this.reply = reply;
      this.begun = begun;
    }

    @Override
    public EventLoop loop() {
      return loop;
    }

    @Override
    public void respond(WholeResponse response, boolean close) {
      reply.status = response.status();
      reply.route = response.headers().get("Parlance-Route", "");
      reply.reason = response.headers().get("Parlance-Reason", "");
      reply.pact = response.headers().get("Parlance-Pact", "");
      reply.proof = response.headers().get("Parlance-Pact-Proof", "");
      reply.body = new String(ByteBufUtil.getBytes(response.body()), StandardCharsets.UTF_8);
      response.body().release();
      over.complete(true);
    }

    @Override
    public ResponseStream begin(int status, HttpHeaders headers) {
      reply.status = status;
      reply.pact = headers.get("Parlance-Pact", "");
      begun.run();
      return new ResponseStream() {
        @Override
        public void write(ByteBuf piece) {
          reply.body += piece.toString(StandardCharsets.UTF_8);
          piece.release();
        }

        @Override
        public void end(HttpHeaders trailers) {
          reply.reason = trailers.get("Parlance-Reason", "");
          reply.route = trailers.get("Parlance-Route", "");
          reply.ended = true;
          over.complete(true);
        }

        @Override
        public void abort() {
          over.complete(true);
        }

        @Override
        public boolean isWritable() {
          return true;
        }

        @Override
        public void onWritable(Runnable action) {}
      };
    }
  }

  static final class FakeHeld implements Pacts.Held {
    Pacts.Standing standing = Pacts.Standing.ACTIVE;
    List<Predicate> predicates =
        List.of(
            new Predicate("hosts", "action", "hosts=kb.example"),
            new Predicate("scope", "scope", "fields=name"),
            new Predicate("size", "output", "max_kb=2"));
    final List<PactCheck.Result> observed = new ArrayList<>();
    boolean confirmed;
    String code = CODE;
    boolean seen = true;
    Pacts.Arrival arrival = Pacts.Arrival.FRESH;
    boolean initiator = true;
    int messages;
    long bytes;
    private long number;
    private final String id;
    private final String peer;

    FakeHeld(String id) {
      this(id, "bob");
    }

    FakeHeld(String id, String peer) {
      this.id = id;
      this.peer = peer;
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public String sha256() {
      return HASH;
    }

    @Override
    public String named() {
      return id + ";" + HASH;
    }

    @Override
    public String peer() {
      return peer;
    }

    @Override
    public boolean isInitiator() {
      return initiator;
    }

    @Override
    public Pacts.Standing standing() {
      return standing;
    }

    @Override
    public PactCheck check() {
      return new PactCheck(predicates);
    }

    @Override
    public Optional<String> signature() {
      return confirmed ? Optional.empty() : Optional.of("c2ln");
    }

    @Override
    public void confirmed() {
      confirmed = true;
    }

    @Override
    public boolean isSeenAt(Object place) {
      return seen;
    }

    @Override
    public void lostAt(Object place) {
      seen = false;
    }

    @Override
    public boolean isBound() {
      return true;
    }

    @Override
    public Stamp next() {
      return new Stamp(0, ++number);
    }

    @Override
    public Pacts.Arrival arrived(Stamp stamp) {
      return arrival;
    }

    @Override
    public Stamp expected() {
      return new Stamp(0, 1);
    }

    @Override
    public void resume(Stamp expected) {}

    @Override
    public boolean isRefused(String reason, String proof, String signature) {
      return proof.equals("0;" + number + ";" + CODE) && signature.equals(code);
    }

    @Override
    public String tag(
        Part part, Stamp request, int status, byte[] bodySha256, String line, String type) {
      return CODE;
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
      return text.substring(from).equals(code);
    }

    @Override
    public void count(PactTerms.Leg leg, long number, long size, Pacts.Counted into) {
      messages++;
      countMore(size, into);
    }

    @Override
    public void countMore(long size, Pacts.Counted into) {
      bytes += size;
      into.set(messages, bytes, 1);
    }

    @Override
    public void observed(boolean own, PactCheck.Result result) {
      observed.add(result);
    }
  }

  static final class FakePacts implements Pacts {
    final FakeHeld held = new FakeHeld("p-1");

    /** Before {@link #outcome}. */
    final List<Outcome> next = new ArrayList<>();

    final List<String> obtained = new ArrayList<>();
    final List<String> ended = new ArrayList<>();
    Outcome outcome = new Outcome.Agreed(held);
    AnswerSchemas schemas = AnswerSchemas.NONE;
    boolean holding;

    /** True if what is sent tells of a task, to who has asked for the pact. */
    boolean pushes;

    /** Task that was begun under a pact. */
    String task = "";

    FakeHeld taskOf = held;

    boolean working;
    int forgotten;
    int works;
    int done;

    @Override
    public Optional<Held> with(String peer) {
      return holding ? Optional.of(held) : Optional.empty();
    }

    @Override
    public Optional<Held> of(String id) {
      return id.equals("p-1") ? Optional.of(held) : Optional.empty();
    }

    @Override
    public List<Held> works(String flow) {
      return working ? List.of(held) : List.of();
    }

    @Override
    public boolean isAtWork() {
      return working;
    }

    @Override
    public Optional<Held> ofTask(String id) {
      return id.equals(task) ? Optional.of(taskOf) : Optional.empty();
    }

    @Override
    public void working(Held pact, String flow) {
      works++;
    }

    @Override
    public void done(Held pact, String flow) {
      done++;
    }

    @Override
    public CompletableFuture<Outcome> obtain(String peer, Channel channel) {
      obtained.add(peer);
      return CompletableFuture.completedFuture(next.isEmpty() ? outcome : next.removeFirst());
    }

    @Override
    public CompletableFuture<Outcome> show(Held pact, Channel channel) {
      return CompletableFuture.completedFuture(outcome);
    }

    @Override
    public CompletableFuture<Outcome> admit(Named named) {
      return CompletableFuture.completedFuture(outcome);
    }

    @Override
    public Optional<String> refuse(String pact, String reason, String proof) {
      return Optional.of("signed " + pact + " " + reason + " " + proof);
    }

    @Override
    public AnswerSchemas schemas() {
      return schemas;
    }

    @Override
    public CompletableFuture<byte[]> negotiate(byte[] body) {
      return CompletableFuture.completedFuture(
          "{\"messages\":[]}".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void forget(Held pact) {
      forgotten++;
    }

    @Override
    public void end(Held pact, Ending reason, Optional<String> responsible) {
      ended.add(reason.code() + responsible.map(who -> " by " + who).orElse(""));
    }

    @Override
    public int active() {
      return 1;
    }
  }
}
