package dev.parlance.proxy.gate;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The control plane's rounds, as the message path asks about them. Nothing blocks; what is returned
 * completes within the configured time, on any thread, and never exceptionally. Who cancels it
 * gives the question up.
 */
public interface Rounds {
  /** What came of a proposal. */
  sealed interface Receipt permits Taken, Fault {}

  /** What came of a question. */
  sealed interface Reply permits Known, Fault {}

  /** Nothing came of either. */
  sealed interface Fault extends Receipt, Reply permits Refused, Unavailable {}

  /**
   * It is durable on the ledger.
   *
   * @param how {@code accepted}, {@code repeated}, or {@code equivocated}: kept as evidence, and
   *     nothing of its author counts
   * @param status the round after it
   */
  record Taken(String how, RoundStatus status) implements Receipt {}

  /**
   * The round as it stands.
   *
   * @param subjectSha256 hex SHA-256 of what is decided about, if that was fixed
   * @param word whose word the outcome is. Where it is {@code NOBODY}'s it is not in the status
   */
  record Known(RoundStatus status, Optional<String> subjectSha256, Word word) implements Reply {
    /** By the control plane's word. */
    public Known(RoundStatus status, Optional<String> subjectSha256) {
      this(status, subjectSha256, Word.CONTROL_PLANE);
    }
  }

  /** Whose word an outcome is, as far as this sidecar believes it. */
  enum Word {
    /** The control plane's alone. */
    CONTROL_PLANE,
    /** That of 2f+1 members, whose signatures it brings. */
    MEMBERS,
    /** It has ended, and fewer members have signed the outcome than must have. */
    NOBODY
  }

  /**
   * The control plane says no.
   *
   * @param code stable: late, wrong_epoch, not_a_member, equivocated, round_unknown, ...
   */
  record Refused(String code, String detail) implements Fault {}

  /** Nobody could be asked, or nobody answered in time. */
  record Unavailable(String detail) implements Fault {}

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

  /** Sends a proposal. */
  CompletableFuture<Receipt> propose(Proposing proposing);

  /** How a round stands; ended rounds are remembered. */
  CompletableFuture<Reply> status(RoundId id);

  /**
   * How it stands once it has ended, or after that time, whichever is first.
   *
   * @param atMostMs 0 or more
   */
  CompletableFuture<Reply> ended(RoundId id, long atMostMs);

  /**
   * What a claim's own note says, whatever round that is, if its signature holds; no call is made.
   *
   * @return empty if it brings none, or one that cannot be believed
   */
  Optional<Known> noted(RoundMark.Claim claim);

  /** Without a control plane nothing is known. */
  Rounds NONE =
      new Rounds() {
        private static final Unavailable AWAY = new Unavailable("no control plane is configured");

        @Override
        public CompletableFuture<Receipt> propose(Proposing proposing) {
          return CompletableFuture.completedFuture(AWAY);
        }

        @Override
        public CompletableFuture<Reply> status(RoundId id) {
          return CompletableFuture.completedFuture(AWAY);
        }

        @Override
        public CompletableFuture<Reply> ended(RoundId id, long atMostMs) {
          return CompletableFuture.completedFuture(AWAY);
        }

        @Override
        public Optional<Known> noted(RoundMark.Claim claim) {
          return Optional.empty();
        }
      };
}
