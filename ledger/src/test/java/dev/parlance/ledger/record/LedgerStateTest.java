package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.ledger.record.Applied.Cause;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.core.TermVerdict;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LedgerStateTest {
  private static final List<String> PAIR = List.of("alice", "bob");
  private static final List<String> TERMS = List.of("derivative work", "notice");
  private static final CertificationParams PARAMS =
      new CertificationParams(0.2, 0.1, 0.1, Bound.EXACT);
  private static final LedgerWriter.Answers AGREED =
      (agent, term, event) -> Optional.of(TermVerdict.ASSENT);
  private static final LedgerWriter.Answers OPPOSED =
      (agent, term, event) ->
          Optional.of(agent.equals("bob") ? TermVerdict.DISSENT : TermVerdict.ASSENT);
  private static final LedgerWriter.Answers MUTE = (agent, term, event) -> Optional.empty();

  private final LedgerWriter ledger = new LedgerWriter(1);
  private final Entry.Plan plan =
      ledger.plan("p", 1, PAIR, TERMS, 60, PARAMS, Multiplicity.PER_TERM, 12);

  private LedgerWriter.Audit open() {
    return ledger.open(plan, Entry.Kind.CERTIFY, List.of());
  }

  private Entry.Test test(LedgerWriter.Audit audit, String agent, String event, String term) {
    return new Entry.Test(
        audit.id,
        audit.epoch,
        agent,
        event,
        term,
        TermVerdict.ASSENT,
        Entry.Form.SIMULATED,
        Optional.empty(),
        ledger.now());
  }

  private static Entry.Opened opened(String audit, String plan, long revision, List<String> terms) {
    return new Entry.Opened(
        audit, 1, plan, revision, Entry.Kind.CERTIFY, terms, Digest.of("seed"), 1);
  }

  // ---- plans ----

  @Test
  void aPlanIsKnownByItsNewestRevision() {
    assertThat(ledger.state().plan("p", 1)).isPresent();
    assertThat(ledger.state().plan("p", 2)).isEmpty();
    ledger.plan("p", 4, PAIR, TERMS, 60, PARAMS, Multiplicity.PER_TERM, 12);
    assertThat(ledger.state().plan("p", 1)).isEmpty();
    assertThat(ledger.state().plan("p").orElseThrow().plan().revision()).isEqualTo(4);
  }

  @Test
  void aRevisionAgain_isARepetition_ifItSaysTheSame() {
    ledger.ignored(Cause.DUPLICATE, plan);
    Entry.Plan other =
        new Entry.Plan(
            "p",
            1,
            plan.core(),
            plan.terms(),
            plan.events(),
            new CertificationParams(0.3, 0.1, 0.1, Bound.EXACT),
            Multiplicity.PER_TERM,
            12,
            1);
    ledger.ignored(Cause.CONTRADICTS_EARLIER, other);
    ledger.plan("p", 4, PAIR, TERMS, 60, PARAMS, Multiplicity.PER_TERM, 12);
    ledger.ignored(Cause.PLAN_SUPERSEDED, plan);
  }

  @Test
  void partsThatDoNotFollowOneAnother_countForNothing() {
    Entry.PlanPart first =
        new Entry.PlanPart("q", 1, 0, List.of("a"), new TreeMap<>(), List.of(), 1);
    Entry.PlanPart second =
        new Entry.PlanPart("q", 1, 1, List.of("b"), new TreeMap<>(), LedgerWriter.pool("e", 3), 1);
    Entry.Plan two =
        new Entry.Plan(
            "q",
            1,
            new CoreId(PAIR, "d"),
            List.of(),
            new TreeMap<>(),
            List.of(),
            PARAMS,
            Multiplicity.PER_TERM,
            1,
            2,
            1);
    ledger.ignored(Cause.PARTS_MISSING, second);
    ledger.counts(first);
    ledger.ignored(Cause.PARTS_MISSING, two);
    ledger.counts(first);
    ledger.counts(second);
    ledger.ignored(Cause.PARTS_MISSING, second);
    ledger.ignored(Cause.PARTS_MISSING, two);
    ledger.counts(first);
    ledger.counts(first);
    ledger.counts(second);
    ledger.counts(two);
    assertThat(ledger.state().plan("q").orElseThrow().plan().terms()).containsExactly("a", "b");
  }

  @Test
  void partsThatMakeNoPlan_countForNothing() {
    ledger.counts(new Entry.PlanPart("q", 1, 0, List.of("b"), new TreeMap<>(), List.of(), 1));
    ledger.counts(new Entry.PlanPart("q", 1, 1, List.of("a"), new TreeMap<>(), List.of(), 1));
    ledger.ignored(
        Cause.IMPOSSIBLE_PLAN,
        new Entry.Plan(
            "q",
            1,
            new CoreId(PAIR, "d"),
            List.of(),
            new TreeMap<>(),
            LedgerWriter.pool("e", 3),
            PARAMS,
            Multiplicity.PER_TERM,
            1,
            2,
            1));
  }

  // ---- openings ----

  @Test
  void oneAuditOfAPlanAtATime_andAnIdOnce() {
    LedgerWriter.Audit audit = open();
    ledger.ignored(Cause.DUPLICATE, audit.state().opened());
    ledger.ignored(Cause.CONTRADICTS_EARLIER, opened(audit.id, "p", 1, List.of()));
    ledger.ignored(Cause.AUDIT_RUNNING, opened("other", "p", 1, List.of()));
    audit.close(Optional.of("no_sidecar"));
    ledger.counts(opened("other", "p", 1, List.of()));
  }

  @Test
  void anAuditOfTheSameCoreByAnotherPlan_waitsToo() {
    Entry.Plan same =
        new Entry.Plan(
            "q", 1, plan.core(), plan.terms(), plan.events(), PARAMS, Multiplicity.PER_TERM, 12, 1);
    ledger.counts(same);
    open();
    ledger.ignored(Cause.AUDIT_RUNNING, opened("other", "q", 1, List.of()));
  }

  @Test
  void anAuditNeedsTheNewestRevisionAndItsTerms() {
    ledger.ignored(Cause.PLAN_UNKNOWN, opened("a", "q", 1, List.of()));
    ledger.ignored(Cause.PLAN_UNKNOWN, opened("a", "p", 2, List.of()));
    ledger.ignored(Cause.TERM_UNKNOWN, opened("a", "p", 1, List.of("liability")));
    ledger.plan("p", 2, PAIR, TERMS, 60, PARAMS, Multiplicity.PER_TERM, 12);
    ledger.ignored(Cause.PLAN_SUPERSEDED, opened("a", "p", 1, List.of()));
    ledger.counts(opened("a", "p", 2, List.of("notice")));
    assertThat(ledger.state().audit("a").orElseThrow().terms()).containsExactly("notice");
  }

  // ---- answers ----

  @Test
  void openQuestionsAreThoseDrawnAndNotAnswered() {
    LedgerWriter.Audit audit = open();
    assertThat(audit.state().openQuestions()).hasSize(2 * 2 * 12);
    audit.ask(AGREED, 0.5);
    assertThat(audit.state().openQuestions()).hasSize(24);
    assertThat(audit.state().answered()).isEqualTo(24);
    audit.ask(MUTE, 1.0);
    assertThat(audit.state().openQuestions()).isEmpty();
    assertThat(audit.state().unanswered()).isEqualTo(24);
  }

  @Test
  void anAnswerOutsideThePlanOrTheDraw_countsForNothing() {
    LedgerWriter.Audit audit = open();
    String drawn = audit.state().drawn("notice").getFirst();
    String other =
        plan.events().stream()
            .map(Entry.PlanEvent::pei)
            .filter(pei -> !audit.state().drawn("notice").contains(pei))
            .findFirst()
            .orElseThrow();
    ledger.ignored(Cause.AGENT_UNKNOWN, test(audit, "mallory", drawn, "notice"));
    ledger.ignored(Cause.TERM_UNKNOWN, test(audit, "bob", drawn, "liability"));
    ledger.ignored(Cause.EVENT_UNKNOWN, test(audit, "bob", "nowhere", "notice"));
    ledger.ignored(Cause.NOT_DRAWN, test(audit, "bob", other, "notice"));
    ledger.counts(test(audit, "bob", drawn, "notice"));
  }

  @Test
  void S11_theFirstAnswerCounts_whateverComesLater() {
    LedgerWriter.Audit audit = open();
    String event = audit.state().drawn("notice").getFirst();
    ledger.counts(
        new Entry.Unanswered(audit.id, 1, "bob", event, "notice", "timeout", ledger.now()));
    ledger.ignored(Cause.DUPLICATE, test(audit, "bob", event, "notice"));
    ledger.counts(test(audit, "alice", event, "notice"));
    ledger.ignored(Cause.DUPLICATE, test(audit, "alice", event, "notice"));
  }

  @Test
  void anAnswerAfterTheFirstDecision_isTooLate() {
    LedgerWriter.Audit audit = open();
    audit.ask(AGREED, 0.9);
    Entry late = audit.answer(audit.state().openQuestions().getFirst(), AGREED);
    audit.decide();
    ledger.ignored(Cause.TOO_LATE, late);
    assertThat(audit.state().openQuestions()).isEmpty();
  }

  // ---- epochs ----

  @Test
  void C7_theFormerReplicaIsFenced_andWhatItWroteBeforeStands() {
    LedgerWriter.Audit audit = open();
    audit.ask(AGREED, 0.5);
    Entry late = audit.answer(audit.state().openQuestions().getFirst(), OPPOSED);
    ledger.counts(new Entry.TakenOver(audit.id, 4, ledger.now()));
    ledger.ignored(Cause.FENCED, late);
    ledger.ignored(Cause.FENCED, new Entry.TakenOver(audit.id, 3, ledger.now()));
    assertThat(audit.state().answered()).isEqualTo(24);
    audit.epoch = 5;
    ledger.ignored(
        Cause.EPOCH_UNKNOWN, audit.answer(audit.state().openQuestions().getFirst(), AGREED));
    audit.epoch = 4;
    audit.ask(AGREED, 1.0);
    audit.decide();
    audit.issue();
    audit.close(Optional.empty());
    ledger.ignored(Cause.FENCED, late);
    ledger.ignored(Cause.ENDED_ALREADY, new Entry.TakenOver(audit.id, 9, ledger.now()));
    assertThat(SampleLedger.status(ledger, "p", "notice")).isEqualTo(TermStatus.CERTIFIED);
  }

  @Test
  void C7_theNextReplicaWritesOnlyTheDecisionsThatAreMissing() {
    LedgerWriter.Audit audit = open();
    audit.ask(AGREED, 1.0);
    List<Entry.Decided> all = Auditor.decide(ledger.state(), audit.id, 1);
    assertThat(all).hasSize(2);
    ledger.counts(all.getFirst());
    audit.epoch = 2;
    ledger.counts(new Entry.TakenOver(audit.id, 2, ledger.now()));
    List<Entry.Decided> rest = Auditor.decide(ledger.state(), audit.id, 1);
    assertThat(rest).hasSize(1);
    assertThat(rest.getFirst().term()).isEqualTo(all.getLast().term());
    assertThat(rest.getFirst().epoch()).isEqualTo(2);
  }

  @Test
  void anEntryOfAnUnknownOrEndedAudit_countsForNothing() {
    ledger.ignored(Cause.AUDIT_UNKNOWN, new Entry.TakenOver("nobody", 2, 1));
    LedgerWriter.Audit audit = open();
    Entry late = audit.answer(audit.state().openQuestions().getFirst(), AGREED);
    audit.close(Optional.of("no_sidecar"));
    ledger.ignored(Cause.AUDIT_CLOSED, late);
  }

  // ---- decisions, cores ----

  @Test
  void aDecisionOrCoreAgain_isARepetition_andAnotherOneContradicts() {
    LedgerWriter.Audit audit = open();
    audit.ask(AGREED, 1.0);
    audit.decide();
    Entry.Decided decided = audit.state().decision(PAIR, "notice").orElseThrow();
    ledger.ignored(Cause.DUPLICATE, decided);
    Entry.Decided lie =
        new Entry.Decided(
            audit.id,
            1,
            PAIR,
            "notice",
            12,
            12,
            1,
            0,
            0.3,
            1.0,
            decided.cusum(),
            Entry.Outcome.REFUSED,
            Optional.of(RefusalReason.BOUND_ABOVE_TAU),
            1);
    ledger.ignored(Cause.CONTRADICTS_EARLIER, lie);
    CertifiedCore core = audit.issue();
    ledger.ignored(Cause.DUPLICATE, Auditor.issued(audit.id, 1, core));
    CertifiedCore other =
        Auditor.core(ledger.state(), audit.id, 1, core.issuedAtMs() + 1, core.ledgerSize());
    ledger.ignored(Cause.CONTRADICTS_EARLIER, Auditor.issued(audit.id, 1, other));
  }

  @Test
  void theOutcomeFollowsTheTests_notWhatADecisionClaims() {
    LedgerWriter.Audit audit = open();
    audit.ask(OPPOSED, 1.0);
    for (Entry.Decided honest : Auditor.decide(ledger.state(), audit.id, 1)) {
      ledger.counts(
          new Entry.Decided(
              audit.id,
              1,
              PAIR,
              honest.term(),
              12,
              12,
              0,
              0,
              0.1,
              1.0,
              honest.cusum(),
              Entry.Outcome.CERTIFIED,
              Optional.empty(),
              1));
    }
    audit.close(Optional.empty());
    assertThat(ledger.state().outcome(plan.core(), PAIR, "notice")).contains(Entry.Outcome.REFUSED);
  }

  @Test
  void versionsCountUpForACore_andTheCoreListsTheWholeVocabulary() {
    assertThat(ledger.state().coreVersion(plan.core())).isZero();
    ledger.audit(plan, Entry.Kind.CERTIFY, List.of("notice"), AGREED);
    CertifiedCore core = ledger.audit(plan, Entry.Kind.CERTIFY, List.of("notice"), OPPOSED);
    assertThat(ledger.state().coreVersion(plan.core())).isEqualTo(2);
    assertThat(core.version()).isEqualTo(2);
    assertThat(core.term("notice").orElseThrow().status()).isEqualTo(TermStatus.REVOKED);
    assertThat(core.term("notice").orElseThrow().alternative()).contains("derivative work");
    assertThat(core.term("derivative work").orElseThrow().status()).isEqualTo(TermStatus.UNTESTED);
  }

  @Test
  void outcomesAreNamedAfterTheKindAndWhatWasBefore() {
    ledger.audit(plan, Entry.Kind.CERTIFY, List.of("notice"), OPPOSED);
    assertThat(ledger.state().outcome(plan.core(), PAIR, "notice")).contains(Entry.Outcome.REFUSED);
    ledger.audit(plan, Entry.Kind.CERTIFY, List.of("notice"), AGREED);
    assertThat(ledger.state().outcome(plan.core(), PAIR, "notice"))
        .contains(Entry.Outcome.CERTIFIED);
    ledger.audit(plan, Entry.Kind.RECERTIFY, List.of("notice"), AGREED);
    assertThat(ledger.state().outcome(plan.core(), PAIR, "notice")).contains(Entry.Outcome.KEPT);
    ledger.audit(plan, Entry.Kind.RECERTIFY, List.of("notice"), OPPOSED);
    assertThat(ledger.state().outcome(plan.core(), PAIR, "notice")).contains(Entry.Outcome.REVOKED);
    ledger.audit(
        plan,
        Entry.Kind.RENEGOTIATE,
        List.of("notice"),
        AGREED,
        audit -> audit.offer("notice", "bob", "alice", "adopt"));
    assertThat(ledger.state().outcome(plan.core(), PAIR, "notice"))
        .contains(Entry.Outcome.RESTORED);
  }

  // ---- events ----

  @Test
  void eventsAskedAboutAreUsedUp_inFailedAuditsToo_andTheRestIsFresh() {
    LedgerWriter.Audit failed = open();
    failed.ask(MUTE, 0.5);
    failed.close(Optional.of("agent_unreachable"));
    int used =
        ledger.state().usedEvents("p", "notice").size()
            + ledger.state().usedEvents("p", "derivative work").size();
    assertThat(used).isBetween(12, 24);
    LedgerWriter.Audit next = open();
    assertThat(next.state().drawn("notice"))
        .doesNotContainAnyElementsOf(ledger.state().usedEvents("p", "notice"));
  }

  @Test
  void S11_aPoolWithTooFewFreshEvents_isExhausted() {
    for (int i = 0; i < 5; i++) {
      assertThat(ledger.state().isExhausted(ledger.state().plan("p").orElseThrow(), TERMS))
          .isFalse();
      ledger.audit(plan, Entry.Kind.CERTIFY, List.of("notice"), AGREED);
    }
    LedgerWriter.Audit last = open();
    assertThat(ledger.state().isExhausted(last.state())).isTrue();
    assertThat(last.close(Optional.of("events_exhausted")).exhausted()).isTrue();
  }

  // ---- renegotiation ----

  @Test
  void onlyAdoptedTermsAreTestedAndDecided() {
    LedgerWriter.Audit audit = ledger.open(plan, Entry.Kind.RENEGOTIATE, List.of());
    String event = audit.state().drawn("notice").getFirst();
    ledger.ignored(Cause.NOT_ADOPTED, test(audit, "bob", event, "notice"));
    audit.offer("notice", "alice", "bob", "adopt");
    audit.offer("derivative work", "alice", "bob", "decline");
    assertThat(audit.state().openQuestions())
        .hasSize(24)
        .allMatch(question -> question.term().equals("notice"));
    ledger.counts(test(audit, "bob", event, "notice"));
    ledger.ignored(
        Cause.DUPLICATE,
        new Entry.Renegotiated(audit.id, 1, "notice", "alice", "bob", 0, 0, "decline", 1));
    assertThat(Auditor.decide(ledger.state(), audit.id, 1))
        .extracting(Entry.Decided::term)
        .containsExactly("notice");
  }

  @Test
  void anOfferOutOfPlace_countsForNothing() {
    LedgerWriter.Audit certify = open();
    Entry.Renegotiated offer =
        new Entry.Renegotiated(certify.id, 1, "notice", "alice", "bob", 0, 0, "adopt", 1);
    ledger.ignored(Cause.NO_RENEGOTIATION, offer);
    certify.close(Optional.of("no_sidecar"));
    LedgerWriter.Audit audit = ledger.open(plan, Entry.Kind.RENEGOTIATE, List.of("notice"));
    ledger.ignored(
        Cause.AGENT_UNKNOWN,
        new Entry.Renegotiated(audit.id, 1, "notice", "alice", "mallory", 0, 0, "adopt", 1));
    ledger.ignored(
        Cause.TERM_UNKNOWN,
        new Entry.Renegotiated(audit.id, 1, "liability", "alice", "bob", 0, 0, "adopt", 1));
  }

  @Test
  void decidedVerdictsOfClosedAuditsCount_andTheAgentWithMoreIsEntrenched() {
    LedgerWriter.Answers bobDecides =
        (agent, term, event) ->
            Optional.of(agent.equals("bob") ? TermVerdict.DISSENT : TermVerdict.NEUTRAL);
    ledger.audit(plan, Entry.Kind.CERTIFY, List.of("notice"), bobDecides);
    assertThat(ledger.state().decidedVerdicts("domain-p", "bob", "notice")).isEqualTo(12);
    assertThat(ledger.state().decidedVerdicts("domain-p", "alice", "notice")).isZero();
    assertThat(ledger.state().decidedVerdicts("elsewhere", "bob", "notice")).isZero();
    assertThat(
            Auditor.entrenchment(ledger.state(), "domain-p", "notice", "alice", "bob").entrenched())
        .isEqualTo("bob");
    assertThat(
            Auditor.entrenchment(ledger.state(), "domain-p", "derivative work", "bob", "alice")
                .entrenched())
        .isEqualTo("alice");
  }

  @Test
  void aSeedThatIsNotTheOneCommittedTo_drawsNothing_andDecidesNothing() {
    LedgerWriter.Audit audit = open();
    audit.ask(AGREED, 1.0);
    audit.decide();
    audit.issue();
    assertThat(ledger.state().reveal(audit.id, new byte[32])).isFalse();
    Applied applied =
        ledger.append(
            new Entry.Closed(
                audit.id, 1, HexFormat.of().formatHex(new byte[32]), Optional.empty(), 1));
    assertThat(applied)
        .isInstanceOfSatisfying(
            Applied.Settled.class,
            settled -> assertThat(settled.settlement().seedOpens()).isFalse());
    assertThat(ledger.state().outcome(plan.core(), PAIR, "notice")).isEmpty();
    assertThat(ledger.state().usedEvents("p", "notice")).hasSize(12);
  }
}
