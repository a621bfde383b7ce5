package dev.parlance.proxy.control.api;

import static dev.parlance.proxy.control.FakeControlPlane.awaiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.ledger.record.CoreNote;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.proto.v1.Answer;
import dev.parlance.proto.v1.AttachRequest;
import dev.parlance.proto.v1.AuditEvent;
import dev.parlance.proto.v1.ConfigStatus;
import dev.parlance.proto.v1.CoreNack;
import dev.parlance.proto.v1.Hello;
import dev.parlance.proto.v1.PolicyExample;
import dev.parlance.proto.v1.PolicyOffer;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.Report;
import dev.parlance.proto.v1.WitnessQuestion;
import dev.parlance.proxy.config.LocalAgent;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigHolder;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.config.file.ConfigRefusal;
import dev.parlance.proxy.config.file.ConfigRefusalReason;
import dev.parlance.proxy.control.Backoff;
import dev.parlance.proxy.control.FakeAgent;
import dev.parlance.proxy.control.FakeControlPlane;
import dev.parlance.proxy.control.FakeControlPlane.Attached;
import dev.parlance.proxy.control.PodPlace;
import dev.parlance.proxy.control.Signed;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sidecar's side against a control plane over a real socket. */
@Tag("long")
class ControlPlaneClientTest {
  private static final Optional<String> BOB = Optional.of("bob");

  @TempDir Path dir = Path.of("");
  private FakeControlPlane server = unstarted();
  private ControlPlaneClient plane = unstarted();
  private SidecarMetrics metrics = new SidecarMetrics("test");
  private SidecarConfig config = unstarted();

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // set before each test runs
  private static <T> T unstarted() {
    return null;
  }

  private final AtomicReference<ConfigHolder.State> standing = new AtomicReference<>();
  private Optional<PodPlace> pod = Optional.empty();

  @BeforeEach
  void begin() throws IOException {
    Files.writeString(dir.resolve("token"), "secret-token\n");
    server = new FakeControlPlane();
    plane = opened("");
  }

  @AfterEach
  void end() {
    plane.close();
    server.close();
  }

  private ControlPlaneClient opened(String more) throws IOException {
    config = config(more);
    metrics = new SidecarMetrics("test");
    standing.set(new ConfigHolder.State(config, 1, 0, Optional.empty()));
    return ControlPlaneClient.open(
        config,
        config.control().orElseThrow(),
        new ControlPlaneClient.Surroundings(
            "pod-1",
            "1.2.3",
            dir.resolve("data"),
            () -> 17,
            metrics.control(),
            standing::get,
            pod,
            Optional::empty));
  }

  @Test
  void theConfigurationIsToldAtOnce_alsoWhenItIsRefused() {
    Attached stream = attach();
    assertThat(stream.said().getFirst().getHello().getConfig().getRevision())
        .isEqualTo(config.revision());
    ConfigProblem problem = new ConfigProblem("/mode", 2, 7, "got \"x\", expected observe");
    standing.set(
        new ConfigHolder.State(
            config,
            1,
            1,
            Optional.of(
                new ConfigRefusal(
                    Instant.EPOCH,
                    ConfigRefusalReason.INVALID,
                    Collections.nCopies(100, problem)))));
    plane.refused(ConfigRefusalReason.INVALID, List.of(problem));
    ConfigStatus told =
        stream
            .await(said ->
                said.hasReport() && !said.getReport().getConfig().getRefusedReason().isEmpty())
            .getReport()
            .getConfig();
    assertThat(told.getRefusedReason()).isEqualTo("invalid");
    assertThat(told.getRefusedDetail())
        .startsWith("2:7 /mode: got \"x\"")
        .endsWith("(and 99 more)");
    assertThat(told.getRefusals()).isEqualTo(1);
    assertThat(told.getRevision()).isEqualTo(config.revision());
  }

  @Test
  void inAPod_itsNameIsTheNode() throws IOException {
    pod =
        PodPlace.of(
            Map.of(
                "PARLANCE_POD_NAMESPACE", "shop",
                "PARLANCE_POD_NAME", "agent-7d4",
                "PARLANCE_POD_UID", "0f"));
    reopen("");
    Hello hello = server.stream(1).said().getFirst().getHello();
    assertThat(hello.getNode()).isEqualTo("agent-7d4");
    assertThat(hello.getPod().getNamespace()).isEqualTo("shop");
    assertThat(hello.getPod().getUid()).isEqualTo("0f");
    assertThat(PodPlace.of(Map.of("PARLANCE_POD_NAME", "a"))).isEmpty();
  }

