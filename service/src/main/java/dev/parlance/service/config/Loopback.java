package dev.parlance.service.config;

import java.util.Locale;

/**
 * Names of this machine, by their text alone: nothing is looked up, so nobody can change the
 * answer.
 */
public final class Loopback {
  private Loopback() {}

  /** True for {@code localhost}, {@code 127.x.x.x} and {@code ::1}, without brackets. */
  public static boolean isLoopback(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.equals("localhost")
        || lower.equals("::1")
        || lower.equals("0:0:0:0:0:0:0:1")
        || isLoopbackV4(lower);
  }

  private static boolean isLoopbackV4(String host) {
    String[] parts = host.split("\\.", -1);
    if (parts.length != 4 || !parts[0].equals("127")) {
      return false;
    }
    for (String part : parts) {
      if (part.isEmpty()
          || part.length() > 3
          || !part.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return false;
      }
      if (Integer.parseInt(part) > 255) {
        return false;
      }
    }
    return true;
  }
}
