package dev.parlance.proxy.pact;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatement.Charge;
import dev.parlance.ledger.pact.PactStatement.Detail;
import dev.parlance.policy.pact.PactPolicy.Finding;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reports of negotiations that came to nothing, signed and handed to the control plane: at most one
 * a minute about a party, for anybody can say that they are somebody.
 */
final class FailureReports {
  private static final int MAX_CHARS = 512;
  private static final int REMEMBERED = 10_000;
  private static final long PAUSE_MS = 60_000;

  private final PactContext context;
  private final Cache<String, Long> lately =
      Caffeine.newBuilder().maximumSize(REMEMBERED).executor(Runnable::run).build();

  FailureReports(PactContext context) {
    this.context = context;
  }

  /** The other side broke the rules, or left after everything was agreed. */
  void badFaith(String negotiation, String peer) {
    report(Charge.BAD_FAITH, negotiation, peer, List.of());
  }

  /** The two policies have nothing in common. */
  void incompatible(String negotiation, String peer, List<Finding> findings) {
    report(
        Charge.INCOMPATIBLE,
        negotiation,
        peer,
        findings.stream().limit(PactStatement.MAX_DETAILS).map(FailureReports::detail).toList());
  }

  private static Detail detail(Finding one) {
    return new Detail(
        one.predicate().orElse(""),
        one.key(),
        one.ours(),
        one.theirs().length() > MAX_CHARS ? "too long to be repeated" : one.theirs());
  }

  private void report(Charge charge, String negotiation, String peer, List<Detail> details) {
    Long before = lately.getIfPresent(peer);
    if (peer.equals(context.party())
        || (before != null && context.loop().elapsedMs() - before < PAUSE_MS)) {
      return;
    }
    lately.put(peer, context.loop().elapsedMs());
    PactStatement.Report report =
        new PactStatement.Report(
            charge,
            negotiation,
            /* reporter= */ context.party(),
            /* party= */ peer,
            details,
            context.loop().wallMs());
    CompletableFuture<?> _ = context.control().report(context.sign(report));
  }
}
