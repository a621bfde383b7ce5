package dev.parlance.wire.proto;

import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A message of a scanned body: where it stands and which known fields are in it. */
public final class ProtoMessage {
  private final ProtoType type;
  private final byte[] body;
  private final int start;
  private final int end;
  private final List<Field> fields;

  /**
   * A message.
   *
   * @param body the whole body that was scanned; never written to
   * @param start offset of its content
   * @param end offset behind its content
   * @param fields its known fields, in order
   */
  ProtoMessage(ProtoType type, byte[] body, int start, int end, List<Field> fields) {
    this.type = type;
    this.body = body;
    this.start = start;
    this.end = end;
    this.fields = fields;
  }

  public ProtoType type() {
    return type;
  }

  public byte[] body() {
    return body;
  }

  public int start() {
    return start;
  }

  public int end() {
    return end;
  }

  public List<Field> fields() {
    return fields;
  }

  /** The fields that have this name in JSON, in order. */
  public Stream<Field> all(String member) {
    return fields.stream().filter(field -> field.known().name().equals(member));
  }

  /** The first field of that name. */
  public Optional<Field> first(String member) {
    for (Field field : fields) {
      if (field.known().name().equals(member)) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }

  /** The nested messages of that name, in order. */
  public List<ProtoMessage> messages(String member) {
    return all(member).flatMap(field -> field.message().stream()).toList();
  }

  /** The nested message of that name. */
  public Optional<ProtoMessage> message(String member) {
    return first(member).flatMap(Field::message);
  }

  /** The text of a field, as it stands there. */
  public Utf8Span text(Field field) {
    return Utf8Span.of(body, field.start(), field.end() - field.start());
  }

  /** A text that is not empty; proto3 does not tell an empty one from none. */
  public Optional<String> string(String member) {
    return first(member).map(field -> text(field).toString()).filter(text -> !text.isEmpty());
  }

  /** A number, boolean or enum; 0 if there is none. */
  public long number(String member) {
    return first(member).map(Field::number).orElse(0L);
  }

  /**
   * A field that the sidecar knows, where it stands in a scanned body.
   *
   * @param known what it is
   * @param tagStart offset of its tag
   * @param lengthStart offset of its length, where it has one; of its value otherwise
   * @param start offset of its content
   * @param end offset behind its content
   * @param number value of a BOOL, INT32, INT64 or ENUM; the bits of a DOUBLE
   * @param message what is in it, if it is a message
   */
  public record Field(
      ProtoType.Field known,
      int tagStart,
      int lengthStart,
      int start,
      int end,
      long number,
      Optional<ProtoMessage> message) {}
}
