package dev.parlance.proxy.gate;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.proxy.wire.RoundMark;
import dev.parlance.proxy.wire.RoundStatus;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Rounds at the control plane, as the message path asks for them. Nothing blocks; what is returned
 * completes within the configured time, on any thread, and never exceptionally.
 */
public interface Rounds {
  /** What came of a question. */
  sealed interface Reply {
    /** The round as it stands. */
    record Known(RoundStatus status) implements Reply {}

    /**
     * The control plane says no.
     *
     * @param code stable: late, wrong_epoch, not_a_member, equivocated, round_unknown, ...
     */
    record Refused(String code, String detail) implements Reply {}

    /** Nobody could be asked, or nobody answered in time. */
    record Unavailable(String detail) implements Reply {}
  }

  /**
   * A proposal of the local agent.
   *
   * @param rationale its text
   * @param messageSha256 SHA-256 of the message that carried it, 32 bytes
   * @param route code of the route that it was given
   * @param decisionId id of that decision
   */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record Proposing(
      RoundMark.Proposal mark,
      String rationale,
      byte[] messageSha256,
      String route,
      String decisionId) {}

  /** Sends a proposal; the reply is {@code Known} once it is durable on the ledger. */
  CompletionStage<Reply> propose(Proposing proposing);

  /** How a round stands; ended rounds are remembered. */
  CompletionStage<Reply> status(RoundId id);

  /** How it stands once it has ended, or after that time, whichever is first. */
  CompletionStage<Reply> ended(RoundId id, long atMostMs);

  /**
   * What a claim's own note says, if it brings one and its signature holds; no call is made.
   *
   * @return empty if it brings none, or one that cannot be believed
   */
  Optional<Reply.Known> noted(RoundMark.Claim claim);

  /** Without a control plane nothing is known. */
  Rounds NONE =
      new Rounds() {
        private static final Reply AWAY = new Reply.Unavailable("no control plane is configured");

        @Override
        public CompletionStage<Reply> propose(Proposing proposing) {
          return CompletableFuture.completedFuture(AWAY);
        }

        @Override
        public CompletionStage<Reply> status(RoundId id) {
          return CompletableFuture.completedFuture(AWAY);
        }

        @Override
        public CompletionStage<Reply> ended(RoundId id, long atMostMs) {
          return CompletableFuture.completedFuture(AWAY);
        }

        @Override
        public Optional<Reply.Known> noted(RoundMark.Claim claim) {
          return Optional.empty();
        }
      };
}
