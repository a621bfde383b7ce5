package dev.parlance.policy.commit;

/** What a proposal's text means to the round's encoder. */
public sealed interface Meaning {
  /** A quantised vector. */
  record Vector(QuantVector vector) implements Meaning {}

  /** The encoder gave no usable vector: wrong length, not finite, or as good as zero. */
  record Malformed() implements Meaning {}

  /**
   * There was no encoder to ask. The proposal counts for its verdict and is never in a semantic
   * core.
   */
  record Unencoded() implements Meaning {}

  /** The one {@link Malformed}. */
  Meaning MALFORMED = new Malformed();

  /** The one {@link Unencoded}. */
  Meaning UNENCODED = new Unencoded();

  /** Stable code of the kind. */
  default String code() {
    return switch (this) {
      case Vector _ -> "vector";
      case Malformed _ -> "malformed";
      case Unencoded _ -> "unencoded";
    };
  }
}
