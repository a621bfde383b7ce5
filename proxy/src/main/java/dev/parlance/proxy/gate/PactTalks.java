package dev.parlance.proxy.gate;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The negotiations that agents lead themselves, as the message path asks about them: each message
 * of one is taken by the machine of both sidecars, or refused. Nothing blocks; what is returned
 * completes on any thread, and never exceptionally.
 */
public interface PactTalks {
  /** What came of a message. */
  sealed interface Heard {
    /**
     * The machine has taken it. Where it brings the last signature, the pact is on the ledger.
     *
     * @param negotiation which one
     * @param turn the how manieth message of it this is, from 1
     * @param signature base64 of the local agent's signature, if it ratifies
     */
    record Taken(String negotiation, int turn, Optional<String> signature) implements Heard {}

    /**
     * It may not go on; nothing has changed, unless the machine says that the negotiation is over.
     *
     * @param code stable: of the machine, or of the sidecar
     */
    record Refused(String code, String detail) implements Heard {}

    /** The ledger, or a key, could not be had. */
    record Unavailable(String detail) implements Heard {}
  }

  /**
   * The local agent says something.
   *
   * @param json the message of {@code pact-1}
   * @param peer the other party, where the route names it
   * @param channel to the other sidecar, if there is one; kept by the pact
   */
  CompletableFuture<Heard> own(byte[] json, Optional<String> peer, Optional<Pacts.Channel> channel);

  /**
   * The other agent says something to the local one.
   *
   * @param json the message of {@code pact-1}
   * @param signature base64 of its signature, which its sidecar has put beside a ratification
   * @param channel to the other sidecar, if there is one; kept by the pact
   */
  CompletableFuture<Heard> others(
      byte[] json, Optional<String> signature, Optional<Pacts.Channel> channel);

  /** The other side has refused the message: as if the local agent had not said it. */
  void retract(Heard.Taken taken);

  /** Where no pacts are configured. */
  PactTalks NONE =
      new PactTalks() {
        private static final Heard OFF = new Heard.Refused("pacts_off", "no pacts are configured");

        @Override
        public CompletableFuture<Heard> own(
            byte[] json, Optional<String> peer, Optional<Pacts.Channel> channel) {
          return CompletableFuture.completedFuture(OFF);
        }

        @Override
        public CompletableFuture<Heard> others(
            byte[] json, Optional<String> signature, Optional<Pacts.Channel> channel) {
          return CompletableFuture.completedFuture(OFF);
        }

        @Override
        public void retract(Heard.Taken taken) {}
      };
}
