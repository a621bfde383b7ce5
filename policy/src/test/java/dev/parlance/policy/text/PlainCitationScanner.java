package dev.parlance.policy.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What {@link CitationScanner} is compared with: the same, byte by byte. */
public final class PlainCitationScanner {
  /** Most different ids kept of one answer. */
  public static final int MAX_IDS = 4096;

  static final int MAX_BODY_CHARS = 256;

  private final Set<String> ids = new LinkedHashSet<>();
  private int[] bounds = new int[32];
  private int markers;
  private boolean moreIds;

  /** Finds the markers of {@code text}, forgetting those found before. */
  public void scan(NormalizedText text) {
    ids.clear();
    markers = 0;
    moreIds = false;
    byte[] bytes = text.bytes();
    int end = text.end();
    for (int open = text.start(); open < end; ) {
      byte bracket = bytes[open];
      if (bracket != '[' && bracket != '(') {
        open++;
        continue;
      }
      int close = bodyEnd(bytes, open + 1, end);
      boolean square = bracket == '[';
      if (close < end
          && bytes[close] == (square ? ']' : ')')
          && addIds(bytes, open + 1, close, square)) {
        addMarker(open, close + 1);
        open = close + 1;
      } else {
        // No bracket lies in between, so no other marker can start there.
        open = close;
      }
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

  /** The different ids in order of first appearance. */
  public List<String> ids() {
    return List.copyOf(ids);
  }

  /** True if more than {@link #MAX_IDS} different ids were named. */
  public boolean hasMoreIds() {
    return moreIds;
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
    if (!CitationBody.mayBegin(bytes, from, to, square)) {
      return false;
    }
    String body = CitationId.lowerCase(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    List<String> found = new ArrayList<>();
    if (!CitationBody.parse(body, square, !moreIds, found)) {
      return false;
    }
    found.forEach(this::addId);
    return true;
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
