package dev.parlance.control.round;

import dev.parlance.control.config.RoundsSettings.ReaderSettings;
import dev.parlance.onnx.EntailmentModel;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.onnx.PairClassifier;
import dev.parlance.policy.signal.EntailmentScores;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads two rationales and says whether they say the same: a classifier of entailment, asked both
 * ways. It runs on a thread of its own behind a bounded queue, one pair at a time, and reads a
 * bounded number of tokens; whoever waits has a word when its time is over. For any thread.
 */
public final class PairReader implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PairReader.class);
  private static final int QUEUE = 256;
  private static final long CLOSE_MS = 15_000;

  private final PairClassifier classifier;
  private final String manifestSha256;
  private final ReaderSettings settings;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.MILLISECONDS,
          new ArrayBlockingQueue<>(QUEUE),
          Thread.ofPlatform().daemon().name("pair-reader").factory());

  /** What it says of two texts. */
  enum Reading {
    /** Each follows from the other. */
    SAME,
    /** One of them contradicts the other. */
    CONTRADICTED,
    /** Neither, or one is too long for it. */
    OPEN,
    /** Its time was over, or too many pairs waited. */
    LATE,
    /** It failed. */
    BROKEN
  }

  /**
   * @param classifier is closed with the reader
   * @param manifestSha256 hex SHA-256 of its manifest, which binds every file of it
   */
  PairReader(PairClassifier classifier, String manifestSha256, ReaderSettings settings) {
    this.classifier = classifier;
    this.manifestSha256 = manifestSha256;
    this.settings = settings;
  }

  /**
   * The reader of a folder, loaded and tried.
   *
   * @throws IOException if it cannot be used: rounds without a veto that is configured are none
   *     that anybody has asked for
   */
  public static PairReader open(ReaderSettings settings) throws IOException {
    try {
      EntailmentModel model = EntailmentModel.load(settings.dir());
      log.atInfo()
          .addKeyValue("reader", model.id())
          .addKeyValue("manifest", model.manifestSha256())
          .log("the reader of pairs is ready");
      return new PairReader(model, model.manifestSha256(), settings);
    } catch (ModelProblem e) {
      throw new IOException("rounds.reader: " + e.fault().code() + ": " + e.detail(), e);
    }
  }

  /** Hex SHA-256 of its manifest. */
  String manifestSha256() {
    return manifestSha256;
  }

  /** Until when pairs that are asked about from now on are waited for, by {@code nanoTime}. */
  long patienceFrom(long nowNs) {
    return nowNs + TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs());
  }

  /** What it says of two texts, in either order. Waits. */
  Reading read(String one, String other, long untilNs) {
    boolean isInOrder = one.compareTo(other) <= 0;
    String first = isInOrder ? one : other;
    String second = isInOrder ? other : one;
    Future<Reading> reading;
    try {
      reading = thread.submit(() -> ask(first, second));
    } catch (RejectedExecutionException _) {
      return Reading.LATE;
    }
    try {
      return reading.get(Math.max(0, untilNs - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      reading.cancel(false); // what was not begun is left out
      return Reading.LATE;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      reading.cancel(false);
      return Reading.LATE;
    } catch (ExecutionException e) {
      log.atWarn().setCause(e.getCause()).log("the reader of pairs failed on two texts");
      return Reading.BROKEN;
    }
  }

  private Reading ask(String first, String second) throws ModelProblem {
    Optional<EntailmentScores> forth = classifier.classify(first, second);
    Optional<EntailmentScores> back = classifier.classify(second, first);
    if (forth.isEmpty() || back.isEmpty()) {
      return Reading.OPEN;
    }
    double certain = settings.certainFrom();
    if (Math.max(forth.get().contradiction(), back.get().contradiction()) >= certain) {
      return Reading.CONTRADICTED;
    }
    return Math.min(forth.get().entailment(), back.get().entailment()) >= certain
        ? Reading.SAME
        : Reading.OPEN;
  }

  /** What runs is finished, what waits is left out. */
  @Override
  public void close() {
    thread
        .shutdownNow()
        .forEach(left -> {
          if (left instanceof Future<?> pair) {
            pair.cancel(false);
          }
        });
    try {
      if (thread.awaitTermination(CLOSE_MS, TimeUnit.MILLISECONDS)) {
        classifier.close();
        return;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    log.atWarn().log("the reader of pairs is still at work and is left to the end");
  }
}
