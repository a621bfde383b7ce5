package dev.parlance.proxy.relay;

import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a peer is slow or only pretends to be there: a pause is bounded by the idle times, a
 * trickle by a least rate for what we read and by a total time for what we write.
 */
final class Pace {
  /** A body slower than this, after one idle time, is an attack. */
  private static final long MIN_BODY_BYTES_PER_S = 256;

  /** A response may take this many write times in all, as long as it moves. */
  private static final int MAX_WRITE_TIMES = 16;

  private final Timeouts timeouts;
  private long bodyStartNs;
  private long lastPieceNs;
  private int writeTicks;
  private long lastWriteMark;
  private long lastPiecesTaken;
  private boolean wasWaiting;

  Pace(Timeouts timeouts) {
    this.timeouts = timeouts;
  }

  void bodyBegins(long nowNs) {
    bodyStartNs = nowNs;
    lastPieceNs = nowNs;
  }

  void pieceArrived(long nowNs) {
    lastPieceNs = nowNs;
  }

  /** Time until the next look at the body; 0 or less if it has been too slow. */
  long bodyLeftMs(long nowNs, int bytes) {
    long idleNs = TimeUnit.MILLISECONDS.toNanos(timeouts.bodyIdleMs());
    long idleEndNs = lastPieceNs + idleNs;
    long rateEndNs = bodyStartNs + idleNs + bytes * 1_000_000_000L / MIN_BODY_BYTES_PER_S;
    long leftNs = Math.min(idleEndNs - nowNs, rateEndNs - nowNs);
    return leftNs <= 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(leftNs) + 1;
  }

  void writeBegins() {
    writeTicks = 0;
    lastWriteMark = -1;
    lastPiecesTaken = -1;
    wasWaiting = false;
  }

  /** Called once per write time: true if the peer has taken something since the last call. */
  boolean writeMoves(@Nullable ChannelOutboundBuffer pending) {
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
  boolean streamMoves(long piecesTaken, @Nullable ChannelOutboundBuffer pending) {
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
