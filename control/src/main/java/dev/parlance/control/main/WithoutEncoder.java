package dev.parlance.control.main;

import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedding;
import dev.parlance.control.embed.EncoderStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** No encoder: rounds end in verdict commits and aborts. */
final class WithoutEncoder implements Embedder {
  private static final Embedding NONE =
      new Embedding.Refused(Embedding.EmbedFault.UNAVAILABLE, "no encoder is configured");

  @Override
  public EncoderStatus status() {
    return new EncoderStatus.Off();
  }

  @Override
  public CompletionStage<Embedding> embed(String text) {
    return CompletableFuture.completedFuture(NONE);
  }

  @Override
  public CompletionStage<List<Embedding>> embed(List<String> texts) {
    return CompletableFuture.completedFuture(texts.stream().map(_ -> NONE).toList());
  }

  @Override
  public void close() {}
}
