package dev.parlance.wire.bytes;

/**
 * The kinds of malformed input, refused before anybody judges it. The code is the label of {@code
 * parlance_rejected_total}, the log line's reason and the response's reason.
 */
public enum WireFault {
  /** Invalid UTF-8, a byte order mark, UTF-16 or UTF-32 where UTF-8 is due. */
  BAD_ENCODING("bad_encoding"),
  /** Not JSON: syntax, trailing bytes, NaN, comments, lone surrogate escapes. */
  BAD_JSON("bad_json"),
  /** A member name twice in one object. */
  DUPLICATE_KEY("duplicate_key"),
  /** Not protobuf as we accept it: wire types, lengths, groups, a singular field twice. */
  BAD_PROTOBUF("bad_protobuf"),
  /** Protobuf nested deeper, or made of more fields, than the limit. */
  PROTOBUF_LIMIT("protobuf_limit"),
  /** No gRPC frame, or not as many as the method has: flags, lengths, a second message. */
  BAD_FRAME("bad_frame"),
  /** Nested deeper, or made of more tokens, than the limit. */
  JSON_LIMIT("json_limit"),
  /** JSON, but not what the protocol asks for. */
  BAD_MESSAGE("bad_message"),
  /** Body over the limit. */
  BODY_TOO_LARGE("body_too_large"),
  /** A content coding that is unknown, doubled, or does not decode. */
  BAD_CODING("bad_coding"),
  /** Inflates past the allowed ratio or size. */
  INFLATION_LIMIT("inflation_limit"),
  /** A charset other than UTF-8. */
  BAD_CHARSET("bad_charset"),
  /** The body ended before it was whole. */
  INCOMPLETE("incomplete");

  private final String code;

  WireFault(String code) {
    this.code = code;
  }

  /** The stable name in logs, metrics and on the wire. */
  public String code() {
    return code;
  }
}
