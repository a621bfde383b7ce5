package dev.parlance.wire.a2a;

import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.LexiconMark;
import dev.parlance.wire.api.Show;
import dev.parlance.wire.bytes.Edit;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.LexiconReader;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoType;
import dev.parlance.wire.proto.ProtoWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The terms that a sidecar shows in an A2A protobuf body, by the rules of {@link A2aKnownTerms}.
 */
final class ProtoKnownTerms {
  private static final String PARTS = "parts";
  private static final String TEXT = "text";
  private static final Set<String> BARE = Set.of(TEXT, "metadata", "filename", "mediaType");
  private static final byte[] NOTHING = new byte[0];

  private String block = "";
  private Show where = Show.BOTH;
  private Optional<ProtoMessage> message = Optional.empty();

  /** Shows a block in a message. */
  void show(String shown, Show place, ProtoMessage into) {
    block = shown;
    where = place;
    message = Optional.of(into);
  }

  private boolean isShownIn(ProtoMessage other) {
    return message.filter(found -> found == other).isPresent();
  }

  private boolean showsText(ProtoMessage other) {
    return where.asText() && isShownIn(other);
  }

  /** Where the text of a part ends for its reader, if that is before its end. */
  private static Optional<Integer> textEnd(ProtoMessage part) {
    Optional<ProtoMessage.Field> text = part.first(TEXT);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Utf8Span whole = part.text(text.get());
    int end = KnownTerms.lengthWithout(whole);
    return end == whole.length() ? Optional.empty() : Optional.of(end);
  }

  /** The text of a part without the blocks at its end. */
  static Utf8Span text(ProtoMessage part, ProtoMessage.Field text) {
    Utf8Span whole = part.text(text);
    return textEnd(part).map(end -> whole.slice(0, end)).orElse(whole);
  }

  /** True for a part that has a block and nothing else. */
  static boolean isOurs(ProtoMessage part) {
    return textEnd(part).equals(Optional.of(0))
        && part.fields().stream().allMatch(field -> BARE.contains(field.known().name()));
  }

  /** True for a field of a message that is a part which goes, with everything in it. */
  static boolean goes(ProtoMessage.Field field) {
    return field.known().name().equals(PARTS)
        && field.message().filter(ProtoKnownTerms::isOurs).isPresent();
  }

  /** Takes a part out, or all but an empty text where its message has no other. */
  int remove(ProtoMessage holder, ProtoMessage.Field part, List<Edit> edits) {
    boolean last =
        !showsText(holder)
            && holder.first(PARTS).filter(part::equals).isPresent()
            && holder.all(PARTS).allMatch(ProtoKnownTerms::goes);
    ProtoType type = part.known().nested();
    byte[] left =
        last
            ? new ProtoWriter()
                .message(part.known().number(), new ProtoWriter().string(type.number(TEXT), ""))
                .toBytes()
            : NOTHING;
    int length = part.end() - part.tagStart();
    edits.add(new Edit(part.tagStart(), length, left));
    return left.length - length;
  }

  /** Takes the block out of the text of a part; by how much that grows. */
  static int truncate(ProtoMessage part, ProtoMessage.Field field, List<Edit> edits) {
    Optional<Integer> end =
        field.known().name().equals(TEXT) ? textEnd(part) : Optional.<Integer>empty();
    if (end.isEmpty()) {
      return 0;
    }
    byte[] length = ProtoWriter.varint(end.get());
    int before = field.start() - field.lengthStart();
    int gone = field.end() - field.start() - end.get();
    edits.add(new Edit(field.lengthStart(), before, length));
    edits.add(new Edit(field.start() + end.get(), gone, NOTHING));
    return length.length - before - gone;
  }

  /** The part that is added to a message. */
  void append(ProtoMessage holder, ProtoWriter added) {
    int parts = holder.type().number(PARTS);
    if (showsText(holder) && parts != 0) {
      ProtoType part = holder.type().field(parts).orElseThrow().nested();
      ProtoWriter shown = new ProtoWriter().string(part.number(TEXT), block);
      shown.bytes(
          part.number("metadata"),
          ProtoTextSites.entry(LexiconMark.URI, "{\"" + LexiconReader.KNOWN + "\":true}"));
      added.message(parts, shown);
    }
  }

  /** True if the metadata of a message gets the block. */
  boolean showsMetadata(ProtoMessage holder) {
    return where.inMetadata() && isShownIn(holder);
  }

  private static Optional<ProtoMessage> statement(ProtoMessage entry) {
    return entry.message("value").flatMap(value -> value.message("struct"));
  }

  private static boolean isKnown(ProtoMessage entry) {
    return entry.string("key").filter(LexiconReader.KNOWN::equals).isPresent();
  }

  /**
   * True for an entry of metadata that goes or is written anew.
   *
   * @param holder whose metadata
   */
  boolean changes(ProtoMessage holder, ProtoMessage entry) {
    if (entry.string("key").filter(LexiconMark.URI::equals).isEmpty()) {
      return false;
    }
    Optional<ProtoMessage> statement = statement(entry);
    boolean shown =
        statement
            .filter(one -> one.messages("fields").stream().anyMatch(ProtoKnownTerms::isKnown))
            .isPresent();
    return shown || (showsMetadata(holder) && (statement.isPresent() || isNull(entry)));
  }

  private static boolean isNull(ProtoMessage entry) {
    return entry
        .message("value")
        .filter(value -> !value.fields().isEmpty() && value.first("null").isEmpty())
        .isEmpty();
  }

  /**
   * What an entry that changes, or one that is missing, is from now on.
   *
   * @return empty if there is none
   */
  Optional<byte[]> entry(ProtoMessage holder, Optional<ProtoMessage> entry) {
    List<ProtoMessage> others =
        entry.flatMap(ProtoKnownTerms::statement).stream()
            .flatMap(statement -> statement.messages("fields").stream())
            .filter(field -> !isKnown(field))
            .toList();
    boolean shows = showsMetadata(holder);
    if (others.isEmpty() && !shows) {
      return Optional.empty();
    }
    ProtoWriter struct = new ProtoWriter();
    for (ProtoMessage field : others) {
      struct.bytes(
          1, Utf8Span.of(field.body(), field.start(), field.end() - field.start()).toByteArray());
    }
    if (shows) {
      String known = "{\"" + LexiconReader.KNOWN + "\":" + JsonWriter.quoted(block) + "}";
      byte[] field = ProtoWriter.struct(Texts.utf8(known));
      return Optional.of(entry(struct, field));
    }
    return Optional.of(entry(struct, NOTHING));
  }

  private static byte[] entry(ProtoWriter struct, byte[] more) {
    byte[] first = struct.toBytes();
    byte[] all = Arrays.copyOf(first, first.length + more.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    ProtoWriter value = new ProtoWriter().bytes(5, all);
    ProtoWriter pair = new ProtoWriter().string(1, LexiconMark.URI).message(2, value);
    return new ProtoWriter().message(1, pair).toBytes();
  }
}
