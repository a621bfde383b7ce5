package dev.parlance.proxy.lexicon;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The conversations of a sidecar, bounded: those heard of longest ago make room, several at a time.
 * Whoever looks for one takes no lock.
 *
 * <p>A cache that weighs how often something was asked for would drop a conversation that has just
 * begun for one that is long over.
 */
final class RecentConversations {
  /** Of a full table one part in so many is forgotten at once. */
  private static final int PARTS = 16;

  private final int max;
  private final Consumer<HeldConversation> forgotten;
  private final Map<String, Entry> talks = new ConcurrentHashMap<>();

  private static final class Entry {
    final HeldConversation talk;
    volatile long heardNs;

    Entry(HeldConversation talk) {
      this.talk = talk;
      this.heardNs = System.nanoTime();
    }
  }

  /**
   * Without any.
   *
   * @param forgotten is told of those that make room
   */
  RecentConversations(int max, Consumer<HeldConversation> forgotten) {
    this.max = max;
    this.forgotten = forgotten;
  }

  /** The conversation of a board. */
  Optional<HeldConversation> find(String board) {
    return Optional.ofNullable(talks.get(board)).map(entry -> entry.talk);
  }

  /**
   * The conversation of a board, which is heard of now.
   *
   * @param begin makes it if there is none
   * @param begun is told of it then
   */
  HeldConversation hear(
      String board, Supplier<HeldConversation> begin, Consumer<HeldConversation> begun) {
    Entry known = talks.get(board);
    if (known == null) {
      Entry fresh = new Entry(begin.get());
      known = talks.putIfAbsent(board, fresh);
      if (known == null) {
        begun.accept(fresh.talk);
        makeRoom();
        return fresh.talk;
      }
    }
    known.heardNs = System.nanoTime();
    return known.talk;
  }

  private synchronized void makeRoom() {
    int over = talks.size() - max;
    if (over <= 0) {
      return;
    }
    long nowNs = System.nanoTime();
    record Aged(Entry entry, long ageNs) {}
    List<Aged> oldest =
        talks.values().stream()
            .map(entry -> new Aged(entry, nowNs - entry.heardNs))
            .sorted(Comparator.comparingLong(Aged::ageNs).reversed())
            .limit(Math.min(talks.size() - 1, over + max / PARTS))
            .toList();
    for (Aged one : oldest) {
      talks.remove(one.entry().talk.board());
      forgotten.accept(one.entry().talk);
    }
  }
}
