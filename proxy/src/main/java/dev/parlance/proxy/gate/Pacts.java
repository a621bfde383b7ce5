package dev.parlance.proxy.gate;

import dev.parlance.ledger.pact.PactMac;
import dev.parlance.ledger.pact.PactMac.Part;
import dev.parlance.ledger.pact.PactMac.Stamp;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.PactTerms;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The pacts of the local agent, as the message path asks about them. Nothing blocks; what is
 * returned completes within the configured time, on any thread, and never exceptionally.
 */
public interface Pacts {
  /** Largest body of a negotiation message, in bytes. */
  int MAX_BATCH_BYTES = 256 << 10;

  /** Media type of a negotiation message, which goes from sidecar to sidecar. */
  String BATCH_TYPE = "application/vnd.parlance.pact+json";

  /** A pact that holds, or has ended, at this sidecar. Safe for several threads. */
  interface Held {
    /** Its id. */
    String id();

    /** Hex SHA-256 of the note that both have signed. */
    String sha256();

    /** Both, as messages name them: {@code ID;HASH}. */
    String named();

    /** The other party. */
    String peer();

    /** True if the local agent has asked for it. */
    boolean isInitiator();

    /** Where it stands at this moment. */
    Standing standing();

    /** The predicates, compiled. */
    PactCheck check();

    /**
     * Base64 of the local agent's signature on the note. Every request of the initiator carries it
     * until the other side has answered under the pact; empty after that, and at the responder.
     */
    Optional<String> signature();

    /** The other side has answered under the pact: it has both signatures. */
    void confirmed();

    /** True once both parties' keys are known, so that messages can be proven. */
    boolean isBound();

    /** True if whoever listens there has shown that it holds the other party's key. */
    boolean isSeenAt(Object place);

    /** Whoever listens there has not proven an answer: it is to show its key again. */
    void lostAt(Object place);

    /** The stamp of the local agent's next request; each is given once. */
    Stamp next();

    /**
     * Takes the stamp of a request that is proven to be the other party's.
     *
     * @return what it is: only a fresh one may be delivered
     */
    Arrival arrived(Stamp stamp);

    /** The stamp that the other party's next request is to have. */
    Stamp expected();

    /** The other side has said, proven, which stamp it expects next. */
    void resume(Stamp expected);

    /** The code that proves a part of an exchange to be the local agent's; as {@link PactMac}. */
    String tag(Part part, Stamp request, int status, byte[] bodySha256, String line, String type);

    /** True if the end of a text proves a part of an exchange to be the other party's. */
    boolean isPeers(
        String text,
        int from,
        Part part,
        Stamp request,
        int status,
        byte[] bodySha256,
        String line,
        String type);

    /**
     * True if the other party has signed that it did not deliver a request.
     *
     * @param code why
     * @param proof as it stood beside the request
     */
    boolean isRefused(String code, String proof, String signature);

    /**
     * Counts a message as under the pact.
     *
     * @param leg a request of who has asked for the pact, or an answer to it
     * @param number of the message under the pact, by the stamp of its request
     * @param bytes of its body
     * @param into is told what was counted with this one in
     */
    void count(PactTerms.Leg leg, long number, long bytes, Counted into);

    /**
     * Counts more bytes of a message that arrives in parts, and was counted when it began.
     *
     * @param bytes of the part
     * @param into is told what was counted with this part in
     */
    void countMore(long bytes, Counted into);

    /** Notes what came of a message, for the observation that goes on the ledger. */
    void observed(boolean own, PactCheck.Result result);
  }

  /** What a stamp is to its receiver. */
  enum Arrival {
    /** It has not been there. */
    FRESH,
    /** It has, or is too far behind to tell. */
    SEEN,
    /** Of another run of the receiver. */
    STALE
  }

  /** Counts under a pact, one message included; filled again for the next one. */
  final class Counted {
    private long messages;
    private long bytes;
    private int inLastMinute;

