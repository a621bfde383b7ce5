package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.proto.ProtoField;
import dev.parlance.wire.proto.ProtoMessage;
import dev.parlance.wire.proto.ProtoStrings;
import dev.parlance.wire.proto.ProtoType;
import java.io.ByteArrayOutputStream;
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

  private static final double LARGEST_PLAIN = 1e21;
  private static final double SMALLEST_PLAIN = 1e-6;
  private static final byte[] HEX = Texts.utf8("0123456789abcdef");

  private final ByteArrayOutputStream out;
  private boolean comma;

  private ProtoJson(int size) {
    this.out = new ByteArrayOutputStream(size);
  }

  /**
   * Writes an object.
   *
   * @param before JSON text to stand before it
   * @param beside texts that go into an additional member
   * @param after JSON text to stand behind it
   */
  static byte[] write(String before, ProtoMessage message, List<Utf8Span> beside, String after) {
    ProtoJson json = new ProtoJson(message.end() - message.start() + 256);
    json.ascii(before);
    json.open('{');
    // In the object that is read as the answer; what stands around it may have no reader.
    boolean isTask = message.type().number("artifacts") != 0;
    boolean wrapped =
        !isTask
            && message.fields().stream()
                .anyMatch(field -> field.known().type().filter(ProtoJson::isPlain).isPresent());
    json.members(message, wrapped ? beside : List.of());
    if (!wrapped) {
      json.beside(beside);
    }
    json.close('}');
    json.ascii(after);
    return json.out.toByteArray();
  }

  /** Control data, of which only the texts are known. */
  static String opaque(byte[] body, int from, int to) {
    List<String> texts = new ArrayList<>();
    new ProtoStrings(Arrays.copyOfRange(body, from, to)).collect(texts);
    JsonWriter json = new JsonWriter().object();
    if (!texts.isEmpty()) {
      json.name(BESIDE).array();
      texts.forEach(json::string);
      json.endArray();
    }
    return json.endObject().toString();
  }

  private static boolean isPlain(ProtoType type) {
    return !type.isOpaque() && type != ProtoSchema.STRUCT;
  }

  private void beside(List<Utf8Span> texts) {
    if (texts.isEmpty()) {
      return;
    }
    name(BESIDE);
    open('[');
    for (Utf8Span text : texts) {
      separate();
      quoted(text);
    }
    close(']');
  }

  /** Writes the members of an object; the first nested one that says something gets the texts. */
  private void members(ProtoMessage message, List<Utf8Span> beside) {
    Set<Integer> written = new HashSet<>();
    List<Utf8Span> left = beside;
    for (ProtoField field : message.fields()) {
      ProtoType.Field known = field.known();
      if (!written.add(known.number())) {
        continue;
      }
      if (known.name().equals(ProtoSchema.INLINE)) {
        members(field.message().orElseThrow(), List.of());
        continue;
      }
      name(known.name());
      List<Utf8Span> here = known.type().filter(ProtoJson::isPlain).isPresent() ? left : List.of();
      left = here.isEmpty() ? left : List.of();
      if (known.repeated()) {
        open('[');
        List<Utf8Span> first = here;
        for (ProtoField each : message.all(known.name()).toList()) {
          separate();
          value(message, each, first);
          first = List.of();
        }
        close(']');
      } else {
        value(message, field, here);
      }
    }
  }

  private void value(ProtoMessage message, ProtoField field, List<Utf8Span> beside) {
    switch (field.known().kind()) {
      case STRING -> quoted(message.text(field));
      case BYTES -> {
        byte[] bytes = Arrays.copyOfRange(message.body(), field.start(), field.end());
        out.write('"');
        out.writeBytes(Base64.getEncoder().encode(bytes));
        out.write('"');
      }
      case BOOL -> ascii(field.number() == 0 ? "false" : "true");
      case INT32, INT64 -> ascii(Long.toString(field.number()));
      case ENUM -> {
        List<String> names = field.known().names();
        boolean named = field.number() >= 0 && field.number() < names.size();
        ascii(
            named
                ? JsonWriter.quoted(names.get((int) field.number()))
                : Long.toString(field.number()));
      }
      case DOUBLE -> ascii(number(Double.longBitsToDouble(field.number())));
      case MESSAGE -> nested(field.message().orElseThrow(), beside);
    }
  }

  private void nested(ProtoMessage message, List<Utf8Span> beside) {
    if (message.type().isOpaque()) {
      ascii(opaque(message.body(), message.start(), message.end()));
    } else if (message.type() == ProtoSchema.STRUCT) {
      struct(message);
    } else if (message.type() == ProtoSchema.VALUE) {
      dynamic(message);
    } else {
      open('{');
      members(message, List.of());
      beside(beside);
      close('}');
    }
  }

  private void struct(ProtoMessage struct) {
    open('{');
    for (ProtoMessage entry : struct.messages("fields")) {
      separate();
      quoted(entry.first("key").map(entry::text).orElse(Utf8Span.EMPTY));
      out.write(':');
      entry.message("value").ifPresentOrElse(this::dynamic, () -> ascii("null"));
    }
    close('}');
  }

  private void dynamic(ProtoMessage value) {
    if (value.fields().isEmpty()) {
      ascii("null");
      return;
    }
    ProtoField field = value.fields().getFirst();
    if (field.known().name().equals("null")) {
      ascii("null");
    } else if (field.known().name().equals("list")) {
      open('[');
      for (ProtoMessage element : field.message().orElseThrow().messages("values")) {
        separate();
        dynamic(element);
      }
      close(']');
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

  private void quoted(Utf8Span text) {
    byte[] bytes = text.array();
    int end = text.arrayOffset() + text.length();
    int kept = text.arrayOffset();
    out.write('"');
    for (int at = kept; at < end; at++) {
      byte b = bytes[at];
      if (b == '"' || b == '\\' || (b >= 0 && b < 0x20)) {
        out.write(bytes, kept, at - kept);
        kept = at + 1;
        escaped(b);
      }
    }
    out.write(bytes, kept, end - kept);
    out.write('"');
  }

  private void escaped(byte b) {
    out.write('\\');
    if (b < 0x20) {
      ascii("u00");
      out.write(HEX[b >> 4]);
      out.write(HEX[b & 0xf]);
    } else {
      out.write(b);
    }
  }

  private void name(String name) {
    separate();
    ascii("\"");
    ascii(name);
    ascii("\":");
  }

  private void separate() {
    if (comma) {
      out.write(',');
    }
    comma = true;
  }

  private void open(char bracket) {
    out.write(bracket);
    comma = false;
  }

  private void close(char bracket) {
    out.write(bracket);
    comma = true;
  }

  private void ascii(String text) {
    for (int i = 0; i < text.length(); i++) {
      out.write(text.charAt(i));
    }
  }
}
