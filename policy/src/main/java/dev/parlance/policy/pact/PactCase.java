package dev.parlance.policy.pact;

/**
 * A negotiation that both parties have handed to an arbiter (paper, "escalation"): whose it is, who
 * decides it, and which one pact may come of it.
 *
 * @param negotiation its id
 * @param initiator who has invited
 * @param responder who was invited
 * @param arbiter who alone decides; none of the two
 * @param pact id of the only pact that may be made on the decided terms
 * @param untilMs the decision, and the pact made on it, come before this time, in milliseconds
 */
public record PactCase(
    String negotiation,
    String initiator,
    String responder,
    String arbiter,
    String pact,
    long untilMs) {
  /** Refuses a party that decides its own case, and a case against oneself. */
  public PactCase {
    if (initiator.equals(responder) || arbiter.equals(initiator) || arbiter.equals(responder)) {
      throw new IllegalArgumentException(
          "expected two parties and an arbiter who is none of them, got "
              + String.join(", ", initiator, responder, arbiter));
    }
  }

  /** Reference of the template that decides it: {@code ARBITER/NEGOTIATION@1}. */
  public String reference() {
    return arbiter + "/" + negotiation + "@1";
  }
}
