package dev.parlance.proxy.pact;

import dev.parlance.ledger.pact.PactMac.Stamp;
import dev.parlance.proxy.gate.Pacts;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The stamps of requests under a pact: the next one of the local agent, and which of the other
 * party have been here.
 *
 * <p>A number is taken once. No lock and no garbage, but where a sidecar has begun again.
 */
final class StampWindow {
  private static final int SLOTS = 256;
  private static final int NUMBERS_BITS = 5;
  private static final long NUMBERS_MASK = (1L << NUMBERS_BITS) - 1;

  /** How far a request may be overtaken by later ones: all slots but the one of the next number. */
  static final int MAX_OUT_OF_ORDER = (SLOTS - 1) << NUMBERS_BITS;

  /** No number is higher: a slot keeps which of all blocks it has in half of its bits. */
  private static final long MAX_NUMBER = 1L << (Integer.SIZE + NUMBERS_BITS - 1);

  /** Most epochs that are told from one that has not been heard of. */
  private static final int MAX_EPOCHS = 64;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Requests of the local agent. */
  private final AtomicLong asked = new AtomicLong();

  /** The highest number of the other party. */
  private final AtomicLong highest = new AtomicLong();

  /**
   * Which numbers of the other party have been here: a slot has a block of 32, its number in the
   * upper half, a bit for each of it in the lower one.
   */
  private final AtomicLongArray seen = new AtomicLongArray(SLOTS);

  /** Which run of this sidecar takes stamps, and which run of the other one. */
  private volatile long epoch;

  private volatile long peersEpoch;

  /** Epochs of this run before the one it has now: it may have delivered what was made for them. */
  private volatile Set<Long> earlier = Set.of();

  /** Epochs that were the own one, or stood in a stamp that was stale; under the lock. */
  private final Set<Long> knownEpochs = new HashSet<>(0);

  /**
   * An earlier run of this sidecar had the pact: stamps that it took are not taken any more, and
   * none that it gave is given again. What the other side expects it says to the first request.
   */
  void takenUp() {
    epoch = drawn();
    peersEpoch = drawn();
  }

  private static long drawn() {
    return RANDOM.nextLong(1, Long.MAX_VALUE);
  }

  /** The stamp of the local agent's next request; each is given once. */
  Stamp next() {
    long to = peersEpoch; // read before the number is given
    return new Stamp(to, asked.incrementAndGet());
  }

  /** The other side has said, proven, which stamp it expects next. */
  void resume(Stamp expected) {
    // In this order: a stamp of the new epoch never has a number of before.
    asked.accumulateAndGet(expected.number() - 1, Math::max);
    peersEpoch = expected.epoch();
  }

  /** The stamp that the other party's next request is to have. */
  Stamp expected() {
    return new Stamp(epoch, highest.get() + 1);
  }

  /** Takes the stamp of a request that is proven to be the other party's. */
  Pacts.Arrival arrived(Stamp stamp) {
    if (stamp.epoch() != epoch) {
      if (earlier.contains(stamp.epoch()) && wasHere(stamp.number())) {
        return Pacts.Arrival.SEEN;
      }
      stale(stamp);
      return Pacts.Arrival.STALE;
    }
    long number = stamp.number();
    if (number > MAX_NUMBER) {
      return Pacts.Arrival.SEEN;
    }
    long block = number >>> NUMBERS_BITS;
    long bit = 1L << (number & NUMBERS_MASK);
    int slot = (int) (block % SLOTS);
    while (true) {
      long was = seen.get(slot);
      long had = was >>> Integer.SIZE;
      if (block < had || (block == had && (was & bit) != 0)) {
        return Pacts.Arrival.SEEN;
      }
      long next = block == had ? was | bit : block << Integer.SIZE | bit;
      if (seen.compareAndSet(slot, was, next)) {
        highest.accumulateAndGet(number, Math::max);
        // Where an epoch has begun meanwhile, somebody may have heard that it was not here.
        return stamp.epoch() == epoch ? Pacts.Arrival.FRESH : Pacts.Arrival.STALE;
      }
    }
  }

  /** True if the number was here in any epoch of this run, or is too far behind to tell. */
  private boolean wasHere(long number) {
    long block = number >>> NUMBERS_BITS;
    long was = seen.get((int) (block % SLOTS));
    long had = was >>> Integer.SIZE;
    return number > MAX_NUMBER
        || block < had
        || (block == had && (was & 1L << (number & NUMBERS_MASK)) != 0);
  }

  /**
   * The other party does not know the epoch of this sidecar. If it counts from the beginning, in an
   * epoch that nobody has heard of, its sidecar has begun again: what it had under way before that
   * is not taken any more, for its numbers are given once more. One that goes on counting has been
   * at another sidecar of the local agent. Bounded, for what was captured may come once, too.
   */
  private synchronized void stale(Stamp heard) {
    if (heard.epoch() != epoch
        && heard.number() <= Math.max(1, highest.get())
        && knownEpochs.size() < MAX_EPOCHS
        && knownEpochs.add(heard.epoch())) {
      knownEpochs.add(epoch);
      Set<Long> own = new HashSet<>(earlier);
      own.add(epoch);
      earlier = Set.copyOf(own); // before there is another one
      epoch = drawn();
    }
  }
}
