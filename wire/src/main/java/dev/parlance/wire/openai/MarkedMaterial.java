package dev.parlance.wire.openai;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The material that stands marked within a prompt: between tags such as {@code <documents>} or
 * {@code <context>}, of which inner ones ({@code <document id="c1">}) are chunks of their own; and
 * behind lines that begin with a mark such as {@code [c1]}. What is not marked is an instruction or
 * a question.
 *
 * <p>A chunk's id is that of its tag ({@code id}, {@code index}, {@code name}), of a {@code
 * <source>} in it, or its mark. Bytes are looked at a fixed number of times.
 */
final class MarkedMaterial {
  private static final int MAX_MARK_BYTES = 64;

  private static final String OUTER =
      "documents|document|context|contexts|sources|material|materials|evidence|search_results"
          + "|grounding_source|retrieved_context|knowledge_base";
  private static final String INNER = "document|doc|source|chunk|passage|item|result|search_result";

  private static final byte[][] OUTER_NAMES =
      Arrays.stream(OUTER.split("[|]", -1))
          .map(name -> name.getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);
  private static final Pattern OUTER_TAG = tag(OUTER);
  private static final Pattern INNER_TAG = tag(INNER);
  private static final Pattern ID =
      Pattern.compile("\\b(?:id|index|name|source)\\s?=\\s?[\"']([^\"']{1,200})[\"']");
  private static final Pattern SOURCE =
      Pattern.compile("^\\s{0,80}<(source|title|id)>([^<]{1,200})</\\1>\\s{0,80}");
  private static final Pattern CONTENT =
      Pattern.compile("^\\s{0,80}<(document_content|content|text)>");

  private final Utf8Span text;
  private final String bytes;
  private final List<Chunk> chunks = new ArrayList<>();
  private final List<Utf8Span> rest = new ArrayList<>();

  /**
   * The material of a text.
   *
   * @param lines true if marks at the beginning of lines count
   */
  MarkedMaterial(Utf8Span text, boolean lines) {
    this.text = text;
    if (!hasTag(text)) {
      bytes = "";
      if (lines) {
        lines(0, text.length());
      }
      return;
    }
    // A character for each byte, so that places are those of bytes.
    bytes =
        new String(text.array(), text.arrayOffset(), text.length(), StandardCharsets.ISO_8859_1);
    int from = 0;
    int behind = 0;
    Set<String> unclosed = new HashSet<>();
    Matcher tag = OUTER_TAG.matcher(bytes);
    while (tag.find(from)) {
      int end = close(tag, unclosed);
      if (end < 0) {
        from = tag.end();
        continue;
      }
      addRest(behind, tag.start());
      inner(tag, end);
      from = bytes.indexOf('>', end) + 1;
      behind = from;
    }
    if (chunks.isEmpty()) {
      if (lines) {
        lines(0, text.length());
      }
    } else {
      addRest(behind, text.length());
    }
  }

  private static Pattern tag(String names) {
    return Pattern.compile("<(" + names + ")(\\s[^<>]{0,300})?>", Pattern.CASE_INSENSITIVE);
  }

