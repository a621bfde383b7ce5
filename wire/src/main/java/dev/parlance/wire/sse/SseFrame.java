package dev.parlance.wire.sse;

import dev.parlance.wire.api.Frame;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Splicer;
import dev.parlance.wire.bytes.Texts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One server-sent event with its bytes as they were sent: field lines, comments, line ends.
 *
 * <pre>
 *   bytes    event: x LF  data: {"a": LF  : note LF  data: 1} LF  LF
 *                               |---|                      |-|
 *   payload                     {"a":          LF          1}
 * </pre>
 *
 * An event whose data is empty (the first event of an MCP stream, for one) holds nothing to read
 * and has no payload.
 */
public final class SseFrame implements Frame {
  private static final byte[] DATA = Texts.utf8("data");
  private static final byte[] EVENT = Texts.utf8("event");

  private final byte[] bytes;
  private final String name;
  private final List<Piece> pieces;
  private final Optional<byte[]> payload;
  private final List<Words> stray;

  /** Bytes before the first line: a byte order mark at the beginning of the stream. */
  private final int first;

  /** Bytes of a line beside the data that say something; of a comment its colon stays. */
  private record Words(int from, int to) {}

  /**
   * One data line.
   *
   * @param at where its value begins in the payload
   * @param rawAt where its value begins in the bytes
   * @param length bytes of its value
   */
  private record Piece(int at, int rawAt, int length) {}

  /**
   * Reads an event.
   *
   * @param bytes all of it, kept
   */
  public SseFrame(byte[] bytes) {
    this(bytes, 0);
  }

  /**
   * Reads an event.
   *
   * @param bytes all of it, kept
   * @param first where its first line begins
   */
  SseFrame(byte[] bytes, int first) {
    this(bytes, first, Optional.empty());
  }

  private SseFrame(byte[] bytes, int first, Optional<String> named) {
    this.bytes = bytes;
    this.first = first;
    List<Piece> found = new ArrayList<>(1);
    List<Words> sayings = new ArrayList<>(0);
    String lastName = named.orElse("");
    int length = 0;
    int at = first;
    while (at < bytes.length) {
      int end = lineEnd(bytes, at);
      int value = valueAt(bytes, at, end);
      int next = afterLineEnd(bytes, end);
      if (isField(bytes, at, end, DATA)) {
        length += found.isEmpty() ? 0 : 1;
        found.add(new Piece(length, value, end - value));
        length += end - value;
      } else {
        if (isField(bytes, at, end, EVENT)) {
          lastName = new String(bytes, value, end - value, StandardCharsets.UTF_8);
        }
        if (SideLines.says(bytes, at, value, end)) {
          sayings.add(
              bytes[at] == ':'
                  ? new Words(at + 1, end)
                  : new Words(at, Math.min(bytes.length, next)));
        }
      }
      at = next;
    }
    this.name = lastName;
    this.pieces = List.copyOf(found);
    this.stray = List.copyOf(sayings);
    this.payload = length == 0 ? Optional.empty() : Optional.of(join(bytes, found, length));
  }

