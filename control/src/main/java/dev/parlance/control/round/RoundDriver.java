package dev.parlance.control.round;

import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.round.RoundCoordinator.RoundContext;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.control.store.StoreClock;
import dev.parlance.ledger.record.RoundDecision;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
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
  private static final int STRIPES = 1_024;
  private static final int GRACE_POLLS = 3;
  private static final long BACK_OFF_NS = TimeUnit.SECONDS.toNanos(1);

  private final RoundContext context;
  private final RoundJournal ledger;
  private final StoreClock clock;
  private final RoundTexts texts;
  private final TextDifferences differences;
  private final Runnable onChange;

  /** Held for reading by proposals on the way to the ledger, for writing by who ends a round. */
  private final List<ReadWriteLock> stripes =
      Stream.<ReadWriteLock>generate(ReentrantReadWriteLock::new).limit(STRIPES).toList();

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
  }

  /** The lock of a round, and of some others. */
  ReadWriteLock lock(RoundId id) {
    return stripes.get(Math.floorMod(id.hashCode(), STRIPES));
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
    Lock lock = lock(id).writeLock();
    lock.lock(); // no proposal of this replica is on the way from here on
    try {
      while (true) {
        boolean isWhole = ledger.isExclusive() && ledger.catchUp().isEmpty();
        RoundRecord record = ledger.round(id).orElseThrow();
        List<RoundEntry> next = next(record, isWhole);
        if (next.isEmpty()) {
          return Optional.empty();
        }
        RoundJournal.Appending appending = ledger.append(next);
        RoundRecord after = ledger.round(id).orElseThrow();
        boolean hasMoved = after.state().status() != record.state().status();
        if (hasMoved && isEndedBy(next, appending.first(), after)) {
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
    } finally {
      lock.unlock();
    }
  }

  /**
   * The entries that come next.
   *
   * @param isWhole true if the record has all that stands on the ledger, and nothing comes between:
   *     then the decision goes with the seal, which saves waiting for the disk once more
   */
  private List<RoundEntry> next(RoundRecord record, boolean isWhole) {
    long nowMs = clock.nowMs();
    return switch (record.state().status()) {
      case OPEN, COLLECTING ->
          cause(record)
              .map(why -> {
                RoundEntry seal =
                    differences.seal(
                        record.opened(), record.state().proposals(), Map.of(), why, nowMs);
                return isWhole ? withDecision(record, List.of(seal), nowMs) : List.of(seal);
              })
              .orElse(List.of());
      case SEALED -> RoundDecision.of(record, nowMs).stream().<RoundEntry>map(one -> one).toList();
      case DECIDED, EXPIRED -> List.of();
    };
  }

  /** Entries, and the decision that follows from them if there is one. */
  static List<RoundEntry> withDecision(RoundRecord record, List<RoundEntry> next, long nowMs) {
    List<RoundEntry> all = new ArrayList<>(next);
    RoundDecision.ahead(record, next, nowMs).ifPresent(all::add);
    return all;
  }

  private static boolean isEndedBy(
      List<RoundEntry> entries, OptionalLong first, RoundRecord after) {
    return switch (after.state().status()) {
      case DECIDED ->
          first.isPresent()
              && after.decidedAt().equals(Optional.of(first.getAsLong() + entries.size() - 1));
      case EXPIRED -> after.sealed().isPresent() && after.sealed().get().equals(entries.getFirst());
      case OPEN, COLLECTING, SEALED -> false;
    };
  }

  /** Looks whether these entries, appended by this replica, have ended a round. */
  void appended(List<RoundEntry> entries, OptionalLong first, RoundRecord after, long beganNs) {
    if (entries.getLast() instanceof RoundEntry.Decided && isEndedBy(entries, first, after)) {
      ended(after, beganNs);
    }
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
