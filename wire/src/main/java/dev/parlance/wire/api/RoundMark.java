package dev.parlance.wire.api;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.wire.json.MemberName;
import java.util.Optional;

/**
 * A statement of a message on a round, in the member {@link #URI} of its metadata or at configured
 * pointers.
 */
public sealed interface RoundMark {
  /** Name of the member. */
  String URI = MemberName.ROUND.text();

  /** Nothing. */
  record None() implements RoundMark {}

  /**
   * Its author proposes.
   *
   * @param id which round and epoch
   * @param verdict as written; any text
   * @param rationale as written; empty if the message's own text is the rationale
   * @param subjectSha256 hex SHA-256 of the subject as the author has it
   * @param waits true if the author wants the answer to come with the outcome
   */
  record Proposal(
      RoundId id,
      String verdict,
      Optional<String> rationale,
      Optional<String> subjectSha256,
      boolean waits)
      implements RoundMark {}

  /**
   * It claims that a round has ended so.
   *
   * @param id which round and epoch
   * @param kind {@code semantic_commit}, {@code verdict_commit}, {@code abort}, as written
   * @param reason as written
   * @param verdict as written
   * @param digest as written
   * @param note the signed outcome, if it brings it
   */
  record Claim(
      RoundId id,
      String kind,
      Optional<String> reason,
      Optional<String> verdict,
      Optional<String> digest,
      Optional<String> note)
      implements RoundMark {}

  /**
   * It says something of a round that cannot be read.
   *
   * @param detail for people
   */
  record Unreadable(String detail) implements RoundMark {}

  /** The one {@link None}. */
  RoundMark NONE = new None();
}
