package dev.parlance.service.identity;

import java.util.Optional;

/**
 * The name of a workload, {@code spiffe://TRUST-DOMAIN/PATH}, by the SPIFFE ID specification: no
 * escapes, no query, no port, no empty or dotted segments, so that there is one spelling of each.
 *
 * @param trustDomain lower-case letters, digits, {@code . - _}, 1 to 255 of them
 * @param path {@code /SEGMENT...} of letters, digits, {@code . - _}; empty for the trust domain
 */
public record SpiffeId(String trustDomain, String path) {
  /** Longest id, in characters, all of which are ASCII. */
  public static final int MAX_CHARS = 2048;

  public static final String SCHEME = "spiffe://";
  private static final int MAX_DOMAIN_CHARS = 255;

  /** Refuses what the specification does. */
  public SpiffeId {
    if (!isTrustDomain(trustDomain)
        || !isPath(path)
        || SCHEME.length() + trustDomain.length() + path.length() > MAX_CHARS) {
      throw new IllegalArgumentException("expected a SPIFFE id, got " + trustDomain + path);
    }
  }

  /** Reads an id; empty if it is none. */
  public static Optional<SpiffeId> parse(String text) {
    if (text.length() > MAX_CHARS || !text.startsWith(SCHEME)) {
      return Optional.empty();
    }
    int slash = text.indexOf('/', SCHEME.length());
    String domain = text.substring(SCHEME.length(), slash < 0 ? text.length() : slash);
    String path = slash < 0 ? "" : text.substring(slash);
    return isTrustDomain(domain) && isPath(path)
        ? Optional.of(new SpiffeId(domain, path))
        : Optional.empty();
  }

  /** True for the name of a trust domain. */
  public static boolean isTrustDomain(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_DOMAIN_CHARS
        && text.chars().allMatch(c -> isPathChar(c) && !(c >= 'A' && c <= 'Z'));
  }

  private static boolean isPath(String path) {
    int begin = 0;
    for (int i = 1; i <= path.length(); i++) {
      if (i == path.length() || path.charAt(i) == '/') {
        if (path.charAt(begin) != '/' || !isSegment(path.substring(begin + 1, i))) {
          return false;
        }
        begin = i;
      }
    }
    return true;
  }

  static boolean isSegment(String segment) {
    return !segment.isEmpty()
        && !segment.equals(".")
        && !segment.equals("..")
        && segment.chars().allMatch(SpiffeId::isPathChar);
  }

  private static boolean isPathChar(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '-'
        || c == '_';
  }

  @Override
  public String toString() {
    return SCHEME + trustDomain + path;
  }
}
