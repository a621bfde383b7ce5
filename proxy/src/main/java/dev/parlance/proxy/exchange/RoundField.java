package dev.parlance.proxy.exchange;

import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.wire.api.RoundStatus;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;

/**
 * The header field that tells the state of a round beside an answer: {@code ROUND:EPOCH; state=..},
 * and of one that has ended {@code outcome=..; reason=..} or {@code outcome=..; digest=..}. Every
 * value is a name and needs no quotes; one that is none is left out.
 */
final class RoundField {
  /** Name of the field. */
  static final String NAME = "Parlance-Round";

  private RoundField() {}

  static void write(HttpHeaders headers, RoundStatus status) {
    headers.set(NAME, text(status));
  }

  private static String text(RoundStatus status) {
    StringBuilder field = new StringBuilder(status.id().bound());
    parameter(field, "state", Optional.of(status.state()));
    status
        .ended()
        .ifPresent(ended -> {
          parameter(field, "outcome", Optional.of(ended.kind()));
          parameter(field, "reason", ended.reason());
          parameter(field, "digest", ended.digest());
        });
    return field.toString();
  }

  private static void parameter(StringBuilder field, String name, Optional<String> value) {
    value
        .filter(RoundNames::isName)
        .ifPresent(text -> field.append("; ").append(name).append('=').append(text));
  }
}
