package dev.parlance.loadtest.bench;

import dev.parlance.loadtest.load.LicenseText;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.CoreGuard;
import dev.parlance.policy.core.GovernedTerms;
import dev.parlance.policy.core.GuardPolicy;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.NormalizedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What the core guard adds to judging one message of about 4.5 KB, evidence included: the guard
 * alone, the judge alone, and both, with the gate's calls in the gate's order.
 *
 * <p>The vocabulary is made of the messages' own words, so that nearly every token of a message is
 * a word of a large one.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GuardBenchmark {
  private static final long SEED = 0x5eed_2026_1121L;

  /** How many terms are governed. */
  @Param({"10", "1000", "100000"})
  int vocabulary;

  /**
   * How much of a message is the text that an agent says, the rest being evidence: {@code answer},
   * about a seventh of the body as in the load test, or {@code all}, the evidence over again, so
   * that the guard reads about as much as the judge.
   */
  @Param({"answer", "all"})
  String said = "";

  private final Judge judge = new Judge(new TokenOverlapEstimator(SEED));
  private final NormalizedText text = new NormalizedText();
  private final TermHits hits = new TermHits();
  private List<AgentMessage> messages = List.of();
  private int next;

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private GovernedTerms terms;

  @SuppressWarnings("NullAway.Init")
  private HeldCore held;

  /** Builds messages and vocabulary; nine of ten terms are certified. */
  @Setup
  public void setUp() {
    messages =
        said.equals("all") ? RotatingMessages.sayingTheirEvidence() : RotatingMessages.messages();
    List<GovernedTerm> governed = new ArrayList<>();
    for (String key : LicenseText.termKeys(vocabulary)) {
      TermStatus status = governed.size() % 10 == 9 ? TermStatus.REFUSED : TermStatus.CERTIFIED;
      governed.add(new GovernedTerm(key, status, Optional.empty()));
    }
    CertifiedCore core = GuardedCore.of(governed);
    terms = GovernedTerms.of(core, SEED);
    held = GuardedCore.held(core);
  }

  private AgentMessage rotate() {
    next = (next + 1) % messages.size();
    return messages.get(next);
  }

  private CoreCheck check(AgentMessage message) {
    hits.clear();
    text.set(message.answer());
    terms.matcher().scan(text, hits);
    text.release();
    return new CoreCheck(CoreGuard.check(held, terms, hits, Set.of()), GuardPolicy.CONSEQUENTIAL);
  }

  private Verdict judge(AgentMessage message, Optional<CoreCheck> check) {
    return judge.judge(message, Profiles.OVERLAP, 0, Grounding.REQUIRED, false, check);
  }

  /** The guard alone. */
  @Benchmark
  public CoreCheck guard() {
    return check(rotate());
  }

  /** The judge alone. */
  @Benchmark
  public Verdict judge() {
    return judge(rotate(), Optional.empty());
  }

  /** Both. */
  @Benchmark
  public Verdict judgeAndGuard() {
    AgentMessage message = rotate();
    return judge(message, Optional.of(check(message)));
  }
}
