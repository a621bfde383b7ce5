package dev.parlance.proxy.pact;

import dev.parlance.service.Result;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the sidecar owes to the ledger, brought there in the background: journaled first, repeated
 * with growing pauses until the control plane has taken or refused it. What ends a pact waits until
 * the pact itself is there. Used on the loop only.
 */
final class LedgerOutbox {
  private static final Logger log = LoggerFactory.getLogger(LedgerOutbox.class);

  /**
   * How long a pact of the own asking waits before it is attested, in milliseconds. The other side
   * attests before its agent gets the first request; at the same control plane the second
   * attestation then writes nothing, and does not slow the first one.
   */
  static final long ATTEST_AFTER_MS = 250;

  private final PactJournal journal;
  private final PactControl control;
  private final PactLoop loop;
  private final BiConsumer<PactJournal.Key, Result<?>> settled;
  private final Set<PactJournal.Key> underWay = new HashSet<>();

  /**
   * None yet.
   *
   * @param settled hears what came of each
   */
  LedgerOutbox(
      PactJournal journal,
      PactControl control,
      PactLoop loop,
      BiConsumer<PactJournal.Key, Result<?>> settled) {
    this.journal = journal;
    this.control = control;
    this.loop = loop;
    this.settled = settled;
  }

  /** Owes from now on; false if that could not be written down. */
  boolean owe(PactJournal.Kind kind, String pact, String note) {
    boolean written = journal.owe(kind, pact, note);
    PactJournal.Key key = new PactJournal.Key(kind, pact);
    if (kind == PactJournal.Kind.ATTEST) {
      loop.later(ATTEST_AFTER_MS, () -> pay(key, 1));
    } else {
      pay(key, 1);
    }
    return written;
  }

  /** Goes on with what an earlier run of the sidecar has left. */
  void resume() {
    for (PactJournal.Kind kind : PactJournal.Kind.values()) {
      if (kind.isDebt()) {
        journal.owed(kind).keySet().forEach(pact -> pay(new PactJournal.Key(kind, pact), 1));
      }
    }
  }

  private void pay(PactJournal.Key key, int attempt) {
    if (journal.owed(key.kind(), key.pact()).isEmpty()) {
      return;
    }
    boolean waits =
        key.kind() != PactJournal.Kind.ATTEST
            && journal.owed(PactJournal.Kind.ATTEST, key.pact()).isPresent();
    if (waits) {
      loop.later(loop.pauseMs(attempt), () -> pay(key, attempt));
      return;
    }
    // Whoever says that a pact was violated must have counted it before: the counts go first.
    boolean follows =
        key.kind() == PactJournal.Kind.DISSOLVE
            && journal.owed(PactJournal.Kind.FINAL, key.pact()).isPresent();
    if (follows || !underWay.add(key)) {
      return;
    }
    String note = journal.owed(key.kind(), key.pact()).orElseThrow();
    CompletableFuture<? extends Result<?>> call =
        switch (key.kind()) {
          case ATTEST -> control.attest(note);
          case DISSOLVE -> control.dissolve(note);
          case FINAL, OPEN, COUNTS -> control.report(note);
          case HIDDEN -> throw new IllegalStateException("nobody else hears of it");
        };
    CompletableFuture<?> _ =
        call.thenAccept(result -> loop.run(() -> answered(key, note, attempt, result)));
  }

  private void answered(PactJournal.Key key, String note, int attempt, Result<?> result) {
    underWay.remove(key);
    if (!journal.owed(key.kind(), key.pact()).equals(Optional.of(note))) {
      pay(key, 1);
      return;
    }
    if (result instanceof Result.Refused<?> refused) {
      boolean passing =
          refused.kind() == Result.Kind.UNAVAILABLE || refused.kind() == Result.Kind.EXHAUSTED;
      if (passing) {
        loop.later(loop.pauseMs(attempt), () -> pay(key, attempt + 1));
        return;
      }
      log.atWarn()
          .addKeyValue("what", key.kind())
          .addKeyValue("pact", key.pact())
          .addKeyValue("reason", refused.reason())
          .log("the control plane has refused what was to go on the ledger");
    }
    journal.paid(key.kind(), key.pact());
    settled.accept(key, result);
    if (key.kind() == PactJournal.Kind.FINAL) {
      pay(new PactJournal.Key(PactJournal.Kind.DISSOLVE, key.pact()), 1);
    }
  }
}