  private SidecarConfig config(String more) {
    String yaml =
        """
        inbound: { listen: 127.0.0.1:0, agent: 127.0.0.1:8080 }
        control:
          target: 127.0.0.1:%d
          agent: alice
          keys: ["%s"]
          tokenFile: token
          %s
        """
            .formatted(server.port(), Signed.KEY.verifier().format(), more);
    ConfigResult<SidecarConfig> result = ConfigLoader.parse(yaml, dir);
    assertThat(result).as("%s", result).isInstanceOf(ConfigResult.Loaded.class);
    return result.loaded().orElseThrow();
  }

  private void reopen(String more) throws IOException {
    plane.close();
    plane = opened(more);
    plane.start();
  }

  private Attached attach() {
    plane.start();
    Attached stream = server.stream(1);
    awaiting().until(() -> plane.status().path("connected").asBoolean(false));
    return stream;
  }

  private Cores.CoreView view() {
    return plane.cores().view(BOB, "license");
  }

  private long version() {
    return view().core().orElseThrow().sources().getFirst().version();
  }

  private double metric(String line) {
    return metrics
        .scrape()
        .lines()
        .filter(one -> one.startsWith(line + " "))
        .mapToDouble(one -> Double.parseDouble(one.substring(line.length() + 1)))
        .sum();
  }

  private static CoreNack nack(Attached stream, int count) {
    awaiting().until(() -> stream.said().stream().filter(AttachRequest::hasNack).count() >= count);
    return stream.said().stream().filter(AttachRequest::hasNack).toList().get(count - 1).getNack();
  }

  @Test
  void helloSaysWhoItIs_withTheToken() {
    Attached stream = attach();
    Hello hello = stream.said().getFirst().getHello();
    assertThat(hello.getAgent()).isEqualTo("alice");
    assertThat(hello.getNode()).isEqualTo("pod-1");
    assertThat(hello.getVersion()).isEqualTo("1.2.3");
    assertThat(hello.getHeldList()).isEmpty();
    assertThat(hello.getAnswersQuestions()).isFalse();
    assertThat(server.tokens()).containsExactly("Bearer secret-token");
    assertThat(metric("parlance_control_connected")).isEqualTo(1);
  }

  @Test
  void aPushedCoreIsInForce_acknowledged_andReported() {
    Attached stream = attach();
    stream.push(Signed.push(Signed.core(3, "notice")));
    AttachRequest ack = stream.await(AttachRequest::hasAck);
    assertThat(ack.getAck().getVersion()).isEqualTo(3);
    assertThat(ack.getAck().getId().getAgentsList()).containsExactly("alice", "bob");
    assertThat(view().state()).isEqualTo(CoreState.FRESH);
    Report report =
        stream.await(said -> said.hasReport() && said.getReport().getCoresCount() == 1).getReport();
    assertThat(report.getCores(0).getState()).isEqualTo("fresh");
    assertThat(report.getGuardedMessages()).isEqualTo(17);
    assertThat(report.getEnforcing()).isTrue();
    assertThat(metric("parlance_control_pushes_total{result=\"in_force\"}")).isEqualTo(1);
    assertThat(metric("parlance_core_version{domain=\"license\"}")).isEqualTo(3);
    assertThat(metric("parlance_core_state{domain=\"license\",state=\"fresh\"}")).isEqualTo(1);
    assertThat(plane.status().at("/cores/0/terms/certified").intValue()).isEqualTo(1);
  }

  @Test
  void aRevocationIsEnforcedBeforeItIsAcknowledged() {
    Attached stream = attach();
    stream.push(Signed.push(Signed.core(1, "notice")));
    stream.push(Signed.push(Signed.core(2)));
    stream.await(said -> said.hasAck() && said.getAck().getVersion() == 2);
    assertThat(version()).isEqualTo(2);
  }

