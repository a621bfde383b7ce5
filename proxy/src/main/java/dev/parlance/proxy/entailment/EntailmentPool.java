package dev.parlance.proxy.entailment;

import dev.parlance.onnx.EntailmentModel;
import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.policy.signal.EntailmentRules;
import dev.parlance.policy.signal.EntailmentRules.Cause;
import dev.parlance.policy.signal.EntailmentRules.Question;
import dev.parlance.policy.signal.EntailmentRules.Reply;
import dev.parlance.policy.signal.EntailmentScores;
import dev.parlance.proxy.config.EntailmentSettings;
import dev.parlance.proxy.gate.SecondStage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a classifier on a few threads, behind a bounded queue. Whoever waits has a reply when {@code
 * timeoutMs} is over, at the latest: what was not begun by then is left out, and what runs ends by
 * itself, because a model reads a bounded number of tokens.
 */
public final class EntailmentPool implements SecondStage, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EntailmentPool.class);
  private static final long LINE_EVERY_NS = 60_000_000_000L;
  private static final long CLOSE_MS = 15_000;

  /** A loaded classifier, for any number of threads. */
  public interface Classifier extends AutoCloseable {
    /**
     * Whether a claim follows from evidence.
     *
     * @return empty if the claim is too long for it
     * @throws ModelProblem if it cannot say
     */
    Optional<EntailmentScores> classify(String evidence, String claim) throws ModelProblem;

    @Override
    void close();
  }

  /** Is told what came of asking. */
  public interface Listener {
    /**
     * A message has its reply.
     *
     * @param outcome {@code answered}, or the code of a {@link Cause}
     */
    void asked(String outcome, long tookNs);
  }

  private final Classifier classifier;
  private final EntailmentSettings settings;
  private final Listener listener;
  private final ThreadPoolExecutor threads;
  private final AtomicLong nextLineNs = new AtomicLong(System.nanoTime());

  /**
   * Starts the threads.
   *
   * @param classifier is closed with the pool
   */
  public EntailmentPool(Classifier classifier, EntailmentSettings settings, Listener listener) {
    this.classifier = classifier;
    this.settings = settings;
    this.listener = listener;
    threads =
        new ThreadPoolExecutor(
            settings.threads(),
            settings.threads(),
            0,
            TimeUnit.MILLISECONDS,
            new ArrayBlockingQueue<>(settings.queue()),
            Thread.ofPlatform().daemon().name("entailment-", 1).factory());
  }

  /**
   * Loads the classifier of a folder.
   *
   * @throws ModelProblem if it cannot be used
   */
  public static Classifier load(Path dir) throws ModelProblem {
    try {
      return new OnnxClassifier(EntailmentModel.load(dir));
    } catch (LinkageError e) {
      throw new ModelProblem(ModelFault.NO_RUNTIME, "ONNX Runtime is not on the class path: " + e);
    }
  }

  private record OnnxClassifier(EntailmentModel model) implements Classifier {
    @Override
    public Optional<EntailmentScores> classify(String evidence, String claim) throws ModelProblem {
      return model.classify(evidence, claim);
    }

    @Override
    public void close() {
      model.close();
    }
  }

  @Override
  public EntailmentRules rules() {
    return settings.rules();
  }

  @Override
  public CompletableFuture<Reply> ask(List<Question> questions) {
    long beganNs = System.nanoTime();
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    CompletableFuture<Reply> told =
        reply
            .completeOnTimeout(
                new Reply.Missing(Cause.LATE), settings.timeoutMs(), TimeUnit.MILLISECONDS)
            .whenComplete((came, _) -> tell(came, System.nanoTime() - beganNs));
    try {
      threads.execute(() -> answer(questions, reply));
    } catch (RejectedExecutionException _) {
      reply.complete(new Reply.Missing(Cause.FULL));
    }
    return told;
  }

  private void answer(List<Question> questions, CompletableFuture<Reply> reply) {
    if (!reply.isDone()) {
      try {
        reply.complete(answer(classifier, questions, reply));
      } catch (ModelProblem | RuntimeException | Error e) {
        broken(e);
        reply.complete(new Reply.Missing(Cause.BROKEN));
      }
    }
  }

  /**
   * The reply of a classifier, one pair of texts after the other.
   *
   * @param waiting asks no further once it is done
   * @throws ModelProblem if the classifier cannot say
   */
  public static Reply answer(
      Classifier classifier, List<Question> questions, CompletableFuture<Reply> waiting)
      throws ModelProblem {
    List<Optional<EntailmentScores>> scores = new ArrayList<>(questions.size());
    for (Question question : questions) {
      if (waiting.isDone()) {
        return new Reply.Missing(Cause.LATE);
      }
      scores.add(classifier.classify(question.evidence(), question.text()));
    }
    return new Reply.Answered(scores);
  }

  private void tell(Reply came, long tookNs) {
    listener.asked(
        switch (came) {
          case Reply.Answered _ -> "answered";
          case Reply.Missing(Cause cause) -> cause.code();
        },
        tookNs);
  }

  private void broken(Throwable why) {
    long now = System.nanoTime();
    long due = nextLineNs.get();
    if (now - due >= 0 && nextLineNs.compareAndSet(due, now + LINE_EVERY_NS)) {
      log.atWarn()
          .setCause(why)
          .log("the entailment classifier failed; the first stage's word holds");
    }
  }

  /** What runs is finished, what waits is left out. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (threads.awaitTermination(CLOSE_MS, TimeUnit.MILLISECONDS)) {
        classifier.close();
        return;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    log.atWarn().log("the entailment classifier is still at work and is left to the end");
  }
}
