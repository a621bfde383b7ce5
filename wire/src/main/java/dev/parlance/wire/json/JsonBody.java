package dev.parlance.wire.json;

import dev.parlance.wire.bytes.HeaderLookup;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import java.util.function.Function;

/** Reads whole bodies that should be JSON by their content type. */
public final class JsonBody {
  private JsonBody() {}

  /** Reads the body of a request, whose type may be left out. */
  public static <V> Reading<V> ofRequest(
      HeaderLookup fields,
      PlainBody body,
      JsonScanner.Limits limits,
      Function<JsonDocument, Reading<V>> reader) {
    MediaType type = MediaType.of(fields);
    return type.isJson() || type.isMissing()
        ? typed(type, body, limits, reader)
        : new Reading.Unjudged<>("content_type");
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
