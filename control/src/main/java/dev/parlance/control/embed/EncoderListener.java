package dev.parlance.control.embed;

/** Hears what an encoder does. Called from any thread; must not block. */
public interface EncoderListener {
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
