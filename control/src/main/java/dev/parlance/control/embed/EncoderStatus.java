package dev.parlance.control.embed;

/** Where an encoder stands. */
public sealed interface EncoderStatus {
  /** It encodes. */
  record Ready(EncoderInfo info) implements EncoderStatus {}

  /** None is configured. */
  record Off() implements EncoderStatus {}

  /**
   * One is configured and cannot be used; rounds go on without semantic commits.
   *
   * @param detail for people
   */
  record Failed(EncoderFault fault, String detail) implements EncoderStatus {}
}
