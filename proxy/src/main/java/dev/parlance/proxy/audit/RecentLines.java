package dev.parlance.proxy.audit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The latest lines in memory, bounded in number and size, and an index over their ids. */
final class RecentLines {
  private record Entry(String line, Set<String> ids) {}

  private final int maxLines;
  private final long maxCharacters;
  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private final Map<String, Entry> byId = new HashMap<>();
  private long characters;

  RecentLines(int maxLines, long maxCharacters) {
    this.maxLines = maxLines;
    this.maxCharacters = maxCharacters;
  }

  /** Adds a line that can be found under these ids, in place of an older one. */
  synchronized void add(String line, Set<String> ids) {
    var entry = new Entry(line, ids);
    entries.addLast(entry);
    characters += line.length();
    ids.forEach(id -> byId.put(id, entry));
    while (entries.size() > maxLines || (characters > maxCharacters && entries.size() > 1)) {
      Entry oldest = entries.removeFirst();
      characters -= oldest.line().length();
      oldest.ids().forEach(id -> byId.remove(id, oldest));
    }
  }

  /** The latest lines, newest first. */
  synchronized List<String> latest(int count) {
    List<String> lines = new ArrayList<>();
    var newest = entries.descendingIterator();
    while (newest.hasNext() && lines.size() < count) {
      lines.add(newest.next().line());
    }
    return lines;
  }

  synchronized Optional<String> find(String id) {
    return Optional.ofNullable(byId.get(id)).map(Entry::line);
  }
}
