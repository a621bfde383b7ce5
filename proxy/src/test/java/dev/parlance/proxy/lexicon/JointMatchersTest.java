package dev.parlance.proxy.lexicon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.policy.core.TermHits;
import dev.parlance.policy.core.TermKey;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.gate.CompiledCore;
import dev.parlance.proxy.gate.Lexicons.Used;
import dev.parlance.proxy.gate.ScannedText;
import dev.parlance.proxy.gate.TestCores;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** One pass for a core and a board finds what two find, and few matchers of both are kept. */
class JointMatchersTest {
  private static final long SEED = 20261127L;
  private static final Utf8Span NOTHING_SAID = Utf8Span.of("nothing of the kind");

  /** Some are the same once they are normalized; some are longer than what is read at once. */
  private static final List<String> WORDS =
      List.of(
          "gap",
          "GAP",
          "lock",
          "Stra\u00dfe",
          "\u00e9clair",
          "e\u0301clair",
          "\ufb01le",
          "file",
          "\u4e2d\u6587",
          "\u0130stanbul",
          "7",
          "x2",
          "\ud83d\ude00",
          "q\u0307\u0323q",
          "incomprehensibilities".repeat(3),
          "open",
          "night",
          "plan");

  private static final List<String> BETWEEN = List.of(" ", "-", "\n", ", ", " [c1] ", "\u00a0");

  private final JointMatchers joint = new JointMatchers(8, 1 << 20, SEED);

  private static CompiledCore core(List<String> keys) {
    return CompiledCore.of(
        TestCores.core(
            "bob", 3, keys.stream().map(key -> "certified:" + key).toArray(String[]::new)));
  }

  /** Asks until there is a matcher for both. */
  private Used inOnePass(CoinedWords words, CompiledCore core, Utf8Span text) {
    soon().until(() -> words.in(text, Optional.of(core), joint).governed().isPresent());
    return words.in(text, Optional.of(core), joint);
  }

  private static ConditionFactory soon() {
    return await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(Duration.ofMinutes(1));
  }

  private static List<String> alone(CompiledCore core, Utf8Span text) {
    TermHits hits = new TermHits();
    NormalizedText normalized = new NormalizedText();
    normalized.set(text);
    core.terms().matcher().scan(normalized, hits);
    normalized.release();
    return keys(core, hits);
  }

  private static List<String> keys(CompiledCore core, TermHits hits) {
    return IntStream.range(0, hits.distinct())
        .mapToObj(i -> core.terms().key(hits.term(i)))
        .toList();
  }

  private static List<String> keys(ScannedText scanned) {
    TermHits hits = new TermHits();
    hits.addAll(scanned.terms(), scanned.core().terms().matcher());
    return keys(scanned.core(), hits);
  }

  @Test
  void onRandomCoresBoardsAndTexts_onePassFindsWhatTwoFind() {
    SplittableRandom random = new SplittableRandom(SEED);
    int both = 0;
    for (int round = 0; round < 60; round++) {
      List<String> governed = terms(random);
      List<String> coined = new ArrayList<>(terms(random));
      governed.stream()
          .limit(random.nextInt(3))
          .filter(key -> !coined.contains(key))
          .forEach(coined::add);
      CompiledCore core = core(governed);
      CoinedWords words = new CoinedWords(coined);
      for (int said = 0; said < 20; said++) {
        Utf8Span text = Utf8Span.of("a" + text(random, random.nextInt(400)));
        Utf8Span apart = words.in(text, Optional.empty(), joint).coined();
        if (coined.isEmpty()) {
          assertThat(words.in(text, Optional.of(core), joint)).isSameAs(Used.NOTHING);
          continue;
        }
        Used together = inOnePass(words, core, text);
        assertThat(together.coined()).as("round %d: %s", round, text).isEqualTo(apart);
        assertThat(keys(together.governed().orElseThrow()))
            .as("round %d: %s", round, text)
            .isEqualTo(alone(core, text));
        both += together.coined().isEmpty() || alone(core, text).isEmpty() ? 0 : 1;
      }
    }
    assertThat(both).isGreaterThan(400);
  }