  @Test
  void C4_aLyingControlPlane_isRefused_counted_andTheLastGoodStays() {
    Attached stream = attach();
    CertifiedCore good = Signed.core(5, "notice");
    stream.push(Signed.push(good));
    stream.await(AttachRequest::hasAck);
    CertifiedCore next = Signed.core(6, "notice");
    byte[] badSignature = Signed.note(next);
    badSignature[30] ^= 1;
    byte[] garbage = new byte[10 << 20];
    new Random(1).nextBytes(garbage);
    CoreId others = new CoreId(List.of("bob", "carol"), "license");

    stream.push(Signed.push(Signed.core(4, "notice")));
    assertThat(nack(stream, 1).getReason()).isEqualTo("older");
    stream.push(Signed.push(next.id(), 6, badSignature));
    assertThat(nack(stream, 2).getReason()).isEqualTo("foreign_signature");
    stream.push(Signed.push(next.id(), 6, CoreNote.sign(next, Signed.FOREIGN)));
    assertThat(nack(stream, 3).getReason()).isEqualTo("foreign_signature");
    stream.push(Signed.push(next.id(), 6, Signed.altered(next, "\"tau\":0.05", "\"tau\":NaN")));
    assertThat(nack(stream, 4).getReason()).isEqualTo("impossible");
    stream.push(Signed.push(Signed.core(others, 1, "notice")));
    assertThat(nack(stream, 5).getReason()).isEqualTo("wrong_agent");
    stream.push(Signed.push(Signed.core(5, "notice", "patent claim")));
    assertThat(nack(stream, 6).getReason()).isEqualTo("conflicting");
    stream.push(Signed.push(next.id(), 6, garbage));
    assertThat(nack(stream, 7).getReason()).isIn("malformed", "unsigned");
    stream.push(Signed.push(new CoreId(List.of("-", ""), "x"), 6, garbage));
    assertThat(nack(stream, 8).getReason()).isEqualTo("malformed");

    assertThat(version()).isEqualTo(5);
    assertThat(metric("parlance_control_pushes_total{result=\"refused\"}")).isEqualTo(8);
    for (String reason :
        List.of("older", "foreign_signature", "impossible", "wrong_agent", "conflicting")) {
      assertThat(metric("parlance_core_rejected_total{reason=\"" + reason + "\"}"))
          .as(reason)
          .isPositive();
    }
    assertThat(
            stream
                .await(said -> said.getReport().getRefusedPushesMap().containsKey("conflicting"))
                .getReport()
                .getRefusedPushesMap())
        .containsEntry("older", 1L)
        .containsEntry("foreign_signature", 2L);
    stream.push(Signed.push(next));
    stream.await(said -> said.hasAck() && said.getAck().getVersion() == 6);
    assertThat(version()).isEqualTo(6);
  }

  @Test
  void C4_aMessageLargerThanAnyCore_endsTheStream_isCounted_andTheSidecarComesBack() {
    Attached stream = attach();
    stream.push(Signed.push(Signed.core(5, "notice")));
    stream.await(AttachRequest::hasAck);
    stream.push(
        Signed.push(
            Signed.ALICE_BOB, 6, new byte[ControlPlaneClient.SignedNotes.MAX_BYTES + (2 << 20)]));
    Attached again = server.stream(2);
    assertThat(metric("parlance_core_rejected_total{reason=\"too_large\"}")).isEqualTo(1);
    assertThat(version()).isEqualTo(5);
    assertThat(again.said().getFirst().getHello().getHeld(0).getVersion()).isEqualTo(5);
  }

  @Test
  void C4_aCoreWithADispute_isNotNamedInHello_soThatItIsPushedAgain() {
    Attached stream = attach();
    stream.push(Signed.push(Signed.core(5, "notice")));
    stream.await(AttachRequest::hasAck);
    stream.push(Signed.push(Signed.core(4, "notice")));
    assertThat(nack(stream, 1).getReason()).isEqualTo("older");
    stream.fail(Status.UNAVAILABLE);
    Attached again = server.stream(2);
    assertThat(again.said().getFirst().getHello().getHeldList()).isEmpty();
    again.push(Signed.push(Signed.core(5, "notice")));
    again.await(AttachRequest::hasAck);
    assertThat(metric("parlance_control_pushes_total{result=\"unchanged\"}")).isEqualTo(1);
    assertThat(plane.status().at("/cores/0/disputed").booleanValue()).isFalse();
  }

  @Test
  void C1_theControlPlaneIsAway_theSidecarStartsFromItsSnapshot_andIsReady() throws IOException {
    Attached stream = attach();
    stream.push(Signed.push(Signed.core(5, "notice")));
    stream.await(AttachRequest::hasAck);
    server.close();
    reopen("");
    assertThat(version()).isEqualTo(5);
    assertThat(view().state()).isEqualTo(CoreState.FRESH);
    assertThat(plane.notReady(Set.of("license"))).isEmpty();
  }

