package dev.parlance.ledger.record;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.TermStatus;
import java.util.List;
import java.util.Optional;

/**
 * A ledger with every kind of entry: the three bounds, three agents, a plan in parts, a take-over
 * with a late entry of the former replica, repeated entries, failed audits, revocations,
 * renegotiations adopted and declined, changed constants.
 */
final class SampleLedger {
  static final List<String> TERMS = List.of("contribution", "derivative work", "notice");
  private static final List<String> NONE = List.of();

  private SampleLedger() {}

  static CertificationParams params(Bound bound) {
    return new CertificationParams(0.2, 0.1, 0.1, bound);
  }

  static LedgerWriter write(long seed) {
    LedgerWriter ledger = new LedgerWriter(seed);
    for (Bound bound : Bound.values()) {
      pair(ledger, bound, seed);
    }
    three(ledger, seed);
    return ledger;
  }

  private static void pair(LedgerWriter ledger, Bound bound, long seed) {
    List<String> agents = List.of("alice", "bob");
    Entry.Plan plan =
        ledger.plan(bound.code(), 1, agents, TERMS, 900, params(bound), Multiplicity.PER_TERM, 40);
    LedgerWriter.Answers agreed = LedgerWriter.agents(seed, 0.06, "bob", NONE);
    LedgerWriter.Answers drifted = LedgerWriter.agents(seed, 0.06, "bob", List.of("notice"));
    ledger.audit(plan, Entry.Kind.CERTIFY, NONE, agreed);
    ledger.audit(
        plan,
        Entry.Kind.RECERTIFY,
        NONE,
        agreed,
        audit -> {
          audit.ask(agreed, 0.4);
          audit.takeOver(agreed);
          Entry known =
              ledger.entries().stream()
                  .filter(
                      entry -> entry instanceof Entry.Test test && test.audit().equals(audit.id))
                  .findFirst()
                  .orElseThrow();
          Entry.Test test = (Entry.Test) known;
          ledger.ignored(
              Applied.Cause.DUPLICATE,
              new Entry.Test(
                  audit.id,
                  audit.epoch,
                  test.agent(),
                  test.event(),
                  test.term(),
                  test.verdict(),
                  test.form(),
                  test.answerSha256(),
                  ledger.now()));
        });
    LedgerWriter.Audit failed = ledger.open(plan, Entry.Kind.RECERTIFY, NONE);
    failed.ask(drifted, 0.5);
    failed.close(Optional.of("agent_unreachable"));
    ledger.audit(plan, Entry.Kind.RECERTIFY, NONE, drifted);
    ledger.audit(plan, Entry.Kind.RECERTIFY, List.of("notice"), drifted);
    LedgerWriter.Audit declined = ledger.open(plan, Entry.Kind.RENEGOTIATE, List.of("notice"));
    declined.offer("notice", "alice", "bob", "decline");
    declined.close(Optional.of("offer_declined"));
    ledger.audit(
        plan,
        Entry.Kind.RENEGOTIATE,
        List.of("contribution", "notice"),
        agreed,
        audit -> {
          audit.offer("contribution", "alice", "bob", "decline");
          audit.offer("notice", "bob", "alice", "adopt");
        });
    Entry.Plan revised =
        ledger.plan(
            bound.code(),
            3,
            agents,
            TERMS,
            900,
            params(bound).withDelta(0.2),
            Multiplicity.FAMILY,
            30);
    ledger.audit(revised, Entry.Kind.CERTIFY, NONE, agreed);
    LedgerWriter.Answers mute =
        (agent, term, event) ->
            agent.equals("bob") && term.equals("derivative work")
                ? Optional.empty()
                : agreed.of(agent, term, event);
    ledger.audit(revised, Entry.Kind.RECERTIFY, List.of("derivative work"), mute);
  }

  private static void three(LedgerWriter ledger, long seed) {
    List<String> agents = List.of("alice", "bob", "carol");
    Entry.Plan plan =
        ledger.plan("three", 7, agents, TERMS, 100, params(Bound.EXACT), Multiplicity.FAMILY, 40);
    LedgerWriter.Answers drifted =
        LedgerWriter.agents(seed, 0.03, "carol", List.of("contribution"));
    ledger.audit(plan, Entry.Kind.CERTIFY, NONE, drifted);
    ledger.audit(
        plan,
        Entry.Kind.RENEGOTIATE,
        List.of("contribution"),
        LedgerWriter.agents(seed, 0.03, "carol", NONE),
        audit -> {
          audit.offer("contribution", "alice", "carol", "adopt");
          audit.offer("contribution", "bob", "carol", "adopt");
        });
    // 40 + 40 of 100 events are gone for "contribution".
    LedgerWriter.Audit exhausted = ledger.open(plan, Entry.Kind.RECERTIFY, NONE);
    exhausted.close(Optional.of("events_exhausted"));
  }

  static TermStatus status(LedgerWriter ledger, String plan, String term) {
    return ledger.state().status(ledger.state().plan(plan).orElseThrow(), term);
  }
}
