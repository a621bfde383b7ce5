package dev.parlance.cli.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.ControlOptions;
import dev.parlance.cli.FakeControlPlane;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.client.ControlClient;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.TermResult;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CoreCommandTest {
  private static final GovernedTerm NOTICE =
      new GovernedTerm("notice", TermStatus.CERTIFIED, Optional.empty());
  private static final GovernedTerm CLAIM =
      new GovernedTerm("patent claim", TermStatus.REFUSED, Optional.of("notice"));

  @TempDir Path folder = Path.of("");

  private FakeControlPlane plane;

  CoreCommandTest() throws IOException {
    plane = FakeControlPlane.start();
  }

  @BeforeEach
  void leaveFiles() throws IOException {
    plane.leaveFilesIn(folder);
  }

  @AfterEach
  void stop() throws InterruptedException {
    plane.close();
  }

  private Run core(String... args) {
    List<String> all = new ArrayList<>(List.of("core"));
    all.addAll(List.of(args));
    all.addAll(List.of("--data-dir", folder.toString()));
    return Run.of(all.toArray(String[]::new));
  }

  private static TermResult.Builder result(String term) {
    return TermResult.newBuilder()
        .setTerm(term)
        .addAgents("alice")
        .addAgents("bob")
        .setAudited(90)
        .setEligible(88)
        .setContradictions(7)
        .setUpper(0.1456)
        .setCoverage(0.9778);
  }

  private static Audit.Builder audit(String id, AuditState state) {
    return Audit.newBuilder()
        .setId(id)
        .setPlan("license")
        .setPlanRevision(1)
        .setKind(AuditKind.AUDIT_KIND_CERTIFY)
        .setState(state)
        .setQuestions(360)
        .setAnswered(state == AuditState.AUDIT_STATE_RUNNING ? 100 : 358)
        .setUnanswered(2)
        .setStartedAtMs(1_700_000_000_000L)
        .setReplica("replica-1")
        .setEpoch(1);
  }

  @Test
  void list_countsTheTermsOfEachCore_andSaysWhetherTheSignatureWasChecked() {
    plane.publish(3, NOTICE, CLAIM);
    Run unchecked = core("list");
    assertThat(unchecked.status()).isZero();
    assertThat(unchecked.out())
        .contains("alice+bob/license")
        .contains("not checked")
        .doesNotContain("\u001b");
    Run checked = core("list", "-o", "json", "--verify-key", plane.coreKey.verifier().format());
    JsonNode one = Json.MAPPER.readTree(checked.out()).get(0);
    assertThat(one.path("signature").stringValue()).isEqualTo("good");
    assertThat(one.path("version").longValue()).isEqualTo(3);
    assertThat(one.path("certified").intValue()).isEqualTo(1);
    assertThat(one.path("refused").intValue()).isEqualTo(1);
    assertThat(one.path("revoked").intValue()).isZero();
  }

  @Test
  void C4_foreignKey_refusesTheCore_andExitsWithOne() {
    plane.publish(3, NOTICE);
    String foreign = SignerKey.generate("other/core", KeyType.ED25519).verifier().format();
    for (String[] args :
        List.of(
            new String[] {"list", "--verify-key", foreign},
            new String[] {"show", "alice+bob/license", "--verify-key", foreign})) {
      Run run = core(args);
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out() + run.err()).contains("foreign_signature");
    }
  }

  @Test
  void C4_documentThatIsNotWhatTheMessageSays_isRefused() {
    plane.publish(3, NOTICE);
    plane.cores.set(0, plane.cores.getFirst().toBuilder().setVersion(4).build());
    Run run = core("show", "alice+bob/license");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("malformed").contains("version 3");
  }

  @Test
  void show_hasTheNumbersOfTheLatestDecision_andTheAlternative() {
    plane.publish(1, NOTICE, CLAIM);
    plane.plans.add(Plan.newBuilder().setName("license").setCore(FakeControlPlane.id()).build());
    plane.audits.add(
        audit("later", AuditState.AUDIT_STATE_COMPLETED)
            .setCoreVersion(2)
            .addResults(result("patent claim").setOutcome("certified"))
            .build());
    plane.audits.add(
        audit("first", AuditState.AUDIT_STATE_COMPLETED)
            .setCoreVersion(1)
            .addResults(
                result("patent claim")
                    .setOutcome("refused")
                    .setReason("bound_above_tau")
                    .setNeeded(130))
            .build());
    Run run = core("show", "bob+alice/license", "--verify-key", plane.coreKey.verifier().format());
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("alice+bob/license, version 1")
        .contains("certified  1 of 2 terms")
        .contains("the first 42 entries")
        .contains("signature  good");
    String row =
        run.out().lines().filter(line -> line.contains("patent claim")).findFirst().orElseThrow();
    assertThat(row.strip().split("\\s{2,}"))
        .containsExactly(
            "patent claim",
            "refused",
            "90",
            "88",
            "7",
            "0.978",
            "0.1456",
            "refused",
            "bound_above_tau",
            "130",
            "notice");
  }

  @Test
  void diff_namesWhatEnteredLeftAndChanged() {
    plane.publish(1, NOTICE, CLAIM);
    plane.publish(
        2,
        new GovernedTerm("liability", TermStatus.UNTESTED, Optional.empty()),
        new GovernedTerm("notice", TermStatus.REVOKED, Optional.empty()));
    Run run = core("diff", "alice+bob/license", "1", "2", "-o", "json");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(Json.MAPPER.readTree(run.out()))
        .isEqualTo(
            Json.MAPPER.readTree(
                """
                [{"term":"liability","from":"absent","to":"untested"},
                 {"term":"notice","from":"certified","to":"revoked"},
                 {"term":"patent claim","from":"refused","to":"absent"}]
                """));
    assertThat(core("diff", "alice+bob/license", "1", "2").out())
        .contains("version 1 certifies 1 of 2 terms, version 2 0 of 2");
    assertThat(core("diff", "alice+bob/license", "1", "7").status()).isEqualTo(1);
  }

  @Test
  void certifyWithWait_followsTheAudit_andPrintsItsDecisions() {
    plane.watched.add(audit("a-1", AuditState.AUDIT_STATE_RUNNING).build());
    plane.watched.add(
        audit("a-1", AuditState.AUDIT_STATE_COMPLETED)
            .setCoreVersion(1)
            .addResults(result("notice").setOutcome("certified"))
            .build());
    Run run = core("certify", "license", "--term", "Patent-Claim", "--term", "notice", "--wait");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(plane.started.getFirst().getKind()).isEqualTo(AuditKind.AUDIT_KIND_CERTIFY);
    assertThat(plane.started.getFirst().getTermsList()).containsExactly("notice", "patent claim");
    assertThat(run.err()).contains("audit a-1").contains("running").contains("completed");
    assertThat(run.out()).contains("core       version 1").contains("certified");
    assertThat(run.out() + run.err()).doesNotContain("\u001b");
  }

  @Test
  void abandonedAudit_isStatusOne_withItsFailure() {
    plane.watched.add(
        audit("a-2", AuditState.AUDIT_STATE_ABANDONED).setFailure("events_exhausted").build());
    Run run = core("recertify", "license", "--wait", "-o", "json");
    assertThat(run.status()).isEqualTo(1);
    assertThat(Json.MAPPER.readTree(run.out()).path("failure").stringValue())
        .isEqualTo("events_exhausted");
    assertThat(plane.started.getFirst().getKind()).isEqualTo(AuditKind.AUDIT_KIND_RECERTIFY);
  }

  @Test
  void startWithoutWait_saysHowToFollow() {
    plane.watched.add(audit("a-3", AuditState.AUDIT_STATE_OPEN).build());
    Run run = core("renegotiate", "license", "--term", "notice");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("parlance core audit show a-3 --wait");
    assertThat(plane.started.getFirst().getKind()).isEqualTo(AuditKind.AUDIT_KIND_RENEGOTIATE);
  }

  @Test
  void refusal_carriesTheReasonOfTheControlPlane() {
    plane.watched.add(audit("a-4", AuditState.AUDIT_STATE_OPEN).build());
    plane.refusal =
        Optional.of(
            Status.FAILED_PRECONDITION.withDescription("no_sidecar: bob has no sidecar\u001b[2J"));
    Run run = core("certify", "license");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("no_sidecar: bob has no sidecar").doesNotContain("\u001b");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void audits_areListedAndShown_withTheirTextMadeInert() {
    plane.audits.add(
        audit("a-5", AuditState.AUDIT_STATE_ABANDONED).setFailure("bad\u202e").build());
    Run list = core("audit", "list");
    assertThat(list.status()).isZero();
    assertThat(list.out()).contains("a-5").contains("bad\\u{202E}").doesNotContain("\u202e");
    Run show = core("audit", "show", "a-5");
    assertThat(show.status()).isEqualTo(1);
    assertThat(show.out()).contains("358 of 360 answered, 2 without an answer");
    assertThat(core("audit", "show", "nope").status()).isEqualTo(1);
    assertThat(core("audit", "list", "--limit", "0").status()).isEqualTo(2);
  }

  @Test
  void wrongToken_andNoControlPlane_areOneLine_withARemedy() throws Exception {
    Files.writeString(folder.resolve("operator.token"), "wrong");
    Run wrong = core("list");
    assertThat(wrong.status()).isEqualTo(1);
    assertThat(wrong.err().lines()).hasSize(1);
    assertThat(wrong.err()).contains("refused the token").contains("--token-file");
    plane.close();
    Run away = core("list");
    assertThat(away.status()).isEqualTo(1);
    assertThat(away.err().lines()).hasSize(1);
    assertThat(away.err()).contains("no control plane answers").contains("parlance control");
    Run noToken = Run.of("core", "list", "--data-dir", folder.resolve("nothing").toString());
    assertThat(noToken.status()).isEqualTo(1);
    assertThat(noToken.err()).contains("operators' token").contains("--data-dir");
  }

  @Test
  void plainText_isForLoopbackOnly_unlessToldOtherwise() throws IOException {
    var options = new ControlOptions();
    options.dataDir = Optional.of(folder);
    for (String loopback : List.of("127.0.0.1:1", "localhost:1", "[::1]:1")) {
      options.control = Optional.of(loopback);
      assertThat(transport(options)).isInstanceOf(ControlClient.Transport.Plain.class);
    }
    for (String open : List.of("192.0.2.1:7070", "control.example:7070", "[2001:db8::1]:7070")) {
      options.control = Optional.of(open);
      options.insecure = false;
      assertThat(transport(options)).isInstanceOf(ControlClient.Transport.Tls.class);
      options.insecure = true;
      assertThat(transport(options)).isInstanceOf(ControlClient.Transport.Plain.class);
    }
  }

  private static ControlClient.Transport transport(ControlOptions options) throws IOException {
    return options.find().transport();
  }

  @Test
  void wrongAddress_isRefused_beforeAnythingIsSent() {
    assertThat(core("list", "--ca", "/no/such/file").err()).contains("cannot read /no/such/file");
    for (String address : List.of("no-port", "user@127.0.0.1:1", "127.0.0.1:1/x", "127.0.0.1:0")) {
      Run run = core("list", "--control", address);
      assertThat(run.status()).as(address).isEqualTo(1);
      assertThat(run.err()).as(address).contains("expected HOST:PORT");
    }
  }

  @Test
  void names_areReadInEveryWay_andWrongOnesAreUsage() {
    assertThat(CoreName.readings("a+b/x/y")).hasSize(2);
    assertThat(CoreName.readings("a+a/x")).isEmpty();
    assertThat(CoreName.readings("a/x")).isEmpty();
    assertThat(core("show", "alice").status()).isEqualTo(2);
    assertThat(core("show", "alice+bob/license", "--verify-key", "x").status()).isEqualTo(2);
    assertThat(core("certify", "license", "--term", "...").status()).isEqualTo(2);
  }
}
