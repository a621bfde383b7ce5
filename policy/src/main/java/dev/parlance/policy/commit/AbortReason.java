package dev.parlance.policy.commit;

import java.util.Arrays;
import java.util.Optional;

/** Why a round ends without a commit. The codes are stable; the order is that of the checks. */
public enum AbortReason {
  /** n &lt; 3f+1: no protocol can be safe against f faults (step 1). */
  BFT_INFEASIBLE,
  /** Fewer than n-f members delivered a proposal that counts, or none (step 3). */
  INSUFFICIENT_DELIVERY,
  /** Two verdicts lead with equally many (step 4). */
  VERDICT_TIE,
  /** The leading verdict has fewer than 2f+1 (step 4). */
  NO_VERDICT_QUORUM,
  /** The faulty and the undelivered together could have made another verdict lead (step 4). */
  WEAK_VERDICT_MARGIN,
  /** No semantic core, and no fallback to the verdict alone (step 6). */
  SEMANTIC_DISPERSED;

  /** The stable name on the wire, in logs and on the ledger. */
  public String code() {
    return name();
  }

  /** The reason with this code. */
  public static Optional<AbortReason> ofCode(String code) {
    return Arrays.stream(values()).filter(one -> one.code().equals(code)).findFirst();
  }
}
