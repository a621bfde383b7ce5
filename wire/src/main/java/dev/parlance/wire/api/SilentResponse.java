package dev.parlance.wire.api;

import dev.parlance.wire.bytes.Reading;
import java.util.List;

/**
 * A response that carries no answer to judge: a protocol error, a card, an empty body.
 *
 * @param unread codes of the texts in it that nobody reads
 * @param sites for what the sender may not assert
 */
public record SilentResponse(List<String> unread, Annotatable sites) implements ResponseView {
  /** One without anything that the sender may not assert. */
  public SilentResponse(List<String> unread) {
    this(unread, Annotatable.NOWHERE);
  }

  /** One without any text. */
  public static Reading<ResponseView> reading() {
    return new Reading.Readable<>(new SilentResponse(List.of()));
  }

  /** A protocol error: its message is text for people, and not an answer that evidence fits. */
  public static Reading<ResponseView> error() {
    return error(Annotatable.NOWHERE);
  }

  /** As above, where something may stand beside the error. */
  public static Reading<ResponseView> error(Annotatable sites) {
    return new Reading.Readable<>(new SilentResponse(List.of("error_text"), sites));
  }
}