  @Test
  void C1_withoutASnapshot_theSidecarIsNotReady_untilTheCoreIsThere() throws IOException {
    int port = server.port();
    server.close();
    plane.start();
    assertThat(plane.notReady(Set.of())).isEmpty();
    plane.close();
    plane = opened("");
    plane.start();
    assertThat(plane.notReady(Set.of("license")))
        .containsExactly(
            "the core of domain license is absent", "the control plane has not been reached yet");
    server = new FakeControlPlane(port);
    server.stream(1).push(Signed.push(Signed.core(1, "notice")));
    awaiting().until(() -> plane.notReady(Set.of("license")).isEmpty());
    server.close();
    awaiting().until(() -> !plane.status().path("connected").asBoolean(true));
    assertThat(plane.notReady(Set.of("license", "finance"))).isEmpty();
  }

  @Test
  void C1_aControlPlaneThatHasNoCore_doesNotHoldTheSidecarBackForEver() {
    attach();
    assertThat(plane.notReady(Set.of("license"))).isNotEmpty();
    awaiting().until(() -> plane.notReady(Set.of("license")).isEmpty());
  }

  @Test
  void C2_theControlPlaneGoes_theCoreStays_growsStale_andIsFreshWhenItIsBack() throws IOException {
    int port = server.port();
    reopen("maxStalenessMs: 1500");
    Attached stream = server.stream(1);
    stream.push(Signed.push(Signed.core(5, "notice")));
    stream.await(AttachRequest::hasAck);
    assertThat(view().state()).isEqualTo(CoreState.FRESH);
    server.close();
    awaiting().until(() -> view().state() == CoreState.STALE);
    assertThat(version()).isEqualTo(5);
    assertThat(metric("parlance_core_state{domain=\"license\",state=\"stale\"}")).isEqualTo(1);
    assertThat(metric("parlance_core_age_seconds{domain=\"license\"}")).isGreaterThan(1.4);
    assertThat(metric("parlance_control_connected")).isZero();
    server = new FakeControlPlane(port);
    awaiting().until(() -> view().state() == CoreState.FRESH);
    assertThat(server.stream(1).said().getFirst().getHello().getHeld(0).getVersion()).isEqualTo(5);
  }

