package dev.parlance.client;

import java.io.IOException;

/** A sidecar or control plane refused a call, or could not be reached; the message says it all. */
public final class CallRefused extends IOException {
  private static final long serialVersionUID = 1;

  private final Why why;

  /** Kinds that callers act upon. */
  enum Why {
    /** There is no such thing. */
    NOT_FOUND,
    /** Nobody answers, or not now. */
    UNAVAILABLE,
    /** Whatever else. */
    OTHER
  }

  CallRefused(Why why, String message) {
    super(message);
    this.why = why;
  }

  /** True if there is no such thing. */
  public boolean isNotFound() {
    return why == Why.NOT_FOUND;
  }

  /** True if another try may succeed. */
  boolean isUnavailable() {
    return why == Why.UNAVAILABLE;
  }
}
