package dev.parlance.policy.commit;

import dev.parlance.policy.core.Names;

/**
 * One attempt at a round. The same question asked again is the same round in a higher epoch; a
 * proposal of another epoch counts for nothing.
 *
 * @param round its name, at most 100 characters
 * @param epoch from 1
 */
public record RoundId(String round, long epoch) {
  /** Most characters in a round's own name, so that with the epoch it is still a name. */
  public static final int MAX_ROUND_LENGTH = 100;

  /** Refuses impossible values. */
  public RoundId {
    if (!RoundNames.isName(round) || round.length() > MAX_ROUND_LENGTH || epoch < 1) {
      throw new IllegalArgumentException(
          "expected a name of at most " + MAX_ROUND_LENGTH + " characters and an epoch from 1");
    }
  }

  /** The name that the digest binds, so that it binds the epoch as well. */
  public String bound() {
    return round + ":" + epoch;
  }

  @Override
  public String toString() {
    return bound();
  }

  /** Names in rounds: of rounds, encoders, agents and verdicts. */
  public static final class RoundNames {
    /** Most characters in a name. */
    public static final int MAX_LENGTH = Names.MAX_LENGTH;

    private RoundNames() {}

    /** True for {@code [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}}: an id without an {@code @}. */
    public static boolean isName(String text) {
      return Names.isName(text) && text.indexOf('@') < 0;
    }
  }
}