  /** None at times. */
  private static List<String> terms(SplittableRandom random) {
    TreeSet<String> keys = new TreeSet<>();
    for (int i = random.nextInt(25) - 1; i > 0; i--) {
      TermKey.of(text(random, 1 + random.nextInt(4)).strip()).ifPresent(keys::add);
    }
    return List.copyOf(keys);
  }

  private static String text(SplittableRandom random, int words) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(BETWEEN.get(random.nextInt(BETWEEN.size())))
          .append(WORDS.get(random.nextInt(WORDS.size())));
    }
    return text.toString();
  }

  @Test
  void matchersAreBounded_inNumber_andThoseUsedLongestAgoMakeRoom() {
    CompiledCore core = core(List.of("gap"));
    List<CoinedWords> all = new ArrayList<>();
    for (int board = 0; board < 40; board++) {
      CoinedWords words = new CoinedWords(List.of("plan", "lock" + board));
      all.add(words);
      assertThat(inOnePass(words, core, Utf8Span.of("a plan")).coined().toString())
          .isEqualTo("plan");
      assertThat(joint.size()).isEqualTo(Math.min(board + 1, 8));
    }
    assertThat(all.getLast().in(NOTHING_SAID, Optional.of(core), joint).governed()).isPresent();
    assertThat(all.getFirst().in(NOTHING_SAID, Optional.of(core), joint).governed()).isEmpty();
  }

  @Test
  void matchersAreBounded_inMemory() {
    JointMatchers small = new JointMatchers(100, 20_000, SEED);
    CompiledCore core = core(IntStream.range(0, 50).mapToObj(i -> "gap x" + i).toList());
    for (int board = 0; board < 20; board++) {
      CoinedWords words = new CoinedWords(List.of("lock", "plan" + board));
      soon().until(() -> words.in(NOTHING_SAID, Optional.of(core), small).governed().isPresent());
      assertThat(small.memoryBytes()).isBetween(1L, 20_000L);
    }
    assertThat(small.size()).isLessThan(20);
  }

  @Test
  void whoSeesTheSameTerms_sharesAMatcher() {
    CompiledCore core = core(List.of("gap"));
    Used _ = inOnePass(new CoinedWords(List.of("lock", "plan")), core, NOTHING_SAID);
    long ofOne = joint.memoryBytes();
    Used _ = inOnePass(new CoinedWords(List.of("lock", "plan")), core, NOTHING_SAID);
    assertThat(joint.size()).isEqualTo(2);
    assertThat(joint.memoryBytes()).isEqualTo(ofOne).isPositive();
  }

  @Test
  void aReplacedCore_isNotKept_andItsMatcherGoesWhenTheNextIsMade() {
    CoinedWords words = new CoinedWords(List.of("lock"));
    WeakReference<CompiledCore> old = usedOnce(words);
    await()
        .until(() -> {
          System.gc();
          return old.refersTo(null);
        });
    CompiledCore next = core(List.of("gap", "plan"));
    assertThat(keys(inOnePass(words, next, Utf8Span.of("a plan")).governed().orElseThrow()))
        .containsExactly("plan");
    assertThat(joint.size()).isEqualTo(1);
  }

  private WeakReference<CompiledCore> usedOnce(CoinedWords words) {
    CompiledCore core = core(List.of("gap"));
    assertThat(inOnePass(words, core, NOTHING_SAID).governed()).isPresent();
    return new WeakReference<>(core);
  }

  @Test
  void vocabulariesThatTakeLongToMakeReady_areNotPutTogether() {
    CompiledCore core =
        core(IntStream.range(0, JointMatchers.MAX_TERMS).mapToObj(i -> "w" + i).toList());
    CoinedWords words = new CoinedWords(List.of("lock"));
    for (int i = 0; i < 500; i++) {
      Used used = words.in(Utf8Span.of("a lock"), Optional.of(core), joint);
      assertThat(used.governed()).isEmpty();
      assertThat(used.coined().toString()).isEqualTo("lock");
    }
    assertThat(joint.size()).isZero();
  }
}
