package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoStrings;
import dev.parlance.wire.proto.ProtoType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes a scanned message as the JSON that A2A v1.0 has for it, so that one reader judges every
 * binding and the same content gives the same judged text. Only fields that the schema names are
 * written; of control data only its texts.
 *
 * <p>Numbers are written as JavaScript writes them, which is what JSON agents send. A number that
 * JSON does not have (NaN, infinite) becomes the text of its name.
 */
final class ProtoJson {
  /** Member under which text from fields outside the schema is written. */
  static final String BESIDE = "unknownFields";

  /** Member under which the texts of control data are written. */
  private static final String TEXTS = "texts";

  private static final double LARGEST_PLAIN = 1e21;
  private static final double SMALLEST_PLAIN = 1e-6;
  private final JsonWriter json;

  private ProtoJson(JsonWriter json) {
    this.json = json;
  }

  /**
   * The JSON of a message; of control data only its texts.
   *
   * @param beside texts that go into an additional member
   */
  static byte[] of(ProtoMessage message, List<Utf8Span> beside) {
    JsonWriter json = JsonWriter.ofThread();
    if (message.type().isOpaque()) {
      opaque(json, message.body(), 0, message.body().length);
    } else {
      write(json, message, beside);
    }
    return json.toBytes();
  }

  /** An answer that is control data, with the words of its status. */
  static byte[] control(ProtoMessage message, List<Utf8Span> status) {
    JsonWriter json = JsonWriter.ofThread().object().name("data");
    opaque(json, message.body(), 0, message.body().length);
    json.name("status").array();
    status.forEach(text -> json.string(text.toString()));
    return json.endArray().endObject().toBytes();
  }

  private static void write(JsonWriter json, ProtoMessage message, List<Utf8Span> beside) {
    ProtoJson writer = new ProtoJson(json);
    json.object();
    // In the object that is read as the answer; what stands around it may have no reader.
    boolean isTask = message.type().number("artifacts") != 0;
    boolean wrapped =
        !isTask
            && message.fields().stream()
                .anyMatch(field -> field.known().type().filter(ProtoJson::isPlain).isPresent());
    writer.members(message, wrapped ? beside : List.of());
    if (!wrapped) {
      writer.beside(beside);
    }
    json.endObject();
  }

  /** Writes control data, of which only the texts are known. */
  private static void opaque(JsonWriter json, byte[] body, int from, int to) {
    List<String> texts = new ArrayList<>();
    new ProtoStrings(Arrays.copyOfRange(body, from, to)).collect(texts);
    json.object();
    if (!texts.isEmpty()) {
      json.name(TEXTS).array();
      texts.forEach(json::string);
      json.endArray();
    }
    json.endObject();
  }

  private static boolean isPlain(ProtoType type) {
    return !type.isOpaque() && type != ProtoSchema.STRUCT;
  }

  private void beside(List<Utf8Span> texts) {
    if (!texts.isEmpty()) {
      json.name(BESIDE).array();
      texts.forEach(json::utf8);
      json.endArray();
    }
  }

  /** Writes the members of an object; the first nested one that says something gets the texts. */
  private void members(ProtoMessage message, List<Utf8Span> beside) {
    Set<Integer> written = new HashSet<>();
    List<Utf8Span> left = beside;
    for (ProtoMessage.Field field : message.fields()) {
      ProtoType.Field known = field.known();
      if (!written.add(known.number())) {
        continue;
      }
      if (known.name().equals(ProtoSchema.INLINE)) {
        members(field.message().orElseThrow(), List.of());
        continue;
      }
      json.name(known.name());
      List<Utf8Span> here = known.type().filter(ProtoJson::isPlain).isPresent() ? left : List.of();
      left = here.isEmpty() ? left : List.of();
      if (known.repeated()) {
        json.array();
        List<Utf8Span> first = here;
        for (ProtoMessage.Field each : message.all(known.name()).toList()) {
          value(message, each, first);
          first = List.of();
        }
        json.endArray();
      } else {
        value(message, field, here);
      }
    }
  }

  private void value(ProtoMessage message, ProtoMessage.Field field, List<Utf8Span> beside) {
    switch (field.known().kind()) {
      case STRING -> json.utf8(message.text(field));
      case BYTES -> {
        byte[] bytes = Arrays.copyOfRange(message.body(), field.start(), field.end());
        json.utf8(Utf8Span.of(Base64.getEncoder().encode(bytes)));
      }
      case BOOL -> json.raw(field.number() == 0 ? "false" : "true");
      case INT32, INT64 -> json.number(field.number());
      case ENUM -> {
        List<String> names = field.known().names();
        if (field.number() >= 0 && field.number() < names.size()) {
          json.string(names.get((int) field.number()));
        } else {
          json.number(field.number());
        }
      }
      case DOUBLE -> json.raw(number(Double.longBitsToDouble(field.number())));
      case MESSAGE -> nested(field.message().orElseThrow(), beside);
    }
  }

  private void nested(ProtoMessage message, List<Utf8Span> beside) {
    if (message.type().isOpaque()) {
      opaque(json, message.body(), message.start(), message.end());
    } else if (message.type() == ProtoSchema.STRUCT) {
      struct(message);
    } else if (message.type() == ProtoSchema.VALUE) {
      dynamic(message);
    } else {
      json.object();
      members(message, List.of());
      beside(beside);
      json.endObject();
    }
  }

  private void struct(ProtoMessage struct) {
    json.object();
    for (ProtoMessage entry : struct.messages("fields")) {
      json.nameUtf8(entry.first("key").map(entry::text).orElse(Utf8Span.EMPTY));
      entry.message("value").ifPresentOrElse(this::dynamic, () -> json.raw("null"));
    }
    json.endObject();
  }

  private void dynamic(ProtoMessage value) {
    if (value.fields().isEmpty()) {
      json.raw("null");
      return;
    }
    ProtoMessage.Field field = value.fields().getFirst();
    if (field.known().name().equals("null")) {
      json.raw("null");
    } else if (field.known().name().equals("list")) {
      json.array();
      field.message().orElseThrow().messages("values").forEach(this::dynamic);
      json.endArray();
    } else {
      value(value, field, List.of());
    }
  }

  /** A double as {@code JSON.stringify} writes it. */
  static String number(double value) {
    if (!Double.isFinite(value)) {
      return JsonWriter.quoted(Double.toString(value));
    }
    if (value == 0) {
      return "0";
    }
    BigDecimal shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    double size = Math.abs(value);
    if (size >= SMALLEST_PLAIN && size < LARGEST_PLAIN) {
      return shortest.toPlainString();
    }
    String digits = shortest.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - shortest.scale();
    return (value < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e" : "e+")
        + exponent;
  }
}
