package dev.parlance.proxy.lexicon;

import dev.parlance.policy.core.CoinedTermMatcher;
import dev.parlance.proxy.gate.CompiledCore;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The matchers that find the terms of a core and those of a board in one pass, bounded in number
 * and memory; all who see the same terms share one.
 *
 * <p>Making one costs some hundred times what it saves in a message, and a board changes while it
 * is talked about. So one is made when a pair of vocabularies has been asked for often enough, by a
 * thread of its own, one at a time; until then there are two passes. Those used longest ago make
 * room, and so do those of cores that are gone. Who asks for a message takes no lock.
 */
final class JointMatchers {
  /** Most terms of two vocabularies that are put together. */
  static final int MAX_TERMS = 10_000;

  /** A matcher is made for a pair that was asked for so often, and once more for ... */
  private static final int MIN_PASSES = 4;

  /** ... so many of its terms. */
  private static final int TERMS_PER_PASS = 64;

  /** So much more often it must be asked for again once its matcher had to make room. */
  private static final int PATIENCE = 8;

  /** A core and the coined terms that a speaker sees, with the matcher of both once it is made. */
  static final class Pair {
    /** It is not kept alive: a core that is replaced is as large as all of its terms. */
    private final WeakReference<CompiledCore> core;

    private final List<String> coined;
    private final AtomicInteger passes = new AtomicInteger();
    private volatile int passesNeeded;
    private volatile Optional<CoinedTermMatcher> matcher = Optional.empty();
    private volatile long usedNs;

    Pair(CompiledCore core, List<String> coined) {
      this.core = new WeakReference<>(core);
      this.coined = coined;
      this.usedNs = System.nanoTime();
      int terms = core.terms().size() + coined.size();
      this.passesNeeded =
          terms > MAX_TERMS ? Integer.MAX_VALUE : MIN_PASSES + terms / TERMS_PER_PASS;
    }

    boolean isOf(CompiledCore other) {
      return core.refersTo(other);
    }

    private boolean isGone() {
      return core.refersTo(null);
    }

    private boolean isOfSame(CompiledCore other, List<String> terms) {
      return isOf(other) && coined.equals(terms);
    }

    private void drop() {
      matcher = Optional.empty();
      passesNeeded = (int) Math.min(Integer.MAX_VALUE, (long) PATIENCE * passesNeeded);
      passes.set(0);
    }
  }

  private final int maxPairs;
  private final long maxBytes;
  private final long hashSeed;
  private final AtomicBoolean isMaking = new AtomicBoolean();

  /** Those that have a matcher. Guarded by this. */
  private final List<Pair> made = new ArrayList<>();

  /**
   * Without any.
   *
   * @param maxPairs most pairs that have a matcher
   * @param maxBytes most memory of all matchers
   * @param hashSeed a secret of this process, so that nobody can prepare words that collide
   */
  JointMatchers(int maxPairs, long maxBytes, long hashSeed) {
    this.maxPairs = maxPairs;
    this.maxBytes = maxBytes;
    this.hashSeed = hashSeed;
  }

  /** The matcher of a pair for one message, if there is one by now. */
  Optional<CoinedTermMatcher> matcher(Pair pair) {
    Optional<CoinedTermMatcher> matcher = pair.matcher;
    pair.usedNs = System.nanoTime();
    if (matcher.isEmpty() && pair.passes.incrementAndGet() >= pair.passesNeeded) {
      begin(pair);
    }
    return matcher;
  }

  private void begin(Pair pair) {
    CompiledCore core = pair.core.get();
    if (core != null && isMaking.compareAndSet(false, true)) {
      Thread.startVirtualThread(() -> {
        try {
          make(pair, core);
        } finally {
          isMaking.set(false);
        }
      });
    }
  }

  private void make(Pair pair, CompiledCore core) {
    if (pair.matcher.isEmpty()) {
      hold(
          pair,
          sharedBy(core, pair.coined)
              .orElseGet(
                  () -> CoinedTermMatcher.compile(core.terms().keys(), pair.coined, hashSeed)));
    }
  }

  private synchronized Optional<CoinedTermMatcher> sharedBy(
      CompiledCore core, List<String> coined) {
    return made.stream()
        .filter(one -> one.isOfSame(core, coined))
        .findAny()
        .flatMap(one -> one.matcher);
  }

  private synchronized void hold(Pair pair, CoinedTermMatcher matcher) {
    made.stream().filter(Pair::isGone).toList().forEach(this::drop);
    pair.matcher = Optional.of(matcher);
    made.add(pair);
    long nowNs = System.nanoTime();
    while (made.size() > maxPairs || (memoryBytes() > maxBytes && !made.isEmpty())) {
      drop(made.stream().max(Comparator.comparingLong(one -> nowNs - one.usedNs)).orElseThrow());
    }
  }

  private void drop(Pair pair) {
    pair.drop();
    made.remove(pair);
  }

  /** Memory of all matchers. */
  synchronized long memoryBytes() {
    return made.stream()
        .flatMap(one -> one.matcher.stream())
        .distinct()
        .mapToLong(CoinedTermMatcher::memoryBytes)
        .sum();
  }

  /** How many pairs have a matcher. */
  synchronized int size() {
    return made.size();
  }
}
