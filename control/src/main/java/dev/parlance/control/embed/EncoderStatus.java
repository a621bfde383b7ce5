package dev.parlance.control.embed;

import dev.parlance.policy.text.Coded;
import java.util.Optional;

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

  /**
   * What an encoder is.
   *
   * @param id its id, a {@link dev.parlance.policy.commit.RoundId.RoundNames name}
   * @param manifestSha256 hex SHA-256 of its manifest, which binds every file of it
   * @param dim length of its vectors
   * @param maxTokens longest input; what is longer is cut
   * @param cosMin the least cosine at which it holds two texts to say the same, if it recommends
   *     one
   */
  record EncoderInfo(
      String id, String manifestSha256, int dim, int maxTokens, Optional<Double> cosMin) {}

  /** Why an encoder cannot be used. The codes are stable. */
  enum EncoderFault implements Coded {
    /** The folder or a file of it is missing or cannot be read. */
    UNREADABLE,
    /** The manifest is not in its form, or has impossible values. */
    BAD_MANIFEST,
    /** A file is not the one that the manifest names. */
    DIGEST_DIFFERS,
    /** A file is larger than any encoder's. */
    TOO_LARGE,
    /** The tokenizer's file is none. */
    BAD_TOKENIZER,
    /** The runtime cannot be loaded on this machine. */
    NO_RUNTIME,
    /** The model cannot be loaded, or has other inputs or outputs than the manifest says. */
    BAD_MODEL
  }
}
