package dev.parlance.loadtest.bench;

import dev.parlance.loadtest.load.LicenseText;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.CoinedTermMatcher;
import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreGuard;
import dev.parlance.policy.core.GovernedTerms;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreState;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.message.AgentMessage;
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
 * What the terms of a board add to looking for governed terms in one message of about 4.5 KB: the
 * governed ones alone, and both in one pass. All are made of the messages' own words, so that
 * nearly every token is a word of some term; texts of agents hit less.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LexiconBenchmark {
  private static final long SEED = 0x5eed_2026_1126L;

  /** Most words in a coined term. */
  private static final int BOARD_WORDS = 4;

  /** How many terms are governed. */
  @Param("1000")
  int governed;

  /** How many terms are on the board. */
  @Param("1000")
  int coined;

  /** As in {@link GuardBenchmark}. */
  @Param({"answer", "all"})
  String said = "";

  private final NormalizedText text = new NormalizedText();
  private final TermHits hits = new TermHits();
  private final TermHits coinedHits = new TermHits();
  private List<AgentMessage> messages = List.of();
  private int next;

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private GovernedTerms terms;

  @SuppressWarnings("NullAway.Init")
  private HeldCore held;

  @SuppressWarnings("NullAway.Init")
  private CoinedTermMatcher both;

  /** Builds messages and vocabularies; of the terms every second one is coined. */
  @Setup
  public void setUp() {
    messages =
        said.equals("all") ? RotatingMessages.sayingTheirEvidence() : RotatingMessages.messages();
    List<String> onBoard = new ArrayList<>();
    List<String> inCore = new ArrayList<>();
    for (String key : LicenseText.termKeys(2 * (governed + coined))) {
      boolean fits = key.split(" ", -1).length <= BOARD_WORDS;
      if (fits && onBoard.size() < coined && onBoard.size() <= inCore.size()) {
        onBoard.add(key);
      } else if (inCore.size() < governed) {
        inCore.add(key);
      }
    }
    if (onBoard.size() < coined || inCore.size() < governed) {
      throw new IllegalStateException("the text has too few terms");
    }
    List<GovernedTerm> certified =
        inCore.stream()
            .map(key -> new GovernedTerm(key, TermStatus.CERTIFIED, Optional.empty()))
            .toList();
    CertifiedCore core =
        new CertifiedCore(
            List.of("alice", "bob"), "license", 1, 0, CertificationParams.DEFAULT, certified, 0);
    terms = GovernedTerms.of(core, SEED);
    held =
        new HeldCore(
            core.domain(),
            Optional.of("bob"),
            CoreState.FRESH,
            List.of(new CoreVersion(core.id(), core.version())),
            0);
    both = CoinedTermMatcher.compile(inCore, onBoard, SEED);
  }

  private void rotate() {
    next = (next + 1) % messages.size();
    text.set(messages.get(next).answer());
  }

  /** The guard alone. */
  @Benchmark
  public CoreFindings guard() {
    hits.clear();
    rotate();
    terms.matcher().scan(text, hits);
    text.release();
    return CoreGuard.check(held, terms, hits, Set.of());
  }

  /** The guard, and the terms of the board in the same pass. */
  @Benchmark
  public CoreFindings guardAndBoard() {
    hits.clear();
    coinedHits.clear();
    rotate();
    both.scan(text, hits, coinedHits);
    text.release();
    return CoreGuard.check(held, terms, hits, Set.of());
  }

  /** How many different coined terms the last message had. */
  int found() {
    return coinedHits.distinct();
  }
}
