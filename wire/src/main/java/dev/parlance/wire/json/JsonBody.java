package dev.parlance.wire.json;

import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Utf8;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads whole bodies that should be JSON by their content type, or are under a type that says
 * little: bytes, text, a form as some clients name whatever they send.
 */
public final class JsonBody {
  private static final Set<String> VAGUE =
      Set.of(
          "",
          "application/octet-stream",
          "binary/octet-stream",
          "application/x-www-form-urlencoded",
          "text/plain",
          "text/json",
          "text/x-json",
          "application/x-json",
          "application/json-rpc",
          "application/jsonrequest",
          "*/*");

  private JsonBody() {}

  /** True if a body under this type is JSON, should it be well-formed. */
  public static boolean mayBe(MediaType type, PlainBody body) {
    return VAGUE.contains(type.essence()) && type.charsetFault().isEmpty() && begins(body);
  }

  /** True if the first byte that counts is that of an object or an array. */
  private static boolean begins(PlainBody body) {
    byte[] bytes = body.array();
    int at = Utf8.markBytes(bytes, body.length());
    while (at < body.length() && bytes[at] <= ' ' && bytes[at] >= 0) {
      at++;
    }
    return at < body.length() && (bytes[at] == '{' || bytes[at] == '[');
  }

  /** Reads the body of a request, whose type may be left out. */
  public static <V> Reading<V> ofRequest(
      HeaderLookup fields,
      PlainBody body,
      JsonScanner.Limits limits,
      Function<JsonDocument, Reading<V>> reader) {
    MediaType type = MediaType.of(fields);
    return type.isJson() || type.isMissing()
        ? typed(type, body, limits, reader)
        : ofContent(type, body, limits, reader);
  }

  /** Reads the body of a response. */
  public static <V> Reading<V> ofResponse(
      HeaderLookup fields,
      PlainBody body,
      JsonScanner.Limits limits,
      Function<JsonDocument, Reading<V>> reader) {
    MediaType type = MediaType.of(fields);
    return type.isJson()
        ? typed(type, body, limits, reader)
        : ofContent(type, body, limits, reader);
  }

  private static <V> Reading<V> ofContent(
      MediaType type,
      PlainBody body,
      JsonScanner.Limits limits,
      Function<JsonDocument, Reading<V>> reader) {
    return mayBe(type, body)
            && JsonScanner.scan(body, limits) instanceof JsonScanner.Scanned(JsonDocument json)
        ? reader.apply(json)
        : new Reading.Unjudged<>(type.isEventStream() ? "stream" : "content_type");
  }

  private static <V> Reading<V> typed(
      MediaType type,
      PlainBody body,
      JsonScanner.Limits limits,
      Function<JsonDocument, Reading<V>> reader) {
    var fault = type.<V>charsetFault();
    return fault.isPresent() ? fault.get() : scanned(body, limits, reader);
  }

  /** Reads a body whatever its type is. */
  public static <V> Reading<V> scanned(
      PlainBody body, JsonScanner.Limits limits, Function<JsonDocument, Reading<V>> reader) {
    return switch (JsonScanner.scan(body, limits)) {
      case JsonScanner.Refused refused -> refused.asReading();
      case JsonScanner.Scanned(JsonDocument json) -> reader.apply(json);
    };
  }
}
