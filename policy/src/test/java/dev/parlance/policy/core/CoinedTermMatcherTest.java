package dev.parlance.policy.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Tokens;
import dev.parlance.policy.text.Utf8Span;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two vocabularies in one pass: neither is found otherwise than alone. */
class CoinedTermMatcherTest {
  private static final long SEED = 20261126L;
  private static final int BOARD_WORDS = 4;

  private final TermHits hits = new TermHits();
  private final TermHits coinedHits = new TermHits();
  private final NormalizedText text = new NormalizedText();

  private record Found(Map<String, Integer> governed, Map<String, Integer> coined) {}

  private Found found(List<String> governed, List<String> coined, String said) {
    CoinedTermMatcher matcher = CoinedTermMatcher.compile(governed, coined, SEED);
    hits.clear();
    coinedHits.clear();
    text.set(Utf8Span.of(said));
    matcher.scan(text, hits, coinedHits);
    text.release();
    return new Found(counted(hits, governed), counted(coinedHits, coined));
  }

  private static Map<String, Integer> counted(TermHits hits, List<String> keys) {
    Map<String, Integer> counted = new TreeMap<>();
    for (int i = 0; i < hits.distinct(); i++) {
      counted.put(keys.get(hits.term(i)), hits.count(i));
    }
    return counted;
  }

  @Test
  void S10_aCoinedTermHidesNoGovernedOne() {
    Found found =
        found(
            List.of("notice period", "claim"),
            List.of("short notice period", "notice", "claim chart"),
            "a short notice period, a claim chart");
    assertThat(found.governed()).isEqualTo(Map.of("claim", 1, "notice period", 1));
    assertThat(found.coined()).isEqualTo(Map.of("claim chart", 1, "short notice period", 1));
  }

  @Test
  void aTermOfBothVocabularies_isFoundForBoth() {
    Found found = found(List.of("gap", "lock"), List.of("core lock", "gap"), "gap, core lock, gap");
    assertThat(found.governed()).isEqualTo(Map.of("gap", 2, "lock", 1));
    assertThat(found.coined()).isEqualTo(Map.of("gap", 2, "core lock", 1));
  }

  @Test
  void coinedTermsDoNotOverlap_theLeftmostCounts_andTheLongestOfThose() {
    Found found = found(List.of("b c"), List.of("a b", "b c", "c d", "b"), "a b c d b");
    assertThat(found.coined()).isEqualTo(Map.of("a b", 1, "c d", 1, "b", 1));
    assertThat(found.governed()).isEqualTo(Map.of("b c", 1));
  }

  @Test
  void eitherVocabularyMayBeEmpty() {
    assertThat(found(List.of(), List.of("gap"), "a gap").coined()).isEqualTo(Map.of("gap", 1));
    assertThat(found(List.of("gap"), List.of(), "a gap").governed()).isEqualTo(Map.of("gap", 1));
    assertThat(found(List.of(), List.of(), "a gap").coined()).isEmpty();
  }

  @Test
  void aTermTwiceInAVocabulary_isRefused() {
    assertThatThrownBy(() -> CoinedTermMatcher.compile(List.of("a"), List.of("b", "b"), SEED))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CoinedTermMatcher.compile(List.of("a"), List.of("a", "a"), SEED))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CoinedTermMatcher.compile(List.of("a", "a"), List.of(), SEED))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Few words, so that terms overlap, hide and hold one another. */
  @Test
  void onRandomTexts_theGovernedOnesAreThoseFoundAlone_andTheCoinedOnesThoseOfABoard() {
    SplittableRandom random = new SplittableRandom(SEED);
    int both = 0;
    for (int round = 0; round < 500; round++) {
      List<String> words =
          IntStream.range(0, 3 + random.nextInt(20)).mapToObj(i -> "w" + i).toList();
      List<String> governed = keys(words, random, TermKey.MAX_TOKENS);
      List<String> coined = keys(words, random, BOARD_WORDS);
      List<String> said = new ArrayList<>();
      int length = random.nextInt(1_800);
      for (int i = 0; i < length; i++) {
        said.add(words.get(random.nextInt(words.size())));
      }
      String spoken = String.join(" ", said);
      Found found = found(governed, coined, spoken);
      hits.clear();
      text.set(Utf8Span.of(spoken));
      TermMatcher.compile(governed, SEED).scan(text, hits);
      text.release();
      assertThat(found.governed()).as("round %d", round).isEqualTo(counted(hits, governed));
      assertThat(found.coined()).as("round %d", round).isEqualTo(leftmost(coined, spoken));
      both += found.governed().isEmpty() || found.coined().isEmpty() ? 0 : 1;
    }
    assertThat(both).isGreaterThan(300);
  }

  private static List<String> keys(List<String> words, SplittableRandom random, int longest) {
    TreeSet<String> keys = new TreeSet<>();
    for (int i = random.nextInt(30); i >= 0; i--) {
      List<String> term = new ArrayList<>();
      for (int length = random.nextInt(longest); length >= 0; length--) {
        term.add(words.get(random.nextInt(words.size())));
      }
      TermKey.of(String.join(" ", term)).ifPresent(keys::add);
    }
    return List.copyOf(keys);
  }

  private static Map<String, Integer> leftmost(List<String> keys, String said) {
    List<String> tokens = Tokens.of(said);
    Map<String, Integer> found = new TreeMap<>();
    int at = 0;
    while (at < tokens.size()) {
      int words = Math.min(BOARD_WORDS, tokens.size() - at);
      while (words > 0 && !keys.contains(String.join(" ", tokens.subList(at, at + words)))) {
        words--;
      }
      if (words > 0) {
        found.merge(String.join(" ", tokens.subList(at, at + words)), 1, Integer::sum);
      }
      at += Math.max(1, words);
    }
    return found;
  }

  @Test
  void nothingIsAllocated_oncePreparedForItsVocabularies() {
    List<String> governed = IntStream.range(0, 1_000).mapToObj(i -> "w" + i + " x").toList();
    List<String> coined = IntStream.range(0, 1_000).mapToObj(i -> "w" + i).toList();
    CoinedTermMatcher matcher = CoinedTermMatcher.compile(governed, coined, SEED);
    StringBuilder said = new StringBuilder();
    IntStream.range(0, 5_000).forEach(i -> said.append("w").append(i % 700).append(" x, "));
    Utf8Span span = Utf8Span.of(said.toString());
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 50; i++) {
      scan(matcher, span);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 50; i++) {
      scan(matcher, span);
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isBetween(0L, 1_000L);
    assertThat(coinedHits.distinct()).isEqualTo(700);
    assertThat(hits.distinct()).isEqualTo(700);
  }

  private void scan(CoinedTermMatcher matcher, Utf8Span said) {
    hits.clear();
    coinedHits.clear();
    text.set(said);
    matcher.scan(text, hits, coinedHits);
    text.release();
  }
}
