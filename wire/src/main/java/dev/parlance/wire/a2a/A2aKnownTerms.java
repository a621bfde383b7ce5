package dev.parlance.wire.a2a;

import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.api.Show;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.metadata.LexiconReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The terms that a sidecar shows in an A2A body: where a block of them stands, which is nobody's
 * words and is taken out, and where one is put.
 *
 * <p>A block is told by its text, which no SDK changes, and only at the end of a part: agents that
 * say again all that they were told say it there. A part that is nothing else goes as a whole,
 * unless its array would have none left.
 */
final class A2aKnownTerms {
  private static final byte[] NOTHING = {};
  private static final String KNOWN = JsonWriter.quoted(LexiconReader.KNOWN) + ":";

  /** Members of a part that has a block and nothing else. */
  private static final long BARE =
      MemberName.set(
          MemberName.TEXT,
          MemberName.KIND,
          MemberName.METADATA,
          MemberName.MEDIA_TYPE,
          MemberName.FILENAME);

  private final JsonDocument json;

  /** By array, the parts that go. */
  private Map<Integer, Set<Integer>> parts = Map.of();

  /** The texts that end earlier, each with the byte at which it then ends. */
  private List<int[]> texts = List.of();

  private String block = "";
  private Show where = Show.BOTH;
  private int message = JsonDocument.NONE;
  private int shownIn = JsonDocument.NONE;
  private boolean kinds;

  A2aKnownTerms(JsonDocument json) {
    this.json = json;
  }

  /**
   * The text of a part without the blocks at its end; the same where there is none.
   *
   * @param array the array of the part
   */
  Utf8Span without(int array, int part, int text) {
    Utf8Span whole = json.text(text);
    int end = KnownTerms.lengthWithout(whole);
    if (end == whole.length()) {
      return whole;
    }
    if (end == 0 && isBare(part)) {
      if (parts.isEmpty()) {
        parts = new LinkedHashMap<>();
      }
      parts.computeIfAbsent(array, _ -> new LinkedHashSet<>()).add(part);
    } else {
      if (texts.isEmpty()) {
        texts = new ArrayList<>();
      }
      texts.add(new int[] {text, end});
    }
    return whole.slice(0, end);
  }

  /** True for a part that goes, with everything in it. */
  boolean goes(int array, int part) {
    return !parts.isEmpty() && parts.getOrDefault(array, Set.of()).contains(part);
  }

  private boolean isBare(int part) {
    for (int name = json.first(part); name != JsonDocument.NONE; name = json.nextName(part, name)) {
      if (!json.isAmong(name, BARE) && !json.isNull(name + 1)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Shows a block in a message.
   *
   * @param array its parts
   * @param discriminated true if parts say what they are
   */
  void show(String shown, Show place, int object, int array, boolean discriminated) {
    block = shown;
    where = place;
    message = object;
    shownIn = array;
    kinds = discriminated;
  }

  /** Edits of parts. */
  void write(JsonEdits edits) {
    for (int[] text : texts) {
      edits.truncateString(text[0], text[1]);
    }
    byte[] added = shownPart();
    parts.forEach((array, gone) -> {
      Set<Integer> removed = gone;
      boolean adds = array == shownIn && added.length > 0;
      if (!adds && !hasOther(array, gone)) {
        removed = new LinkedHashSet<>(gone);
        int first = json.first(array);
        removed.remove(first);
        edits.replace(first, part(""));
      }
      edits.change(array, removed, adds ? added : NOTHING);
    });
    if (added.length > 0 && !parts.containsKey(shownIn)) {
      edits.change(shownIn, Set.of(), added);
    }
  }

  private boolean hasOther(int array, Set<Integer> gone) {
    for (int part = json.first(array);
        part != JsonDocument.NONE;
        part = json.nextElement(array, part)) {
      if (!gone.contains(part)) {
        return true;
      }
    }
    return false;
  }

  private byte[] shownPart() {
    if (block.isEmpty() || !where.asText()) {
      return NOTHING;
    }
    String mark = JsonWriter.quoted(LexiconMark.URI) + ":{" + KNOWN + "true}";
    return Texts.utf8("," + part(block, ",\"metadata\":{" + mark + "}"));
  }

  private String part(String text) {
    return part(text, "");
  }

  private String part(String text, String members) {
    String kind = kinds ? "\"kind\":\"text\"," : "";
    return "{" + kind + "\"text\":" + JsonWriter.quoted(text) + members + "}";
  }

  /**
   * What becomes of the metadata of an object: the block that stands there goes, ours is written.
   *
   * @param name the name of our member in it
   */
  void metadata(int object, int name, JsonEdits edits, A2aSiteWriter writer) {
    boolean shows = object == message && !block.isEmpty() && where.inMetadata();
    if (name == JsonDocument.NONE && !shows) {
      return;
    }
    int statement = name == JsonDocument.NONE ? JsonDocument.NONE : name + 1;
    int known = json.nameOf(statement, LexiconReader.KNOWN);
    if (!shows) {
      cut(name, known, edits, writer);
      return;
    }
    String value = JsonWriter.quoted(block);
    if (statement == JsonDocument.NONE || json.isNull(statement)) {
      byte[] entry =
          Texts.utf8("," + JsonWriter.quoted(LexiconMark.URI) + ":{" + KNOWN + value + "}");
      writer.set(MemberName.LEXICON, name, entry);
    } else if (known != JsonDocument.NONE) {
      edits.replace(known + 1, value);
      writer.uses(MemberName.LEXICON);
    } else if (json.isObject(statement)) {
      edits.addMembers(statement, KNOWN + value);
      writer.uses(MemberName.LEXICON);
    }
  }

  private void cut(int name, int known, JsonEdits edits, A2aSiteWriter writer) {
    if (known == JsonDocument.NONE) {
      return;
    }
    int statement = name + 1;
    boolean alone =
        known == json.first(statement) && json.nextName(statement, known) == JsonDocument.NONE;
    if (alone) {
      writer.set(MemberName.LEXICON, name, NOTHING);
    } else {
      edits.removeMember(statement, known);
    }
  }
}
