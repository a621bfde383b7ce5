package dev.parlance.policy.claim;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.CitationId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ids by which an answer can cite the chunks of its evidence, found by what a bracket holds. A
 * chunk is found by its id, in any case and with any blanks, quotes and escapes; by its id with
 * other separators ({@code doc 1} for {@code doc-1}) if only one chunk is so; and, where no id is a
 * number, by its place from 1 on.
 */
final class CitableIds {
  /** No chunk. */
  static final int UNKNOWN = -1;

  private static final int SEVERAL = -2;

  private final Map<String, Integer> byId = new HashMap<>();
  private final Map<String, Integer> byLetters = new HashMap<>();
  private final int count;
  private final int[] passages;
  private boolean numbered;

  CitableIds(List<Chunk> chunks) {
    count = chunks.size();
    passages = new int[count];
    Arrays.fill(passages, UNKNOWN);
    List<String> ids = of(chunks);
    for (int chunk = 0; chunk < count; chunk++) {
      String id = folded(ids.get(chunk));
      numbered |= !chunks.get(chunk).id().isEmpty() && ordinal(id) >= 0;
      byId.putIfAbsent(id, chunk);
      linkPassage(id, chunk);
      int place = chunk;
      byLetters.merge(letters(id), chunk, (first, _) -> byId.get(id) == place ? SEVERAL : first);
    }
  }

  /** {@code ID#2} is another text that was given under an id (see {@code EvidenceReader}). */
  private void linkPassage(String id, int chunk) {
    int hash = id.lastIndexOf('#');
    int first =
        hash <= 0 || ordinal(id.substring(hash + 1)) < 2 ? UNKNOWN : find(id.substring(0, hash));
    if (first != UNKNOWN && first != chunk) {
      passages[chunk] = passages[first];
      passages[first] = chunk;
    }
  }

  /** A further chunk that came under the id of {@code chunk}, or {@link #UNKNOWN}. */
  int passage(int chunk) {
    return passages[chunk];
  }

  /**
   * An id for each chunk: its own, or where that is empty the number of its place, or the next
   * number that is no other chunk's id.
   */
  static List<String> of(List<Chunk> chunks) {
    if (chunks.stream().noneMatch(chunk -> chunk.id().isBlank())) {
      return chunks.stream().map(Chunk::id).toList();
    }
    Set<String> taken = new HashSet<>();
    chunks.forEach(chunk -> taken.add(chunk.id()));
    int[] next = {0};
    int[] place = {0};
    return chunks.stream()
        .map(chunk -> {
          place[0]++;
          if (!chunk.id().isBlank()) {
            return chunk.id();
          }
          next[0] = Math.max(next[0] + 1, place[0]);
          while (taken.contains(Integer.toString(next[0]))) {
            next[0]++;
          }
          return Integer.toString(next[0]);
        })
        .toList();
  }

  /** The chunk with this id, which is folded; or {@link #UNKNOWN}. */
  int find(String id) {
    return byId.getOrDefault(id, UNKNOWN);
  }

  /** The only chunk whose id differs in its separators alone, or {@link #UNKNOWN}. */
  int findByLetters(String id) {
    int chunk = byLetters.getOrDefault(letters(id), UNKNOWN);
    return chunk == SEVERAL ? UNKNOWN : chunk;
  }

  /** The chunk at a place that is written as a number, or {@link #UNKNOWN}. */
  int findByPlace(String number) {
    int place = numbered ? -1 : ordinal(number);
    return place >= 1 && place <= count ? place - 1 : UNKNOWN;
  }

  /** A number of at most nine digits; -1 for anything else. */
  static int ordinal(String text) {
    if (text.isEmpty() || text.length() > 9) {
      return -1;
    }
    int number = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = 10 * number + c - '0';
    }
    return number;
  }

  /** The form in which ids are compared: normalised, lower case, without blanks and quotes. */
  static String folded(String raw) {
    if (isFolded(raw)) {
      return raw;
    }
    String id = CitationId.canonical(raw);
    StringBuilder kept = new StringBuilder(id.length());
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (!Character.isWhitespace(c)
          && !Character.isSpaceChar(c)
          && "\\\"'`*\u2018\u2019\u201c\u201d".indexOf(c) < 0) {
        kept.append(c);
      }
    }
    return kept.length() == id.length() ? id : kept.toString();
  }

  private static boolean hasSeparator(String id) {
    for (int i = 0; i < id.length(); i++) {
      if ("-_./:#,;".indexOf(id.charAt(i)) >= 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFolded(String raw) {
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      boolean plain =
          (c >= 'a' && c <= 'z') || (c >= '#' && c <= '9' && c != '\'' && c != '*') || c == '_';
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  /** An id without its separators, but for those between two digits. */
  private static String letters(String id) {
    if (!hasSeparator(id)) {
      return id;
    }
    StringBuilder kept = new StringBuilder(id.length());
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean separates =
          i > 0
              && i + 1 < id.length()
              && Character.isDigit(id.charAt(i - 1))
              && Character.isDigit(id.charAt(i + 1));
      if (separates || "-_./:#,;".indexOf(c) < 0) {
        kept.append(c);
      }
    }
    return kept.toString();
  }
}
