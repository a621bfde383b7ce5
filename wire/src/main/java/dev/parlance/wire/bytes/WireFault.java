package dev.parlance.wire.bytes;

import dev.parlance.policy.text.Coded;

/**
 * The kinds of malformed input, refused before anybody judges it. The code is the label of {@code
 * parlance_rejected_total}, the log line's reason and the response's reason.
 */
public enum WireFault implements Coded {
  /** Invalid UTF-8, UTF-16 or UTF-32 where UTF-8 is due. */
  BAD_ENCODING,
  /** Not JSON: syntax, trailing bytes, NaN, comments, lone surrogate escapes. */
  BAD_JSON,
  /** A member name twice in one object. */
  DUPLICATE_KEY,
  /** Not protobuf as we accept it: wire types, lengths, groups, a singular field twice. */
  BAD_PROTOBUF,
  /** Protobuf nested deeper, or made of more fields, than the limit. */
  PROTOBUF_LIMIT,
  /** No gRPC frame, or not as many as the method has: flags, lengths, a second message. */
  BAD_FRAME,
  /** Nested deeper, or made of more tokens, than the limit. */
  JSON_LIMIT,
  /** JSON, but not what the protocol asks for. */
  BAD_MESSAGE,
  /** Body over the limit. */
  BODY_TOO_LARGE,
  /** A content coding that is unknown, doubled, or does not decode. */
  BAD_CODING,
  /** Inflates past the allowed ratio or size. */
  INFLATION_LIMIT,
  /** A charset other than UTF-8. */
  BAD_CHARSET,
  /** The body ended before it was whole. */
  INCOMPLETE
}
