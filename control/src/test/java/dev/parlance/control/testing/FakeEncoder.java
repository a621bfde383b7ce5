package dev.parlance.control.testing;

import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.ledger.record.Digest;
import dev.parlance.onnx.ModelFault;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An encoder whose texts say where they point: {@code "12 whatever"} is 12 degrees away from {@code
 * "0 whatever"}; {@code "nan ..."} and {@code "zero ..."} are no vectors.
 */
public final class FakeEncoder implements Embedder {
  /** Length of its vectors. */
  public static final int DIM = 4;

  /** What it calls the same: 8 degrees. */
  public static final double COS_MIN = Math.cos(Math.toRadians(8));

  private final String id;
  private volatile double offset;
  private volatile boolean failed;
  private volatile boolean busy;

  /** How many texts it was given. */
  public final AtomicInteger texts = new AtomicInteger();

  /** An encoder that works. */
  public FakeEncoder() {
    this("fake-1");
  }

  /** One with another name, and so another manifest. */
  public FakeEncoder(String id) {
    this.id = id;
  }

  /** Turns every vector by so many radians, as another machine's rounding does. */
  public FakeEncoder with(double radians) {
    offset = radians;
    return this;
  }

  /** Fails from now on. */
  public void fail() {
    failed = true;
  }

  /** Has too much to do, or not any more. */
  public void busy(boolean isBusy) {
    busy = isBusy;
  }

  @Override
  public EncoderStatus status() {
    return failed
        ? new EncoderStatus.Failed(ModelFault.BAD_MODEL, "it broke")
        : new EncoderStatus.Ready(
            new EncoderInfo(
                id,
                Digest.of("manifest of " + id),
                DIM,
                512,
                Optional.of(COS_MIN),
                Optional.empty()));
  }

  @Override
  public CompletionStage<Embedding> embed(String text) {
    return CompletableFuture.completedFuture(encode(text));
  }

  @Override
  public CompletionStage<List<Embedding>> embed(List<String> all) {
    return CompletableFuture.completedFuture(all.stream().map(this::encode).toList());
  }

  private Embedding encode(String text) {
    texts.incrementAndGet();
    if (failed) {
      return new Embedding.Refused(Embedding.EmbedFault.UNAVAILABLE, "it broke");
    }
    if (busy) {
      return new Embedding.Refused(Embedding.EmbedFault.BUSY, "too many texts wait");
    }
    String first = text.split(" ", 2)[0];
    return new Embedding.Encoded(
        switch (first) {
          case "nan" -> new float[] {Float.NaN, 0, 0, 0};
          case "zero" -> new float[DIM];
          case "short" -> new float[] {1};
          default -> at(Math.toRadians(Double.parseDouble(first)) + offset);
        });
  }

  private static float[] at(double angle) {
    return new float[] {(float) Math.cos(angle), (float) Math.sin(angle), 0, 0};
  }

  @Override
  public void close() {}
}
