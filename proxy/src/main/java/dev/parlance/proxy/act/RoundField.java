package dev.parlance.proxy.act;

import dev.parlance.proxy.wire.RoundStatus;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * How a round stands, beside an answer: {@code ROUND:EPOCH; state=..; outcome=..; digest=..}.
 * Everything in it is a name or hex.
 */
final class RoundField {
  /** Name of the field. */
  static final String NAME = "Parlance-Round";

  private RoundField() {}

  static void write(HttpHeaders headers, RoundStatus status) {
    StringBuilder text = new StringBuilder(status.id().bound());
    text.append("; state=").append(status.state());
    status
        .ended()
        .ifPresent(ended -> {
          text.append("; outcome=").append(ended.kind());
          ended.reason().ifPresent(reason -> text.append("; reason=").append(reason));
          ended.digest().ifPresent(digest -> text.append("; digest=").append(digest));
        });
    headers.set(NAME, text.toString());
  }
}
