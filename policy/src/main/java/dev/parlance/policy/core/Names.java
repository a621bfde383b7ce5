package dev.parlance.policy.core;

/** Checks ids of agents, domains, events, plans and audits. */
public final class Names {
  /** Most characters in an id. */
  public static final int MAX_LENGTH = 128;

  private Names() {}

  /** True for {@code [A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}}. */
  public static boolean isName(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH || !isAlphanumeric(text.charAt(0))) {
      return false;
    }
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isAlphanumeric(c) && "._:/@-".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Refuses what is not a name. */
  public static String checked(String text) {
    if (!isName(text)) {
      throw new IllegalArgumentException(
          "expected an id like [A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}, got \"" + text + "\"");
    }
    return text;
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
