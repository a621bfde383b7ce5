package dev.parlance.proxy.wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Collects changes to a scanned body as edits by byte offset. Additions go right behind the last
 * child of a container that stays, so whatever stands before its closing bracket stays there. A
 * container is never emptied in one call and added to in another.
 */
final class JsonEdits {
  private final JsonDocument document;
  private final List<Edit> edits = new ArrayList<>();

  JsonEdits(JsonDocument document) {
    this.document = document;
  }

  /** Puts other JSON in the place of a value. */
  void replace(int node, String json) {
    int start = document.start(node);
    edits.add(new Edit(start, document.end(node) - start, Texts.utf8(json)));
  }

  /** Adds text at the end of a string value; {@code literal} is a JSON string with its quotes. */
  void extendString(int node, String literal) {
    String content = literal.substring(1, literal.length() - 1);
    edits.add(new Edit(document.end(node) - 1, 0, Texts.utf8(content)));
  }

  /** Adds members ({@code "a":1,"b":2}) to an object. */
  void addMembers(int object, String members) {
    changeMembers(object, Set.of(), members);
  }

  /** Adds elements to an array. */
  void addElements(int array, String elements) {
    changeElements(array, Set.of(), elements);
  }

  /** Takes a member out of an object, with the comma that it leaves behind. */
  void removeMember(int object, int name) {
    changeMembers(object, Set.of(name), "");
  }

  /**
   * Takes members out of an object and adds others, in one go.
   *
   * @param removed their name nodes
   * @param members members to add ({@code "a":1,"b":2}); may be empty
   */
  void changeMembers(int object, Set<Integer> removed, String members) {
    List<Child> children = new ArrayList<>();
    for (int at = document.first(object);
        at != JsonDocument.NONE;
        at = document.nextName(object, at)) {
      children.add(new Child(document.start(at), document.end(at + 1), !removed.contains(at)));
    }
    change(object, children, members);
  }

  /** As {@link #changeMembers}, for the elements of an array. */
  void changeElements(int array, Set<Integer> removed, String elements) {
    List<Child> children = new ArrayList<>();
    for (int at = document.first(array);
        at != JsonDocument.NONE;
        at = document.nextElement(array, at)) {
      children.add(new Child(document.start(at), document.end(at), !removed.contains(at)));
    }
    change(array, children, elements);
  }

  /** A member or an element, from its first byte to behind its last one. */
  private record Child(int start, int end, boolean stays) {}

  private void change(int container, List<Child> children, String added) {
    int at = 0;
    int kept = JsonDocument.NONE;
    while (at < children.size()) {
      if (children.get(at).stays()) {
        kept = children.get(at).end();
        at++;
        continue;
      }
      int first = at;
      while (at < children.size() && !children.get(at).stays()) {
        at++;
      }
      boolean last = at == children.size();
      if (last && !added.isEmpty()) {
        break;
      }
      boolean leading = kept == JsonDocument.NONE;
      int from = leading ? children.get(first).start() : kept;
      int to = leading && !last ? children.get(at).start() : children.get(at - 1).end();
      edits.add(new Edit(from, to - from, new byte[0]));
    }
    if (!added.isEmpty()) {
      int from = kept;
      int to = children.isEmpty() ? JsonDocument.NONE : children.getLast().end();
      if (children.isEmpty()) {
        from = document.start(container) + 1;
        to = from;
      } else if (kept == JsonDocument.NONE) {
        from = children.getFirst().start();
      }
      String json = kept == JsonDocument.NONE ? added : "," + added;
      edits.add(new Edit(from, to - from, Texts.utf8(json)));
    }
  }

  /** The edits in the order of their offsets; those at one offset keep the order of the calls. */
  List<Edit> sorted() {
    edits.sort(Comparator.comparingInt(Edit::offset));
    return List.copyOf(edits);
  }
}
