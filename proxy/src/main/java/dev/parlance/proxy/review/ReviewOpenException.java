package dev.parlance.proxy.review;

import java.io.IOException;

/** The review queue cannot be opened; says why and what to do. */
public final class ReviewOpenException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Why it cannot be opened. */
  public enum Code {
    /** Another process has it open. */
    LOCKED("queue_locked"),
    /** A record before the end of the journal is damaged. */
    CORRUPT("journal_corrupt"),
    /** The file is no journal of this version. */
    UNKNOWN_FORMAT("journal_unknown_format");

    private final String code;

    Code(String code) {
      this.code = code;
    }

    /** The stable name in logs. */
    public String code() {
      return code;
    }
  }

  private final Code code;
  private final long offset;
  private final String remedy;

  ReviewOpenException(Code code, long offset, String detail, String remedy) {
    super(code.code() + ": " + detail + "; " + remedy);
    this.code = code;
    this.offset = offset;
    this.remedy = remedy;
  }

  /** Why it cannot be opened. */
  public Code code() {
    return code;
  }

  /** Where in the journal the damage starts, in bytes; 0 if that has no meaning here. */
  public long offset() {
    return offset;
  }

  /** What the operator can do. */
  public String remedy() {
    return remedy;
  }
}
