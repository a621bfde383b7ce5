package dev.parlance.control.embed;

import dev.parlance.onnx.ModelFault;
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
  record Failed(ModelFault fault, String detail) implements EncoderStatus {}

  /**
   * What an encoder is.
   *
   * @param id its id, a {@link dev.parlance.policy.commit.RoundId.RoundNames name}
   * @param manifestSha256 hex SHA-256 of its manifest, which binds every file of it
   * @param dim length of its vectors
   * @param maxTokens longest input; what is longer is cut
   * @param cosMin the least cosine at which it holds two texts to say the same, if it recommends
   *     one
   * @param topicCosMin the least cosine at which it holds two texts to be of one topic, if it
   *     recommends one: what rounds take that compare the texts word by word
   */
  record EncoderInfo(
      String id,
      String manifestSha256,
      int dim,
      int maxTokens,
      Optional<Double> cosMin,
      Optional<Double> topicCosMin) {}
}