  @Test
  void C3_aControlPlaneThatNeverAnswers_isLeftAfterThreeSeconds_andNothingWaitsForIt() {
    server.greet(_ -> {});
    long before = System.nanoTime();
    plane.start();
    assertThat(view()).isEqualTo(Cores.CoreView.ABSENT);
    Attached silent = server.stream(1);
    awaiting().until(silent::isOver);
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before))
        .isGreaterThanOrEqualTo(AttachClient.WELCOME_MS - 200L);
    server.stream(2);
    assertThat(plane.status().path("lastEnd").asString("")).isEqualTo("no_welcome");
  }

  @Test
  void C3_aPortThatAcceptsAndSaysNothing_isLeftAsWell() throws IOException {
    int port = server.port();
    server.close();
    try (ServerSocket mute = new ServerSocket(port, 16, InetAddress.getLoopbackAddress())) {
      plane.start();
      awaiting().until(() -> plane.status().path("lastEnd").asString("").equals("no_welcome"));
      assertThat(mute.isBound()).isTrue();
    }
  }

  @Test
  void C4_aWrongFirstMessage_endsTheStream_andNothingOfItCounts() {
    server.greet(stream -> stream.push(Signed.push(Signed.core(1, "notice"))));
    plane.start();
    awaiting()
        .until(() -> plane.status().path("lastEnd").asString("").equals("wrong_first_message"));
    assertThat(view()).isEqualTo(Cores.CoreView.ABSENT);
  }

  @Test
  void C5_aFlappingControlPlane_isAskedLessAndLessOften() {
    server.greet(Attached::end);
    plane.start();
    server.stream(1);
    long beganNs = System.nanoTime();
    server.stream(4);
    // The first stream may be seen a little late; ten flaps a second would be 0.3 s.
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs))
        .isGreaterThan(2L * Backoff.SHORTEST_MS);
    assertThat(metric("parlance_control_reconnects_total")).isPositive();
  }

  @Test
  void C5_pausesAreDrawn_grow_andStayBounded() {
    Backoff backoff = new Backoff(new Random(5));
    int longest = 0;
    for (int i = 0; i < 1_000; i++) {
      int pause = backoff.nextMs();
      assertThat(pause).isBetween(Backoff.SHORTEST_MS, Backoff.LONGEST_MS);
      longest = Math.max(longest, pause);
    }
    assertThat(longest).isEqualTo(Backoff.LONGEST_MS);
    backoff.reset();
    assertThat(backoff.nextMs()).isLessThanOrEqualTo(3 * Backoff.SHORTEST_MS);
    assertThat(new Backoff(new Random(1)).nextMs())
        .isNotEqualTo(new Backoff(new Random(2)).nextMs());
  }

  @Test
  void C8_aStreamOnWhichNothingIsHeard_isReplaced_andTheCoresStayFresh() throws IOException {
    reopen("maxStalenessMs: 3000");
    Attached stream = server.stream(1);
    stream.push(Signed.push(Signed.core(5, "notice")));
    stream.await(AttachRequest::hasAck);
    server.stream(3);
    assertThat(stream.isOver()).isTrue();
    assertThat(plane.status().path("lastEnd").asString("")).isEqualTo("silence");
    assertThat(view().state()).isEqualTo(CoreState.FRESH);
  }

  @Test
  void C8_aWelcomeSaidAgain_isASignOfLife() throws IOException {
    reopen("maxStalenessMs: 3000");
    Attached stream = server.stream(1);
    for (int i = 0; i < 10; i++) {
      int reports = i;
      awaiting()
          .until(
              () -> stream.said().stream().filter(AttachRequest::hasReport).count() > 2L * reports);
      stream.welcome();
    }
    assertThat(server.attached()).hasSize(1);
  }

  @Test
  void aTokenThatIsMissing_orRefused_isTriedAgain() throws IOException {
    Files.delete(dir.resolve("token"));
    plane.start();
    awaiting().until(() -> plane.status().path("lastEnd").asString("").equals("credentials"));
    assertThat(server.attached()).isEmpty();
    server.greet(stream -> stream.fail(Status.PERMISSION_DENIED));
    Files.writeString(dir.resolve("token"), "another");
    awaiting().until(() -> plane.status().path("lastEnd").asString("").equals("permission_denied"));
    assertThat(server.tokens().getFirst()).isEqualTo("Bearer another");
  }

  @Test
  void keysFileThatIsNone_stopsTheStart() throws IOException {
    Files.writeString(dir.resolve("keys"), "# ours\n\nnot a key\n");
    assertThatThrownBy(() -> opened("keysFile: keys"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("keys line 3: expected a public key");
    Files.writeString(dir.resolve("keys"), "# both\n" + Signed.FOREIGN.verifier().format() + "\n");
    reopen("keysFile: keys");
    Attached stream = server.stream(1);
    CertifiedCore core = Signed.core(1, "notice");
    stream.push(Signed.push(core.id(), 1, CoreNote.sign(core, Signed.FOREIGN)));
    stream.await(AttachRequest::hasAck);
  }

  @Test
  void peersAndStalenessFollowTheConfiguration() {
    assertThat(plane.peers().agentAt("bob.example:8080")).isEmpty();
    plane.applied(
        config, config("peers: [{agent: bob, hosts: [\"bob.example:8080\", \"*.bob.test\"]}]"));
    assertThat(plane.peers().agentAt("bob.example:8080")).contains("bob");
    assertThat(plane.peers().agentAt("BOB.example.:8080")).contains("bob");
    assertThat(plane.peers().agentAt("x.bob.test")).contains("bob");
    assertThat(plane.peers().agentAt("bob.example:8081")).isEmpty();
    for (int i = 0; i < 5_000; i++) {
      assertThat(plane.peers().agentAt("h" + i)).isEmpty();
    }
  }

  private static Question witness(String id) {
    return Question.newBuilder()
        .setId(id)
        .setTimeoutMs(10_000)
        .setWitness(
            WitnessQuestion.newBuilder()
                .setDomain("license")
                .setTerm("notice")
                .setEvent(AuditEvent.newBuilder().setPei("e1").setText("A file was kept.")))
        .build();
  }

  private static Answer answer(Attached stream, String id) {
    return stream
        .await(said -> said.hasAnswer() && said.getAnswer().getQuestionId().equals(id))
        .getAnswer();
  }

  private static String reply(String word) {
    return "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"message\":{\"role\":\"ROLE_AGENT\","
        + "\"parts\":[{\"text\":\""
        + word
        + "\"}]}}}";
  }

  private Attached withAgent(FakeAgent agent) throws IOException {
    LocalAgent settings = agent.settings(LocalAgent.Protocol.AUTO, 10_000);
    reopen("localAgent: { url: \"" + settings.url() + "\" }");
    return server.stream(1);
  }

  @Test
  void questionsArePutToTheLocalAgent_andAnswered() throws IOException {
    try (FakeAgent agent = new FakeAgent(FakeAgent.always(reply("assent")))) {
      Attached stream = withAgent(agent);
      assertThat(stream.said().getFirst().getHello().getAnswersQuestions()).isTrue();
      stream.ask(witness("q1"));
      Answer answer = answer(stream, "q1");
      assertThat(answer.getVerdict()).isEqualTo("assent");
      assertThat(answer.getForm()).isEqualTo("plain");
      assertThat(answer.getAnswerSha256().size()).isEqualTo(32);
      stream.ask(
          Question.newBuilder()
              .setId("q2")
              .setTimeoutMs(10_000)
              .setOffer(
                  PolicyOffer.newBuilder()
                      .setDomain("license")
                      .setTerm("notice")
                      .setFromAgent("bob")
                      .addExamples(
                          PolicyExample.newBuilder()
                              .setVerdict("assent")
                              .setEvent(AuditEvent.newBuilder().setPei("e").setText("t"))))
              .build());
      assertThat(answer(stream, "q2").getFailure()).isEqualTo("unreadable_answer");
      assertThat(metric("parlance_agent_questions_total{outcome=\"plain\"}")).isEqualTo(1);
    }
  }

  @Test
  void aQuestionThatComesTwice_isAskedOnce_alsoOnTheNextStream() throws IOException {
    try (FakeAgent agent = new FakeAgent(FakeAgent.always(reply("dissent")))) {
      Attached stream = withAgent(agent);
      stream.ask(witness("q1"));
      stream.ask(witness("q1"));
      answer(stream, "q1");
      stream.ask(witness("q2"));
      answer(stream, "q2");
      assertThat(stream.said().stream().filter(AttachRequest::hasAnswer)).hasSize(2);
      stream.fail(Status.UNAVAILABLE);
      Attached again = server.stream(2);
      again.ask(witness("q1"));
      assertThat(answer(again, "q1").getVerdict()).isEqualTo("dissent");
      assertThat(agent.questions()).hasSize(2);
      assertThat(metric("parlance_agent_questions_total{outcome=\"repeated\"}")).isEqualTo(1);
    }
  }

  @Test
  void withoutALocalAgent_aQuestionIsAnsweredSo() {
    Attached stream = attach();
    stream.ask(witness("q1"));
    Answer answer = answer(stream, "q1");
    assertThat(answer.getFailure()).isEqualTo("no_agent");
    assertThat(answer.getAnswerSha256().isEmpty()).isTrue();
  }

  @Test
  void C4_questionsThatAreNone_areNotPut() throws IOException {
    try (FakeAgent agent = new FakeAgent(FakeAgent.always(reply("assent")))) {
      Attached stream = withAgent(agent);
      Question good = witness("q1");
      stream.ask(good.toBuilder().setId("").build());
      stream.ask(good.toBuilder().setId("x".repeat(300)).build());
      stream.ask(Question.newBuilder().setId("q2").build());
      stream.ask(
          good.toBuilder()
              .setWitness(
                  good.getWitness().toBuilder()
                      .setEvent(AuditEvent.newBuilder().setPei("e").setText("x".repeat(9_000))))
              .build());
      stream.ask(
          good.toBuilder().setWitness(good.getWitness().toBuilder().setTerm("Not A Key")).build());
      stream.ask(witness("last"));
      answer(stream, "last");
      assertThat(agent.questions()).hasSize(1);
      assertThat(metric("parlance_agent_questions_total{outcome=\"bad_question\"}")).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closingDuringAQuestion_isQuick(boolean withServer) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (FakeAgent agent =
        new FakeAgent(_ -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new FakeAgent.Reply(200, "");
        })) {
      Attached stream = withAgent(agent);
      stream.ask(witness("q1"));
      awaiting().until(() -> agent.questions().size() == 1);
      if (!withServer) {
        server.close();
      }
      long before = System.nanoTime();
      plane.close();
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before)).isLessThan(30_000);
      if (withServer) {
        awaiting().until(stream::isOver);
      }
      // the last thing that a thread does is still to come when its executor is shut down
      awaiting()
          .until(() ->
              Thread.getAllStackTraces().keySet().stream()
                  .map(Thread::getName)
                  .noneMatch(name -> name.startsWith("parlance-control")));
      never.countDown();
      plane = opened("");
    }
  }
}
