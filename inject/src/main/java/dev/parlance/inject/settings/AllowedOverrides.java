package dev.parlance.inject.settings;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What pods may change by annotation: names of annotations without prefix ({@code image}) and paths
 * of the sidecar's file ({@code config.mode}, {@code config.limits.*}, {@code *}). A {@code !}
 * before a pattern forbids; the last pattern that matches counts; what none matches is forbidden.
 *
 * @param patterns the patterns, in order
 */
public record AllowedOverrides(List<String> patterns) {
  private static final Pattern FORM =
      Pattern.compile("!?(\\*|[A-Za-z][A-Za-z-]*(\\.[A-Za-z0-9_-]+)*(\\.\\*)?)");

  /** Refuses what is no pattern. */
  public AllowedOverrides {
    patterns = List.copyOf(patterns);
    firstBad(patterns)
        .ifPresent(bad -> {
          throw new IllegalArgumentException("expected a pattern like config.mode, got " + bad);
        });
  }

  /** The first text that is no pattern. */
  static Optional<String> firstBad(List<String> patterns) {
    return patterns.stream().filter(text -> !FORM.matcher(text).matches()).findFirst();
  }

  /** True if a pod may say this. */
  public boolean allows(String name) {
    boolean allowed = false;
    for (String pattern : patterns) {
      boolean forbids = pattern.startsWith("!");
      if (matches(forbids ? pattern.substring(1) : pattern, name)) {
        allowed = !forbids;
      }
    }
    return allowed;
  }

  private static boolean matches(String pattern, String name) {
    if (pattern.equals("*")) {
      return true;
    }
    if (pattern.endsWith(".*")) {
      return name.startsWith(pattern.substring(0, pattern.length() - 1));
    }
    // A forbidden section is forbidden whole, and an allowed one is allowed whole.
    return name.equals(pattern) || name.startsWith(pattern + ".");
  }
}
