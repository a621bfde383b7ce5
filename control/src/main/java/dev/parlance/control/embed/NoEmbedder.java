package dev.parlance.control.embed;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * No encoder: none is configured, or the one that is cannot be used.
 *
 * @param status which of both
 */
record NoEmbedder(EncoderStatus status, EncoderListener listener) implements Embedder {
  @Override
  public CompletionStage<Embedding> embed(String text) {
    return CompletableFuture.completedStage(refused());
  }

  @Override
  public CompletionStage<List<Embedding>> embed(List<String> texts) {
    return CompletableFuture.completedStage(texts.stream().map(_ -> refused()).toList());
  }

  private Embedding refused() {
    listener.refused(Embedding.EmbedFault.UNAVAILABLE);
    return new Embedding.Refused(
        Embedding.EmbedFault.UNAVAILABLE,
        switch (status) {
          case EncoderStatus.Failed failed -> "the encoder failed: " + failed.detail();
          case EncoderStatus.Off() -> "there is no encoder";
          case EncoderStatus.Ready _ -> "there is no encoder";
        });
  }

  @Override
  public void close() {}
}
