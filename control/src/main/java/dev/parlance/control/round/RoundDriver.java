package dev.parlance.control.round;

import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.round.RoundCoordinator.RoundContext;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.ledger.record.RoundDecision;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals and decides. Each step is read from the ledger and put on it, so it does not matter which
 * replica does it, or whether two do: the first seal counts, and the decision follows from what is
 * before it.
 *
 * <pre>
 * takes proposals, all there    -> Sealed(complete)
 * takes proposals, time is over -> Sealed(deadline)
 * sealed                        -> Decided
 * </pre>
 */
final class RoundDriver {
  private static final Logger log = LoggerFactory.getLogger(RoundDriver.class);
  private static final int STRIPES = 64;
  private static final int GRACE_POLLS = 3;
  private static final long BACK_OFF_NS = TimeUnit.SECONDS.toNanos(1);

  private final RoundContext context;
  private final RoundJournal ledger;
  private final StoreClock clock;
  private final RoundTexts texts;
  private final TextDifferences differences;
  private final Runnable onChange;
  private final Object[] stripes = new Object[STRIPES];

  /** Rounds that this replica has opened or taken a proposal for. */
  private final Set<RoundId> own = ConcurrentHashMap.newKeySet();

  /** Since when a round of others is due; used by the loop alone. */
  private final Map<RoundId, Long> dueSinceNs = new HashMap<>();

  private volatile long notBeforeNs = System.nanoTime();

  /**
   * @param onChange called when this replica has ended a round
   */
  RoundDriver(
      RoundContext context,
      RoundJournal ledger,
      StoreClock clock,
      RoundTexts texts,
      TextDifferences differences,
      Runnable onChange) {
    this.differences = differences;
    this.context = context;
    this.ledger = ledger;
    this.clock = clock;
    this.texts = texts;
    this.onChange = onChange;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Object();
    }
  }

  /** This replica sees to that round at once; others only if nobody does. */
  void own(RoundId id) {
    own.add(id);
  }

  /** Ends what is due. Rounds of other replicas are left to them for a moment. */
  void turn(List<RoundRecord> unfinished) {
    long now = System.nanoTime();
    List<RoundId> ids = unfinished.stream().map(RoundRecord::id).toList();
    own.retainAll(ids);
    dueSinceNs.keySet().retainAll(ids);
    for (RoundRecord record : unfinished) {
      RoundId id = record.id();
      if (now - notBeforeNs >= 0 && isDue(record)) {
        long since = dueSinceNs.computeIfAbsent(id, _ -> now);
        if (own.contains(id) || now - since > graceNs()) {
          advance(id);
        }
      }
    }
  }

  private long graceNs() {
    return TimeUnit.MILLISECONDS.toNanos((long) GRACE_POLLS * context.pollMs());
  }

  private boolean isDue(RoundRecord record) {
    return switch (record.state().status()) {
      case OPEN, COLLECTING -> cause(record).isPresent();
      case SEALED -> true;
      case DECIDED, EXPIRED -> false;
    };
  }

  private Optional<SealCause> cause(RoundRecord record) {
    if (record.state().isComplete()) {
      return Optional.of(SealCause.COMPLETE);
    }
    return clock.isOver(record.opened().deadlineMs())
        ? Optional.of(SealCause.DEADLINE)
        : Optional.empty();
  }

  /** Brings a round as far as it goes now; what the ledger has against it, if anything. */
  Optional<RoundJournal.Trouble> advance(RoundId id) {
    long began = System.nanoTime();
    if (!isDue(ledger.round(id).orElseThrow())) {
      return Optional.empty(); // without waiting for whoever is at another round
    }
    synchronized (stripes[Math.floorMod(id.hashCode(), STRIPES)]) {
      while (true) {
        RoundRecord record = ledger.round(id).orElseThrow();
        Optional<RoundEntry> next = next(record);
        if (next.isEmpty()) {
          return Optional.empty();
        }
        RoundJournal.Appending appending = ledger.append(List.of(next.get()));
        RoundRecord after = ledger.round(id).orElseThrow();
        boolean hasMoved = after.state().status() != record.state().status();
        if (hasMoved && isEndedBy(next.get(), appending.first(), after)) {
          ended(after, began);
        }
        if (!hasMoved) {
          // Either the ledger is away, or it holds an entry that counts for nothing.
          notBeforeNs = System.nanoTime() + BACK_OFF_NS;
          return Optional.of(
              appending
                  .trouble()
                  .orElseGet(() -> new RoundJournal.Trouble("the round does not go on")));
        }
      }
    }
  }

  private Optional<RoundEntry> next(RoundRecord record) {
    return switch (record.state().status()) {
      case OPEN, COLLECTING ->
          cause(record)
              .map(why ->
                  differences.seal(
                      record.id(),
                      record.opened().spec(),
                      record.state().proposals(),
                      why,
                      clock.nowMs()));
      case SEALED -> RoundDecision.of(record, clock.nowMs()).map(RoundEntry.class::cast);
      case DECIDED, EXPIRED -> Optional.empty();
    };
  }

  private static boolean isEndedBy(RoundEntry entry, OptionalLong index, RoundRecord after) {
    return switch (after.state().status()) {
      case DECIDED -> index.isPresent() && after.decidedAt().equals(Optional.of(index.getAsLong()));
      case EXPIRED -> after.sealed().isPresent() && after.sealed().get().equals(entry);
      case OPEN, COLLECTING, SEALED -> false;
    };
  }

  /** The end of a round is on the ledger, put there by this replica. */
  private void ended(RoundRecord record, long beganNs) {
    RoundId id = record.id();
    Outcome outcome = record.outcome().orElseThrow();
    String how = outcome instanceof Outcome.Abort abort ? abort.reason().code() : outcome.kind();
    context.metrics().count(ControlMeter.ROUNDS_ENDED, how);
    context.metrics().took(ControlMeter.ROUND_SECONDS, System.nanoTime() - beganNs);
    if (!own.contains(id)) {
      context.metrics().count(ControlMeter.ROUNDS_TAKEN_OVER);
    }
    log.atInfo()
        .addKeyValue("round", id)
        .addKeyValue("outcome", outcome.kind())
        .addKeyValue("how", how)
        .addKeyValue("support", outcome.count().support())
        .addKeyValue("dropped", outcome.dropped().size())
        .log("round ended");
    onChange.run();
    try {
      texts.ended(id);
    } catch (StoreException e) {
      // The round has ended all the same; the sweep sees to its texts.
      log.atWarn().setCause(e).addKeyValue("round", id).log("its texts are kept for now");
    }
  }
}
