package dev.parlance.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.ListAuditsRequest;
import dev.parlance.proto.v1.ListCoresRequest;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PolicyOffer;
import dev.parlance.proto.v1.Question;
import dev.parlance.proto.v1.Schedule;
import dev.parlance.proto.v1.TermResult;
import dev.parlance.proto.v1.WitnessQuestion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole audits over real gRPC, with the embedded store. */
@Tag("long")
final class AuditTest {
  private static final List<String> TERMS = List.of("Notice", "derivative-work", "patent claim");

  @TempDir Path data;

  @Test
  void termsThatAreUsedAlike_areCertified_andPushed_andTheOthersRefused() throws Exception {
    try (Kit kit = Kit.start(data)) {
      FakeSidecar alice = kit.attach("alice", Minds.plain());
      FakeSidecar bob = kit.attach("bob", Minds.differing(Set.of("patent claim")));
      kit.awaitAttached("alice", "bob");
      kit.put(Kit.plan("p", List.of("alice", "bob"), TERMS));

      Audit audit = kit.audit("p", AuditKind.AUDIT_KIND_CERTIFY);

      assertThat(audit.getState()).isEqualTo(AuditState.AUDIT_STATE_COMPLETED);
      assertThat(audit.getQuestions()).isEqualTo(3 * 12 * 2);
      assertThat(audit.getAnswered()).isEqualTo(3 * 12 * 2);
      assertThat(outcomes(audit))
          .isEqualTo(
              Map.of(
                  "derivative work",
                  "certified",
                  "notice",
                  "certified",
                  "patent claim",
                  "refused"));
      for (FakeSidecar sidecar : List.of(alice, bob)) {
        kit.awaitCertified(sidecar, "notice", "derivative work");
      }
      kit.assertLedgerAgrees();
    }
  }

  @Test
  void recertificationRevokes_andRenegotiationRestores() throws Exception {
    try (Kit kit = Kit.start(data)) {
      FakeSidecar alice = kit.attach("alice", Minds.plain());
      Minds.Stubborn mind = Minds.differing(Set.of());
      kit.attach("bob", mind);
      kit.awaitAttached("alice", "bob");
      kit.put(Kit.plan("p", List.of("alice", "bob"), TERMS));
      assertThat(outcomes(kit.audit("p", AuditKind.AUDIT_KIND_CERTIFY)).values())
          .containsOnly("certified");

      mind.turn("notice");
      Audit again = kit.audit("p", AuditKind.AUDIT_KIND_RECERTIFY);
      assertThat(outcomes(again))
          .isEqualTo(
              Map.of("derivative work", "kept", "notice", "revoked", "patent claim", "kept"));
      kit.awaitCertified(alice, "derivative work", "patent claim");

      Audit renegotiated = kit.audit("p", AuditKind.AUDIT_KIND_RENEGOTIATE);
      assertThat(outcomes(renegotiated)).isEqualTo(Map.of("notice", "restored"));
      kit.awaitCertified(alice, "derivative work", "notice", "patent claim");
      assertThat(renegotiated.getCoreVersion()).isEqualTo(3);
      kit.assertLedgerAgrees();
    }
  }

  @Test
  void threeAgents_withTheAnytimeBound_certifyOnlyWhatAllPairsShare_andEvidenceAddsUp()
      throws Exception {
    try (Kit kit = Kit.start(data)) {
      kit.attach("alice", Minds.plain());
      kit.attach("bob", Minds.plain());
      FakeSidecar carol = kit.attach("carol", Minds.differing(Set.of("notice")));
      kit.awaitAttached("alice", "bob", "carol");
      Plan.Builder plan = Kit.plan("p", List.of("alice", "bob", "carol"), TERMS);
      plan.getParamsBuilder().setBound("anytime");
      kit.put(plan.setMultiplicity("family"));

      List<Set<String>> certified = new ArrayList<>();
      for (int round = 0; round < 3; round++) {
        Audit audit = kit.audit("p", AuditKind.AUDIT_KIND_CERTIFY);
        assertThat(audit.getState()).isEqualTo(AuditState.AUDIT_STATE_COMPLETED);
        assertThat(audit.getResultsList()).hasSize(3 * 3);
        int version = round + 1;
        await()
            .atMost(Kit.PATIENCE)
            .until(() ->
                Optional.ofNullable(carol.newest.get("license"))
                    .filter(core -> core.getVersion() == version)
                    .isPresent());
        certified.add(kit.certified(carol, "license"));
      }
      // One audit's events are too few at delta / 3; those of several together are not.
      assertThat(certified.getFirst()).isEmpty();
      assertThat(certified.getLast()).containsExactlyInAnyOrder("derivative work", "patent claim");
      kit.assertLedgerAgrees();
    }
  }

