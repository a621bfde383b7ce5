package dev.parlance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Minds;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.AuditState;
import dev.parlance.proto.v1.TermResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole audits over real gRPC, with the embedded store. */
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

  static Map<String, String> outcomes(Audit audit) {
    return audit.getResultsList().stream()
        .collect(Collectors.toMap(TermResult::getTerm, TermResult::getOutcome, (a, b) -> a + b));
  }
}
