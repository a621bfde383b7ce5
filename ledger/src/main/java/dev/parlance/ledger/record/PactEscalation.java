package dev.parlance.ledger.record;

import dev.parlance.policy.pact.PactCase;

/**
 * A negotiation that its initiator has handed to an arbiter, as the ledger has it.
 *
 * @param handed whose it is, who decides and until when
 * @param note the initiator's signed report, base64
 * @param atMs when it was recorded
 */
public record PactEscalation(PactCase handed, String note, long atMs) {}
