package dev.parlance.policy.message;

/**
 * One entry of the assumption index (ASP paper, section 3.4).
 *
 * @param basis how the claim is founded
 * @param id its id: {@code [A-Za-z0-9][A-Za-z0-9._-]{0,63}}
 */
public record Assumption(Basis basis, String id) {
  /** How a claim is founded, in the order in which a header lists them. */
  public enum Basis {
    /** Established fact directly stated in the source document. */
    K,
    /** Derived during processing. */
    L,
    /** Inferred from partial evidence. */
    P,
    /** Speculative, no direct evidence. */
    H
  }

  /** Refuses an id that could not stand in a header. */
  public Assumption {
    if (!isId(id)) {
      throw new IllegalArgumentException(
          "assumption id must match [A-Za-z0-9][A-Za-z0-9._-]{0,63}, got: " + id);
    }
  }

  /** True if {@code id} may stand in a header. */
  public static boolean isId(String id) {
    int length = id.length();
    if (length == 0 || length > 64) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char c = id.charAt(i);
      boolean alphanumeric =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!alphanumeric && (i == 0 || (c != '.' && c != '_' && c != '-'))) {
        return false;
      }
    }
    return true;
  }
}