  /** True if an outer tag may begin somewhere; allocates nothing, since most prompts have none. */
  private static boolean hasTag(Utf8Span text) {
    byte[] array = text.array();
    int end = text.arrayOffset() + text.length();
    for (int at = text.arrayOffset(); at < end; at++) {
      if (array[at] == '<') {
        for (byte[] name : OUTER_NAMES) {
          int behind = at + 1 + name.length;
          if (behind < end
              && startsWith(array, at + 1, name)
              && !Character.isLetter(array[behind])) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean startsWith(byte[] array, int at, byte[] name) {
    for (int i = 0; i < name.length; i++) {
      if ((array[at + i] | 0x20) != (name[i] | 0x20)) {
        return false;
      }
    }
    return true;
  }

  /** Where the tag's element ends, or -1. */
  private int close(Matcher tag, Set<String> unclosed) {
    String name = tag.group(1);
    int end = unclosed.contains(name) ? -1 : bytes.indexOf("</" + name + ">", tag.end());
    if (end < 0) {
      unclosed.add(name);
    }
    return end;
  }

  private void inner(Matcher outer, int end) {
    Matcher tag = INNER_TAG.matcher(bytes);
    tag.region(outer.end(), end);
    Set<String> unclosed = new HashSet<>();
    int before = chunks.size();
    int from = outer.end();
    while (from < end) {
      tag.region(from, end);
      if (!tag.find()) {
        break;
      }
      int close = close(tag, unclosed);
      if (close > end) {
        unclosed.add(tag.group(1));
        close = -1;
      }
      from = close < 0 ? tag.end() : close;
      if (from == close && !tag.group(1).equals(outer.group(1))) {
        add(id(tag.group(2)), tag.end(), close);
      }
    }
    if (chunks.size() == before) {
      String id = id(outer.group(2));
      if (!id.isEmpty() || !lines(outer.end(), end)) {
        add(id, outer.end(), end);
      }
    }
  }

  private static String id(String attributes) {
    Matcher id = ID.matcher(attributes == null ? "" : attributes);
    return id.find() ? utf8(id.group(1)) : "";
  }

  private static String utf8(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8).strip();
  }

  private void add(String given, int start, int end) {
    String id = given;
    int from = start;
    Matcher source = SOURCE.matcher(bytes).region(from, end);
    if (source.find()) {
      id = id.isEmpty() ? utf8(source.group(2)) : id;
      from = source.end();
    }
    int to = end;
    Matcher content = CONTENT.matcher(bytes).region(from, end);
    if (content.find()) {
      from = content.end();
      int close = bytes.indexOf("</" + content.group(1) + ">", from);
      to = close < 0 || close > end ? end : close;
    }
    if (!bytes.substring(from, to).isBlank()) {
      chunks.add(new Chunk(id, text.slice(from, to - from)));
    }
  }

  private void addRest(int from, int to) {
    if (from < to && !bytes.substring(from, to).isBlank()) {
      rest.add(text.slice(from, to - from));
    }
  }

  /** Chunks behind marks at the beginning of lines; false if there is no mark. */
  private boolean lines(int start, int end) {
    String id = "";
    int from = start;
    Utf8Span part = text.slice(0, end);
    for (int line = start; line < end; line = afterLine(part, line)) {
      int mark = markLength(part, line);
      if (mark > 0) {
        addMarked(id, from, line);
        id = text.slice(line + 1, mark - 2).toString();
        from = line + mark;
      }
    }
    addMarked(id, from, end);
    return !id.isEmpty();
  }

  private void addMarked(String id, int from, int to) {
    if (!id.isEmpty()) {
      chunks.add(new Chunk(id, text.slice(from, to - from)));
    }
  }

  /** Where the first line with a mark begins; the length of the text if none does. */
  static int firstMark(Utf8Span text) {
    int line = 0;
    while (line < text.length() && markLength(text, line) == 0) {
      line = afterLine(text, line);
    }
    return Math.min(line, text.length());
  }

  private static int afterLine(Utf8Span text, int from) {
    int at = from;
    while (at < text.length() && text.byteAt(at) != '\n') {
      at++;
    }
    return at + 1;
  }

  /** Length of a mark {@code [id]} with its brackets, or 0 if none starts there. */
  private static int markLength(Utf8Span text, int from) {
    if (text.byteAt(from) != '[') {
      return 0;
    }
    int most = Math.min(text.length(), from + MAX_MARK_BYTES + 2);
    for (int at = from + 1; at < most; at++) {
      byte b = text.byteAt(at);
      if (b == ']') {
        return at == from + 1 ? 0 : at - from + 1;
      }
      if (b == '[' || b == '\n') {
        return 0;
      }
    }
    return 0;
  }

  /** The chunks, in their order. */
  List<Chunk> chunks() {
    return chunks;
  }

  /** What stands outside of tags, where there are some. */
  List<Utf8Span> rest() {
    return rest;
  }
}
