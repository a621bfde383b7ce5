package dev.parlance.cli;

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
 * out} and the {@code id}. Doubles are printed so that they read back equal.
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
    return line;
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
