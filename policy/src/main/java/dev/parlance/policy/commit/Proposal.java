package dev.parlance.policy.commit;

/**
 * What one agent proposes.
 *
 * @param agent who; any text, one that is no member is dropped
 * @param verdict its verdict; any text, one that is no name is dropped
 * @param textSha256 64 lower-case hex digits: SHA-256 of the UTF-8 text of its rationale
 * @param meaning what that text means to the encoder
 */
public record Proposal(String agent, String verdict, String textSha256, Meaning meaning) {
  /** Refuses impossible values: the digest of a round writes them down as they are. */
  public Proposal {
    if (!isSha256(textSha256)) {
      throw new IllegalArgumentException(
          "expected 64 lower-case hex digits, got \"" + textSha256 + "\"");
    }
  }

  /** The same thing said: verdict and text, whatever the encoder made of it. */
  boolean repeats(Proposal other) {
    return agent.equals(other.agent)
        && verdict.equals(other.verdict)
        && textSha256.equals(other.textSha256);
  }

  private static boolean isSha256(String text) {
    return text.length() == 64
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }
}
