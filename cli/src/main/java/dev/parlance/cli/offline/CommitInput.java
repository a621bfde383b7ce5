package dev.parlance.cli.offline;

import dev.parlance.cli.LineFault;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundSpec;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What stood in one input line of {@code commit}. */
sealed interface CommitInput {
  /** The line's id as it was written; JSON null if there is none, or none could be read. */
  JsonNode id();

  /**
   * A round.
   *
   * @param proposals in order of arrival
   * @param texts the text of each, where it is given
   * @param decided what somebody else says came of the round, if it is given
   */
  record Round(
      JsonNode id,
      RoundSpec spec,
      List<Proposal> proposals,
      List<Optional<String>> texts,
      Optional<Decided> decided)
      implements CommitInput {}

  /**
   * What somebody says came of a round.
   *
   * @param outcome {@code semantic_commit}, {@code verdict_commit} or {@code abort}
   * @param reason of an abort
   * @param digest of a commit
   */
  record Decided(String outcome, Optional<String> reason, Optional<String> digest) {
    /** True if it is what really came of it. */
    boolean agreesWith(Outcome found) {
      return switch (found) {
        case Outcome.SemanticCommit commit ->
            equals(new Decided(commit.kind(), Optional.empty(), Optional.of(commit.digest())));
        case Outcome.VerdictCommit commit ->
            equals(new Decided(commit.kind(), Optional.empty(), Optional.of(commit.digest())));
        case Outcome.Abort abort ->
            equals(new Decided(abort.kind(), Optional.of(abort.reason().code()), Optional.empty()));
      };
    }
  }

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
