package dev.parlance.policy.core;

import dev.parlance.policy.core.HeldCore.CoreState;
import java.util.List;
import java.util.Optional;

/**
 * What the core guard found in one message. A term counts once, however often the message uses it.
 *
 * @param core which core it was held against
 * @param certified governed terms in V*
 * @param unknown governed terms that were refused, or are not tested yet
 * @param revoked governed terms that were certified once
 * @param offending the governed terms outside V* in the order of their first use, at most {@value
 *     #MAX_OFFENDING}
 */
public record CoreFindings(
    HeldCore core, int certified, int unknown, int revoked, List<Offence> offending) {
  /** Most terms listed; the counts are exact all the same. */
  public static final int MAX_OFFENDING = 10;

  /**
   * A governed term outside V*.
   *
   * @param term its key
   * @param status where it stands; not certified
   * @param alternative key of a certified term to use instead, if there is one
   */
  public record Offence(String term, TermStatus status, Optional<String> alternative) {
    /** Refuses a certified term. */
    public Offence {
      if (status == TermStatus.CERTIFIED) {
        throw new IllegalArgumentException("a certified term is no offence: " + term);
      }
    }
  }

  /** Refuses counts that cannot be. */
  public CoreFindings {
    offending = List.copyOf(offending);
    boolean counted = certified >= 0 && unknown >= 0 && revoked >= 0;
    if (!counted || offending.size() != Math.min(unknown + revoked, MAX_OFFENDING)) {
      throw new IllegalArgumentException(
          "counts do not fit: %d certified, %d unknown, %d revoked, offending %s"
              .formatted(certified, unknown, revoked, offending));
    }
    if (core.state() == CoreState.ABSENT && certified + unknown + revoked > 0) {
      throw new IllegalArgumentException("without a core no term is governed");
    }
  }

  /** How many different governed terms the message uses. */
  public int checked() {
    return certified + unknown + revoked;
  }

  /**
   * What the core guard found, and what is to follow from it.
   *
   * @param findings what it found
   * @param policy what follows
   */
  public record CoreCheck(CoreFindings findings, GuardPolicy policy) {}
}
