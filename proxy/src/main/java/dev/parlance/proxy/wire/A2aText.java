package dev.parlance.proxy.wire;

import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Collects the text of A2A parts, of both generations: {@code text} members, and every string value
 * inside {@code data} members. Parts are told apart by their members, not by {@code kind}: a part
 * that says one thing and holds another is read for all it holds. Files, raw bytes and URLs are
 * never fetched or decoded, only noticed.
 */
final class A2aText {
  private static final Set<String> PART_MEMBERS =
      Set.of("text", "data", "raw", "url", "file", "kind");

  private final JsonDocument json;
  private final List<Utf8Span> texts = new ArrayList<>();
  private boolean unreadPart;
  private Optional<String> fault = Optional.empty();

  A2aText(JsonDocument json) {
    this.json = json;
  }

  /** Reads a {@code parts} array, which may be missing; true if it held text. */
  boolean add(int parts) {
    int before = texts.size();
    if (!json.isArray(parts)) {
      if (parts != JsonDocument.NONE && !json.isNull(parts)) {
        fault = Optional.of("parts is not an array");
      }
      return false;
    }
    int part = json.first(parts);
    while (part != JsonDocument.NONE && fault.isEmpty()) {
      addPart(part);
      part = json.nextElement(parts, part);
    }
    return texts.size() > before;
  }

  private void addPart(int part) {
    if (!json.isObject(part)) {
      fault = Optional.of("a part is not an object");
      return;
    }
    Optional<String> misspelt = json.misspelt(part, PART_MEMBERS);
    if (misspelt.isPresent()) {
      fault = Optional.of("a part spells its member " + misspelt.get() + " in other case");
      return;
    }
    int text = json.present(part, "text");
    if (text != JsonDocument.NONE && !json.isString(text)) {
      fault = Optional.of("the text of a part is not a string");
      return;
    }
    int before = texts.size();
    if (text != JsonDocument.NONE) {
      texts.add(json.text(text));
    }
    int data = json.present(part, "data");
    if (data != JsonDocument.NONE) {
      for (int node = data; node < json.skip(data); node++) {
        if (json.isString(node)) {
          texts.add(json.text(node));
        }
      }
    }
    boolean binary =
        json.present(part, "raw") != JsonDocument.NONE
            || json.present(part, "url") != JsonDocument.NONE
            || json.present(part, "file") != JsonDocument.NONE;
    unreadPart |= binary || texts.size() == before;
  }

  /** True if any text was found, be it empty. */
  boolean found() {
    return !texts.isEmpty();
  }

  /** True if there was a part, or something in one, that nobody can read as text. */
  boolean unreadPart() {
    return unreadPart;
  }

  /** What makes the parts no A2A parts at all. */
  Optional<String> fault() {
    return fault;
  }

  /** The texts, joined by line feeds. */
  Utf8Span text() {
    return Texts.join(texts);
  }
}
