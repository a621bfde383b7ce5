package dev.parlance.control.embed;

import dev.parlance.control.embed.Embedder.Embedding;
import dev.parlance.control.embed.Embedder.Embedding.EmbedFault;
import dev.parlance.control.embed.Embedder.EncoderListener;
import dev.parlance.control.embed.EncoderStatus.EncoderInfo;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.onnx.TextInput.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes on its own threads. Texts wait in one bounded queue; a thread that comes free takes its
 * share of what waits and runs texts of about the same length together.
 *
 * <p>A text that the model cannot be run on gets no vector and changes nothing for the others. Then
 * the model is tried on the sentence that it was tried on at first: only if that fails too is the
 * encoder {@link EncoderStatus.Failed}, so no text can switch it off.
 */
final class QueuedEmbedder implements Embedder {
  /** Longest text, in UTF-16 units: twice the longest rationale of a round. */
  static final int MAX_CHARS = 65_536;

  private static final Logger log = LoggerFactory.getLogger(QueuedEmbedder.class);
  private static final int MOST_TAKEN = 32;
  private static final int CLOSE_MS = 30_000;

  private record Waiting(String text, CompletableFuture<Embedding> result) {}

  private record Read(Waiting waiting, Row row) {}

  private final RowModel model;
  private final EncoderListener listener;
  private final BlockingQueue<Waiting> queue;
  private final List<Thread> threads = new ArrayList<>();
  private final int threadCount;
  private volatile EncoderStatus status;
  private volatile boolean closed;

  private QueuedEmbedder(
      RowModel model, EncoderInfo info, int threadCount, int queueSize, EncoderListener listener) {
    this.model = model;
    this.listener = listener;
    this.threadCount = threadCount;
    queue = new ArrayBlockingQueue<>(queueSize);
    status = new EncoderStatus.Ready(info);
  }

  /**
   * Starts the threads.
   *
   * @param model is closed with the encoder
   * @param queueSize most texts that wait
   */
  static QueuedEmbedder start(
      RowModel model, EncoderInfo info, int threadCount, int queueSize, EncoderListener listener) {
    QueuedEmbedder embedder = new QueuedEmbedder(model, info, threadCount, queueSize, listener);
    for (int i = 1; i <= threadCount; i++) {
      embedder.threads.add(Thread.ofPlatform().daemon().name("encoder-" + i).start(embedder::work));
    }
    return embedder;
  }

  @Override
  public EncoderStatus status() {
    return status;
  }

  @Override
  public CompletionStage<Embedding> embed(String text) {
    return submit(text).minimalCompletionStage();
  }

  @Override
  public CompletionStage<List<Embedding>> embed(List<String> texts) {
    List<CompletableFuture<Embedding>> all = texts.stream().map(this::submit).toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(_ -> all.stream().map(CompletableFuture::join).toList())
        .minimalCompletionStage();
  }

  private CompletableFuture<Embedding> submit(String text) {
    if (!(status instanceof EncoderStatus.Ready)) {
      return CompletableFuture.completedFuture(
          refused(EmbedFault.UNAVAILABLE, "the encoder has failed"));
    }
    if (closed) {
      return CompletableFuture.completedFuture(closing());
    }
    if (text.length() > MAX_CHARS) {
      return CompletableFuture.completedFuture(
          refused(
              EmbedFault.TOO_LARGE,
              "the text has " + text.length() + " characters, more than " + MAX_CHARS));
    }
    Waiting waiting = new Waiting(text, new CompletableFuture<>());
    if (!queue.offer(waiting)) {
      return CompletableFuture.completedFuture(
          refused(EmbedFault.BUSY, "as many texts wait as may wait"));
    }
    if (closed) {
      refuseWaiting(); // closing may have looked at the queue before this text was in it
    }
    return waiting.result;
  }

  private Embedding refused(EmbedFault fault, String detail) {
    listener.refused(fault);
    return new Embedding.Refused(fault, detail);
  }

  /** How many texts wait. */
  int waiting() {
    return queue.size();
  }

