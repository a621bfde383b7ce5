package dev.parlance.control.embed;

import dev.parlance.control.embed.EncoderStatus.EncoderFault;

/**
 * An encoder that cannot be used, on its way to the one place that makes a {@link
 * EncoderStatus.Failed} of it.
 */
final class EncoderProblem extends Exception {
  private static final long serialVersionUID = 1L;

  private final EncoderFault fault;

  EncoderProblem(EncoderFault fault, String detail) {
    super(detail);
    this.fault = fault;
  }

  EncoderFault fault() {
    return fault;
  }

  /** What is wrong, for people. */
  String detail() {
    String message = getMessage();
    return message == null ? fault.code() : message;
  }
}
