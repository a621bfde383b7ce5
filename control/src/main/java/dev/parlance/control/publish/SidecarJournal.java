package dev.parlance.control.publish;

import dev.parlance.control.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the store is to know of the sidecars attached here. Only the last word on each is kept, and
 * a flush writes a bounded number of them, so that a thousand sidecars that come back at once cost
 * a thousand rows and no more.
 */
final class SidecarJournal {
  private static final int FLUSH_LIMIT = 200;

  private final Store store;
  private final String replica;
  private final Map<Seat, Word> words = new LinkedHashMap<>();

  /** Which sidecar. */
  private record Seat(String agent, String node) {}

  /** What is to be said of it. */
  private sealed interface Word {
    record Seen(SidecarStream stream) implements Word {}

    record Gone() implements Word {}
  }

  /** One line to write. */
  private record Line(Seat seat, Word word) {}

  SidecarJournal(Store store, String replica) {
    this.store = store;
    this.replica = replica;
  }

  synchronized void seen(SidecarStream stream) {
    words.put(new Seat(stream.agent(), stream.node()), new Word.Seen(stream));
  }

  synchronized void gone(SidecarStream stream) {
    words.put(new Seat(stream.agent(), stream.node()), new Word.Gone());
  }

  /**
   * Writes what waits, up to a bound; true if more waits.
   *
   * @throws dev.parlance.control.store.Store.StoreException nothing is lost then
   */
  boolean flush() {
    for (Line line : next()) {
      Seat seat = line.seat();
      switch (line.word()) {
        case Word.Seen(SidecarStream stream) ->
            store.seen(seat.agent(), seat.node(), replica, stream.document(replica).encode());
        case Word.Gone() -> store.gone(seat.agent(), seat.node(), replica);
      }
      synchronized (this) {
        words.remove(seat, line.word()); // stays if there is a newer word by now
      }
    }
    synchronized (this) {
      return !words.isEmpty();
    }
  }

  private synchronized List<Line> next() {
    List<Line> lines = new ArrayList<>();
    for (Map.Entry<Seat, Word> word : words.entrySet()) {
      if (lines.size() == FLUSH_LIMIT) {
        break;
      }
      lines.add(new Line(word.getKey(), word.getValue()));
    }
    return lines;
  }
}
