package dev.parlance.wire.a2a;

import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.json.MemberName;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Writes our members into the {@code metadata} of one A2A object after the other and takes others
 * out, in one change of each container, with their URIs in {@code extensions}.
 */
final class A2aSiteWriter {
  private static final byte[] NOTHING = {};

  /** The members that it knows, in the order in which they are written. */
  private static final MemberName[] OURS = {
    MemberName.VERDICT, MemberName.ROUND, MemberName.LEXICON
  };

  /** By member, its URI as an element behind others. */
  private static final byte[][] URIS = uris();

  private final JsonDocument json;
  private final JsonEdits edits;

  /** By member, the name that gives way or goes; none stays as it is. */
  private final int[] standing = new int[OURS.length];

  /** By member, what is written, with a comma in front; empty if nothing is. */
  private final byte[][] entries = new byte[OURS.length][];

  /** By member, whether its URI is to stand in the list. */
  private final boolean[] used = new boolean[OURS.length];

  A2aSiteWriter(JsonDocument json, JsonEdits edits) {
    this.json = json;
    this.edits = edits;
    reset();
  }

  private static byte[][] uris() {
    byte[][] uris = new byte[OURS.length][];
    for (int i = 0; i < OURS.length; i++) {
      uris[i] = Texts.utf8("," + JsonWriter.quoted(OURS[i].text()));
    }
    return uris;
  }

  private void reset() {
    Arrays.fill(standing, JsonDocument.NONE);
    Arrays.fill(entries, NOTHING);
    Arrays.fill(used, false);
  }

  private static int slot(MemberName member) {
    for (int i = 0; i < OURS.length; i++) {
      if (OURS[i] == member) {
        return i;
      }
    }
    throw new IllegalArgumentException("not written here: " + member);
  }

  /**
   * One member of the next object.
   *
   * @param name the name node of one that gives way, or goes if there is no entry
   * @param entry the member, with a comma in front; empty if none is written
   */
  void set(MemberName member, int name, byte[] entry) {
    int slot = slot(member);
    standing[slot] = name;
    entries[slot] = entry;
    used[slot] = entry.length > 0;
  }

  /** A member of the next object is written into by others: its URI is to stand in the list. */
  void uses(MemberName member) {
    used[slot(member)] = true;
  }

  /**
   * Changes an object, and forgets what was set for it.
   *
   * @param lists true if its schema has {@code extensions}, so that URIs are added there
   */
  void write(int object, boolean lists) {
    byte[] metadata = metadata(object);
    byte[] extensions = extensions(object, lists);
    byte[] added = both(metadata, extensions);
    if (added.length > 0) {
      edits.change(object, Set.of(), added);
    }
    reset();
  }

  /** Changes the metadata of an object; gives what is to be added to the object if it has none. */
  private byte[] metadata(int object) {
    Set<Integer> removed = Set.of();
    byte[] members = NOTHING;
    for (int slot = 0; slot < OURS.length; slot++) {
      int name = standing[slot];
      byte[] entry = entries[slot];
      if (name == JsonDocument.NONE) {
        members = both(members, entry);
      } else if (entry.length == 0) {
        removed = removed.isEmpty() ? new HashSet<>() : removed;
        removed.add(name);
      } else {
        int key = OURS[slot].text().length() + ",\"\":".length();
        edits.replace(name + 1, Arrays.copyOfRange(entry, key, entry.length));
      }
    }
    int metadata = json.member(object, MemberName.METADATA);
    if (json.isObject(metadata)) {
      edits.change(metadata, removed, members);
    } else if (members.length > 0 && json.isNull(metadata)) {
      edits.replace(metadata, enclosed("{", members, '}'));
    } else if (members.length > 0) {
      return enclosed(",\"metadata\":{", members, '}');
    }
    return NOTHING;
  }

  /** As {@link #metadata}, for the list of the extensions that the object makes use of. */
  private byte[] extensions(int object, boolean lists) {
    Set<Integer> removed = Set.of();
    int listed = 0;
    int extensions = json.member(object, MemberName.EXTENSIONS);
    int at = json.firstElement(extensions);
    while (at != JsonDocument.NONE) {
      int slot = json.isString(at) ? slotOf(at) : JsonDocument.NONE;
      if (slot != JsonDocument.NONE && (listed & 1 << slot) == 0) {
        listed |= 1 << slot;
        boolean gone = standing[slot] != JsonDocument.NONE && !used[slot];
        if (gone) {
          removed = removed.isEmpty() ? new HashSet<>() : removed;
          removed.add(at);
        }
      }
      at = json.nextElement(extensions, at);
    }
    byte[] elements = NOTHING;
    for (int slot = 0; lists && slot < OURS.length; slot++) {
      if (used[slot] && (listed & 1 << slot) == 0) {
        elements = both(elements, URIS[slot]);
      }
    }
    if (json.isArray(extensions)) {
      edits.change(extensions, removed, elements);
    } else if (elements.length > 0 && json.isNull(extensions)) {
      edits.replace(extensions, enclosed("[", elements, ']'));
    } else if (elements.length > 0) {
      return enclosed(",\"extensions\":[", elements, ']');
    }
    return NOTHING;
  }

  private int slotOf(int string) {
    for (int slot = 0; slot < OURS.length; slot++) {
      if (json.textEquals(string, OURS[slot].text())) {
        return slot;
      }
    }
    return JsonDocument.NONE;
  }

  private static byte[] both(byte[] one, byte[] other) {
    if (one.length == 0 || other.length == 0) {
      return one.length == 0 ? other : one;
    }
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  /** {@code opened} holds members or elements with a comma in front of each. */
  private static byte[] enclosed(String opening, byte[] opened, char closing) {
    byte[] enclosed = new byte[opening.length() + opened.length];
    for (int i = 0; i < opening.length(); i++) {
      enclosed[i] = (byte) opening.charAt(i);
    }
    System.arraycopy(opened, 1, enclosed, opening.length(), opened.length - 1);
    enclosed[enclosed.length - 1] = (byte) closing;
    return enclosed;
  }
}
