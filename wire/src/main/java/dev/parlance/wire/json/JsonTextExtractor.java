package dev.parlance.wire.json;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.FileText;
import dev.parlance.wire.bytes.MediaType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Extracts every word of a JSON value, wherever it stands, so that no member is a place to hide in.
 *
 * <p>Left out are only tokens: values of members that hold names, types and ids, as long as they
 * look like it (printable ASCII without a space, at most {@value #MAX_LABEL_BYTES} bytes); anything
 * else in such a member is read. MemberName names are read where they look like prose. Base64 in
 * {@code data} and {@code blob} is read where it holds text; other files, pictures and sounds are
 * noted as unread.
 */
public final class JsonTextExtractor {
  /** Longest value that passes as a name, a type or an id. */
  public static final int MAX_LABEL_BYTES = 128;

  private static final int MAX_NAME_BYTES = 64;
  private static final Set<String> BINARY = Set.of("data", "blob");

  private final JsonDocument json;
  private final Set<String> labels;
  private final boolean numbers;
  private final BitSet left = new BitSet();
  private final List<Utf8Span> texts = new ArrayList<>();
  private final DataNames names = new DataNames();
  private boolean unreadFile;

  /**
   * A search.
   *
   * @param labels members whose values are names, types or ids, with all that is in them
   * @param numbers true if numbers and truth values are words too, as they are in data
   */
  public JsonTextExtractor(JsonDocument json, Set<String> labels, boolean numbers) {
    this.json = json;
    this.labels = labels;
    this.numbers = numbers;
  }

  /** Leaves a value out that somebody else has read. */
  public void leave(int node) {
    if (node != JsonDocument.NONE) {
      left.set(node);
    }
  }

  /** Reads a value and all that is in it; it may be missing. */
  public void add(int node) {
    walk(node, JsonDocument.NONE, false);
  }

  /** As {@link #add}, where every value is a name, a type or an id unless it looks otherwise. */
  public void addLabels(int node) {
    walk(node, JsonDocument.NONE, true);
  }

  // Recursion is bounded by the depth of the document, which the scanner bounds.
  private void walk(int node, int parent, boolean label) {
    if (node == JsonDocument.NONE || left.get(node)) {
      return;
    }
    if (json.isObject(node)) {
      for (int at = json.first(node); at != JsonDocument.NONE; at = json.nextName(node, at)) {
        member(node, at, label);
      }
    } else if (json.isArray(node)) {
      for (int at = json.first(node); at != JsonDocument.NONE; at = json.nextElement(node, at)) {
        walk(at, parent, label);
      }
    } else if (json.isString(node)) {
      Utf8Span text = json.text(node);
      if (!text.isEmpty() && !(label && isLabel(text))) {
        texts.add(text);
      }
    } else if (numbers && !label && !json.isNull(node)) {
      texts.add(json.bytes(node));
    }
  }

  private void member(int object, int nameNode, boolean label) {
    String name = json.string(nameNode);
    names.add(json.text(nameNode));
    if (isProse(json.text(nameNode))) {
      texts.add(json.text(nameNode));
    }
    int value = nameNode + 1;
    if (BINARY.contains(name) && json.isString(value) && !left.get(value)) {
      int type = json.member(object, "mimeType");
      if (type != JsonDocument.NONE || name.equals("blob")) {
        file(value, json.optionalString(type).orElse(""));
        return;
      }
    }
    walk(value, object, label || labels.contains(name));
  }

  private void file(int value, String mimeType) {
    FileText file = FileText.of(json.text(value), isText(MediaType.parse(mimeType)));
    file.text().ifPresent(texts::add);
    unreadFile |= !file.isRead() && !json.text(value).isEmpty();
  }

  /** Media types whose bytes are words for a reader. */
  static boolean isText(MediaType type) {
    String essence = type.essence();
    return type.charsetFault().isEmpty()
        && (essence.startsWith("text/")
            || type.isJson()
            || essence.equals("application/xml")
            || essence.endsWith("+xml"));
  }

  /** True for what can be a name, a type or an id. */
  public static boolean isLabel(Utf8Span text) {
    return text.length() <= MAX_LABEL_BYTES && isToken(text);
  }

  /** True for a member name that is more than a name. */
  public static boolean isProse(Utf8Span name) {
    return name.length() > MAX_NAME_BYTES || !isToken(name);
  }

  /** True for printable ASCII without a space, however long. */
  public static boolean isToken(Utf8Span text) {
    for (int i = 0; i < text.length(); i++) {
      byte b = text.byteAt(i);
      if (b <= ' ' || b == 0x7f) {
        return false;
      }
    }
    return true;
  }

  /** What was found, in the order of the document. */
  public List<Utf8Span> texts() {
    return texts;
  }

  /** True if the member names say more than names do. */
  public boolean hasWordyNames() {
    return names.exceeded();
  }

  /** True if there was a file that is no text. */
  public boolean unreadFile() {
    return unreadFile;
  }
}
