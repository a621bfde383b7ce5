package dev.parlance.control.embed;

/** What came of encoding a text. */
public sealed interface Embedding {
  /** A vector, of the length that the encoder's info says; may be zero or not finite. */
  @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
  record Encoded(float[] vector) implements Embedding {}

  /** None. */
  record Refused(EmbedFault fault, String detail) implements Embedding {}

  /** Why there is no vector. The codes are stable. */
  enum EmbedFault {
    /** There is no encoder, or it failed. */
    UNAVAILABLE("encoder_unavailable"),
    /** Too many texts wait, or the encoder is being closed: worth asking again. */
    BUSY("encoder_busy"),
    /** The text is larger than the encoder takes. */
    TOO_LARGE("text_too_large");

    private final String code;

    EmbedFault(String code) {
      this.code = code;
    }

    /** The stable name. */
    public String code() {
      return code;
    }
  }
}
