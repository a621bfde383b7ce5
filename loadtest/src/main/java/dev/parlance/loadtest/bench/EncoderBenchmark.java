package dev.parlance.loadtest.bench;

import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.embed.Embedder;
import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.control.embed.Embedders;
import dev.parlance.control.embed.EncoderStatus;
import dev.parlance.loadtest.load.LicenseText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** How long a caller waits for the vector of a text, alone and among 64 callers. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EncoderBenchmark {
  private static final int QUEUE = 4_096;

  /** The encoder's folder; empty: the one that comes with Parlance. */
  @Param("")
  String dir = "";

  /** Length of the texts. */
  @Param({"40", "150", "600", "2400"})
  int characters;

  private final AtomicInteger next = new AtomicInteger();
  private List<String> texts = List.of();

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private Embedder embedder;

  /** Loads the encoder, and makes texts of the license of which none is there twice. */
  @Setup
  public void setUp() {
    EncoderChoice choice =
        dir.isEmpty() ? new EncoderChoice.BuiltIn() : new EncoderChoice.Folder(Path.of(dir));
    embedder =
        Embedders.open(
            choice,
            1,
            QUEUE,
            new EncoderListener() {
              @Override
              public void encoded(int count, long tookNs) {}

              @Override
              public void refused(Embedding.EmbedFault fault) {
                throw new IllegalStateException("refused: " + fault);
              }
            });
    if (!(embedder.status() instanceof EncoderStatus.Ready)) {
      throw new IllegalStateException(embedder.status().toString());
    }
    List<String> sentences = LicenseText.sentences();
    texts = new ArrayList<>();
    for (int from = 0; from < sentences.size(); from++) {
      StringBuilder text = new StringBuilder();
      for (int i = from; text.length() < characters; i++) {
        text.append(sentences.get(i % sentences.size())).append(' ');
      }
      texts.add(text.substring(0, characters));
    }
  }

  /** Unloads it. */
  @TearDown
  public void tearDown() {
    embedder.close();
  }

  /** One text after the other. */
  @Benchmark
  public Embedding alone() {
    return embed();
  }

  /** Many at once, which are encoded together. */
  @Benchmark
  @Threads(64)
  public Embedding together() {
    return embed();
  }

  private Embedding embed() {
    String text = texts.get(Math.floorMod(next.getAndIncrement(), texts.size()));
    return embedder.embed(text).toCompletableFuture().join();
  }
}
