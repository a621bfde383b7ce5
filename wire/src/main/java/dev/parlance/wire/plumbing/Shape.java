package dev.parlance.wire.plumbing;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonTextExtractor;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/**
 * What a body may look like that passes unjudged under a name. Whatever a name promises, its body
 * is a place where words could stand; so the words in it are bounded, and not only the bytes.
 *
 * <p>Words are texts that are no tokens: anything with a blank or beyond ASCII.
 */
public enum Shape {
  /** Empty. */
  NOTHING(0, 0),
  /** A state, or a JSON value with hardly any words. */
  SHORT(256, 1),
  /** So few bytes that it does not matter what they are: messages of gRPC, mostly numbers. */
  FEW_BYTES(512, 0),
  /** A stream of states, each a number; told piece by piece. */
  STATES(512, 0),
  /** Samples in the text format of Prometheus or OpenMetrics. */
  SAMPLES(256, 16),
  /** A document of OpenAPI, Swagger or AsyncAPI, with as many words as it has bytes. */
  DESCRIPTION(0, 1),
  /** A JSON object, or a signed token. */
  DOCUMENT(1024, 1),
  /** JSON that lists something, with a short text for each. */
  LIST(4096, 1),
  /** A form that asks for a token or gives one back. */
  FORM(1024, 1),
  /** The same in JSON. */
  CREDENTIALS(1024, 1),
  /** Spans, samples or lines of a log, in any encoding. */
  BATCH(0, 16),
  /** Anything. */
  ANYTHING(0, 1);

  /** Code of a body that is too large. */
  public static final String SIZE = "plumbing_size";

  /** Code of a body that has more words than what it is called has. */
  public static final String WORDS = "plumbing_words";

  /** Code of a body that is something else than what it is called. */
  public static final String TYPE = "plumbing_type";

  /** What forms are sent as. */
  static final String FORM_TYPE = "application/x-www-form-urlencoded";

  private static final int MAX_FIELDS = 64;
  private static final Set<String> DESCRIBED = Set.of("openapi", "swagger", "asyncapi");
  private static final Set<String> ASKED =
      Set.of(
          "grant_type",
          "grant_types",
          "redirect_uris",
          "client_id",
          "software_statement",
          "response_type",
          "request_uri",
          "token");

  private final int words;
  private final int times;

  /**
   * A shape.
   *
   * @param words most bytes of words, where they are counted
   * @param times how often the bound of all such bodies it may be large; 0 if words are its bound
   */
  Shape(int words, int times) {
    this.words = words;
    this.times = times;
  }

  /**
   * Why a body is not of this shape; empty if it is.
   *
   * @param plumbingBytes the configured bound
   */
  public Optional<String> fault(
      MediaType type, PlainBody body, JsonScanner.Limits limits, int plumbingBytes) {
    if (body.isEmpty()) {
      return Optional.empty();
    }
    if (body.length() > (times == 0 ? words : (long) times * plumbingBytes)) {
      return Optional.of(SIZE);
    }
    return switch (this) {
      case NOTHING, FEW_BYTES, STATES, BATCH, ANYTHING -> Optional.empty();
      case SHORT -> type.isJson() ? json(body, limits, Set.of()) : few(body);
      case SAMPLES -> samples(type, body);
      case DESCRIPTION -> describes(body, limits) ? Optional.empty() : Optional.of(TYPE);
      case DOCUMENT ->
          JsonTextExtractor.isToken(body.text()) ? Optional.empty() : json(body, limits, Set.of());
      case LIST -> json(body, limits, Set.of());
      case FORM -> form(body);
      case CREDENTIALS -> json(body, limits, ASKED);
    };
  }

  private Optional<String> few(PlainBody body) {
    return Utf8.problem(body.array(), body.length()).isPresent()
        ? Optional.of(TYPE)
        : tooMany(body.length());
  }

  private Optional<String> tooMany(long bytes) {
    return bytes > words ? Optional.of(WORDS) : Optional.empty();
  }

  private Optional<String> samples(MediaType type, PlainBody body) {
    boolean named =
        type.isPlainText()
            || type.isMissing()
            || type.essence().equals("application/openmetrics-text");
    return named ? Samples.fault(body, words) : Optional.of(TYPE);
  }

  /**
   * JSON whose words are few.
   *
   * @param needed names of which its root has one; empty if it may be anything
   */
  private Optional<String> json(PlainBody body, JsonScanner.Limits limits, Set<String> needed) {
    if (!(JsonScanner.scan(body, limits) instanceof JsonScanner.Scanned(JsonDocument json))
        || !(needed.isEmpty() || hasAny(json, needed))) {
      return Optional.of(TYPE);
    }
    JsonTextExtractor found = new JsonTextExtractor(json, Set.of(), /* numbers= */ false);
    found.addLabels(json.root());
    long bytes = 0;
    for (Utf8Span text : found.texts()) {
      bytes += JsonTextExtractor.isToken(text) ? 0 : text.length();
    }
    return tooMany(bytes);
  }

  private static boolean hasAny(JsonDocument json, Set<String> names) {
    return names.stream().anyMatch(name -> json.member(json.root(), name) != JsonDocument.NONE);
  }

  /** In YAML by the line that says so; then nothing else of it is read. */
  private static boolean describes(PlainBody body, JsonScanner.Limits limits) {
    return JsonScanner.scan(body, limits) instanceof JsonScanner.Scanned(JsonDocument json)
        ? hasAny(json, DESCRIBED)
        : Utf8.problem(body.array(), body.length()).isEmpty()
            && body.text()
                .toString()
                .lines()
                .anyMatch(line -> DESCRIBED.stream().anyMatch(name -> line.startsWith(name + ":")));
  }

  private Optional<String> form(PlainBody body) {
    String[] fields = body.text().toString().split("&", -1);
    boolean asks = false;
    long bytes = 0;
    try {
      for (String field : fields) {
        String name = field.substring(0, Math.max(0, field.indexOf('=')));
        asks |= ASKED.contains(name);
        Utf8Span text = Utf8Span.of(URLDecoder.decode(field, StandardCharsets.UTF_8));
        bytes += JsonTextExtractor.isToken(text) ? 0 : text.length();
      }
    } catch (IllegalArgumentException notEncoded) {
      return Optional.of(TYPE);
    }
    return asks && fields.length <= MAX_FIELDS ? tooMany(bytes) : Optional.of(TYPE);
  }

  /**
   * What a body says, to be held against governed terms.
   *
   * @return empty if nobody can tell
   */
  public static Optional<Utf8Span> text(MediaType type, PlainBody body, JsonScanner.Limits limits) {
    if (JsonScanner.scan(body, limits) instanceof JsonScanner.Scanned(JsonDocument json)) {
      JsonTextExtractor all = new JsonTextExtractor(json, Set.of(), /* numbers= */ false);
      all.add(json.root());
      return Optional.of(Texts.join(all.texts()));
    }
    if (Utf8.problem(body.array(), body.length()).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(type.essence().equals(FORM_TYPE) ? decoded(body.text()) : body.text());
  }

  /** What a target or a form says. */
  public static Utf8Span decoded(Utf8Span encoded) {
    try {
      return Utf8Span.of(URLDecoder.decode(encoded.toString(), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException notEncoded) {
      return encoded;
    }
  }
}
