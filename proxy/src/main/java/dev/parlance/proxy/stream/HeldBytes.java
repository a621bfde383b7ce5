package dev.parlance.proxy.stream;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory budget of all streams together: what waits for a verdict or for a slow caller. Each
 * stream says how much it needs now; what would go past the bound is refused.
 */
public final class HeldBytes {
  private static final long LEAST_BYTES = 8L * 1024 * 1024;
  private static final int SHARE_OF_HEAP = 8;

  private final long max;
  private final AtomicLong used = new AtomicLong();

  /** Of requests that wait for a negotiation; not among {@link #used}. */
  private final AtomicLong negotiating = new AtomicLong();

  /**
   * Nothing is held.
   *
   * @param max most bytes, 1 or more
   */
  public HeldBytes(long max) {
    if (max < 1) {
      throw new IllegalArgumentException("expected a bound of 1 or more, got " + max);
    }
    this.max = max;
  }

  /** A bound that suits this process: an eighth of its heap, and never less than 8 MiB. */
  public static HeldBytes ofHeap() {
    return new HeldBytes(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
  }

  /** What is held now. */
  public long used() {
    return used.get();
  }

  /**
   * A request waits for a negotiation.
   *
   * @param max most bytes of all that wait
   * @return false, and nothing is counted, if it may not
   */
  public boolean beginNegotiation(long bytes, long max) {
    if (negotiating.addAndGet(bytes) > max) {
      negotiating.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  /** It waits no more. */
  public void endNegotiation(long bytes) {
    negotiating.addAndGet(-bytes);
  }

  /** The share of one stream; one event loop. */
  public Share share() {
    return new Share();
  }

  /** What one stream holds. */
  public final class Share {
    private long mine;

    /** Sets what this stream holds; false, and no change, if it may not have more. */
    public boolean set(long bytes) {
      long more = bytes - mine;
      if (more > 0 && used.addAndGet(more) > max) {
        used.addAndGet(-more);
        return false;
      }
      if (more < 0) {
        used.addAndGet(more);
      }
      mine = bytes;
      return true;
    }

    /** As {@link #set}, for what another share of the same stream had and hands on. */
    public void take(long bytes) {
      used.addAndGet(bytes - mine);
      mine = bytes;
    }
  }
}
