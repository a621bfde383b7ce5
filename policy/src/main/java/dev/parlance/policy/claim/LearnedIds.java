package dev.parlance.policy.claim;

import dev.parlance.policy.message.Chunk;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was learnt of the ids of some chunks and of short brackets that name them, for the next
 * answer to chunks of the same ids: in most conversations they are {@code c1, c2} again. For one
 * thread.
 */
final class LearnedIds {
  private static final int MAX_BODIES = 64;
  private static final int MAX_BODY_LENGTH = 32;

  private final List<String> given;
  private final List<String> names;
  private final CitableIds ids;
  private final Map<String, MarkerBody> bodies = new HashMap<>();

  LearnedIds(List<Chunk> chunks) {
    given = chunks.stream().map(Chunk::id).toList();
    names = CitableIds.of(chunks);
    ids = new CitableIds(chunks);
  }

  /** True if these are the ids of the chunks. */
  boolean isOf(List<Chunk> chunks) {
    boolean same = chunks.size() == given.size();
    for (int i = 0; i < given.size() && same; i++) {
      same = chunks.get(i).id().equals(given.get(i));
    }
    return same;
  }

  CitableIds ids() {
    return ids;
  }

  /** The id by which a chunk is cited. */
  String name(int chunk) {
    return names.get(chunk);
  }

  /** What stands between the brackets of a marker, read against these ids. */
  MarkerBody body(String text, boolean round) {
    if (text.length() > MAX_BODY_LENGTH) {
      return read(text, round);
    }
    String key = (round ? '(' : '[') + text;
    MarkerBody known = bodies.get(key);
    if (known == null) {
      if (bodies.size() == MAX_BODIES) {
        bodies.clear();
      }
      known = read(text, round);
      bodies.put(key, known);
    }
    return known;
  }

  private MarkerBody read(String text, boolean round) {
    MarkerBody body = new MarkerBody(ids);
    boolean _ = body.read(text, round);
    return body;
  }

  /** Those of the last few lists of chunks, so that conversations may alternate. */
  static final class Recent {
    private static final int LISTS = 4;

    private final LearnedIds[] lists = new LearnedIds[LISTS];
    private int next;

    Recent() {
      Arrays.fill(lists, new LearnedIds(List.of()));
    }

    /** What is known of the ids of these chunks. */
    LearnedIds of(List<Chunk> chunks) {
      for (LearnedIds list : lists) {
        if (list.isOf(chunks)) {
          return list;
        }
      }
      LearnedIds learned = new LearnedIds(chunks);
      lists[next] = learned;
      next = (next + 1) % LISTS;
      return learned;
    }
  }
}
