package dev.parlance.wire.json;

import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Texts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Collects changes to a scanned body as edits by byte offset. Additions go right behind the last
 * child of a container that stays, so whatever stands before its closing bracket stays there. A
 * container is never emptied in one call and added to in another.
 */
public final class JsonEdits {
  private static final byte[] NOTHING = {};
  private static final Comparator<Edit> IN_ORDER = Comparator.comparingInt(Edit::offset);

  private final JsonDocument document;
  private final List<Edit> edits = new ArrayList<>();

  public JsonEdits(JsonDocument document) {
    this.document = document;
  }

  /** Puts other JSON in the place of a value. */
  public void replace(int node, String json) {
    replace(node, Texts.utf8(json));
  }

  /** As {@link #replace(int, String)}; the array is kept. */
  public void replace(int node, byte[] json) {
    int start = document.start(node);
    edits.add(new Edit(start, document.end(node) - start, json));
  }

  /** Adds text at the end of a string value; {@code literal} is a JSON string with its quotes. */
  public void extendString(int node, String literal) {
    String content = literal.substring(1, literal.length() - 1);
    edits.add(new Edit(document.end(node) - 1, 0, Texts.utf8(content)));
  }

  /** Takes away what stands in a string from a byte of its text on. */
  public void truncateString(int node, int textByte) {
    int from = document.offsetIn(node, textByte);
    edits.add(new Edit(from, document.end(node) - 1 - from, NOTHING));
  }

  /** Adds members ({@code "a":1,"b":2}) to an object. */
  public void addMembers(int object, String members) {
    change(object, Set.of(), followers(members));
  }

  /** Adds elements to an array. */
  public void addElements(int array, String elements) {
    change(array, Set.of(), followers(elements));
  }

  /** Puts an element in front of one of an array. */
  public void insertBefore(int element, String json) {
    edits.add(new Edit(document.start(element), 0, Texts.utf8(json + ",")));
  }

  /** Puts an element behind one of an array. */
  public void insertBehind(int element, String json) {
    edits.add(new Edit(document.end(element), 0, followers(json)));
  }

  /** Takes a member out of an object, with the comma that it leaves behind. */
  public void removeMember(int object, int name) {
    change(object, Set.of(name), NOTHING);
  }

  /**
   * Takes members out of an object and adds others, in one go.
   *
   * @param removed their name nodes
   * @param members members to add ({@code "a":1,"b":2}); may be empty
   */
  public void changeMembers(int object, Set<Integer> removed, String members) {
    change(object, removed, followers(members));
  }

  private static byte[] followers(String members) {
    return members.isEmpty() ? NOTHING : Texts.utf8("," + members);
  }

  /**
   * Takes children out of a container and adds others, in one go.
   *
   * @param removed name nodes of an object, elements of an array
   * @param added what to add, as it stands behind others: with a comma in front; may be empty; the
   *     array is kept
   */
  public void change(int container, Set<Integer> removed, byte[] added) {
    boolean members = document.isObject(container);
    int child = document.first(container);
    int firstStart = child == JsonDocument.NONE ? JsonDocument.NONE : document.start(child);
    int kept = JsonDocument.NONE;
    int runStart = JsonDocument.NONE;
    int end = JsonDocument.NONE;
    while (child != JsonDocument.NONE) {
      int start = document.start(child);
      boolean stays = removed.isEmpty() || !removed.contains(child);
      if (stays && runStart != JsonDocument.NONE) {
        boolean leading = kept == JsonDocument.NONE;
        remove(leading ? runStart : kept, leading ? start : end);
        runStart = JsonDocument.NONE;
      } else if (!stays && runStart == JsonDocument.NONE) {
        runStart = start;
      }
      end = document.end(members ? child + 1 : child);
      kept = stays ? end : kept;
      child =
          members ? document.nextName(container, child) : document.nextElement(container, child);
    }
    if (added.length == 0) {
      if (runStart != JsonDocument.NONE) {
        remove(kept == JsonDocument.NONE ? runStart : kept, end);
      }
    } else if (kept != JsonDocument.NONE) {
      edits.add(new Edit(kept, end - kept, added));
    } else {
      int from = end == JsonDocument.NONE ? document.start(container) + 1 : firstStart;
      byte[] alone = Arrays.copyOfRange(added, 1, added.length);
      edits.add(new Edit(from, end == JsonDocument.NONE ? 0 : end - from, alone));
    }
  }

  private void remove(int from, int to) {
    edits.add(new Edit(from, to - from, NOTHING));
  }

  /** The edits in the order of their offsets; those at one offset keep the order of the calls. */
  public List<Edit> sorted() {
    if (edits.size() > 1) {
      edits.sort(IN_ORDER);
    }
    return List.copyOf(edits);
  }
}
