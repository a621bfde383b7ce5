package dev.parlance.proxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.onnx.ModelFault;
import dev.parlance.onnx.ModelProblem;
import dev.parlance.onnx.testing.ClassifierFolder;
import dev.parlance.policy.signal.ClaimFindings.Excerpt;
import dev.parlance.policy.signal.ClaimFindings.WeakClaim;
import dev.parlance.policy.signal.EntailmentRules;
import dev.parlance.policy.signal.EntailmentRules.Question;
import dev.parlance.policy.signal.EntailmentRules.Reply;
import dev.parlance.policy.signal.EntailmentScores;
import dev.parlance.proxy.audit.Replay;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.EntailmentSettings;
import dev.parlance.proxy.entailment.EntailmentPool;
import dev.parlance.proxy.entailment.EntailmentPool.Classifier;
import dev.parlance.proxy.gate.SecondStage;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.testing.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Exchanges whose messages the first stage of the judge leaves open, with a small classifier in
 * ONNX Runtime behind it. Profile {@code claims-high} sends such messages back by itself, {@code
 * claims-low} lets them pass.
 */
@ExtendWith(LeakCheck.class)
class SecondStageTest {
  private static final EventLoops LOOPS = EventLoops.start(1);
  private static final EntailmentRules ALL = new EntailmentRules(0, 1, 0.9, 0, 0.8, 3);
  private static final int NEVER_MS = 10_000;
  private static final List<Question> QUESTIONS =
      List.of(
          new Question(
              new WeakClaim(new Excerpt("", 0, 1, "x"), 0.5, Optional.empty(), List.of()),
              "evidence",
              "claim"));

  @TempDir static Path models;

  @TempDir Path folder = Path.of("");

  private final List<EntailmentPool> pools = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  @BeforeAll
  static void model() throws IOException {
    ClassifierFolder.at(models);
  }

  @AfterAll
  static void stop() {
    LOOPS.close();
  }

  @AfterEach
  void close() {
    end.countDown();
    pools.forEach(EntailmentPool::close);
  }

  /** What the log says of the answer, and what the caller got. */
  private String outcome(String route, String said, int timeoutMs, Classifier classifier)
      throws IOException {
    EntailmentSettings settings = new EntailmentSettings(models, timeoutMs, 1, 1, ALL);
    return outcome(
        route,
        said,
        metrics -> {
          EntailmentPool pool = new EntailmentPool(classifier, settings, metrics::entailment);
          pools.add(pool);
          return Optional.of(pool);
        });
  }

  private String outcome(
      String route, String said, Function<SidecarMetrics, Optional<SecondStage>> second)
      throws IOException {
    boolean isStream = said.startsWith("stream");
    String asked = isStream ? "question streamed" : "question";
    try (ExchangeBench bench =
        new ExchangeBench(
            LOOPS.next(),
            folder,
            Direction.INBOUND,
            route + "; idempotent: true; repair: \"off\"",
            ExchangeSamples.answers(said),
            second)) {
      bench.ask(ExchangeSamples.request(asked));
      for (String line : bench.logged()) {
        assertThat(Replay.of(line))
            .isInstanceOfSatisfying(
                Replay.Result.Explained.class,
                explained -> assertThat(explained.explanation().differences()).isEmpty());
      }
      return bench.outcome() + "\n" + bench.transcript();
    }
  }

  private static Classifier model(Path dir) {
    try {
      return EntailmentPool.load(dir);
    } catch (ModelProblem e) {
      throw new AssertionError(e.detail(), e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "claims-high, open, regenerate/g_low, answered",
    "claims-high, open hello, execute/ok, entailed",
    "claims-high, open zz, regenerate/g_low, contradicted",
    "claims-low, open, execute/ok, answered",
    "claims-low, open hello, execute/ok, entailed",
    "claims-low, open zz, regenerate/g_low, contradicted",
    "claims-high, stream open, regenerate/g_low, answered",
    "claims-high, stream open hello, execute/ok, entailed",
    "claims-low, stream open zz, regenerate/g_low, contradicted",
    "claims-low, stream open, execute/ok, answered",
    "claims-low; stream: window, stream open zz, regenerate/g_low, contradicted",
    "claims-high; stream: window, stream open hello, execute/ok, entailed",
  })
  void wordOfTheClassifier_decidesAboutWhatIsOpen(
      String profile, String said, String decision, String note) throws IOException {
    String outcome = outcome("profile: " + profile, said, NEVER_MS, model(models));
    assertThat(outcome).contains("response " + decision).contains(note);
    assertThat(outcome).contains("parlance_entailment_total{outcome=\"answered\"} 1.0");
  }

  @ParameterizedTest
  @CsvSource({
    "claims-high, open hello, regenerate/g_low",
    "claims-low, open zz, execute/ok",
    "claims-high, stream open hello, regenerate/g_low",
    "claims-low, stream open zz, execute/ok",
  })
  void whenItIsLateOrBroken_theFirstStagesWordHolds(String profile, String said, String decision)
      throws IOException {
    Classifier slow =
        new Scripted((_, _) -> {
          end.await();
          return Optional.empty();
        });
    assertThat(outcome("profile: " + profile, said, 20, slow))
        .contains("response " + decision)
        .contains("\"entailment_late\"")
        .contains("parlance_entailment_total{outcome=\"late\"} 1.0");
    Classifier broken =
        new Scripted((_, _) -> {
          throw new ModelProblem(ModelFault.BAD_MODEL, "the model cannot be run");
        });
    assertThat(outcome("profile: " + profile, said, NEVER_MS, broken))
        .contains("response " + decision)
        .contains("\"entailment_broken\"");
  }

  @Test
  void whenOthersWait_theFirstStagesWordHolds() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    Classifier slow =
        new Scripted((_, _) -> {
          asked.incrementAndGet();
          end.await();
          return Optional.empty();
        });
    EntailmentSettings settings = new EntailmentSettings(models, NEVER_MS, 1, 1, ALL);
    EntailmentPool busy = new EntailmentPool(slow, settings, (_, _) -> {});
    pools.add(busy);
    // one runs until the test ends, one waits
    CompletableFuture<Reply> _ = busy.ask(QUESTIONS);
    await().until(() -> asked.get() == 1);
    CompletableFuture<Reply> _ = busy.ask(QUESTIONS);
    assertThat(outcome("profile: claims-high", "open hello", _ -> Optional.of(busy)))
        .contains("response regenerate/g_low")
        .contains("\"entailment_full\"");
  }

  @Test
  void criticalChange_isNotAskedAbout() throws IOException {
    String outcome =
        outcome(
            "profile: claims-low",
            "number hello",
            NEVER_MS,
            new Scripted((_, _) -> {
              throw new AssertionError("asked");
            }));
    assertThat(outcome).contains("number_changed").doesNotContain("parlance_entailment_total");
  }

  /** A classifier that does as a test says. */
  private record Scripted(Script script) implements Classifier {
    interface Script {
      Optional<EntailmentScores> classify(String evidence, String claim)
          throws ModelProblem, InterruptedException;
    }

    @Override
    public Optional<EntailmentScores> classify(String evidence, String claim) throws ModelProblem {
      try {
        return script.classify(evidence, claim);
      } catch (InterruptedException e) {
        throw new ModelProblem(ModelFault.BAD_MODEL, "interrupted");
      }
    }

    @Override
    public void close() {}
  }
}
