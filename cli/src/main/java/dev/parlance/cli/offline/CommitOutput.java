package dev.parlance.cli.offline;

import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.QuantVector;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One output line of {@code commit}: the members of a golden {@code hcsc-rounds} vector's {@code
 * out} and the {@code id}; {@code agrees} where the line says what came of the round; {@code
 * reembedded} where its texts were encoded once more. Doubles are printed so that they read back
 * equal.
 */
final class CommitOutput {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private CommitOutput() {}

  /** A round whose constants cannot be. */
  static ObjectNode invalid(JsonNode id) {
    ObjectNode line = NODES.objectNode();
    line.set("id", id);
    return line.put("outcome", "error").put("reason", "INVALID_ROUND");
  }

  /** What a round came to. */
  static ObjectNode decided(CommitInput.Round round) {
    Outcome outcome = Hcsc.decide(round.spec(), round.proposals());
    ObjectNode line = NODES.objectNode();
    line.set("id", round.id());
    line.put("outcome", outcome.kind());
    switch (outcome) {
      case Outcome.SemanticCommit commit -> {
        head(line, Optional.empty(), Optional.of(commit.verdict()), commit.count());
        core(line, commit.core());
        line.put("min_cos", commit.minCos());
        line.set("aggregate", entries(commit.aggregate()));
        line.put("digest", commit.digest());
      }
      case Outcome.VerdictCommit commit -> {
        head(line, Optional.empty(), Optional.of(commit.verdict()), commit.count());
        core(line, commit.core());
        line.putNull("min_cos").putNull("aggregate").put("digest", commit.digest());
      }
      case Outcome.Abort abort -> {
        Optional<String> leading = Hcsc.leading(round.spec(), round.proposals());
        head(line, Optional.of(abort.reason().code()), leading, abort.count());
        core(line, List.of());
        line.putNull("min_cos").putNull("aggregate").putNull("digest");
      }
    }
    ArrayNode dropped = line.putArray("dropped");
    outcome
        .dropped()
        .forEach(drop -> dropped.addArray().add(drop.agent()).add(drop.reason().code()));
    round.decided().ifPresent(decided -> line.put("agrees", decided.agreesWith(outcome)));
    return line;
  }

  /** What came of encoding a round's texts once more, for the member {@code reembedded}. */
  static ObjectNode reembedded(Reembedding found) {
    ObjectNode node = NODES.objectNode();
    node.put("encoder", found.encoder());
    for (Reembedding.Likeness likeness : Reembedding.Likeness.values()) {
      node.put(likeness.code(), found.count(likeness));
    }
    ArrayNode differing = node.putArray("differing");
    found
        .differing()
        .forEach(one -> {
          ObjectNode entry = differing.addObject().put("agent", one.agent());
          one.cos().ifPresentOrElse(cos -> entry.put("cos", cos), () -> entry.putNull("cos"));
        });
    node.put("outcome", found.outcome().kind());
    node.put("same_outcome", found.isSameOutcome());
    return node;
  }

  private static void head(
      ObjectNode line, Optional<String> reason, Optional<String> verdict, Outcome.Count count) {
    line.put("reason", reason.orElse(null));
    line.put("verdict", verdict.orElse(null));
    line.put("delivered", count.delivered());
    line.put("support", count.support());
    line.put("runner_up", count.runnerUp());
    line.put("margin", count.margin());
  }

  private static void core(ObjectNode line, List<String> agents) {
    ArrayNode core = line.putArray("core");
    agents.forEach(core::add);
  }

  private static ArrayNode entries(QuantVector vector) {
    ArrayNode entries = NODES.arrayNode(vector.dim());
    for (int i = 0; i < vector.dim(); i++) {
      entries.add(vector.at(i));
    }
    return entries;
  }
}
