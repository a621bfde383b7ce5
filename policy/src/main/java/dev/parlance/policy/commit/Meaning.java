package dev.parlance.policy.commit;

/** The meaning of a proposal's text, as the round's encoder has it. */
public sealed interface Meaning {
  /** Stable code of the kind. */
  String code();

  /** A quantised vector. */
  record Vector(QuantVector vector) implements Meaning {
    @Override
    public String code() {
      return "vector";
    }
  }

  /** The encoder gave no usable vector: wrong length, not finite, or as good as zero. */
  record Malformed() implements Meaning {
    @Override
    public String code() {
      return "malformed";
    }
  }

  /**
   * There was no encoder to ask. The proposal counts for its verdict and is never in a semantic
   * core.
   */
  record Unencoded() implements Meaning {
    @Override
    public String code() {
      return "unencoded";
    }
  }

  /** The one {@link Malformed}. */
  Meaning MALFORMED = new Malformed();

  /** The one {@link Unencoded}. */
  Meaning UNENCODED = new Unencoded();
}
