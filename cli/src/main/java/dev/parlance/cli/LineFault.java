package dev.parlance.cli;

/** Why an input line could not be used. The codes are stable. */
public enum LineFault {
  /** Longer than the limit; skipped up to the next line feed. */
  LINE_TOO_LONG("line_too_long"),
  /** A line with nothing in it. */
  EMPTY_LINE("empty_line"),
  /** Invalid UTF-8, or a byte order mark. */
  BAD_ENCODING("bad_encoding"),
  /** Not one JSON object: syntax, trailing bytes, NaN, lone surrogate escapes. */
  BAD_JSON("bad_json"),
  /** A member name twice in one object. */
  DUPLICATE_KEY("duplicate_key"),
  /** Nested deeper, or made of more tokens, than the limit. */
  JSON_LIMIT("json_limit"),
  /** A member that must be there is not. */
  MISSING_FIELD("missing_field"),
  /** A member of another type than expected. */
  BAD_TYPE("bad_type"),
  /** A member of the right type whose value is out of range. */
  BAD_VALUE("bad_value"),
  /** Not CSV as RFC 4180 has it. */
  BAD_CSV("bad_csv"),
  /** An agent's second, other verdict on the same event and term. */
  CONFLICTING_VERDICT("conflicting_verdict"),
  /** More rows, agents, events or terms than one table may have. */
  TABLE_LIMIT("table_limit"),
  /** The encoder cannot be used, or cannot be run on this text. */
  ENCODER_UNAVAILABLE("encoder_unavailable"),
  /** The round's vectors are another encoder's. */
  OTHER_ENCODER("other_encoder"),
  /** A text longer than encoders take. */
  TEXT_TOO_LARGE("text_too_large"),
  /** A text without direction: the encoder's vector is zero or not finite. */
  MALFORMED_VECTOR("malformed_vector"),
  /** No profile of that name. */
  UNKNOWN_PROFILE("unknown_profile");

  private final String code;

  LineFault(String code) {
    this.code = code;
  }

  public String code() {
    return code;
  }

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
