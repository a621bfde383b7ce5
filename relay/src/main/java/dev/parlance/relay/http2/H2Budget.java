package dev.parlance.relay.http2;

import java.util.Locale;

/**
 * A budget of the work that a peer may cause on one HTTP/2 connection beyond its messages. Frames
 * that carry nothing are paid from a bucket that fills with time and with every frame that does
 * carry something, so that a busy connection may ping and move windows as much as it needs and an
 * idle one may not. Used on one event loop.
 */
public final class H2Budget {
  /** Why a connection was cut; the code is a metric label. */
  public enum Excess {
    PING,
    SETTINGS,
    WINDOW_UPDATE,
    PRIORITY,
    EMPTY_DATA,
    SMALL_DATA,
    RESET,
    REFUSED,
    UNKNOWN_FRAME,
    CLOSED_STREAM;

    String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Frames that a peer may send before it has done any work: preface, pings, windows. */
  private static final int CONTROL_FRAMES = 1000;

  private static final int CONTROL_FRAMES_PER_S = 100;

  /** A frame of content is worth the windows of stream and connection, a ping, and some more. */
  private static final int EARNED_BY_CONTENT = 4;

  /** A SETTINGS frame touches every stream. */
  private static final int SETTINGS_COST = 10;

  /** Nobody needs an empty DATA frame that does not end the stream. */
  private static final int EMPTY_DATA_COST = 100;

  private static final int SMALL_DATA_FRAMES = 20_000;
  private static final int SMALL_DATA_FRAMES_PER_S = 2_000;

  /** Streams given up before their answer began, by the peer or for its faults. */
  private static final int RESETS = 200;

  private static final double RESETS_PER_S = RESETS / 30.0;
  private static final int REFUSALS = 1000;
  private static final int REFUSALS_PER_S = 50;

  private final Bucket control = new Bucket(CONTROL_FRAMES, CONTROL_FRAMES_PER_S);
  private final Bucket smallData = new Bucket(SMALL_DATA_FRAMES, SMALL_DATA_FRAMES_PER_S);
  private final Bucket resets = new Bucket(RESETS, RESETS_PER_S);
  private final Bucket refusals = new Bucket(REFUSALS, REFUSALS_PER_S);

  /** A frame with content went either way. */
  void earn() {
    control.give(EARNED_BY_CONTENT);
  }

  /** Pays for one event; false if there is nothing left to pay it from. */
  boolean pay(Excess kind) {
    return switch (kind) {
      case PING, WINDOW_UPDATE, PRIORITY, UNKNOWN_FRAME, CLOSED_STREAM -> control.take(1);
      case SETTINGS -> control.take(SETTINGS_COST);
      case EMPTY_DATA -> control.take(EMPTY_DATA_COST);
      case SMALL_DATA -> smallData.take(1);
      case RESET -> resets.take(1);
      case REFUSED -> refusals.take(1);
    };
  }

  private static final class Bucket {
    private final double capacity;
    private final double perNs;
    private double tokens;
    private long filledNs = System.nanoTime();

    Bucket(double capacity, double perS) {
      this.capacity = capacity;
      this.perNs = perS / 1e9;
      this.tokens = capacity;
    }

    void give(int count) {
      tokens = Math.min(capacity, tokens + count);
    }

    boolean take(int count) {
      if (tokens < count) {
        long nowNs = System.nanoTime();
        tokens = Math.min(capacity, tokens + (nowNs - filledNs) * perNs);
        filledNs = nowNs;
      }
      if (tokens < count) {
        return false;
      }
      tokens -= count;
      return true;
    }
  }
}
