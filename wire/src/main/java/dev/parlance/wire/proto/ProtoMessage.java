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
  private final List<ProtoField> fields;

  /**
   * A message.
   *
   * @param body the whole body that was scanned; never written to
   * @param start offset of its content
   * @param end offset behind its content
   * @param fields its known fields, in order
   */
  ProtoMessage(ProtoType type, byte[] body, int start, int end, List<ProtoField> fields) {
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

  public List<ProtoField> fields() {
    return fields;
  }

  /** The fields that have this name in JSON, in order. */
  public Stream<ProtoField> all(String member) {
    return fields.stream().filter(field -> field.known().name().equals(member));
  }

  /** The first field of that name. */
  public Optional<ProtoField> first(String member) {
    for (ProtoField field : fields) {
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
    return first(member).flatMap(ProtoField::message);
  }

  /** The text of a field, as it stands there. */
  public Utf8Span text(ProtoField field) {
    return Utf8Span.of(body, field.start(), field.end() - field.start());
  }

  /** A text that is not empty; proto3 does not tell an empty one from none. */
  public Optional<String> string(String member) {
    return first(member).map(field -> text(field).toString()).filter(text -> !text.isEmpty());
  }

  /** A number, boolean or enum; 0 if there is none. */
  public long number(String member) {
    return first(member).map(ProtoField::number).orElse(0L);
  }
}
