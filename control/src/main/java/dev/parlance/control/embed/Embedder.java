package dev.parlance.control.embed;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * An encoder of texts. For any number of threads; bounded in threads, memory and waiting texts.
 *
 * <p>The same text gives the same vector to the last bit on one machine, alone or in a batch;
 * across machines vectors may differ in the last digits, which is why rounds compare and sign
 * quantised ones that the ledger keeps.
 */
public interface Embedder extends AutoCloseable {
  /** Where it stands; changes from ready to failed at most. */
  EncoderStatus status();

  /** Encodes a text; completes soon, and never exceptionally. */
  CompletionStage<Embedding> embed(String text);

  /** Encodes texts, in order; the same as one after the other, but sooner. */
  CompletionStage<List<Embedding>> embed(List<String> texts);

  @Override
  void close();

  /** Hears what an encoder does. Called from any thread; must not block. */
  interface EncoderListener {
    /** Hears nothing. */
    EncoderListener NONE =
        new EncoderListener() {
          @Override
          public void encoded(int texts, long tookNs) {}

          @Override
          public void refused(Embedding.EmbedFault fault) {}
        };

    /** Texts were encoded together in that time. */
    void encoded(int texts, long tookNs);

    /** A text got no vector. */
    void refused(Embedding.EmbedFault fault);
  }

  /** What came of encoding a text. */
  sealed interface Embedding {
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
}