  private void work() {
    List<Waiting> taken = new ArrayList<>();
    while (!closed) {
      try {
        taken.add(queue.take());
      } catch (InterruptedException _) {
        continue; // closing
      }
      queue.drainTo(taken, Math.min(MOST_TAKEN - 1, queue.size() / threadCount));
      encode(taken);
      taken.clear();
    }
  }

  private void encode(List<Waiting> taken) {
    TreeMap<Integer, List<Read>> byLength = new TreeMap<>();
    for (Waiting waiting : taken) {
      try {
        Row row = model.read(waiting.text);
        byLength
            .computeIfAbsent(model.filledLength(row), _ -> new ArrayList<>())
            .add(new Read(waiting, row));
      } catch (RuntimeException | Error e) {
        failed(waiting, e);
      }
    }
    byLength.forEach((length, reads) -> {
      int most = model.mostRows(length);
      for (int from = 0; from < reads.size(); from += most) {
        run(reads.subList(from, Math.min(reads.size(), from + most)));
      }
    });
  }

  private void run(List<Read> reads) {
    if (!(status instanceof EncoderStatus.Ready)) {
      reads.forEach(read ->
          complete(read.waiting, refused(EmbedFault.UNAVAILABLE, "the encoder has failed")));
      return;
    }
    List<float[]> vectors;
    try {
      long began = System.nanoTime();
      vectors = model.run(reads.stream().map(Read::row).toList());
      listener.encoded(reads.size(), System.nanoTime() - began);
    } catch (ModelProblem | RuntimeException | Error e) {
      if (reads.size() == 1) {
        failed(reads.getFirst().waiting, e);
      } else {
        reads.forEach(read -> run(List.of(read))); // one of them; the others are to have a vector
      }
      return;
    }
    for (int i = 0; i < reads.size(); i++) {
      complete(reads.get(i).waiting, new Embedding.Encoded(vectors.get(i)));
    }
  }

  private void failed(Waiting waiting, Throwable why) {
    log.atWarn().setCause(why).log("a text could not be encoded");
    complete(waiting, refused(EmbedFault.UNAVAILABLE, "the model could not be run on this text"));
    if (status instanceof EncoderStatus.Ready && !closed && !model.stillWorks()) {
      status =
          new EncoderStatus.Failed(
              ModelFault.BAD_MODEL,
              "the model cannot be run any more: " + String.valueOf(why.getMessage()));
      log.atError().log("the encoder has failed; rounds go on without semantic commits");
    }
  }

  /** Completes on another thread: what follows may take its time without holding up the queue. */
  private static void complete(Waiting waiting, Embedding embedding) {
    Thread.startVirtualThread(() -> waiting.result.complete(embedding));
  }

  private void refuseWaiting() {
    Collection<Waiting> left = new ArrayList<>();
    queue.drainTo(left);
    left.forEach(waiting -> complete(waiting, closing()));
  }

  /** Nothing is wrong with the encoder: asking again, where one runs, gives the vector. */
  private Embedding closing() {
    return refused(EmbedFault.BUSY, "the encoder is being closed");
  }

  /** What runs is finished, what waits is refused. */
  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
    refuseWaiting();
    boolean isOver = true;
    for (Thread thread : threads) {
      isOver &= isOver(thread);
    }
    if (isOver) {
      model.close();
    } else {
      log.atWarn().log("the encoder is still at work and is left to the end of the process");
    }
  }

  private static boolean isOver(Thread thread) {
    try {
      return thread.join(java.time.Duration.ofMillis(CLOSE_MS));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** A loaded model with its input. For any number of threads, until it is closed. */
  interface RowModel extends AutoCloseable {
    /** A text's row; what is too long is cut. */
    Row read(String text);

    /**
     * The length that a row is filled up to, whether it runs alone or with others: rows run
     * together only if they have the same.
     */
    int filledLength(Row row);

    /** Most rows of this length that run together, at least 1. */
    int mostRows(int filledLength);

    /**
     * The vectors of rows, in order.
     *
     * @param rows of the same filled length, at least one and at most {@link #mostRows}
     * @throws ModelProblem if the runtime refuses
     */
    List<float[]> run(List<Row> rows) throws ModelProblem;

    /** True if it still gives the vector that it gave when it was loaded. */
    boolean stillWorks();

    @Override
    void close();
  }
}
