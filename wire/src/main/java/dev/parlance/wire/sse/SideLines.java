package dev.parlance.wire.sse;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Tells which lines beside the data of a stream say something. The standard gives them no text:
 * comments keep a connection alive, ids are for coming back, names say what kind of event it is.
 * Nobody misses words there, so none pass unread, not even one alone: a sentence can come in
 * pieces.
 *
 * <table>
 * <caption>What says nothing</caption>
 * <tr><td>any line</td><td>no letter and no digit</td></tr>
 * <tr><td>comment</td><td>words of keeping alive and a clock; one character over and over, which is
 * padding</td></tr>
 * <tr><td>{@code retry}</td><td>digits</td></tr>
 * <tr><td>{@code id}</td><td>one word of at most {@value #MAX_TOKEN_BYTES} bytes that has a digit, or
 * capitals in the middle as random ones do</td></tr>
 * <tr><td>{@code event}</td><td>names of the protocols that are read, and of pings</td></tr>
 * </table>
 */
final class SideLines {
  static final int MAX_TOKEN_BYTES = 256;

  /** Longest ping, a date in words included. */
  static final int MAX_PING_BYTES = 128;

  /** Words of pings, of clocks in them, and of the end of a stream. */
  private static final Set<String> OF_PINGS =
      Set.of(
          """
          ping pong keepalive heartbeat alive open ok connected done type event status time
          timestamp ts date t z
          """
              .strip()
              .split("\\s+", -1));

  /** Those of them that are enough to tell that an event is a ping, or the end. */
  private static final Set<String> PINGS =
      Set.of("ping", "pong", "keepalive", "keep-alive", "heartbeat", "done");

  private static final Set<String> NAMES =
      Set.of("message", "error", "endpoint", "ping", "pong", "keepalive", "heartbeat", "done");

  /** What names of the Responses protocol are made of. */
  private static final Set<String> NAME_PARTS =
      Set.of(
          """
          response created in_progress queued completed failed incomplete cancelled output_item
          content_part output_text annotation refusal reasoning reasoning_text reasoning_summary
          reasoning_summary_part reasoning_summary_text function_call_arguments
          custom_tool_call_input file_search_call web_search_call searching image_generation_call
          generating partial_image code_interpreter_call code_interpreter_call_code interpreting
          mcp_call mcp_call_arguments mcp_list_tools audio transcript added delta done
          """
              .strip()
              .split("\\s+", -1));

  private SideLines() {}

  /**
   * True if a line that is no data says something.
   *
   * @param from where it begins
   * @param value where its value begins
   * @param end where it ends, without its line end
   */
  static boolean says(byte[] line, int from, int value, int end) {
    if (!hasWords(line, from, end)) {
      return false;
    }
    if (line[from] == ':') {
      return !isPadding(line, value, end) && !keepsAlive(line, value, end);
    }
    if (!hasWords(line, value, end)) {
      // An empty field; an unknown one would say something by its name.
      return !isField(line, from, value, "id")
          && !isField(line, from, value, "event")
          && !isField(line, from, value, "retry");
    }
    if (end - value > MAX_TOKEN_BYTES) {
      return true;
    }
    String text = new String(line, value, end - value, StandardCharsets.ISO_8859_1);
    if (isField(line, from, value, "retry")) {
      return !text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
    if (!text.chars().allMatch(SideLines::isOfToken)) {
      return true;
    }
    if (isField(line, from, value, "id")) {
      return !isRandom(text);
    }
    return !isField(line, from, value, "event") || !isKnownName(text);
  }

  private static boolean isRandom(String id) {
    int capitals = 0;
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      if (c >= '0' && c <= '9') {
        return true;
      }
      capitals += i > 0 && c >= 'A' && c <= 'Z' && id.charAt(i - 1) >= 'a' ? 1 : 0;
    }
    return capitals > 1;
  }

  /** True if the line is a field of this name, with or without a value. */
  private static boolean isField(byte[] line, int from, int value, String name) {
    int behind = from + name.length();
    if (behind > value || (behind < value && line[behind] != ':')) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (line[from + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasWords(byte[] line, int from, int end) {
    for (int i = from; i < end; i++) {
      int lower = line[i] | 0x20;
      if (line[i] < 0 || (lower >= 'a' && lower <= 'z') || (line[i] >= '0' && line[i] <= '9')) {
        return true;
      }
    }
    return false;
  }

  /** True if a text is one character over and over, many times. */
  private static boolean isPadding(byte[] line, int from, int end) {
    int length = 0;
    int only = 0;
    for (int i = from; i < end; i++) {
      if (line[i] != ' ' && line[i] != '\t') {
        if (line[i] < 0 || (only != 0 && line[i] != only)) {
          return false;
        }
        only = line[i];
        length++;
      }
    }
    return length >= 16;
  }

  /** True if all words of a text are of those that only show that somebody is there. */
  static boolean keepsAlive(byte[] line, int from, int end) {
    if (end - from > MAX_PING_BYTES) {
      return false;
    }
    String text = new String(line, from, end - from, StandardCharsets.ISO_8859_1);
    String plain = text.toLowerCase(Locale.ROOT).replaceAll("keep[-_ ]alive", "keepalive");
    for (String word : plain.split("[^a-z\\u0080-\\u00ff]+", -1)) {
      if (!word.isEmpty() && !OF_PINGS.contains(word)) {
        return false;
      }
    }
    return true;
  }

  /**
   * True if the data of an event say nothing: no word and no number, {@code null}, or those of a
   * ping, which says what it is by its name or by a word.
   */
  static boolean isPing(String name, byte[] data) {
    boolean plain = name.isEmpty() || name.equals("message");
    if (!plain && !isKnownName(name)) {
      return false;
    }
    if (!hasWords(data, 0, data.length)) {
      return true;
    }
    String text = new String(data, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    if (text.strip().equals("null")) {
      return true;
    }
    return keepsAlive(data, 0, data.length) && (!plain || PINGS.stream().anyMatch(text::contains));
  }

  /** True for a name that the protocols have, or of a ping. */
  static boolean isKnownName(String name) {
    return NAMES.contains(name.toLowerCase(Locale.ROOT).replace("-", ""))
        || (name.startsWith("response.") && NAME_PARTS.containsAll(List.of(name.split("\\.", -1))));
  }

  private static boolean isOfToken(int c) {
    return c > ' ' && c < 0x7f;
  }
}
