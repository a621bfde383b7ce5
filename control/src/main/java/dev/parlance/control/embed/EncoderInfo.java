package dev.parlance.control.embed;

import java.util.Optional;

/**
 * What an encoder is.
 *
 * @param id its id, a {@link dev.parlance.policy.commit.RoundNames name}
 * @param manifestSha256 hex SHA-256 of its manifest, which binds every file of it
 * @param dim length of its vectors
 * @param maxTokens longest input; what is longer is cut
 * @param cosMin the least cosine at which it holds two texts to say the same, if it recommends one
 */
public record EncoderInfo(
    String id, String manifestSha256, int dim, int maxTokens, Optional<Double> cosMin) {}