    /**
     * Takes other counts.
     *
     * @param number of the message
     * @param allBytes of both parties
     * @param requestsInLastMinute 0 or more
     */
    public void set(long number, long allBytes, int requestsInLastMinute) {
      messages = number;
      bytes = allBytes;
      inLastMinute = requestsInLastMinute;
    }

    /** The number of the message. */
    public long messages() {
      return messages;
    }

    long bytes() {
      return bytes;
    }

    /** Requests in the last minute. */
    public int inLastMinute() {
      return inLastMinute;
    }
  }

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
    /** There is one. */
    record Agreed(Held pact) implements Outcome {}

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

    /** Where that is: what was shown at one place says nothing of another one. */
    default Object place() {
      return "";
    }
  }

  /** The pact that holds with that party; an outbound request goes under it. */
  Optional<Held> with(String peer);

  /** A pact by its id, also one that has ended lately. */
  Optional<Held> of(String id);

  /**
   * The pacts that hold what the local agent calls now: the one under which it works in this flow;
   * of a call that no flow tells, all under which it works, or has answered a moment ago.
   */
  List<Held> works(String flow);

  /**
   * The pact under which the local agent works, or has answered a moment ago, that does not let it
   * speak unread to this host: it limits what is called, and what it lists as hosts does not name
   * it.
   */
  default Optional<Held> against(String host) {
    return works("").stream().filter(pact -> !pact.check().namesHost(host)).findFirst();
  }

  /** True while the local agent works on a request under some pact. */
  default boolean isAtWork() {
    return false;
  }

  /** The pact under which a task was begun; what is said of the task later belongs to it. */
  default Optional<Held> ofTask(String task) {
    return Optional.empty();
  }

  /** An answer under the pact names a task. */
  default void began(Held pact, String task) {}

  /** The local agent works on a request of the pact in this flow, until {@link #done}. */
  void working(Held pact, String flow);

  /** The answer has left. */
  void done(Held pact, String flow);

  /**
   * Negotiates with that party, or waits for the negotiation under way there. Where there is a
   * pact, whoever listens at the channel's end shows that it holds the party's key.
   *
   * @param channel also kept, to tell the other side of the end of the pact
   */
  CompletableFuture<Outcome> obtain(String peer, Channel channel);

  /** Whoever listens at the channel's end shows that it holds the other party's key of the pact. */
  default CompletableFuture<Outcome> show(Held pact, Channel channel) {
    return CompletableFuture.completedFuture(new Outcome.Unavailable("no pacts are configured"));
  }

  /**
   * A request names a pact that is not known here, or brings the last signature. What comes back as
   * agreed is on the ledger; asking again is harmless.
   */
  CompletableFuture<Outcome> admit(Named named);

  /**
   * Answers a negotiation message of another sidecar.
   *
   * @param body at most {@link #MAX_BATCH_BYTES} bytes; larger ones are refused
   */
  CompletableFuture<byte[]> negotiate(byte[] body);

  /**
   * The local agent's signature, as base64, on the word that a request was not delivered.
   *
   * @param pact id of the one that it names
   * @param code why
   * @param proof as it stands beside the request
   */
  default Optional<String> refuse(String pact, String code, String proof) {
    return Optional.empty();
  }

  /**
   * For how long this run of the sidecar has been there, in milliseconds: no other run of it has
   * taken anything since.
   */
  default long upMs() {
    return 0;
  }

  /** The JSON Schemas that clauses may name. */
  default AnswerSchemas schemas() {
    return AnswerSchemas.NONE;
  }

  // ---- negotiations that agents lead themselves ----

  /** What came of a message in a negotiation that agents lead themselves. */
  sealed interface MessageResult {
    /** Where no pacts are configured. */
    CompletableFuture<MessageResult> OFF =
        CompletableFuture.completedFuture(new Refused("pacts_off", "no pacts are configured"));

    /**
     * The machine has accepted it. Where it brings the last signature, the pact is on the ledger.
     *
     * @param negotiation which one
     * @param turn the how manieth message of it this is, from 1
     * @param signature base64 of the local agent's signature, if it ratifies
     */
    record Accepted(String negotiation, int turn, Optional<String> signature)
        implements MessageResult {}

    /**
     * It may not go on; nothing has changed, unless the machine says that the negotiation is over.
     *
     * @param code stable: of the machine, or of the sidecar
     */
    record Refused(String code, String detail) implements MessageResult {}

    /** The ledger, or a key, could not be had. */
    record Unavailable(String detail) implements MessageResult {}
  }

  /**
   * A negotiation message of the local agent, which both sidecars' machines must accept.
   *
   * @param json the message of {@code pact-1}
   * @param peer the other party, where the route names it
   * @param channel to the other sidecar, if there is one; kept by the pact
   */
  default CompletableFuture<MessageResult> fromOwnAgent(
      byte[] json, Optional<String> peer, Optional<Channel> channel) {
    return MessageResult.OFF.copy();
  }

  /**
   * A negotiation message of the other agent to the local one.
   *
   * @param json the message of {@code pact-1}
   * @param signature base64 of its signature, which its sidecar has put beside a ratification
   * @param channel to the other sidecar, if there is one; kept by the pact
   */
  default CompletableFuture<MessageResult> fromPeerAgent(
      byte[] json, Optional<String> signature, Optional<Channel> channel) {
    return MessageResult.OFF.copy();
  }

  /** The other side has refused the message: as if the local agent had not sent it. */
  default void retract(MessageResult.Accepted accepted) {}

  /** The other side does not know the pact any more: the next request negotiates. */
  void forget(Held pact);

  /** A limit of the pact is reached: the next request negotiates another one in its place. */
  default void usedUp(Held pact) {
    forget(pact);
  }

  /**
   * Ends a pact.
   *
   * @param reason what a party or its sidecar says
   * @param responsible of a violation
   */
  void end(Held pact, Ending reason, Optional<String> responsible);

  /** Pacts that hold or are disputed at this sidecar. */
  int active();

  /** What is counted of pacts; called from any thread, once for each event. */
  interface Events {
    /** Counts nothing. */
    Events NONE =
        new Events() {
          @Override
          public void transition(String phase, String outcome) {}

          @Override
          public void negotiated(double seconds) {}
        };

    /**
     * Something came to a point.
     *
     * @param phase negotiation, attestation, pact
     * @param outcome of a negotiation: agreed, refused, no_peer, unavailable; of an attestation:
     *     attested, adopted, refused; of a pact: a reason of its end, or dispute_escalated
     */
    void transition(String phase, String outcome);

    /** A negotiation came to its end, whatever that was. */
    void negotiated(double seconds);
  }

  /** Without configuration there are none. */
  Pacts NONE = new NoPacts();

  /** No pacts. */
  final class NoPacts implements Pacts {
    private static final Outcome OFF = new Outcome.Refused("pacts_off", "no pacts are configured");
    private static final byte[] REFUSAL =
        ("{\"messages\":[],\"refused\":{\"code\":\"pacts_off\","
                + "\"detail\":\"no pacts are configured\",\"index\":0}}")
            .getBytes(StandardCharsets.UTF_8);

    private NoPacts() {}

    @Override
    public Optional<Held> with(String peer) {
      return Optional.empty();
    }

    @Override
    public Optional<Held> of(String id) {
      return Optional.empty();
    }

    @Override
    public List<Held> works(String flow) {
      return List.of();
    }

    @Override
    public void working(Held pact, String flow) {}

    @Override
    public void done(Held pact, String flow) {}

    @Override
    public CompletableFuture<Outcome> obtain(String peer, Channel channel) {
      return CompletableFuture.completedFuture(OFF);
    }

    @Override
    public CompletableFuture<Outcome> admit(Named named) {
      return CompletableFuture.completedFuture(OFF);
    }

    @Override
    public CompletableFuture<byte[]> negotiate(byte[] body) {
      return CompletableFuture.completedFuture(REFUSAL.clone());
    }

    @Override
    public void forget(Held pact) {}

    @Override
    public void end(Held pact, Ending reason, Optional<String> responsible) {}

    @Override
    public int active() {
      return 0;
    }
  }
}
