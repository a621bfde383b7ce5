package dev.parlance.proxy.pact;

import dev.parlance.ledger.pact.PactStatement.Counts;
import dev.parlance.ledger.pact.PactStatement.Observed;
import dev.parlance.ledger.pact.PactStatement.Progress;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactCheck.Outcome;
import dev.parlance.policy.pact.Predicate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts of what a party's messages came to, for the ledger. No lock, no garbage. */
final class PeerTally {
  private final AtomicLong messages = new AtomicLong();

  private final Map<String, Outcomes> predicates = new HashMap<>();

  /** By place in {@link PactCategory#VIOLABLE}. */
  private final AtomicLongArray violations = new AtomicLongArray(PactCategory.VIOLABLE.size());

  /** What the control plane was last told, and when; changed on the loop only. */
  private long sequence;

  private long toldMessages;
  private long toldAtMs;

  /** What messages came to under one predicate. */
  private record Outcomes(AtomicLong held, AtomicLong violated, AtomicLong unmeasured) {
    AtomicLong of(Outcome outcome) {
      return switch (outcome) {
        case HELD -> held;
        case VIOLATED -> violated;
        case UNMEASURED -> unmeasured;
      };
    }
  }

  PeerTally(List<Predicate> agreed) {
    for (Predicate one : agreed) {
      predicates.put(one.id(), new Outcomes(new AtomicLong(), new AtomicLong(), new AtomicLong()));
    }
  }

  /** A predicate counts once for a message, with the worst of its findings. */
  void add(PactCheck.Result result) {
    messages.incrementAndGet();
    // While a person still decides nothing is violated.
    boolean pending = result.action() == PactCheck.Action.YIELD;
    int deciding = PactCategory.VIOLABLE.size();
    List<PactCheck.Finding> findings = result.findings();
    for (int i = 0; i < findings.size(); ) {
      Predicate predicate = findings.get(i).predicate();
      Outcome worst = Outcome.HELD;
      for (; i < findings.size() && isOf(findings.get(i), predicate); i++) {
        Outcome one = findings.get(i).outcome();
        if (one == Outcome.VIOLATED && !findings.get(i).isBlamed()) {
          one = Outcome.UNMEASURED;
        }
        if (one == Outcome.VIOLATED || worst == Outcome.HELD) {
          worst = one;
        }
      }
      Outcomes counts = predicates.get(predicate.id());
      boolean violated = worst == Outcome.VIOLATED;
      if (counts == null || (violated && pending)) {
        continue;
      }
      counts.of(worst).incrementAndGet();
      int rank =
          violated
              ? PactCategory.VIOLABLE.indexOf(predicate.kind().orElse(PactCategory.AUDIT))
              : -1;
      if (rank >= 0) {
        deciding = Math.min(deciding, rank);
      }
    }
    if (deciding < PactCategory.VIOLABLE.size()) {
      violations.incrementAndGet(deciding);
    }
  }

  private static boolean isOf(PactCheck.Finding finding, Predicate predicate) {
    return finding.predicate().id().equals(predicate.id());
  }

  long messages() {
    return messages.get();
  }

  long of(String predicate, Outcome outcome) {
    Outcomes counts = predicates.get(predicate);
    return counts == null ? 0 : counts.of(outcome).get();
  }

  /** True if there are other counts than were told, the last time up to this moment. */
  boolean isNews(long untilElapsedMs) {
    return messages.get() != toldMessages && toldAtMs <= untilElapsedMs;
  }

  /** The control plane knows all counts of the last statement. */
  void told(long elapsedMs) {
    toldAtMs = elapsedMs;
  }

  /** The next statement of the counts, as the observer of a party makes it. */
  Observed observed(String pact, String observer, String party, Progress progress) {
    TreeMap<String, Counts> byPredicate = new TreeMap<>();
    predicates.forEach((id, counts) ->
        byPredicate.put(
            id, new Counts(counts.held.get(), counts.violated.get(), counts.unmeasured.get())));
    TreeMap<PactCategory, Long> violated = new TreeMap<>();
    for (int i = 0; i < violations.length(); i++) {
      violated.put(PactCategory.VIOLABLE.get(i), violations.get(i));
    }
    sequence++;
    toldMessages = messages.get();
    return new Observed(
        pact, observer, party, sequence, progress, toldMessages, byPredicate, violated);
  }

  /** Goes on from counts of an earlier run: they must not fall. */
  void resume(Observed earlier) {
    sequence = earlier.sequence();
    toldMessages = messages.addAndGet(earlier.messages());
    earlier
        .violations()
        .forEach((category, count) ->
            violations.addAndGet(PactCategory.VIOLABLE.indexOf(category), count));
    earlier
        .predicates()
        .forEach((id, one) -> {
          Outcomes counts = predicates.get(id);
          if (counts != null) {
            counts.held.addAndGet(one.held());
            counts.violated.addAndGet(one.violated());
            counts.unmeasured.addAndGet(one.unmeasured());
          }
        });
  }
}
