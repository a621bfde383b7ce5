package dev.parlance.ledger.verify;

import java.util.List;
import java.util.Optional;

/**
 * What a verifier found.
 *
 * @param origin name of the log, as the key says it
 * @param size number of entries that the checkpoint states; empty where it could not be read
 * @param keyUsed the verifier key, in its text form
 * @param witnesses names of the known witnesses whose cosignature holds
 * @param findings what is wrong, in the order of the files; empty for a sound log
 * @param beyondCheckpoint files that no checkpoint covers: what a crash left, or files of others
 */
public record VerifyReport(
    String origin,
    Optional<Long> size,
    String keyUsed,
    List<String> witnesses,
    List<Finding> findings,
    List<String> beyondCheckpoint) {
  public VerifyReport {
    witnesses = List.copyOf(witnesses);
    findings = List.copyOf(findings);
    beyondCheckpoint = List.copyOf(beyondCheckpoint);
  }

  /** Whether nothing is wrong. */
  public boolean sound() {
    return findings.isEmpty();
  }
}
