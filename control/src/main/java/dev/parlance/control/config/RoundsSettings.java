package dev.parlance.control.config;

import dev.parlance.ledger.record.RoundEntry.SignatureRule;
import dev.parlance.policy.commit.RoundSpec.Agreement;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How rounds are held.
 *
 * @param encoder what turns texts into vectors
 * @param encoderThreads threads that encode, 1 to 64
 * @param encoderQueue most texts that wait for the encoder, 1 to 65,536; what comes on top is
 *     refused with {@code encoder_busy}
 * @param defaultDeadlineMs how long proposals are taken where a round does not say, 100 to
 *     86,400,000
 * @param maxOpenRounds most rounds that have not ended, over all replicas, 1 to 100,000
 * @param textRetentionDays how long the texts of a round are kept after its end, 0 to 3,650; 0:
 *     they go with the end. Digests, verdicts and vectors are on the ledger for good
 * @param agreement what makes two members of a round mean the same where an opening does not say
 * @param signatures whether members sign what they propose and the outcome where an opening does
 *     not say
 * @param reader what is asked about texts that the comparison holds to say the same, or cannot
 *     compare
 */
public record RoundsSettings(
    EncoderChoice encoder,
    int encoderThreads,
    int encoderQueue,
    int defaultDeadlineMs,
    int maxOpenRounds,
    int textRetentionDays,
    Agreement agreement,
    SignatureRule signatures,
    Optional<ReaderSettings> reader) {
  /** What holds where the file says nothing. */
  public static final RoundsSettings DEFAULT =
      ControlConfigLoader.defaults("rounds", RoundsSettings.class);

  /** The same with another encoder. */
  public RoundsSettings withEncoder(EncoderChoice other) {
    return new RoundsSettings(
        other,
        encoderThreads,
        encoderQueue,
        defaultDeadlineMs,
        maxOpenRounds,
        textRetentionDays,
        agreement,
        signatures,
        reader);
  }

  /**
   * A classifier of entailment that reads the texts of a round two by two.
   *
   * @param dir its folder, absolute
   * @param timeoutMs longest that a proposal or the end of a round waits for it, 1 to 60,000
   * @param certainFrom likelihood from which its word counts, above .5 and up to 1
   */
  public record ReaderSettings(Path dir, int timeoutMs, double certainFrom) {
    /** Refuses impossible values. */
    public ReaderSettings {
      if (timeoutMs < 1 || timeoutMs > 60_000 || !(certainFrom > 0.5 && certainFrom <= 1)) {
        throw new IllegalArgumentException(
            "expected timeoutMs in 1..60000 and certainFrom above 0.5 and up to 1");
      }
    }
  }

  /** Which encoder turns the texts of rounds into vectors. */
  public sealed interface EncoderChoice {
    /** The small one that comes with Parlance. */
    record BuiltIn() implements EncoderChoice {}

    /** None: rounds end in verdict commits or aborts, never in semantic commits. */
    record Off() implements EncoderChoice {}

    /**
     * One from a folder.
     *
     * @param dir folder with {@code manifest.json}, {@code model.onnx} and what else the manifest
     *     names
     */
    record Folder(Path dir) implements EncoderChoice {}

    /**
     * all-MiniLM-L6-v2, of which Parlance knows the digests and does not bring the files in every
     * form it comes in.
     *
     * @param dir folder with {@code model.onnx} and {@code tokenizer.json}
     */
    record MiniLm(Path dir) implements EncoderChoice {
      /** Names the folder in which encoders are looked for; set by what starts Parlance. */
      public static final String FOLDER_PROPERTY = "parlance.models";

      /** Where an image, an archive or a checkout has it. */
      public static MiniLm installed() {
        return new MiniLm(
            Path.of(System.getProperty(FOLDER_PROPERTY, "models")).resolve("all-minilm-l6-v2"));
      }
    }
  }
}
