package dev.parlance.control.lexicon;

import static dev.parlance.control.testing.Lexicographer.BOARD;
import static dev.parlance.control.testing.Lexicographer.first;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.config.LexiconSettings;
import dev.parlance.control.config.LexiconSettings.Promotion;
import dev.parlance.control.config.LexiconSettings.Sharing;
import dev.parlance.control.testing.FakeSidecar;
import dev.parlance.control.testing.Kit;
import dev.parlance.control.testing.Lexicographer;
import dev.parlance.control.testing.Minds;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.BoardView;
import dev.parlance.proto.v1.GetBoardRequest;
import dev.parlance.proto.v1.GetPlanRequest;
import dev.parlance.proto.v1.LexiconServiceGrpc.LexiconServiceBlockingStub;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PromoteRequest;
import dev.parlance.proto.v1.TermRequest;
import dev.parlance.proto.v1.TermView;
import dev.parlance.proto.v1.VocabularyTerm;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a board into a plan, through an audit, and back to untested by a repair. */
final class PromotionTest {
  private static final List<String> AGENTS = List.of("alice", "bob");
  private static final String COINING =
      "An open gap.\n[PART 2]\nopen gap = a point that the text leaves open";

  @TempDir Path data;
  private Kit kit;
  private Lexicographer sidecars;
  private LexiconServiceBlockingStub operator;
  private FakeSidecar alice;

  private void start(LexiconSettings settings) throws IOException {
    start(settings, Minds.plain());
  }

  private void start(LexiconSettings settings, FakeSidecar.Mind ofBob) throws IOException {
    kit = Kit.start(Kit.config(data).withLexicon(settings));
    sidecars = kit.keep(Lexicographer.at(kit.plane));
    operator = sidecars.with(kit.plane.operatorToken());
    alice = kit.attach("alice", Minds.plain());
    kit.attach("bob", ofBob);
    kit.awaitAttached("alice", "bob");
  }

  @AfterEach
  void close() {
    kit.close();
  }

  private void use(String speaker, int times) {
    for (int i = 0; i < times; i++) {
      sidecars.report(speaker, sidecars.next(speaker, "An open gap, said once more " + i));
    }
  }

  private BoardView promote(String plan) {
    return operator.promote(
        PromoteRequest.newBuilder()
            .setTerm(TermRequest.newBuilder().setBoard(BOARD).setKey("open gap"))
            .setPlan(plan)
            .build());
  }

  @Test
  void certified_itIsOfferedInPlaceOfATermThatIsRefused() throws IOException {
    start(LexiconSettings.DEFAULT, Minds.differing(Set.of("loose end")));
    kit.put(Kit.plan("plan", AGENTS, List.of("derivative work", "loose end")));
    sidecars.coin(first("alice", COINING));
    use("alice", 3);
    use("bob", 1);
    PromoteRequest request =
        PromoteRequest.newBuilder()
            .setTerm(TermRequest.newBuilder().setBoard(BOARD).setKey("open gap"))
            .setPlan("plan")
            .setInstead("loose end")
            .build();
    assertRefused(
        () -> operator.promote(request.toBuilder().setInstead("no such").build()),
        "instead_unknown");
    assertRefused(
        () -> operator.promote(request.toBuilder().setInstead("open gap").build()),
        "instead_unknown");
    assertThat(operator.promote(request).getTerms(0).getStanding()).isEqualTo("untested");
    long revision = plan().getRevision();
    assertThat(operator.promote(request).getTerms(0)).isEqualTo(term());
    assertThat(plan().getRevision()).isEqualTo(revision);
    kit.audit("plan", AuditKind.AUDIT_KIND_CERTIFY);
    kit.awaitCertified(alice, "derivative work", "open gap");
    assertThat(kit.core(alice, "license").orElseThrow().term("loose end"))
        .contains(new GovernedTerm("loose end", TermStatus.REFUSED, Optional.of("open gap")));
    kit.client.assertLedgerAgrees();
  }

  private TermView term() {
    return operator.showBoard(GetBoardRequest.newBuilder().setBoard(BOARD).build()).getTerms(0);
  }

  private Plan plan() {
    return kit.operator.getPlan(GetPlanRequest.newBuilder().setName("plan").build());
  }

