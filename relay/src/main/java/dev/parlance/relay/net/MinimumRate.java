package dev.parlance.relay.net;

import dev.parlance.relay.api.Timeouts;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds one peer to a least rate: a pause is bounded by the idle times, a trickle by a least rate
 * for what we read and by a total time for what we write.
 */
public final class MinimumRate {
  /** A body slower than this, after one idle time, is an attack. */
  private static final long MIN_BODY_BYTES_PER_S = 256;

  /** The least rate, after a second, while others wait for the memory that the body was given. */
  private static final long WANTED_BODY_BYTES_PER_S = 64 * 1024;

  private static final int WANTED_AFTER_MS = 1000;

  /** Others may come to wait at any time, so a body is looked at this often. */
  private static final int BODY_LOOK_MS = 500;

  /** A response may take this many write times in all, as long as it moves. */
  private static final int MAX_WRITE_TIMES = 16;

  private final Timeouts timeouts;
  private long bodyStartNs;
  private long lastPieceNs;
  private int writeTicks;
  private long lastWriteMark;
  private long lastPiecesTaken;
  private boolean wasWaiting;

  public MinimumRate(Timeouts timeouts) {
    this.timeouts = timeouts;
  }

  public void bodyBegins(long nowNs) {
    bodyStartNs = nowNs;
    lastPieceNs = nowNs;
  }

  public void pieceArrived(long nowNs) {
    lastPieceNs = nowNs;
  }

  /** Time until the first look at a body that has begun. */
  public long firstBodyLookMs() {
    return Math.min(timeouts.bodyIdleMs(), BODY_LOOK_MS);
  }

  /**
   * Time until the next look at the body; 0 or less if it has been too slow.
   *
   * @param wanted true if others wait for memory
   */
  public long bodyLeftMs(long nowNs, int bytes, boolean wanted) {
    long idleNs = TimeUnit.MILLISECONDS.toNanos(timeouts.bodyIdleMs());
    long idleEndNs = lastPieceNs + idleNs;
    long leftNs =
        Math.min(idleEndNs - nowNs, rateEndNs(idleNs, bytes, MIN_BODY_BYTES_PER_S) - nowNs);
    if (wanted) {
      long graceNs = Math.min(idleNs, TimeUnit.MILLISECONDS.toNanos(WANTED_AFTER_MS));
      leftNs = Math.min(leftNs, rateEndNs(graceNs, bytes, WANTED_BODY_BYTES_PER_S) - nowNs);
    }
    return leftNs <= 0 ? 0 : Math.min(BODY_LOOK_MS, TimeUnit.NANOSECONDS.toMillis(leftNs) + 1);
  }

  private long rateEndNs(long graceNs, int bytes, long bytesPerSecond) {
    return bodyStartNs + graceNs + bytes * 1_000_000_000L / bytesPerSecond;
  }

  public void writeBegins() {
    writeTicks = 0;
    lastWriteMark = -1;
    lastPiecesTaken = -1;
    wasWaiting = false;
  }

  /** Called once per write time: true if the peer has taken something since the last call. */
  public boolean writeMoves(@Nullable ChannelOutboundBuffer pending) {
    long mark =
        pending == null ? -1 : pending.totalPendingWriteBytes() * 31 - pending.currentProgress();
    writeTicks++;
    boolean moves = mark != lastWriteMark && writeTicks < MAX_WRITE_TIMES;
    lastWriteMark = mark;
    return moves;
  }

  /**
   * Called once per write time of a stream, which has no end of its own: false if something has
   * waited since the last call and the peer has taken none of it.
   *
   * @param piecesTaken pieces that the socket has taken so far
   */
  public boolean streamMoves(long piecesTaken, @Nullable ChannelOutboundBuffer pending) {
    boolean waiting = pending != null && pending.totalPendingWriteBytes() > 0;
    long mark = pending == null ? 0 : pending.currentProgress();
    boolean stuck =
        waiting && wasWaiting && piecesTaken == lastPiecesTaken && mark == lastWriteMark;
    wasWaiting = waiting;
    lastPiecesTaken = piecesTaken;
    lastWriteMark = mark;
    return !stuck;
  }
}
