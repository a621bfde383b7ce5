package dev.parlance.wire.api;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PageText;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.Utf8;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonTextExtractor;
import java.util.Optional;
import java.util.Set;

/**
 * An error that an agent gives in place of an answer, or at the end of one. It claims nothing, so
 * it is never measured; whoever passes it on bounds it and reads it for terms.
 *
 * @param bytes its size as it was sent, whatever is in it; {@link Integer#MAX_VALUE} if it could
 *     not be decoded
 * @param words every text in it; empty if nobody can tell them from the rest (markup, other
 *     encodings)
 * @param number its code in JSON-RPC or gRPC; 0 for none
 * @param code its name in protocols that name errors; a short token, or empty
 * @param type the kind of error, likewise
 */
public record AgentError(
    int bytes, Optional<Utf8Span> words, int number, String code, String type) {
  /** An error that could not be decoded. */
  public static final AgentError UNREADABLE = unread(Integer.MAX_VALUE);

  /** An error of this size whose words nobody can tell. */
  public static AgentError unread(int bytes) {
    return unnamed(bytes, Optional.empty());
  }

  private static AgentError unnamed(int bytes, Optional<Utf8Span> words) {
    return new AgentError(bytes, words, 0, "", "");
  }

  /**
   * An error in JSON.
   *
   * @param all what belongs to it
   * @param error the object in it that has its code; may be missing
   */
  public static AgentError of(JsonDocument json, int all, int error) {
    JsonTextExtractor texts = new JsonTextExtractor(json, Set.of(), /* numbers= */ false);
    texts.add(all);
    int code = json.member(error, "code");
    return new AgentError(
        json.end(all) - json.start(all),
        texts.unreadFile()
            ? Optional.empty()
            : Optional.of(Texts.join(texts.texts(), json.memory())),
        number(json, code),
        name(json, json.present(error, json.isNumber(code) ? "status" : "code"))
            .or(() -> name(json, code))
            .orElse(""),
        name(json, json.member(error, "type")).orElse(""));
  }

  private static Optional<String> name(JsonDocument json, int node) {
    return json.scalarText(node)
        .filter(text -> !json.isNull(node) && JsonTextExtractor.isLabel(Utf8Span.of(text)));
  }

  private static int number(JsonDocument json, int node) {
    if (!json.isNumber(node)) {
      return 0;
    }
    try {
      return Integer.parseInt(json.raw(node));
    } catch (NumberFormatException noSmallInteger) {
      return 0;
    }
  }

  /**
   * The error that the body of an HTTP error or redirect is, whatever protocol was spoken: a page
   * of a framework, a line of text, JSON of a form that nobody knows.
   */
  public static AgentError ofBody(ResponseHead head, PlainBody body, JsonScanner.Limits limits) {
    MediaType type = MediaType.of(head.fields());
    boolean isUtf8 =
        type.charsetFault().isEmpty() && Utf8.problem(body.array(), body.length()).isEmpty();
    if (isUtf8
        && JsonScanner.scan(body, limits) instanceof JsonScanner.Scanned(JsonDocument json)) {
      int error = json.present(json.root(), "error");
      return of(json, json.root(), json.isObject(error) ? error : json.root());
    }
    return unnamed(body.length(), PageText.words(type, body));
  }
}