  private static byte[] join(byte[] bytes, List<Piece> pieces, int length) {
    byte[] joined = new byte[length];
    for (Piece piece : pieces) {
      if (piece.at() > 0) {
        joined[piece.at() - 1] = '\n';
      }
      System.arraycopy(bytes, piece.rawAt(), joined, piece.at(), piece.length());
    }
    return joined;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public Optional<byte[]> payload() {
    return payload;
  }

  @Override
  public boolean saysMore() {
    return !stray.isEmpty();
  }

  /** {@inheritDoc} All that is left stays as it was sent. */
  @Override
  public Frame bare() {
    byte[] kept = bytes.clone();
    int length = 0;
    int from = 0;
    for (Words words : stray) {
      System.arraycopy(bytes, from, kept, length, words.from() - from);
      length += words.from() - from;
      from = words.to();
    }
    System.arraycopy(bytes, from, kept, length, bytes.length - from);
    byte[] rest = Arrays.copyOf(kept, length + bytes.length - from);
    return new SseFrame(rest, first, Optional.of(name));
  }

  @Override
  public boolean saysNothing() {
    return payload.isEmpty() || SideLines.isPing(name, payload.get());
  }

  @Override
  public String name() {
    return name;
  }

  /**
   * {@inheritDoc} An edit never adds a line: what it inserts must not hold a line end.
   *
   * @throws IllegalArgumentException if it does
   */
  @Override
  public byte[] edited(List<Edit> edits) {
    int length = payload.orElseThrow(() -> new IllegalStateException("no data to edit")).length;
    List<Edit> raw = new ArrayList<>(edits.size());
    int edited = -1;
    for (Edit edit : edits) {
      if (edit.removed() < 0 || edit.offset() < 0 || edit.removed() > length - edit.offset()) {
        throw new IllegalArgumentException(
            "edit of " + edit.removed() + " bytes at " + edit.offset() + " in data of " + length);
      }
      for (byte b : edit.inserted()) {
        if (b == '\n' || b == '\r') {
          throw new IllegalArgumentException("expected an edit without line ends");
        }
      }
      int from = rawAt(edit.offset());
      int removed = rawAt(edit.offset() + edit.removed()) - from;
      // Only at the first edit there: what follows it stands behind a value that has begun.
      String prefix = edit.offset() > edited ? prefix(from) : "";
      raw.add(new Edit(from, removed, prefixed(prefix, edit.inserted())));
      edited = edit.offset() + edit.removed();
    }
    return Splicer.applyToBytes(bytes, raw);
  }

  /**
   * Where a byte of the payload stands in the bytes; the line feed between lines ends the first.
   */
  private int rawAt(int offset) {
    for (Piece piece : pieces) {
      if (offset <= piece.at() + piece.length()) {
        return piece.rawAt() + (offset - piece.at());
      }
    }
    throw new IllegalArgumentException("offset " + offset + " behind the data");
  }

  /** What must stand before new text at the beginning of a value, so that it is read as sent. */
  private String prefix(int rawAt) {
    boolean begins = pieces.stream().anyMatch(piece -> piece.rawAt() == rawAt);
    if (!begins || bytes[rawAt - 1] == ' ') {
      return "";
    }
    return bytes[rawAt - 1] == ':' ? " " : ": ";
  }

  private static byte[] prefixed(String prefix, byte[] text) {
    byte[] all = Arrays.copyOf(Texts.utf8(prefix), prefix.length() + text.length);
    System.arraycopy(text, 0, all, prefix.length(), text.length);
    return all;
  }

  // ---- lines, also for the framing ----

  /** Index of the line's end, which is that of the array if there is none. */
  private static int lineEnd(byte[] bytes, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != '\n' && bytes[at] != '\r') {
      at++;
    }
    return at;
  }

  private static int afterLineEnd(byte[] bytes, int end) {
    boolean pair = end + 1 < bytes.length && bytes[end] == '\r' && bytes[end + 1] == '\n';
    return pair ? end + 2 : end + 1;
  }

  /** True if the line is a field of this name, with or without a colon behind it. */
  private static boolean isField(byte[] bytes, int from, int end, byte[] field) {
    int behind = from + field.length;
    return behind <= end
        && Arrays.equals(bytes, from, behind, field, 0, field.length)
        && (behind == end || bytes[behind] == ':');
  }

  /** Where the value of a line begins: behind the colon and at most one space. */
  private static int valueAt(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] != ':') {
      at++;
    }
    if (at < end) {
      at++;
    }
    return at < end && bytes[at] == ' ' ? at + 1 : at;
  }

  /**
   * True if the standard ignores the line and a lenient reader may take it for data: {@code Data:},
   * {@code data :}, a byte order mark before it.
   */
  static boolean onlyLooksLikeData(byte[] bytes, int from, int end) {
    if (isField(bytes, from, end, DATA)) {
      return false;
    }
    int letters = 0;
    for (int at = from; at < end && bytes[at] != ':'; at++) {
      int lower = bytes[at] | 0x20;
      if (lower >= 'a' && lower <= 'z' && bytes[at] > 0) {
        if (letters == DATA.length || lower != DATA[letters]) {
          return false;
        }
        letters++;
      }
    }
    return letters == DATA.length;
  }
}
