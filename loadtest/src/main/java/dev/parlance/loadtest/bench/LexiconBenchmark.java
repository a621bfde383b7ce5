package dev.parlance.loadtest.bench;

import dev.parlance.loadtest.load.LicenseText;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.policy.core.CoinedTermMatcher;
import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreGuard;
import dev.parlance.policy.core.GovernedTerms;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.core.TermStatus;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Tokens;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
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
 * governed ones alone, both in one pass, and those of the board in a pass of their own. Governed
 * terms are made of the messages' own words, so that nearly every token is a word of some term.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LexiconBenchmark {
  private static final long SEED = 0x5eed_2026_1126L;

  /** Most words in a coined term. */
  private static final int BOARD_WORDS = 4;

  /** How often a message uses a term of the board, where terms are those of agents. */
  private static final int USES = 3;

  /** How many terms are governed. */
  @Param("1000")
  int governed;

  /** How many terms are on the board. */
  @Param("1000")
  int coined;

  /**
   * What coined terms are made of: {@code agents}, as agents make them, every second one a word
   * that was not there before, the others two words of the text at random, and each message uses
   * three of them; or {@code messages}, the messages' own words in their order, which is the worst
   * case.
   */
  @Param({"agents", "messages"})
  String words = "";

  /** As in {@link GuardBenchmark}. */
  @Param({"answer", "all"})
  String said = "";

  private final NormalizedText text = new NormalizedText();
  private final TermHits hits = new TermHits();
  private final TermHits coinedHits = new TermHits();
  private List<Utf8Span> messages = List.of();
  private int next;

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private GovernedTerms terms;

  @SuppressWarnings("NullAway.Init")
  private HeldCore held;

  @SuppressWarnings("NullAway.Init")
  private CoinedTermMatcher both;

  @SuppressWarnings("NullAway.Init")
  private CoinedTermMatcher boardAlone;

  /** Builds messages and vocabularies. */
  @Setup
  public void setUp() {
    List<String> onBoard = words.equals("agents") ? asAgentsCoin(coined) : new ArrayList<>();
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
    messages = messages(onBoard);
    List<GovernedTerm> certified =
        inCore.stream()
            .map(key -> new GovernedTerm(key, TermStatus.CERTIFIED, Optional.empty()))
            .toList();
    CertifiedCore core = GuardedCore.of(certified);
    terms = GovernedTerms.of(core, SEED);
    held = GuardedCore.held(core);
    both = CoinedTermMatcher.compile(inCore, onBoard, SEED);
    boardAlone = CoinedTermMatcher.compile(List.of(), onBoard, SEED);
  }

  private List<Utf8Span> messages(List<String> onBoard) {
    List<AgentMessage> all =
        said.equals("all") ? RotatingMessages.sayingTheirEvidence() : RotatingMessages.messages();
    if (!words.equals("agents")) {
      return all.stream().map(AgentMessage::answer).toList();
    }
    SplittableRandom random = new SplittableRandom(SEED);
    List<Utf8Span> using = new ArrayList<>();
    for (AgentMessage message : all) {
      StringBuilder text = new StringBuilder(message.answer().toString());
      for (int use = 0; use < USES; use++) {
        text.append(" This is a ").append(onBoard.get(random.nextInt(onBoard.size()))).append('.');
      }
      using.add(Utf8Span.of(text.toString()));
    }
    return List.copyOf(using);
  }

  /** New words, and pairs of words of the text. */
  private static List<String> asAgentsCoin(int count) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<String> known =
        List.copyOf(new TreeSet<>(Tokens.of(String.join(" ", LicenseText.sentences()))));
    Set<String> terms = new LinkedHashSet<>();
    while (terms.size() < count) {
      if (terms.size() % 2 == 0) {
        StringBuilder word = new StringBuilder();
        for (int syllable = 0; syllable < 3; syllable++) {
          word.append("bdfgklmnprstvz".charAt(random.nextInt(14)))
              .append("aeiou".charAt(random.nextInt(5)));
        }
        terms.add(word.append("ex").toString());
      } else {
        terms.add(
            known.get(random.nextInt(known.size()))
                + " "
                + known.get(random.nextInt(known.size())));
      }
    }
    return new ArrayList<>(terms);
  }

  private void rotate() {
    next = (next + 1) % messages.size();
    text.set(messages.get(next));
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

  /** The terms of the board in a pass of their own, as a sidecar looks for them. */
  @Benchmark
  public int board() {
    hits.clear();
    coinedHits.clear();
    rotate();
    boardAlone.scan(text, hits, coinedHits);
    text.release();
    return coinedHits.distinct();
  }

  /** How many different coined terms the last message had. */
  int found() {
    return coinedHits.distinct();
  }
}
