package dev.parlance.relay.http2;

/**
 * How the streams that ended lately did, so that frames which were under way when we gave a stream
 * up can be told from frames of a peer that does not keep to the protocol. Bounded: of streams long
 * past only their number is known.
 */
public final class H2ClosedStreams {
  /** How a stream that is no longer there came to be so. */
  enum Ending {
    /** It ran its course, or the peer gave it up: nothing more may come. */
    FINISHED,
    /** We gave it up: the peer may not know it yet. */
    RESET_BY_US,
    /** It was never opened; its number was skipped. */
    NEVER_OPENED
  }

  private static final int REMEMBERED = 512;

  private final int[] ids = new int[REMEMBERED];
  private final Ending[] endings = new Ending[REMEMBERED];
  private int count;
  private int next;
  private int highest;
  private int oldestForgotten;

  public void opened(int id) {
    if (id <= highest && at(id) >= 0) {
      return;
    }
    if (count == REMEMBERED) {
      oldestForgotten = ids[next];
    } else {
      count++;
    }
    ids[next] = id;
    endings[next] = Ending.FINISHED;
    next = (next + 1) % REMEMBERED;
    highest = Math.max(highest, id);
  }

  public void resetByUs(int id) {
    opened(id);
    endings[at(id)] = Ending.RESET_BY_US;
  }

  /** The ending of a stream whose number is not above the highest one used. */
  Ending of(int id) {
    int at = at(id);
    if (at >= 0) {
      return endings[at];
    }
    return id > oldestForgotten ? Ending.NEVER_OPENED : Ending.FINISHED;
  }

  /** Where a stream is remembered; -1 if it is not. Whoever asks mostly asks for a late one. */
  private int at(int id) {
    for (int back = 1; back <= count; back++) {
      int at = (next + REMEMBERED - back) % REMEMBERED;
      if (ids[at] == id) {
        return at;
      }
    }
    return -1;
  }
}
