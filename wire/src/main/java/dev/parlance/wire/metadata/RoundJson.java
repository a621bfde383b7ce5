package dev.parlance.wire.metadata;

import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.json.JsonWriter;

/**
 * How a round stands, as it is written into bodies: under {@link RoundMark#URI} in A2A metadata, as
 * member {@code round} of the verdict elsewhere.
 *
 * <pre>
 * {round, epoch, state, leftMs, outcome?: {kind, reason?, verdict?, digest?, note}}
 * </pre>
 */
public final class RoundJson {
  private RoundJson() {}

  /** The object, ready to be spliced in; ASCII throughout. */
  public static String of(RoundStatus status) {
    JsonWriter json = new JsonWriter().object();
    json.member("round", status.id().round()).member("epoch", status.id().epoch());
    json.member("state", status.state()).member("leftMs", status.leftMs());
    status
        .ended()
        .ifPresent(ended ->
            json.name("outcome")
                .object()
                .member("kind", ended.kind())
                .member("reason", ended.reason())
                .member("verdict", ended.verdict())
                .member("digest", ended.digest())
                .member("note", ended.note())
                .endObject());
    return json.endObject().toString();
  }
}
