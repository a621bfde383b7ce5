package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.proxy.audit.DecisionLog;
import dev.parlance.proxy.config.ConfigForTests;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.FlowBudgets;
import dev.parlance.proxy.gate.Gate;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.proxy.gate.RelayedTexts;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewLimits;
import dev.parlance.proxy.review.ReviewQueue;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the stage of pacts lets pass, refuses, ends and asks again; with scripted pacts. */
class PactStageTest {
  private static final String HASH = "ab".repeat(32);
  private static final String NAMED = "p-1;" + HASH;
  private static final String REQUIRED = "pact: required\n    peer: bob";

  @TempDir Path folder = Path.of("");
  private final EventLoop loop = new DefaultEventLoop();
  private final List<WholeRequest> asked = new ArrayList<>();
  private final List<String> bodies = new ArrayList<>();
  private final FakePacts pacts = new FakePacts();
  private String answerFields = NAMED;

  /** For the first answers, before {@link #answerFields} holds. */
  private final List<String> firstFields = new ArrayList<>();

  private Runnable whileAsked = () -> {};
  private String data = "{\"name\":\"x\"}";
  private List<String> answers = new ArrayList<>(List.of("hello back"));

  @AfterEach
  void stop() {
    assertThat(loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5_000))
        .isTrue();
  }

  @Test
  void outbound_negotiatesFirst_thenNamesThePact() throws Exception {
    Reply reply = ask(Direction.OUTBOUND, REQUIRED);
    assertThat(reply.status).isEqualTo(200);
    assertThat(pacts.obtained).containsExactly("bob");
    assertThat(asked).hasSize(1);
    assertThat(asked.getFirst().headers().get("Parlance-Pact")).isEqualTo(NAMED);
    assertThat(asked.getFirst().headers().get("Parlance-Pact-Signature")).isEqualTo("c2ln");
    assertThat(pacts.held.confirmed).isTrue();
    assertThat(pacts.held.messages).isEqualTo(2);
  }

  @Test
  void outbound_withoutAPactOrASidecarOpposite_isNotDelivered() throws Exception {
    pacts.outcome = new Pacts.Outcome.NoPeer("nobody negotiates");
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_no_peer");
    pacts.outcome = new Pacts.Outcome.Refused("TEMPLATE_UNKNOWN", "t@1");
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_required");
    pacts.outcome = new Pacts.Outcome.Unavailable("late");
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_unavailable");
    assertThat(asked).isEmpty();
  }

  @Test
  void fieldOutsideTheScope_ofTheOtherSide_stops_andEndsThePact() throws Exception {
    data = "{\"name\":\"x\",\"salary\":1}";
    Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.reason).isEqualTo("pact_scope");
    assertThat(reply.body).contains("pact p-1, clause scope fields");
    assertThat(asked).isEmpty();
    assertThat(pacts.ended).containsExactly("violated by bob");
    assertThat(decisions())
        .contains(
            "\"pact\":{\"id\":\"p-1\",\"result\":\"pact_scope\","
                + "\"detail\":\"pact p-1, clause scope fields");
  }

  @Test
  void fieldOutsideTheScope_ofTheLocalAgent_stops_beforeAnythingIsBroken() throws Exception {
    data = "{\"name\":\"x\",\"salary\":1}";
    Reply reply = ask(Direction.OUTBOUND, REQUIRED);
    assertThat(reply.reason).isEqualTo("pact_scope");
    assertThat(reply.body).contains("pact p-1, clause scope fields");
    assertThat(asked).isEmpty();
    assertThat(pacts.ended).isEmpty();
  }

  @Test
  void answerUnderNoOrAnotherPact_isNotDelivered() throws Exception {
    answerFields = "";
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_hash_differs");
    answerFields = "p-1;" + "cd".repeat(32);
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_hash_differs");
    answerFields = "p-1;refused=pact_unknown";
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_unknown");
    assertThat(pacts.forgotten).isEqualTo(1);
  }

  @Test
  void aRequestRefusedForItsPact_goesOnceMore_underAnother() throws Exception {
    for (String code : List.of("pact_unknown", "pact_ended")) {
      asked.clear();
      bodies.clear();
      firstFields.add("p-1;refused=" + code);
      answerFields = "p-2;" + HASH;
      pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-1")));
      pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-2")));
      Reply reply = ask(Direction.OUTBOUND, REQUIRED);
      assertThat(reply.status).isEqualTo(200);
      assertThat(reply.body).contains("hello back");
      assertThat(asked)
          .extracting(one -> one.headers().get("Parlance-Pact"))
          .containsExactly(NAMED, "p-2;" + HASH);
      assertThat(bodies.getFirst()).contains("hello there").isEqualTo(bodies.getLast());
      assertThat(decisions())
          .contains("\"reasons\":[\"" + code + "\"]")
          .contains("\"action\":\"send_again\"")
          .contains("\"pact\":{\"id\":\"p-2\",\"result\":\"kept\"");
    }
    assertThat(pacts.forgotten).isEqualTo(2);
    assertThat(pacts.obtained).hasSize(4);
  }

  @Test
  void aRequestThatIsSentAgain_isWithoutItsCoding_andSaysTheSame() throws Exception {
    firstFields.add("p-1;refused=pact_unknown");
    answerFields = "p-2;" + HASH;
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-1")));
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-2")));
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(coded)) {
      out.write(message().getBytes(StandardCharsets.UTF_8));
    }
    WholeRequest request = request("", "", "application/json");
    request.headers().set("Content-Encoding", "gzip").set("Content-MD5", "of the coded bytes");
    request.body().release();
    Reply reply = new Reply();
    run(
        Direction.OUTBOUND,
        REQUIRED + "\n    metadata: false",
        reply,
        new WholeRequest(
            request.method(),
            request.target(),
            request.authority(),
            false,
            request.headers(),
            Unpooled.wrappedBuffer(coded.toByteArray())));
    assertThat(reply.status).isEqualTo(200);
    assertThat(bodies.getLast()).isEqualTo(message());
    assertThat(asked.getFirst().headers().contains("Content-Encoding")).isTrue();
    assertThat(asked.getLast().headers().contains("Content-Encoding")).isFalse();
    assertThat(asked.getLast().headers().contains("Content-MD5")).isFalse();
  }

  @Test
  void aRequestGoesOnceMore_andNeverTwice() throws Exception {
    firstFields.add("p-1;refused=pact_unknown");
    answerFields = "p-2;refused=pact_unknown";
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-1")));
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-2")));
    assertThat(ask(Direction.OUTBOUND, REQUIRED).reason).isEqualTo("pact_unknown");
    assertThat(asked).hasSize(2);
    assertThat(pacts.forgotten).isEqualTo(2);
  }

  @Test
  void aRefusalThatIsNotOfThisPact_orAfterTheAgentHadTheRequest_bringsNoSecondOne()
      throws Exception {
    for (String fields :
        List.of(
            "p-9;refused=pact_unknown",
            "p-1;refused=pact_ended;delivered",
            "p-1;refused=pact_scope",
            "p-1;refused=pact_unknown;",
            "p-1;refused=")) {
      asked.clear();
      answerFields = fields;
      Reply reply = ask(Direction.OUTBOUND, REQUIRED);
      assertThat(reply.reason).as(fields).startsWith("pact_");
      assertThat(asked).as(fields).hasSize(1);
    }
  }

  @Test
  void whereNoOtherPactIsMade_aRefusedRequestStaysRefused() throws Exception {
    firstFields.add("p-1;refused=pact_unknown");
    pacts.next.add(new Pacts.Outcome.Agreed(new FakeHeld("p-1")));
    pacts.next.add(new Pacts.Outcome.NoPeer("nobody negotiates"));
    assertThat(ask(Direction.OUTBOUND, REQUIRED, "", "{ onNoPeer: pass }").reason)
        .isEqualTo("pact_no_peer");
    assertThat(asked).hasSize(1);
  }

  @Test
  void aBodyThatDoesNotFitAmongThoseHeld_isNotHeld() throws Exception {
    pacts.holding = true;
    answerFields = "p-1;refused=pact_unknown";
    assertThat(ask(Direction.OUTBOUND, REQUIRED, "", "{ heldBytes: 1024 }").reason)
        .isEqualTo("pact_unknown");
    data = "{\"name\":\"" + "x".repeat(2_000) + "\"}";
    assertThat(ask(Direction.OUTBOUND, REQUIRED, "", "{ heldBytes: 1024 }").reason)
        .isEqualTo("pact_unavailable");
    assertThat(asked).hasSize(2);
  }

  @Test
  void aPactThatEndsWhileTheAgentWorks_refusesTheAnswer_andSaysThatItWasDelivered()
      throws Exception {
    whileAsked = () -> pacts.held.standing = Pacts.Standing.ENDED;
    Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.reason).isEqualTo("pact_ended");
    assertThat(reply.pact).isEqualTo("p-1;refused=pact_ended;delivered");
  }

  @Test
  void inbound_withoutAPact_neverReachesTheAgent() throws Exception {
    assertThat(ask(Direction.INBOUND, "pact: required").reason).isEqualTo("pact_required");
    pacts.outcome = new Pacts.Outcome.Refused("pact_unknown", "");
    Reply reply = ask(Direction.INBOUND, "pact: required", "p-9;" + HASH);
    assertThat(reply.reason).isEqualTo("pact_unknown");
    assertThat(reply.pact).isEqualTo("p-9;refused=pact_unknown");
    assertThat(asked).isEmpty();
  }

  @Test
  void inbound_underAPact_reachesTheAgentWithoutItsFields_andTheAnswerNamesIt() throws Exception {
    Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.status).isEqualTo(200);
    assertThat(reply.pact).isEqualTo(NAMED);
    assertThat(asked.getFirst().headers().contains("Parlance-Pact")).isFalse();
    assertThat(decisions()).contains("\"pact\":{\"id\":\"p-1\",\"result\":\"kept\"");
    assertThat(pacts.works).isEqualTo(1);
    assertThat(pacts.done).isEqualTo(1);
  }

  @Test
  void anotherHash_isRefused() throws Exception {
    assertThat(ask(Direction.INBOUND, "pact: required", "p-1;" + "cd".repeat(32)).reason)
        .isEqualTo("pact_hash_differs");
    assertThat(asked).isEmpty();
  }

  @Test
  void endedPact_coversNothing_andADisputedOneWaitsForAPerson() throws Exception {
    pacts.held.standing = Pacts.Standing.ENDED;
    assertThat(ask(Direction.INBOUND, "pact: required", NAMED).reason).isEqualTo("pact_ended");
    pacts.held.standing = Pacts.Standing.DISPUTED;
    Reply held = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(held.route).isEqualTo("yield");
    assertThat(held.reason).isEqualTo("pact_disputed");
    assertThat(held.pact).isEqualTo(NAMED);
    assertThat(asked).isEmpty();
  }

  @Test
  void oversizedAnswer_isAskedForAgain() throws Exception {
    answers = new ArrayList<>(List.of("x".repeat(3000), "short"));
    Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.status).isEqualTo(200);
    assertThat(reply.body).contains("short");
    assertThat(asked).hasSize(2);
    assertThat(bodies.getLast()).contains("clause size max_kb=2");
    assertThat(pacts.ended).isEmpty();
  }

  @Test
  void answersThatNeverKeepToIt_endInADispute() throws Exception {
    answers = new ArrayList<>(List.of("x".repeat(3000)));
    Reply reply = ask(Direction.INBOUND, "pact: required", NAMED);
    assertThat(reply.route).isEqualTo("yield");
    assertThat(reply.reason).isEqualTo("pact_output");
    assertThat(pacts.ended).containsExactly("dispute_escalated");
  }

  @Test
  void whatTheAgentCallsUnderAPact_isItsAction_onAnyRoute() throws Exception {
    pacts.working = true;
    Reply reply = ask(Direction.OUTBOUND, "pact: off");
    assertThat(reply.reason).isEqualTo("pact_action");
    assertThat(reply.body).contains("clause hosts hosts");
    assertThat(asked).isEmpty();
  }

  @Test
  void observing_nothingIsNegotiated_namedOrHeldBack() throws Exception {
    data = "{\"salary\":1}";
    pacts.holding = true;
    answerFields = "";
    Reply reply = ask(Direction.OUTBOUND, REQUIRED + "\n    mode: observe");
    assertThat(reply.status).isEqualTo(200);
    assertThat(asked.getFirst().headers().contains("Parlance-Pact")).isFalse();
    assertThat(pacts.obtained).isEmpty();
    assertThat(pacts.ended).isEmpty();
  }

  @Test
  void negotiation_neverReachesTheAgent() throws Exception {
    Reply reply = new Reply();
    WholeRequest request = request("{}", "", PactChannel.TYPE);
    run(Direction.INBOUND, "pact: required", reply, request);
    assertThat(reply.status).isEqualTo(200);
    assertThat(reply.body).isEqualTo("{\"messages\":[]}");
    assertThat(asked).isEmpty();
  }

  // ---- helpers ----

  private String decisions() throws IOException {
    return Files.readString(folder.resolve("decisions.jsonl"));
  }

  private Reply ask(Direction direction, String route) throws Exception {
    return ask(direction, route, "");
  }

  private Reply ask(Direction direction, String route, String pact) throws Exception {
    return ask(direction, route, pact, "{}");
  }

  private Reply ask(Direction direction, String route, String pact, String settings)
      throws Exception {
    Reply reply = new Reply();
    run(direction, route, reply, request(message(), pact, "application/json"), settings);
    return reply;
  }

  private String message() {
    return """
    {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
    "role":"ROLE_USER","parts":[{"text":"hello there"},{"data":%s}]}}}\
    """
        .formatted(data);
  }

  private static WholeRequest request(String body, String pact, String type) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", type).set("A2A-Version", "1.0");
    if (!pact.isEmpty()) {
      headers.set("Parlance-Pact", pact);
    }
    return new WholeRequest(
        HttpMethod.POST,
        "/a2a",
        "agent.example:8080",
        false,
        headers,
        Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
  }

  private void run(Direction direction, String route, Reply reply, WholeRequest request)
      throws IOException {
    run(direction, route, reply, request, "{}");
  }

  private void run(
      Direction direction, String route, Reply reply, WholeRequest request, String settings)
      throws IOException {
    SidecarConfig config = ConfigForTests.withPacts(folder, route, settings);
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
                      Cores.NONE,
                      Gate.PeerResolver.NONE),
                  Rounds.NONE,
                  pacts,
                  new RelayedTexts(),
                  Optional.empty(),
                  HeldBytes.ofHeap(),
                  review,
                  decisions,
                  new SidecarMetrics("test"),
                  (_, _, sent, _, _, receiver) -> {
                    asked.add(sent);
                    bodies.add(sent.body().toString(StandardCharsets.UTF_8));
                    sent.body().release();
                    whileAsked.run();
                    receiver.done(new OriginResult.Answered(answer()));
                    return NO_CALL;
                  },
                  ByteBufAllocator.DEFAULT,
                  () -> config,
                  System::currentTimeMillis),
              direction);
      Call call = new Call(loop, reply);
      loop.execute(() -> handler.onRequest(call, request));
      assertThat(call.over).succeedsWithin(10, TimeUnit.SECONDS);
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

  private WholeResponse answer() {
    String text = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set("Content-Type", "application/json");
    String fields = firstFields.isEmpty() ? answerFields : firstFields.removeFirst();
    if (!fields.isEmpty()) {
      headers.set("Parlance-Pact", fields);
    }
    return new WholeResponse(
        200,
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
  private static final class Reply {
    int status;
    String route = "";
    String reason = "";
    String pact = "";
    String body = "";
  }

  private static final class Call implements ServerCall {
    private final EventLoop loop;
    private final Reply reply;
    final CompletableFuture<Boolean> over = new CompletableFuture<>();

    Call(EventLoop loop, Reply reply) {
      this.loop = loop;
      this.reply = reply;
    }

    @Override
    public EventLoop loop() {
      return loop;
    }

    @Override
    public String peer() {
      return "192.0.2.1";
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void respond(WholeResponse response, boolean close) {
      reply.status = response.status();
      reply.route = response.headers().get("Parlance-Route", "");
      reply.reason = response.headers().get("Parlance-Reason", "");
      reply.pact = response.headers().get("Parlance-Pact", "");
      reply.body = new String(ByteBufUtil.getBytes(response.body()), StandardCharsets.UTF_8);
      response.body().release();
      over.complete(true);
    }

    @Override
    public ResponseStream begin(int status, HttpHeaders headers) {
      throw new AssertionError("nothing is streamed here");
    }

    @Override
    public HttpProtocol protocol() {
      return HttpProtocol.HTTP1;
    }

    @Override
    public void onAbort(Runnable action) {}
  }

  private static final class FakeHeld implements Pacts.Held {
    Pacts.Standing standing = Pacts.Standing.ACTIVE;
    boolean confirmed;
    int messages;
    private final String id;

    FakeHeld(String id) {
      this.id = id;
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
      return "bob";
    }

    @Override
    public boolean isInitiator() {
      return true;
    }

    @Override
    public Pacts.Standing standing() {
      return standing;
    }

    @Override
    public PactCheck check() {
      return new PactCheck(
          List.of(
              new Predicate("hosts", "action", "hosts=kb.example"),
              new Predicate("scope", "scope", "fields=name"),
              new Predicate("size", "output", "max_kb=2")));
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
    public void count(boolean own, long bytes, Pacts.Counted into) {
      messages++;
      into.set(messages, bytes, 1);
    }

    @Override
    public void observed(boolean own, PactCheck.Result result) {}
  }

  private static final class FakePacts implements Pacts {
    final FakeHeld held = new FakeHeld("p-1");

    /** Before {@link #outcome}. */
    final List<Outcome> next = new ArrayList<>();

    final List<String> obtained = new ArrayList<>();
    final List<String> ended = new ArrayList<>();
    Outcome outcome = new Outcome.Agreed(held);
    boolean holding;
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
    public Optional<Held> ofFlow(String flow) {
      return working ? Optional.of(held) : Optional.empty();
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
    public CompletableFuture<Outcome> admit(Named named) {
      return CompletableFuture.completedFuture(outcome);
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
    public void end(Held pact, String reason, Optional<String> responsible) {
      ended.add(reason + responsible.map(who -> " by " + who).orElse(""));
    }

    @Override
    public int active() {
      return 1;
    }
  }
}
