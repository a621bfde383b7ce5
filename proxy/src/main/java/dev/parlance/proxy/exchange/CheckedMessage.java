package dev.parlance.proxy.exchange;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.json.JsonDocument;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;

/** A message that was read whole, and judged if it has words, as a {@link Check} sees it. */
public interface CheckedMessage {
  /** Request or answer. */
  Leg leg();

  /** HTTP status of an answer, 0 of a request. */
  int status();

  /** Fields beside the message. */
  HttpHeaders headers();

  /** Its bytes without content coding. */
  PlainBody body();

  /** The JSON that its codec has read; empty if there is none. */
  JsonDocument document();

  /** Codes of what it holds beside the judged text and nobody has read. */
  List<String> unread();

  /** True if it has words, or something that may be. */
  default boolean hasWords() {
    return true;
  }

  /** What came of judging, if it was judged here. */
  default Optional<Judgment> judgment() {
    return Optional.empty();
  }

  /** The text that was judged. */
  Optional<Utf8Span> text();

  /** Code of the route that it was given. */
  String route();

  /** Id of that decision. */
  String decisionId();

  /** True if a person has released exactly this message. */
  default boolean isReleased() {
    return true;
  }

  /** An answer that a person has released, from the review queue. */
  record Released(
      Leg leg,
      int status,
      HttpHeaders headers,
      PlainBody body,
      JsonDocument document,
      List<String> unread,
      Optional<Utf8Span> text,
      String route,
      String decisionId)
      implements CheckedMessage {}
}
