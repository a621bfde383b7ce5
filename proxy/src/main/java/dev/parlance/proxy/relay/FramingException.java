package dev.parlance.proxy.relay;

import java.io.Serial;

/**
 * Carries a fault out of the places where Netty's decoder offers no other way; it ends up as the
 * cause of a decoder result, never as a stack trace.
 */
final class FramingException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  private final String code;

  FramingException(String code, String detail) {
    super(detail);
    this.code = code;
  }

  HeadFault fault() {
    return HeadFault.bad(code, String.valueOf(getMessage()));
  }
}
