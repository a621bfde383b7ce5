package dev.parlance.wire.api;

import dev.parlance.policy.commit.RoundId;
import java.util.Optional;

/**
 * The status of a round, as it is written into an answer: {@code
 * {"round","epoch","state","leftMs"}}, and {@code
 * "outcome":{"kind","reason","verdict","digest","note"}} once it has ended.
 *
 * @param id which round and epoch
 * @param state open, collecting, sealed, decided, expired
 * @param leftMs how long its deadline is away; 0 if it is over
 * @param ended the outcome, once it has ended
 */
public record RoundStatus(RoundId id, String state, long leftMs, Optional<Ended> ended) {
  /**
   * An outcome.
   *
   * @param kind semantic_commit, verdict_commit, abort
   * @param reason code of an abort's reason
   * @param verdict of a commit
   * @param digest of a commit, hex
   * @param note the signed outcome
   */
  public record Ended(
      String kind,
      Optional<String> reason,
      Optional<String> verdict,
      Optional<String> digest,
      String note) {}
}
