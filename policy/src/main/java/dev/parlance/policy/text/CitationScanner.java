package dev.parlance.policy.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The citation markers of an answer (convention {@code asp-text-1}, step 2) and the ids in them.
 *
 * <p>A marker is {@code [Chunk ID]}, {@code (Chunk ID)} or {@code [12]}, with lists of ids and
 * ranges; {@link CitationBody} has the grammar of what stands between the brackets. Its body has at
 * most {@value #MAX_BODY_CHARS} characters, no bracket and no line feed, so each byte is looked at
 * a fixed number of times whatever the text. A marker with one bad item stays text.
 *
 * <p>At most {@value #MAX_IDS} different ids are kept, since a few bytes of ranges name many;
 * {@link #hasMoreIds()} tells if there were more. Reusable scratch, for one thread.
 */
public final class CitationScanner {
  /** Most different ids kept of one answer. */
  public static final int MAX_IDS = 4096;

  static final int MAX_BODY_CHARS = 256;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long ONES = 0x0101010101010101L;
  private static final long SQUARE = ONES * '[';
  private static final long ROUND = ONES * '(';

  /** What is kept between texts. */
  private static final int KEEP_IDS = 64;

  private Set<String> ids = new LinkedHashSet<>();
  private int[] bounds = new int[32];
  private int markers;
  private boolean moreIds;

  /** Finds the markers of {@code text}, forgetting those found before. */
  public void scan(NormalizedText text) {
    forgetIds();
    markers = 0;
    moreIds = false;
    byte[] bytes = text.bytes();
    int end = text.end();
    for (int open = opening(bytes, text.start(), end);
        open < end;
        open = opening(bytes, open, end)) {
      boolean square = bytes[open] == '[';
      int body = open + 1;
      open = body;
      if (CitationBody.mayBegin(bytes, body, end, square)) {
        int close = bodyEnd(bytes, body, end);
        if (close < end
            && bytes[close] == (square ? ']' : ')')
            && addIds(bytes, body, close, square)) {
          addMarker(body - 1, close + 1);
          open = close + 1;
        } else {
          // No bracket lies in between, so no other marker can start there.
          open = close;
        }
      }
    }
  }

  private void forgetIds() {
    if (ids.size() > KEEP_IDS) {
      // Clearing a large table costs every later text as much.
      ids = new LinkedHashSet<>();
    } else if (!ids.isEmpty()) {
      ids.clear();
    }
  }

  /** Appends a citation given beside the text; an empty one is ignored. */
  public void addStructured(String citation) {
    String id = CitationId.canonical(citation);
    if (!id.isEmpty()) {
      addId(id);
    }
  }

  /** Number of markers found. */
  public int markers() {
    return markers;
  }

  /** Index of the first byte of a marker, in the bytes of the text scanned. */
  public int markerStart(int marker) {
    return bounds[2 * marker];
  }

  /** Index after the last byte of a marker. */
  public int markerEnd(int marker) {
    return bounds[2 * marker + 1];
  }

  /**
   * The ids that a marker of {@code text}, which was scanned last, names; not for the message path.
   */
  public List<String> idsOf(NormalizedText text, int marker) {
    int from = markerStart(marker) + 1;
    int to = markerEnd(marker) - 1;
    boolean square = text.bytes()[from - 1] == '[';
    Optional<String> plain = CitationBody.plainId(text.bytes(), from, to, square);
    return plain
        .map(List::of)
        .orElseGet(() -> parsed(text.bytes(), from, to, square, true).orElse(List.of()));
  }

  /** The different ids in order of first appearance. */
  public List<String> ids() {
    return List.copyOf(ids);
  }

  /** True if more than {@link #MAX_IDS} different ids were named. */
  public boolean hasMoreIds() {
    return moreIds;
  }

  /** Index of the first opening bracket, or {@code end}. */
  private static int opening(byte[] bytes, int from, int end) {
    int i = from;
    for (; i + Long.BYTES <= end; i += Long.BYTES) {
      long eight = (long) LONG.get(bytes, i);
      long found = zeroBytes(eight ^ SQUARE) | zeroBytes(eight ^ ROUND);
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >> 3);
      }
    }
    while (i < end && bytes[i] != '[' && bytes[i] != '(') {
      i++;
    }
    return i;
  }

  /** The highest bit of each byte that is 0; above the lowest such byte others may be set too. */
  private static long zeroBytes(long bytes) {
    return bytes - ONES & ~bytes & HIGH_BITS;
  }

  /** Index of the first bracket or line feed, or of the character that makes the body too long. */
  private static int bodyEnd(byte[] bytes, int from, int end) {
    int characters = 0;
    for (int i = from; i < end; i++) {
      byte b = bytes[i];
      if (b == '[' || b == ']' || b == '(' || b == ')' || b == '\n') {
        return i;
      }
      boolean continuation = (b & 0xC0) == 0x80;
      if (!continuation && ++characters > MAX_BODY_CHARS) {
        return i;
      }
    }
    return end;
  }

  private boolean addIds(byte[] bytes, int from, int to, boolean square) {
    Optional<String> plain = CitationBody.plainId(bytes, from, to, square);
    if (plain.isPresent()) {
      addId(plain.get());
      return true;
    }
    Optional<List<String>> found = parsed(bytes, from, to, square, !moreIds);
    found.ifPresent(named -> named.forEach(this::addId));
    return found.isPresent();
  }

  private static Optional<List<String>> parsed(
      byte[] bytes, int from, int to, boolean square, boolean expand) {
    String body = CitationId.lowerCase(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    List<String> found = new ArrayList<>();
    return CitationBody.parse(body, square, expand, found) ? Optional.of(found) : Optional.empty();
  }

  private void addId(String id) {
    if (ids.size() < MAX_IDS) {
      ids.add(id);
    } else if (!ids.contains(id)) {
      moreIds = true;
    }
  }

  private void addMarker(int from, int to) {
    if (2 * markers == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * bounds.length);
    }
    bounds[2 * markers] = from;
    bounds[2 * markers + 1] = to;
    markers++;
  }
}