  @Test
  void questionsWithoutAnswer_areAskedAgain_andThenAbsent_andAnIncompleteTermIsRefused()
      throws Exception {
    try (Kit kit = Kit.start(data)) {
      kit.attach("alice", Minds.plain());
      FakeSidecar bob =
          kit.attach(
              "bob",
              new FakeSidecar.Mind() {
                @Override
                public Optional<String> verdict(WitnessQuestion question) {
                  return question.getTerm().equals("notice")
                      ? Optional.of("!agent_unreachable")
                      : Minds.plain().verdict(question);
                }

                @Override
                public String reply(PolicyOffer offer) {
                  return "decline";
                }
              });
      kit.awaitAttached("alice", "bob");
      kit.put(Kit.plan("p", List.of("alice", "bob"), TERMS));
      Audit audit = kit.audit("p", AuditKind.AUDIT_KIND_CERTIFY);
      assertThat(audit.getUnanswered()).isEqualTo(12);
      assertThat(audit.getResultsList())
          .filteredOn(result -> result.getTerm().equals("notice"))
          .singleElement()
          .matches(result -> result.getReason().equals("no_data"))
          .matches(result -> result.getUnanswered() == 12);
      assertThat(bob.asked)
          .filteredOn(question -> question.getWitness().getTerm().equals("notice"))
          .hasSize(2 * 12);
      kit.assertLedgerAgrees();
    }
  }

  @Test
  void agentThatDoesNotAnswer_isWaitedForNoLongerThanItsTime() throws Exception {
    try (Kit kit = Kit.start(Kit.impatient(data))) {
      kit.attach("alice", Minds.plain());
      FakeSidecar bob =
          kit.attach(
              "bob",
              new FakeSidecar.Mind() {
                @Override
                public Optional<String> verdict(WitnessQuestion question) {
                  return question.getEvent().getPei().endsWith("7")
                      ? Optional.empty()
                      : Minds.plain().verdict(question);
                }

                @Override
                public String reply(PolicyOffer offer) {
                  return "decline";
                }
              });
      kit.awaitAttached("alice", "bob");
      kit.put(Kit.plan("p", List.of("alice", "bob"), List.of("notice")).setEventsPerTerm(100));
      Audit audit = kit.audit("p", AuditKind.AUDIT_KIND_CERTIFY);
      assertThat(audit.getUnanswered()).isEqualTo(10);
      assertThat(audit.getAnswered()).isEqualTo(190);
      assertThat(outcomes(audit)).isEqualTo(Map.of("notice", "certified"));
      assertThat(kit.plane.metrics())
          .contains("parlance_control_questions_total{result=\"timeout\"} 10.0");
      assertThat(bob.asked).hasSizeGreaterThanOrEqualTo(110);
      kit.assertLedgerAgrees();
    }
  }

