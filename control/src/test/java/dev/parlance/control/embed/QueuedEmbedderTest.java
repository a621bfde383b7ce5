package dev.parlance.control.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.Embedder.Embedding.EmbedFault;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.control.embed.QueuedEmbedder.RowModel;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.onnx.TextInput.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class QueuedEmbedderTest {
  private static final EncoderInfo INFO =
      new EncoderInfo("x", "00", 1, 512, Optional.empty(), Optional.empty());

  /** A model whose vector is the text's length, which can be held up and broken. */
  private static final class FakeModel implements RowModel {
    final ConcurrentLinkedQueue<Integer> runs = new ConcurrentLinkedQueue<>();
    final AtomicBoolean isBroken = new AtomicBoolean();
    final AtomicBoolean isClosed = new AtomicBoolean();
    final AtomicInteger atWork = new AtomicInteger();
    volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    public Row read(String text) {
      if (text.equals("unreadable")) {
        throw new IllegalStateException("a text that breaks the tokenizer");
      }
      return Row.ofTokens(new long[text.length()], new long[text.length()]);
    }

    @Override
    public int filledLength(Row row) {
      return (row.length() + 15) / 16 * 16;
    }

    @Override
    public int mostRows(int filledLength) {
      return 4;
    }

    @Override
    public List<float[]> run(List<Row> rows) throws ModelProblem {
      assertThat(isClosed).isFalse();
      atWork.incrementAndGet();
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        atWork.decrementAndGet();
      }
      runs.add(rows.size());
      if (isBroken.get() || rows.stream().anyMatch(row -> row.length() == 13)) {
        throw new ModelProblem(ModelFault.BAD_MODEL, "13 tokens");
      }
      return rows.stream().map(row -> new float[] {row.length()}).toList();
    }

    @Override
    public boolean stillWorks() {
      return !isBroken.get();
    }

    @Override
    public void close() {
      isClosed.set(true);
    }
  }

  private final FakeModel model = new FakeModel();
  private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();

  private QueuedEmbedder start(int threads, int queue) {
    return QueuedEmbedder.start(
        model,
        INFO,
        threads,
        queue,
        new EncoderListener() {
          @Override
          public void encoded(int texts, long tookNs) {
            heard.add("encoded " + texts);
          }

          @Override
          public void refused(EmbedFault fault) {
            heard.add(fault.code());
          }
        });
  }

  private static Embedding get(CompletionStage<Embedding> stage) {
    return stage.toCompletableFuture().join();
  }

  private static float vector(Embedding embedding) {
    assertThat(embedding).isInstanceOf(Embedding.Encoded.class);
    return ((Embedding.Encoded) embedding).vector()[0];
  }

  private static void refused(Embedding embedding, EmbedFault fault) {
    assertThat(embedding)
        .isInstanceOfSatisfying(
            Embedding.Refused.class, refused -> assertThat(refused.fault()).isEqualTo(fault));
  }

  @Test
  void texts_areGivenBackInOrder_oneByOneAndTogether() {
    try (QueuedEmbedder embedder = start(2, 100)) {
      assertThat(vector(get(embedder.embed("abc")))).isEqualTo(3.0f);
      List<String> texts = IntStream.range(14, 80).mapToObj("x"::repeat).toList();
      List<Embedding> all = embedder.embed(texts).toCompletableFuture().join();
      assertThat(all.stream().map(each -> (int) vector(each)))
          .containsExactlyElementsOf(IntStream.range(14, 80).boxed().toList());
      assertThat(embedder.embed(List.of()).toCompletableFuture().join()).isEmpty();
    }
  }

  @Test
  void whatWaits_isBounded_andIsRunTogetherByLength() {
    model.gate = new CountDownLatch(1);
    try (QueuedEmbedder embedder = start(1, 8)) {
      CompletionStage<Embedding> atWork = embedder.embed("first");
      await().until(() -> model.atWork.get() == 1);
      List<CompletionStage<Embedding>> waiting = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        waiting.add(embedder.embed("x".repeat(i < 5 ? 3 : 20)));
      }
      assertThat(embedder.waiting()).isEqualTo(8);
      refused(get(embedder.embed("one too many")), EmbedFault.BUSY);
      assertThat(embedder.embed(List.of("a", "b")).toCompletableFuture().join())
          .allSatisfy(each -> refused(each, EmbedFault.BUSY));
      model.gate.countDown();
      assertThat(vector(get(atWork))).isEqualTo(5.0f);
      for (int i = 0; i < 8; i++) {
        assertThat(vector(get(waiting.get(i)))).isEqualTo(i < 5 ? 3.0f : 20.0f);
      }
      // Five of one length, at most four together; three of the other.
      assertThat(model.runs).containsExactly(1, 4, 1, 3);
      assertThat(heard)
          .containsExactlyInAnyOrder(
              "encoded 1",
              "encoder_busy",
              "encoder_busy",
              "encoder_busy",
              "encoded 4",
              "encoded 1",
              "encoded 3");
    }
  }

  @Test
  void textThatCannotBeRun_isRefused_andTheOthersOfItsRunAreNot() {
    model.gate = new CountDownLatch(1);
    try (QueuedEmbedder embedder = start(1, 8)) {
      CompletionStage<Embedding> atWork = embedder.embed("first");
      await().until(() -> model.atWork.get() == 1);
      CompletionStage<List<Embedding>> together =
          embedder.embed(List.of("abc", "x".repeat(13), "unreadable", "abcd"));
      model.gate.countDown();
      List<Embedding> all = together.toCompletableFuture().join();
      assertThat(vector(get(atWork))).isEqualTo(5.0f);
      assertThat(vector(all.get(0))).isEqualTo(3.0f);
      refused(all.get(1), EmbedFault.UNAVAILABLE);
      refused(all.get(2), EmbedFault.UNAVAILABLE);
      assertThat(vector(all.get(3))).isEqualTo(4.0f);
      assertThat(embedder.status()).isEqualTo(new EncoderStatus.Ready(INFO));
      assertThat(vector(get(embedder.embed("abc")))).isEqualTo(3.0f);
    }
  }

  @Test
  void modelThatFailsOnWhatItCouldDoAtFirst_isFailed_andStaysSo() {
    try (QueuedEmbedder embedder = start(1, 8)) {
      assertThat(vector(get(embedder.embed("abc")))).isEqualTo(3.0f);
      model.isBroken.set(true);
      refused(get(embedder.embed("abc")), EmbedFault.UNAVAILABLE);
      await().until(() -> embedder.status() instanceof EncoderStatus.Failed);
      assertThat(embedder.status())
          .isEqualTo(
              new EncoderStatus.Failed(
                  ModelFault.BAD_MODEL, "the model cannot be run any more: 13 tokens"));
      model.isBroken.set(false);
      refused(get(embedder.embed("abc")), EmbedFault.UNAVAILABLE);
    }
  }

  @Test
  void textLongerThanAnyRationale_isRefused() {
    try (QueuedEmbedder embedder = start(1, 8)) {
      refused(get(embedder.embed("x".repeat(65_537))), EmbedFault.TOO_LARGE);
      assertThat(vector(get(embedder.embed("x".repeat(65_536))))).isEqualTo(65_536.0f);
    }
  }

  @Test
  void closing_finishesWhatRuns_refusesWhatWaits_andWhatComesLater() {
    model.gate = new CountDownLatch(1);
    QueuedEmbedder embedder = start(1, 8);
    CompletionStage<Embedding> atWork = embedder.embed("first");
    await().until(() -> model.atWork.get() == 1);
    CompletionStage<Embedding> waiting = embedder.embed("waiting");
    embedder.close();
    assertThat(vector(get(atWork))).isEqualTo(5.0f);
    // Busy, not unavailable: another replica has the same encoder, and the text is to be asked
    // again.
    refused(get(waiting), EmbedFault.BUSY);
    refused(get(embedder.embed("later")), EmbedFault.BUSY);
    assertThat(model.isClosed).isTrue();
    embedder.close(); // again, without harm
  }

  /** However closing and asking fall together, every text gets an answer. */
  @Test
  void closingAmidstTexts_leavesNoneWithoutAnswer() {
    for (int round = 0; round < 50; round++) {
      FakeModel other = new FakeModel();
      QueuedEmbedder embedder = QueuedEmbedder.start(other, INFO, 2, 64, EncoderListener.NONE);
      List<CompletableFuture<Embedding>> all = new ArrayList<>();
      CountDownLatch some = new CountDownLatch(1 + round % 20);
      Thread asking =
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; i < 200; i++) {
                  all.add(embedder.embed("x".repeat(1 + i % 12)).toCompletableFuture());
                  some.countDown();
                }
              });
      await().until(() -> some.getCount() == 0);
      embedder.close();
      await().until(() -> !asking.isAlive());
      assertThat(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)))
          .succeedsWithin(java.time.Duration.ofSeconds(60));
    }
  }

  @Test
  void slowFollowers_doNotHoldUpTheQueue() {
    CountDownLatch never = new CountDownLatch(1);
    // what follows an embedding that is there already runs in this thread, and would wait for
    // itself
    CountDownLatch followed = new CountDownLatch(1);
    model.gate = followed;
    try (QueuedEmbedder embedder = start(1, 8)) {
      CompletionStage<Void> stuck =
          embedder
              .embed("abc")
              .thenAccept(_ -> {
                try {
                  never.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      followed.countDown();
      assertThat(vector(get(embedder.embed("abcd")))).isEqualTo(4.0f);
      never.countDown();
      stuck.toCompletableFuture().join();
    }
  }
}
