package dev.parlance.wire.bytes;

import java.util.Locale;
import java.util.Optional;

/**
 * A {@code Content-Type} value (RFC 9110, section 8.3.1), reduced to what decides how to read a
 * body.
 *
 * @param essence type and subtype in lower case, without parameters; empty if there was no field
 * @param charset the charset parameter in lower case, if there was one; all of several that differ,
 *     since receivers take the first or the last, whether it stands in quotes or not
 */
public record MediaType(String essence, Optional<String> charset) {
  private static final MediaType NONE = new MediaType("", Optional.empty());
  private static final MediaType JSON = new MediaType("application/json", Optional.empty());

  /** Reads the field of a message; a missing field gives an empty type. */
  public static MediaType of(HeaderLookup fields) {
    Optional<String> value = fields.first("content-type");
    return value.isPresent() ? parse(value.get()) : NONE;
  }

  public static MediaType parse(String value) {
    if (value.equals(JSON.essence)) {
      return JSON;
    }
    int semicolon = value.indexOf(';');
    String essence = semicolon < 0 ? value : value.substring(0, semicolon);
    Optional<String> charset = Optional.empty();
    while (semicolon >= 0) {
      int next = value.indexOf(';', semicolon + 1);
      String parameter = value.substring(semicolon + 1, next < 0 ? value.length() : next).strip();
      int equals = parameter.indexOf('=');
      if (equals > 0 && parameter.substring(0, equals).strip().equalsIgnoreCase("charset")) {
        String text =
            parameter.substring(equals + 1).strip().replace("\"", "").toLowerCase(Locale.ROOT);
        charset =
            Optional.of(
                charset.map(one -> one.equals(text) ? one : one + ", " + text).orElse(text));
      }
      semicolon = next;
    }
    return new MediaType(essence.strip().toLowerCase(Locale.ROOT), charset);
  }

  public boolean isMissing() {
    return essence.isEmpty();
  }

  /** {@code application/json} and everything whose structured suffix is {@code +json}. */
  public boolean isJson() {
    return essence.equals("application/json")
        || (essence.startsWith("application/") && essence.endsWith("+json"));
  }

  public boolean isPlainText() {
    return essence.equals("text/plain");
  }

  public boolean isEventStream() {
    return essence.equals("text/event-stream");
  }

  /** The fault of a body that says it is not UTF-8. */
  public <V> Optional<Reading<V>> charsetFault() {
    return charset
        .filter(name -> !name.equals("utf-8") && !name.equals("utf8"))
        .map(name ->
            new Reading.Malformed<>(
                WireFault.BAD_CHARSET,
                "charset " + Texts.printable(name, 40) + "; expected utf-8"));
  }
}
