package dev.parlance.cli.pact;

import dev.parlance.cli.ledger.ProofView;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.EntryCodec;
import dev.parlance.ledger.record.EntryCodec.Decoded;
import dev.parlance.ledger.record.PactEntry;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The proof that a pact is attested on the ledger of another organisation: an inclusion proof, as
 * {@code parlance ledger inclusion -o json} writes it, whose entry is the attestation.
 */
sealed interface PactProof {
  /**
   * It is on that ledger.
   *
   * @param origin of the log
   * @param index of the entry, from 0
   * @param size of the log under the checkpoint
   */
  record Holds(String origin, long index, long size, PactEntry.Attested entry)
      implements PactProof {}

  /**
   * Do not believe it.
   *
   * @param fault stable code: proof_refused, proof_of_another_entry
   * @param detail for people
   */
  record Refused(String fault, String detail) implements PactProof {}

  /**
   * Checks a proof.
   *
   * @param log the key of the log, from a source that is trusted
   */
  static PactProof check(JsonNode proof, VerifierKey log) {
    ProofView.Checked checked = ProofView.check(proof, Optional.of(log));
    if (!checked.holds()) {
      return new Refused("proof_refused", checked.detail());
    }
    byte[] entry = Base64.getDecoder().decode(proof.path("entry").asString(""));
    return EntryCodec.decode(entry) instanceof Decoded.Read(PactEntry.Attested attested)
        ? new Holds(
            log.name(),
            proof.path("index").longValue(),
            proof.path("treeSize").longValue(),
            attested)
        : new Refused("proof_of_another_entry", checked.detail() + ", but attests no pact");
  }
}
