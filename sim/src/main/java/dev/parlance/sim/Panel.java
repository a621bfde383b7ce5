package dev.parlance.sim;

/** A series of figure 3. */
public enum Panel {
  /** Nothing drifts; the core of the first audit stays. */
  BASELINE("baseline"),
  /** One term of one agent drifts; the core of the first audit stays. */
  FROZEN("frozen"),
  /** After the drift Algorithm 1 is run anew in every epoch, on fresh events (section 4.1). */
  RECERTIFIED("recertified"),
  /** The same; later the terms outside the core are renegotiated (section 4.2). */
  RENEGOTIATED("renegotiated"),
  /**
   * Ours: fewer questions per epoch, evidence that adds up, revocation by a CUSUM, and
   * renegotiation of what was revoked or has evidence against it; see {@code
   * policy.core.TermWatch}.
   */
  WATCHED("watched");

  private final String code;

  Panel(String code) {
    this.code = code;
  }

  /** The stable name in output. */
  public String code() {
    return code;
  }
}
