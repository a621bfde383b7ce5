package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.core.TermVerdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DecisionsTest {
  private static final List<String> PAIR = List.of("alice", "bob");
  private static final List<String> TERM = List.of("notice");

  private final LedgerWriter ledger = new LedgerWriter(3);

  private Entry.Plan plan(CertificationParams params, Multiplicity multiplicity, int perTerm) {
    return ledger.plan(
        "p", 1, PAIR, List.of("derivative work", "notice"), 1000, params, multiplicity, perTerm);
  }

  private Entry.Decided certify(Entry.Plan plan, LedgerWriter.Answers answers) {
    return decided(plan, Entry.Kind.CERTIFY, answers);
  }

  private Entry.Decided decided(Entry.Plan plan, Entry.Kind kind, LedgerWriter.Answers answers) {
    LedgerWriter.Audit audit = ledger.open(plan, kind, TERM);
    audit.ask(answers, 1.0);
    audit.decide();
    audit.issue();
    Settlement settlement = audit.close(Optional.empty());
    assertThat(settlement.due()).hasSize(1);
    return settlement.due().getFirst();
  }

  private static CertificationParams params(Bound bound) {
    return new CertificationParams(0.05, 0.05, 0.10, bound);
  }

  /** Assent of both, but for the last events in the order of their names: bob says otherwise. */
  private LedgerWriter.Answers agreedBut(int contradictions, int neutral, int mute) {
    return new LedgerWriter.Answers() {
      private int seen;

      @Override
      public Optional<TermVerdict> of(String agent, String term, String event) {
        if (!agent.equals("bob")) {
          return Optional.of(TermVerdict.ASSENT);
        }
        seen++;
        if (seen <= contradictions) {
          return Optional.of(TermVerdict.DISSENT);
        }
        if (seen <= contradictions + neutral) {
          return Optional.of(TermVerdict.NEUTRAL);
        }
        return seen <= contradictions + neutral + mute
            ? Optional.empty()
            : Optional.of(TermVerdict.ASSENT);
      }
    };
  }

  private void expect(Entry.Decided decided, int n, int k, int c, Optional<RefusalReason> reason) {
    assertThat(decided.audited()).isEqualTo(n);
    assertThat(decided.eligible()).isEqualTo(k);
    assertThat(decided.contradictions()).isEqualTo(c);
    assertThat(decided.reason()).isEqualTo(reason);
  }

  /** golden/README.md, section 7: 59 clean comparisons at tau = delta = .05. */
  @Test
  void exactNeeds59CleanComparisons() {
    Entry.Plan plan = plan(params(Bound.EXACT), Multiplicity.PER_TERM, 59);
    expect(
        certify(plan, agreedBut(0, 1, 0)), 59, 58, 0, Optional.of(RefusalReason.BOUND_ABOVE_TAU));
    expect(certify(plan, agreedBut(0, 0, 0)), 59, 59, 0, Optional.empty());
  }

  @Test
  void wilsonNeeds52CleanComparisons() {
    Entry.Plan plan = plan(params(Bound.WILSON), Multiplicity.PER_TERM, 52);
    expect(
        certify(plan, agreedBut(0, 1, 0)), 52, 51, 0, Optional.of(RefusalReason.BOUND_ABOVE_TAU));
    expect(certify(plan, agreedBut(0, 0, 0)), 52, 52, 0, Optional.empty());
  }

  @Test
  void anytimeNeeds88CleanComparisons_andTheyMayComeInSeveralAudits() {
    Entry.Plan plan = plan(params(Bound.ANYTIME), Multiplicity.PER_TERM, 44);
    expect(
        certify(plan, agreedBut(0, 0, 0)), 44, 44, 0, Optional.of(RefusalReason.BOUND_ABOVE_TAU));
    Entry.Decided second = certify(plan, agreedBut(0, 0, 0));
    expect(second, 88, 88, 0, Optional.empty());
    assertThat(second.cusum()).hasValue(0.0);
  }

  @Test
  void S11_anytime_aFailedAuditsComparisonsStay() {
    Entry.Plan plan = plan(params(Bound.ANYTIME), Multiplicity.PER_TERM, 88);
    LedgerWriter.Audit failed = ledger.open(plan, Entry.Kind.CERTIFY, TERM);
    failed.ask(agreedBut(44, 0, 0), 1.0);
    failed.close(Optional.of("agent_unreachable"));
    expect(
        certify(plan, agreedBut(0, 0, 0)),
        176,
        176,
        44,
        Optional.of(RefusalReason.BOUND_ABOVE_TAU));
  }

  @Test
  void anytime_aCertifiedTermIsKeptUntilItDrifts_andThenStartsAnew() {
    Entry.Plan plan = plan(params(Bound.ANYTIME), Multiplicity.PER_TERM, 100);
    certify(plan, agreedBut(0, 0, 0));
    // Five of a hundred would not certify by themselves.
    Entry.Decided kept = decided(plan, Entry.Kind.RECERTIFY, agreedBut(5, 0, 0));
    assertThat(kept.outcome()).isEqualTo(Entry.Outcome.KEPT);
    assertThat(kept.tally().eligible()).isEqualTo(200);
    Entry.Decided revoked = decided(plan, Entry.Kind.RECERTIFY, agreedBut(60, 0, 0));
    assertThat(revoked.outcome()).isEqualTo(Entry.Outcome.REVOKED);
    assertThat(revoked.reason()).contains(RefusalReason.DRIFT_DETECTED);
    Entry.Decided anew = certify(plan, agreedBut(0, 0, 0));
    expect(anew, 100, 100, 0, Optional.empty());
  }

  @Test
  void anytime_anAdoptedUseStartsAnew() {
    Entry.Plan plan = plan(params(Bound.ANYTIME), Multiplicity.PER_TERM, 100);
    expect(
        certify(plan, agreedBut(60, 0, 0)),
        100,
        100,
        60,
        Optional.of(RefusalReason.BOUND_ABOVE_TAU));
    LedgerWriter.Audit audit = ledger.open(plan, Entry.Kind.RENEGOTIATE, TERM);
    audit.offer("notice", "alice", "bob", "adopt");
    audit.ask(agreedBut(0, 0, 0), 1.0);
    Entry.Decided decided = Auditor.decide(ledger.state(), audit.id, 1).getFirst();
    expect(decided, 100, 100, 0, Optional.empty());
    assertThat(decided.outcome()).isEqualTo(Entry.Outcome.RESTORED);
  }

  @Test
  void anytime_otherConstantsStartAnew() {
    Entry.Plan plan = plan(params(Bound.ANYTIME), Multiplicity.PER_TERM, 44);
    certify(plan, agreedBut(0, 0, 0));
    Entry.Plan stricter =
        ledger.plan(
            "p",
            2,
            PAIR,
            plan.terms(),
            1000,
            new CertificationParams(0.04, 0.05, 0.1, Bound.ANYTIME),
            Multiplicity.PER_TERM,
            44);
    assertThat(certify(stricter, agreedBut(0, 0, 0)).eligible()).isEqualTo(44);
  }

  @Test
  void theFamilyShareIsDeltaDividedByTheVocabulary() {
    Entry.Plan plan = plan(params(Bound.EXACT), Multiplicity.FAMILY, 72);
    // ln(.025)/ln(.95) = 71.9: one fewer than 72 is not enough for two terms.
    expect(
        certify(plan, agreedBut(0, 1, 0)), 72, 71, 0, Optional.of(RefusalReason.BOUND_ABOVE_TAU));
    expect(certify(plan, agreedBut(0, 0, 0)), 72, 72, 0, Optional.empty());
    LedgerWriter.Audit audit = ledger.open(plan, Entry.Kind.CERTIFY, TERM);
    audit.ask(agreedBut(0, 0, 0), 1.0);
    CertifiedCore core = Auditor.core(ledger.state(), audit.id, 9, 1, 1);
    assertThat(core.params().delta()).isEqualTo(0.025);
  }

  @Test
  void reasonsComeInTheirOrder() {
    Entry.Plan plan = plan(params(Bound.EXACT), Multiplicity.PER_TERM, 100);
    expect(certify(plan, agreedBut(0, 0, 100)), 0, 0, 0, Optional.of(RefusalReason.NO_DATA));
    expect(certify(plan, agreedBut(89, 0, 11)), 89, 89, 89, Optional.of(RefusalReason.INCOMPLETE));
    // Ten unanswered of a hundred are just not too many.
    expect(certify(plan, agreedBut(0, 0, 10)), 90, 90, 0, Optional.empty());
    expect(
        certify(plan, agreedBut(50, 0, 0)),
        100,
        100,
        50,
        Optional.of(RefusalReason.BOUND_ABOVE_TAU));
    Entry.Plan wide =
        ledger.plan(
            "p",
            2,
            PAIR,
            plan.terms(),
            1000,
            new CertificationParams(0.5, 0.05, 0.9, Bound.EXACT),
            Multiplicity.PER_TERM,
            100);
    expect(
        certify(wide, agreedBut(0, 11, 0)),
        100,
        89,
        0,
        Optional.of(RefusalReason.COVERAGE_BELOW_FLOOR));
  }

  @Test
  void aGroupHoldsATermIfEveryPairDoes() {
    Entry.Plan plan =
        ledger.plan(
            "three",
            1,
            List.of("alice", "bob", "carol"),
            List.of("notice"),
            500,
            params(Bound.EXACT),
            Multiplicity.PER_TERM,
            60);
    LedgerWriter.Answers carolDiffers =
        (agent, term, event) ->
            Optional.of(agent.equals("carol") ? TermVerdict.DISSENT : TermVerdict.ASSENT);
    CertifiedCore core = ledger.audit(plan, Entry.Kind.CERTIFY, List.of(), carolDiffers);
    assertThat(core.term("notice").orElseThrow().status()).isEqualTo(TermStatus.REFUSED);
    assertThat(ledger.state().outcome(plan.core(), PAIR, "notice"))
        .contains(Entry.Outcome.CERTIFIED);
    assertThat(ledger.state().outcome(plan.core(), List.of("bob", "carol"), "notice"))
        .contains(Entry.Outcome.REFUSED);
    core =
        ledger.audit(
            plan, Entry.Kind.CERTIFY, List.of(), (_, _, _) -> Optional.of(TermVerdict.ASSENT));
    assertThat(core.certified()).containsExactly("notice");
  }
}
