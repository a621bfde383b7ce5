package dev.parlance.policy.commit;

/** Names in rounds: of rounds, encoders, agents and verdicts. */
public final class RoundNames {
  /** Most characters in a name. */
  public static final int MAX_LENGTH = 128;

  private RoundNames() {}

  /** True for {@code [A-Za-z0-9][A-Za-z0-9._:/-]{0,127}}. */
  public static boolean isName(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH || !isAlphanumeric(text.charAt(0))) {
      return false;
    }
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isAlphanumeric(c) && "._:/-".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
