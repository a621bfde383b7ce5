package dev.parlance.proxy.main;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.proxy.admin.RoundsPort;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.wire.api.RoundStatus;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Rounds for the admin server, in the form in which answers tell of them. */
record RoundAdapter(Rounds rounds) implements RoundsPort {
  @Override
  public Answer find(String round, long epoch) {
    return switch (rounds.status(new RoundId(round, epoch)).join()) {
      case Rounds.Known(RoundStatus status, Optional<String> subject) ->
          new Answer.Found(json(status, subject));
      case Rounds.Refused(String code, String detail) -> new Answer.Refused(code, detail);
      case Rounds.Unavailable(String detail) -> new Answer.Unavailable(detail);
    };
  }

  private static JsonNode json(RoundStatus status, Optional<String> subject) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("round", status.id().round()).put("epoch", status.id().epoch());
    json.put("state", status.state()).put("leftMs", status.leftMs());
    subject.ifPresent(hex -> json.put("subjectSha256", hex));
    status
        .ended()
        .ifPresent(ended -> {
          ObjectNode outcome = json.putObject("outcome").put("kind", ended.kind());
          ended.reason().ifPresent(reason -> outcome.put("reason", reason));
          ended.verdict().ifPresent(verdict -> outcome.put("verdict", verdict));
          ended.digest().ifPresent(digest -> outcome.put("digest", digest));
          outcome.put("note", ended.note());
        });
    return json;
  }
}
