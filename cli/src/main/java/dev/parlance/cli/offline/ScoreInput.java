package dev.parlance.cli.offline;

import dev.parlance.cli.LineFault;
import dev.parlance.policy.message.AgentMessage;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What stood in one input line of {@code score}. */
sealed interface ScoreInput {
  /** The line's id as it was written; JSON null if there is none, or none could be read. */
  JsonNode id();

  /**
   * A line that can be scored.
   *
   * @param message answer, question and evidence
   * @param errors regenerations already spent in the flow (E of Eq. 6)
   * @param profile the profile it asks for, if it does
   */
  record Scorable(JsonNode id, AgentMessage message, int errors, Optional<String> profile)
      implements ScoreInput {}

  /**
   * A line that cannot.
   *
   * @param fault the stable code
   * @param message bad value and what was expected
   */
  record Malformed(JsonNode id, LineFault fault, String message) implements ScoreInput {}
}
