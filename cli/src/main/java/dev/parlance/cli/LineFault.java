package dev.parlance.cli;

import dev.parlance.policy.text.Coded;

/** Why an input line could not be used. The codes are stable. */
public enum LineFault implements Coded {
  /** Longer than the limit; skipped up to the next line feed. */
  LINE_TOO_LONG,
  /** A line with nothing in it. */
  EMPTY_LINE,
  /** Invalid UTF-8, or a byte order mark. */
  BAD_ENCODING,
  /** Not one JSON object: syntax, trailing bytes, NaN, lone surrogate escapes. */
  BAD_JSON,
  /** A member name twice in one object. */
  DUPLICATE_KEY,
  /** Nested deeper, or made of more tokens, than the limit. */
  JSON_LIMIT,
  /** A member that must be there is not. */
  MISSING_FIELD,
  /** A member of another type than expected. */
  BAD_TYPE,
  /** A member of the right type whose value is out of range. */
  BAD_VALUE,
  /** A member that is not known; nothing is left out in silence. */
  UNKNOWN_MEMBER,
  /** Two different texts under one id. */
  DUPLICATE_ID,
  /** Not CSV as RFC 4180 has it. */
  BAD_CSV,
  /** An agent's second, other verdict on the same event and term. */
  CONFLICTING_VERDICT,
  /** More rows, agents, events or terms than one table may have. */
  TABLE_LIMIT,
  /** The encoder cannot be used, or cannot be run on this text. */
  ENCODER_UNAVAILABLE,
  /** The round's vectors are another encoder's. */
  OTHER_ENCODER,
  /** A text longer than encoders take. */
  TEXT_TOO_LARGE,
  /** A text without direction: the encoder's vector is zero or not finite. */
  MALFORMED_VECTOR,
  /** No profile of that name. */
  UNKNOWN_PROFILE;

  /** What stops the reading of a line, with the bad value and what was expected. */
  public Problem problem(String message) {
    return new Problem(this, message);
  }

  /** Why a line cannot be used. */
  public static final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final LineFault fault;

    private Problem(LineFault fault, String message) {
      super(message, null, false, false);
      this.fault = fault;
    }

    public LineFault fault() {
      return fault;
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }
}