  private static void assertRefused(Runnable call, String reason) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getDescription()).startsWith(reason + ": "));
  }

  @Test
  void term_thatOthersUse_isCertified_andUntestedAgainWhenItIsRepaired() throws IOException {
    start(LexiconSettings.DEFAULT);
    kit.put(Kit.plan("plan", AGENTS, List.of("derivative work")));
    sidecars.coin(first("alice", COINING));
    use("alice", 3);
    assertRefused(() -> promote("plan"), "too_few_uses");
    use("bob", 1);
    assertRefused(() -> promote("another"), "plan_unknown");
    assertThat(promote("plan").getTerms(0))
        .matches(term -> term.getPlan().equals("plan"))
        .matches(term -> term.getStanding().equals("untested"));
    assertThat(plan())
        .matches(plan -> plan.getRevision() == 2)
        .satisfies(plan ->
            assertThat(plan.getTermsList())
                .contains(
                    VocabularyTerm.newBuilder()
                        .setText("open gap")
                        .setGloss("a point that the text leaves open")
                        .build()));
    assertThat(promote("plan").getTerms(0)).isEqualTo(term());
    assertThat(plan().getRevision()).isEqualTo(2);

    kit.audit("plan", AuditKind.AUDIT_KIND_CERTIFY);
    assertThat(term().getStanding()).isEqualTo("certified");
    kit.awaitCertified(alice, "derivative work", "open gap");

    sidecars.coin(sidecars.next("bob", "REPAIR open gap = neither stated nor excluded"));
    assertThat(term().getStanding()).isEqualTo("untested");
    assertThat(sidecars.board("bob", BOARD).terms().getFirst().repaired()).isTrue();
    // Without a rule too: what is in a plan is tested in its present meaning.
    await()
        .atMost(Kit.PATIENCE)
        .until(() ->
            plan().getTermsList().stream()
                .anyMatch(one -> one.getGloss().equals("neither stated nor excluded")));
    assertThat(promote("plan").getTerms(0).getStanding()).isEqualTo("untested");
    // An untested term is none that was certified: only an audit that certifies asks about it.
    kit.audit("plan", AuditKind.AUDIT_KIND_RECERTIFY);
    assertThat(promote("plan").getTerms(0).getStanding()).isEqualTo("untested");
    kit.audit("plan", AuditKind.AUDIT_KIND_CERTIFY);
    assertThat(promote("plan").getTerms(0).getStanding()).isEqualTo("certified");
    assertThat(sidecars.board("bob", BOARD).terms().getFirst().repaired()).isFalse();
    kit.client.assertLedgerAgrees();
  }

  @Test
  void rule_promotesByItself_whatWasUsedOftenEnough() throws IOException {
    start(LexiconSettings.DEFAULT.promoting(new Promotion(2, 2, Optional.of("plan"))));
    sidecars.coin(first("alice", COINING));
    use("bob", 2);
    // The plan comes later than the term that is to go into it.
    kit.put(Kit.plan("plan", AGENTS, List.of("derivative work")));
    await().atMost(Kit.PATIENCE).until(() -> term().getPlan().equals("plan"));
    assertThat(plan().getTermsList()).extracting(VocabularyTerm::getText).contains("open gap");
    kit.client.assertLedgerAgrees();
  }

  @Test
  void termThatThePlanHas_isNotGivenAnotherMeaning() throws IOException {
    start(LexiconSettings.DEFAULT.promoting(new Promotion(1, 1, Optional.empty())));
    kit.put(
        Kit.plan("plan", AGENTS, List.of("derivative work"))
            .addTerms(VocabularyTerm.newBuilder().setText("Open-Gap").setGloss("a legal term")));
    sidecars.coin(first("alice", COINING));
    use("bob", 1);
    assertRefused(() -> promote("plan"), "term_taken");
    assertThat(plan().getRevision()).isEqualTo(1);
    assertThat(term().getPlan()).isEmpty();
  }

  @Test
  void termThatWaitsOrIsRetired_isNotPromoted() throws IOException {
    start(
        LexiconSettings.DEFAULT
            .sharing(Sharing.REVIEWED)
            .promoting(new Promotion(1, 1, Optional.empty())));
    kit.put(Kit.plan("plan", AGENTS, List.of("derivative work")));
    sidecars.coin(first("alice", COINING));
    use("alice", 1);
    assertRefused(() -> promote("plan"), "term_waits");
    operator.retire(TermRequest.newBuilder().setBoard(BOARD).setKey("open gap").build());
    assertRefused(() -> promote("plan"), "term_retired");
  }
}
