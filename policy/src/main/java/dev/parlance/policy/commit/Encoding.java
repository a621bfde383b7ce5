package dev.parlance.policy.commit;

import dev.parlance.policy.commit.RoundId.RoundNames;

/**
 * How the texts of a round become vectors; fixed when the round is opened.
 *
 * @param encoder id of the encoder, a {@link RoundNames name}; {@code none} for a round without
 * @param dim length of the vectors, at least 1; 0 exactly for a round without encoder
 * @param cosMin smallest cosine between any two members of a semantic core, in (-1,1]
 */
public record Encoding(String encoder, int dim, double cosMin) {
  /** Id that stands for: no encoder. */
  public static final String NONE = "none";

  /** Largest dimension taken. */
  public static final int MAX_DIM = 8_192;

  /** Refuses impossible values. */
  public Encoding {
    if (!RoundNames.isName(encoder)) {
      throw new IllegalArgumentException("expected the id of an encoder, got \"" + encoder + "\"");
    }
    boolean none = encoder.equals(NONE);
    if (none ? dim != 0 : dim < 1 || dim > MAX_DIM) {
      throw new IllegalArgumentException(
          "expected a dimension of 1 to " + MAX_DIM + ", or 0 without encoder, got " + dim);
    }
    if (!(cosMin > -1.0 && cosMin <= 1.0)) {
      throw new IllegalArgumentException("expected cosMin in (-1,1], got " + cosMin);
    }
  }

  /** No encoder: a round can reach a verdict commit or an abort, never a semantic commit. */
  public static Encoding none() {
    return new Encoding(NONE, 0, 1.0);
  }

  /** True if texts become vectors. */
  public boolean isPresent() {
    return dim > 0;
  }
}
