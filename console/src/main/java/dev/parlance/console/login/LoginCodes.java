package dev.parlance.console.login;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Codes that log one person in once each. Whoever can read where they are printed is who the
 * console is for. Of more than {@value #MAX_OPEN} unused ones the oldest is void. Thread-safe.
 */
public final class LoginCodes {
  private static final int MAX_OPEN = 16;

  private final Set<String> open = new LinkedHashSet<>();

  /** A new code. */
  public synchronized String issue() {
    if (open.size() >= MAX_OPEN) {
      open.remove(open.iterator().next());
    }
    String code = Secrets.draw();
    open.add(Secrets.key(code));
    return code;
  }

  /** True if this is one, which is used up by that. */
  public synchronized boolean redeem(String code) {
    return open.remove(Secrets.key(code));
  }
}
