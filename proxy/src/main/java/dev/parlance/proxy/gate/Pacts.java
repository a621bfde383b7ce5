package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.PactCheck;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The pacts of the local agent, as the message path asks about them. Nothing blocks; what is
 * returned completes within the configured time, on any thread, and never exceptionally.
 */
public interface Pacts {
  /** A pact that holds, or has ended, at this sidecar. Safe for several threads. */
  interface Held {
    /** Its id. */
    String id();

    /** Hex SHA-256 of the note that both have signed. */
    String sha256();

    /** The other party. */
    String peer();

    /** True if the local agent has asked for it. */
    boolean isInitiator();

    /** Where it stands at this moment. */
    Standing standing();

    /** The predicates, compiled. */
    PactCheck check();

    /**
     * Counts a message as under the pact.
     *
     * @param own true if the local agent's, false if the other party's
     * @param bytes of its body
     * @return what was counted with this one in
     */
    Counted count(boolean own, long bytes);

    /** Notes what came of a message, for the observation that goes on the ledger. */
    void observed(boolean own, PactCheck.Result result);
  }

  /**
   * Counts under a pact, this message included.
   *
   * @param messages of both parties
   * @param bytes of both parties
   * @param inLastMinute requests
   */
  record Counted(long messages, long bytes, int inLastMinute) {}

  /** Where a pact stands. */
  enum Standing {
    /** Not yet begun: its validity lies ahead. */
    PENDING,
    /** It holds. */
    ACTIVE,
    /** It is suspended until the arbiter has decided. */
    DISPUTED,
    /** It has ended. */
    ENDED
  }

  /**
   * What a message says of its pact.
   *
   * @param id of the pact
   * @param sha256 hex SHA-256 of its note
   * @param signature base64 of the initiator's note signature, on the first message
   */
  record Named(String id, String sha256, Optional<String> signature) {}

  /** What came of asking for a pact. */
  sealed interface Outcome {
    /**
     * There is one.
     *
     * @param signature to be sent along with the first message; empty afterwards
     */
    record Agreed(Held pact, Optional<String> signature) implements Outcome {}

    /**
     * There is none.
     *
     * @param code stable: of the machine, of policy, pact_unknown, pact_hash_differs, pact_ended,
     *     ...
     */
    record Refused(String code, String detail) implements Outcome {}

    /** Nobody is there who negotiates. */
    record NoPeer(String detail) implements Outcome {}

    /** Nobody could be asked in time. */
    record Unavailable(String detail) implements Outcome {}
  }

  /** Sends a negotiation message to where the held request goes, and gives the answer's body. */
  @FunctionalInterface
  interface Channel {
    /**
     * Sends.
     *
     * @return the answer's body; empty if whoever is there does not negotiate
     */
    CompletableFuture<Optional<byte[]>> send(byte[] body);
  }

  /** The pact that holds with that party; an outbound request goes under it. */
  Optional<Held> with(String peer);

  /** A pact by its id, also one that has ended lately. */
  Optional<Held> of(String id);

  /** The pact under which the local agent works in this flow: what it calls meanwhile is bound. */
  Optional<Held> ofFlow(String flow);

  /** The local agent works on a request of the pact in this flow, until {@link #done}. */
  void working(Held pact, String flow);

  /** The answer has left. */
  void done(Held pact, String flow);

  /** Negotiates with that party, or waits for the negotiation under way. */
  CompletableFuture<Outcome> obtain(String peer, Channel channel);

  /** A request names a pact that is not known here, or brings the last signature. */
  CompletableFuture<Outcome> admit(Named named);

  /** Answers a negotiation message of another sidecar. */
  CompletableFuture<byte[]> negotiate(byte[] body);

  /** The other side does not know the pact any more: the next request negotiates. */
  void forget(Held pact);

  /**
   * Ends a pact.
   *
   * @param reason work_completed, work_failed, party_withdrew, dispute_escalated, violated
   * @param responsible of a violation
   */
  void end(Held pact, String reason, Optional<String> responsible);
}
