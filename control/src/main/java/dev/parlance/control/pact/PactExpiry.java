package dev.parlance.control.pact;

import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.pact.PactRegistry.PactContext;
import dev.parlance.control.store.Store.SidecarRow;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.control.store.StoreClock;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.ledger.record.PactRecord;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.service.Loop;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of pacts whose time is over: every replica writes it, the first entry counts. */
final class PactExpiry implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PactExpiry.class);

  private final PactContext context;
  private final PactDesk desk;
  private final StoreClock clock;
  private final Loop drive;

  PactExpiry(PactContext context, PactDesk desk) {
    this.context = context;
    this.desk = desk;
    this.clock = new StoreClock(context.store());
    this.drive = Loop.start("control-pacts", context.pollMs(), this::turn);
  }

  /** Ends pacts whose time is over. Every replica does; the first entry counts. */
  private void turn() {
    try {
      if (context.view().read(state -> state.openPacts().isEmpty())) {
        return;
      }
      long now = clock.nowMs();
      List<PactRecord> over =
          context
              .view()
              .read(state ->
                  state.openPacts().stream()
                      .filter(pact -> pact.document().endMs() <= now)
                      .filter(
                          pact -> pact.state().phase() == Phase.ACTIVE || pact.arbiters().isEmpty())
                      .toList());
      if (over.isEmpty() || desk.catchUp().isPresent()) {
        return;
      }
      Set<String> attached = new HashSet<>();
      context.store().sidecars(context.aliveFor()).stream()
          .filter(SidecarRow::attached)
          .forEach(row -> attached.add(row.agent()));
      for (PactRecord pact : over) {
        context
            .view()
            .read(state -> state.pact(pact.id()))
            .filter(PactRecord::isOpen)
            .ifPresent(fresh -> expire(fresh, attached, now));
      }
    } catch (StoreException e) {
      log.atWarn().setCause(e).log("pacts: the store could not be used");
    }
  }

  /** Waits for the last counts of a sidecar that is attached: they show that it is there. */
  private void expire(PactRecord pact, Set<String> attached, long now) {
    long byMs = now - PactRecord.MAX_SKEW_MS;
    boolean isWaitedFor =
        pact.state().phase() == Phase.ACTIVE
            && byMs < pact.document().endMs()
            && (pact.parties().stream().anyMatch(attached::contains)
                || pact.vanished(now).isPresent())
            && !pact.isCounted();
    if (isWaitedFor) {
      return;
    }
    Optional<String> vanished =
        pact.state().phase() == Phase.ACTIVE ? pact.vanished(byMs) : Optional.empty();
    String reason = (vanished.isPresent() ? Ending.TIMEOUT : Ending.VALIDITY_EXPIRED).code();
    desk.append(
        new PactEntry.Dissolved(
            pact.id(), PactEntry.Dissolved.CONTROL, reason, vanished, Optional.empty(), now));
    context.metrics().count(ControlMeter.PACT_EXPIRE, reason);
    log.atInfo()
        .addKeyValue("pact", pact.id())
        .addKeyValue("reason", reason)
        .addKeyValue("responsible", vanished.orElse(""))
        .log("a pact's time is over");
  }

  @Override
  public void close() {
    drive.close();
  }
}
