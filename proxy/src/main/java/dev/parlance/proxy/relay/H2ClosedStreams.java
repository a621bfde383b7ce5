package dev.parlance.proxy.relay;

import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayDeque;

/**
 * How the streams that ended lately did, so that frames which were under way when we gave a stream
 * up can be told from frames of a peer that does not keep to the protocol. Bounded: of streams long
 * past only their number is known.
 */
final class H2ClosedStreams {
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

  private final IntObjectHashMap<Ending> endings = new IntObjectHashMap<>();
  private final ArrayDeque<Integer> order = new ArrayDeque<>();
  private int oldestForgotten;

  void opened(int id) {
    if (endings.put(id, Ending.FINISHED) == null) {
      order.add(id);
      if (order.size() > REMEMBERED) {
        oldestForgotten = order.remove();
        endings.remove(oldestForgotten);
      }
    }
  }

  void resetByUs(int id) {
    opened(id);
    endings.put(id, Ending.RESET_BY_US);
  }

  /** The ending of a stream whose number is not above the highest one used. */
  Ending of(int id) {
    Ending known = endings.get(id);
    if (known != null) {
      return known;
    }
    return id > oldestForgotten ? Ending.NEVER_OPENED : Ending.FINISHED;
  }
}
