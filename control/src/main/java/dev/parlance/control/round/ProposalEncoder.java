package dev.parlance.control.round;

import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedding;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.service.Result;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What texts mean to the encoder that a round was opened with. */
final class ProposalEncoder {
  private static final long PATIENCE_MS = 10_000;

  private final Embedder embedder;

  ProposalEncoder(Embedder embedder) {
    this.embedder = embedder;
  }

  /**
   * The meaning of a text. Where the round's encoder is not the one here (it failed, or another one
   * is installed by now) the text is unencoded: the proposal counts for the verdict and is in no
   * semantic core. An encoder that is merely busy is a reason to try again.
   */
  Result<Meaning> of(String text, RoundEntry.Opened opened) {
    if (!isRoundsEncoder(opened)) {
      return Result.done(Meaning.UNENCODED);
    }
    Embedding embedding;
    try {
      embedding =
          embedder.embed(text).toCompletableFuture().get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      return busy("the encoder has not answered in " + PATIENCE_MS + " ms");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return busy("interrupted");
    } catch (ExecutionException e) {
      throw new IllegalStateException("an encoder failed instead of saying so", e);
    }
    return switch (embedding) {
      case Embedding.Encoded(float[] vector) ->
          Result.done(
              QuantVector.of(doubles(vector), opened.encoding().dim())
                  .<Meaning>map(Meaning.Vector::new)
                  .orElse(Meaning.MALFORMED));
      case Embedding.Refused(Embedding.EmbedFault fault, String detail) ->
          switch (fault) {
            case UNAVAILABLE, TOO_LARGE -> Result.done(Meaning.UNENCODED);
            case BUSY -> busy(detail);
          };
    };
  }

  private boolean isRoundsEncoder(RoundEntry.Opened opened) {
    return opened.encoderSha256().isPresent()
        && embedder.status() instanceof EncoderStatus.Ready(EncoderInfo info)
        && Optional.of(info.manifestSha256()).equals(opened.encoderSha256());
  }

  private static Result<Meaning> busy(String detail) {
    return Result.refused(Result.Kind.UNAVAILABLE, "encoder_unavailable", detail);
  }

  private static double[] doubles(float[] vector) {
    double[] doubles = new double[vector.length];
    for (int i = 0; i < vector.length; i++) {
      doubles[i] = vector[i];
    }
    return doubles;
  }
}