  @Test
  void declinedOffer_leavesTheTermOut_andExhaustedEvents_leaveTheCoreAsItIs() throws Exception {
    try (Kit kit = Kit.start(data)) {
      kit.attach("alice", Minds.plain());
      kit.attach("bob", Minds.declining(Set.of("notice")));
      kit.awaitAttached("alice", "bob");
      kit.put(Kit.plan("p", List.of("alice", "bob"), TERMS).setEventsPerTerm(60));
      assertThat(kit.audit("p", AuditKind.AUDIT_KIND_CERTIFY).getState())
          .isEqualTo(AuditState.AUDIT_STATE_COMPLETED);
      Audit exhausted = kit.audit("p", AuditKind.AUDIT_KIND_RECERTIFY);
      assertThat(exhausted.getState()).isEqualTo(AuditState.AUDIT_STATE_ABANDONED);
      assertThat(exhausted.getFailure()).isEqualTo("events_exhausted");

      kit.put(Kit.plan("p", List.of("alice", "bob"), TERMS).setEventsPerTerm(20).setRevision(1));
      Audit declined = kit.audit("p", AuditKind.AUDIT_KIND_RENEGOTIATE);
      assertThat(declined.getFailure()).isEqualTo("offer_declined");
      assertThat(
              kit.operator
                  .listCores(ListCoresRequest.newBuilder().setHistory(true).build())
                  .getCoresList())
          .hasSize(1);
      kit.assertLedgerAgrees();
    }
  }

  @Test
  void offer_carriesTheEntrenchedAgentsVerdicts() throws Exception {
    try (Kit kit = Kit.start(data)) {
      kit.attach("alice", Minds.plain());
      FakeSidecar bob = kit.attach("bob", Minds.differing(Set.of("notice")));
      kit.awaitAttached("alice", "bob");
      kit.put(Kit.plan("p", List.of("alice", "bob"), TERMS));
      kit.audit("p", AuditKind.AUDIT_KIND_CERTIFY);
      assertThat(outcomes(kit.audit("p", AuditKind.AUDIT_KIND_RENEGOTIATE, "Notice")))
          .isEqualTo(Map.of("notice", "restored"));
      assertThat(bob.asked)
          .filteredOn(Question::hasOffer)
          .singleElement()
          .satisfies(question -> {
            assertThat(question.getOffer().getFromAgent()).isEqualTo("alice");
            assertThat(question.getOffer().getExamplesList())
                .hasSize(12)
                .allMatch(example ->
                    example
                        .getVerdict()
                        .equals(
                            Minds.applies("notice", example.getEvent().getPei())
                                ? "assent"
                                : "dissent"))
                .allMatch(example -> example.getEvent().getText().startsWith("Something"));
          });
    }
  }

  @Test
  void sidecarThatStaysAway_endsTheAudit_andTheCoreStaysAsItIs() throws Exception {
    try (Kit kit = Kit.start(Kit.impatient(data))) {
      kit.attach("alice", Minds.plain());
      FakeSidecar bob = kit.attach("bob", Minds.plain());
      kit.awaitAttached("alice", "bob");
      kit.put(Kit.plan("p", List.of("alice", "bob"), TERMS).setPauseMs(50));
      Audit audit = kit.begin("p", AuditKind.AUDIT_KIND_CERTIFY);
      await().atMost(Kit.PATIENCE).until(() -> bob.asked.size() > 3);
      bob.close();
      Audit ended = kit.client.awaitEnd(audit.getId());
      assertThat(ended.getFailure()).isEqualTo("no_sidecar");
      kit.assertLedgerAgrees();
    }
  }

  @Test
  void schedule_certifiesFirst_andRecertifiesThen() throws Exception {
    try (Kit kit = Kit.start(data)) {
      kit.attach("alice", Minds.plain());
      kit.attach("bob", Minds.plain());
      kit.awaitAttached("alice", "bob");
      kit.put(
          Kit.plan("p", List.of("alice", "bob"), TERMS)
              .setSchedule(Schedule.newBuilder().setIntervalMs(1_500).setJitter(0.3)));
      await()
          .atMost(Kit.PATIENCE)
          .until(() ->
              kit
                  .operator
                  .listAudits(ListAuditsRequest.newBuilder().setPlan("p").build())
                  .getAuditsList()
                  .stream()
                  .filter(audit -> audit.getState() == AuditState.AUDIT_STATE_COMPLETED)
                  .map(Audit::getKind)
                  .toList()
                  .containsAll(
                      List.of(AuditKind.AUDIT_KIND_CERTIFY, AuditKind.AUDIT_KIND_RECERTIFY)));
    }
  }

  static Map<String, String> outcomes(Audit audit) {
    return audit.getResultsList().stream()
        .collect(Collectors.toMap(TermResult::getTerm, TermResult::getOutcome, (a, b) -> a + b));
  }
}
