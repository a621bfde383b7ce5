package dev.parlance.cli;

import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundSpec;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What stood in one input line of {@code commit}. */
sealed interface CommitInput {
  /** The line's id as it was written; JSON null if there is none, or none could be read. */
  JsonNode id();

  /**
   * A round.
   *
   * @param proposals in order of arrival
   */
  record Round(JsonNode id, RoundSpec spec, List<Proposal> proposals) implements CommitInput {}

  /**
   * A round whose constants cannot be ({@code INVALID_ROUND}).
   *
   * @param message the bad value and what was expected
   */
  record Invalid(JsonNode id, String message) implements CommitInput {}

  /**
   * No round at all.
   *
   * @param fault the stable code
   * @param message the bad value and what was expected
   */
  record Malformed(JsonNode id, LineFault fault, String message) implements CommitInput {}
}
