package dev.parlance.policy.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.text.NormalizedText;
import dev.parlance.policy.text.Tokens;
import dev.parlance.policy.text.Utf8Span;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TermMatcherTest {
  private static final long SEED = 20261121L;
  private final TermHits hits = new TermHits();
  private final NormalizedText text = new NormalizedText();

  @Test
  void aTermIsFoundWhateverStandsBetweenItsWordsAndHoweverItIsSpelt() {
    List<String> keys = List.of("patent claim");
    for (String spelling :
        List.of(
            "patent claim",
            "Patent-Claim!",
            "PATENT\nCLAIM",
            "patent (claim",
            "patent, claim",
            "\uFF30\uFF41\uFF54\uFF45\uFF4E\uFF54 claim", // full-width letters
            "pat\u00ADent claim", // soft hyphen
            "the patent [Chunk] patent claim")) {
      assertThat(found(keys, spelling)).as(spelling).isEqualTo(Map.of("patent claim", 1));
    }
    for (String other :
        List.of("patent claims", "patentclaim", "patent or claim", "claim patent", "patent", "")) {
      assertThat(found(keys, other)).as(other).isEmpty();
    }
  }

  @Test
  void aTermIsFoundWithWhatNobodySeesInIt() {
    for (String unseen :
        List.of(
            "\u034F",
            "\uFE0F",
            "\uFE00",
            "\u3164",
            "\u115F",
            "\uFFA0",
            "\u2065",
            "\u200B",
            "\uDB40\uDD00")) {
      text.setVisible(Utf8Span.of("a pat" + unseen + "ent cl" + unseen + "aim"));
      hits.clear();
      TermMatcher.compile(List.of("patent claim"), SEED).scan(text, hits);
      assertThat(hits.distinct()).as(unseen).isEqualTo(1);
    }
  }

  @Test
  void theLongestTermHidesThoseWithinIt() {
    List<String> keys = List.of("claim", "patent", "patent claim", "patent claim chart");
    assertThat(found(keys, "a patent claim chart")).isEqualTo(Map.of("patent claim chart", 1));
    assertThat(found(keys, "a patent claim, a chart")).isEqualTo(Map.of("patent claim", 1));
    assertThat(found(keys, "a claim, a patent")).isEqualTo(Map.of("claim", 1, "patent", 1));
    assertThat(found(keys, "patent patent claim claim"))
        .isEqualTo(Map.of("claim", 1, "patent", 1, "patent claim", 1));
  }

  @Test
  void S10_aTermIsNotHiddenBehindTheFirstHalfOfAnother() {
    List<String> keys = List.of("made for hire", "work made");
    assertThat(found(keys, "a work made for hire"))
        .isEqualTo(Map.of("made for hire", 1, "work made", 1));
  }

  @Test
  void aTermOfWhichOnlyTheBeginningIsThere_isNotFound_andAShorterOneIs() {
    List<String> keys = List.of("a a a a a a a b", "a");
    assertThat(found(keys, "a ".repeat(5_000))).isEqualTo(Map.of("a", 5_000));
    assertThat(found(keys, "a ".repeat(5_000) + "b"))
        .isEqualTo(Map.of("a", 4_993, "a a a a a a a b", 1));
  }

  @Test
  void wordsOfScriptsWithoutBlanks_areFoundCharacterByCharacter() {
    List<String> keys = List.of("\u8457 \u4F5C \u6A29", "\u6A29", "gpl");
    assertThat(found(keys, "\u8457\u4F5C\u6A29\u3068\u6A29GPL\u8457"))
        .isEqualTo(Map.of("\u8457 \u4F5C \u6A29", 1, "\u6A29", 1, "gpl", 1));
  }

  @Test
  void longTokens_areNoTerms_andTheLongestWordIsOne() {
    String longest = "x".repeat(125) + "\u00FC"; // 127 bytes
    List<String> keys = List.of(longest, "x".repeat(TermKey.MAX_BYTES));
    assertThat(found(keys, longest.toUpperCase(java.util.Locale.ROOT) + " y"))
        .isEqualTo(Map.of(longest, 1));
    assertThat(found(keys, longest + "x " + "x".repeat(129) + " " + "\u00FC".repeat(2_000)))
        .isEmpty();
    assertThat(found(keys, "x".repeat(128))).hasSize(1);
  }

  @Test
  void anEmptyVocabulary_findsNothing() {
    assertThat(found(List.of(), "patent claim")).isEmpty();
  }

  @Test
  void whatIsNoVocabulary_isRefused() {
    assertThatThrownBy(() -> TermMatcher.compile(List.of("Patent"), SEED))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TermMatcher.compile(List.of("a b", "a b"), SEED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
  }

  /** Few words, so that terms share beginnings, overlap and repeat; all kinds of separators. */
  @Test
  void onRandomTexts_itFindsWhatTheObviousWayFinds() {
    SplittableRandom random = new SplittableRandom(4711);
    List<String> all =
        List.of("a", "b", "ab", "ba", "stra\u00DFe", "\u00E9", "\u8457", "\u4F5C", "7", "e\u0301");
    List<String> separators =
        List.of(" ", "-", "\n", ", ", "", " \u0301 ", "\u200B", "\u3000", " [Chunk 1] ", ".");
    int found = 0;
    for (int round = 0; round < 3_000; round++) {
      TreeSet<String> terms = new TreeSet<>();
      List<String> words = all.subList(0, 2 + random.nextInt(all.size() - 1));
      for (int i = random.nextInt(12); i >= 0; i--) {
        TermKey.of(sequence(random, words, List.of(" "), 1 + random.nextInt(1 + random.nextInt(8))))
            .ifPresent(terms::add);
      }
      // Some are longer than what is read at a time.
      int length = random.nextInt(round % 50 == 0 ? 1_500 : 60);
      String said = sequence(random, words, separators, length);
      List<String> keys = List.copyOf(terms);
      Map<String, Integer> expected = naive(keys, said);
      assertThat(found(keys, said)).as("%s in %s", keys, said).isEqualTo(expected);
      found += expected.size();
    }
    assertThat(found).isGreaterThan(5_000);
  }

  @Test
  void aHundredThousandTerms_areFoundEach_andCostABoundedAmountOfMemory() {
    List<String> keys =
        IntStream.range(0, 100_000)
            .mapToObj(i -> "word" + i % 40_000 + " term" + i)
            .sorted()
            .toList();
    TermMatcher matcher = TermMatcher.compile(keys, SEED);
    assertThat(matcher.size()).isEqualTo(100_000);
    assertThat(matcher.memoryBytes() / 100_000).isBetween(50L, 130L);
    SplittableRandom random = new SplittableRandom(9);
    for (int round = 0; round < 200; round++) {
      String key = keys.get(random.nextInt(keys.size()));
      hits.clear();
      text.set(Utf8Span.of("some " + key + " and term and word1"));
      matcher.scan(text, hits);
      assertThat(hits.distinct()).isEqualTo(1);
      assertThat(keys.get(hits.term(0))).isEqualTo(key);
    }
  }

  @Test
  void manyDifferentHits_areCountedEach_andForgottenAfterwards() {
    List<String> keys = IntStream.range(0, 20_000).mapToObj(i -> "w" + i).sorted().toList();
    String all = String.join(" ", keys) + " w7 w7";
    Map<String, Integer> expected =
        keys.stream().collect(Collectors.toMap(key -> key, key -> key.equals("w7") ? 3 : 1));
    assertThat(found(keys, all)).isEqualTo(expected);
    assertThat(hits.occurrences()).isEqualTo(20_002);
    assertThat(found(keys, "w3")).isEqualTo(Map.of("w3", 1));
  }

  @Test
  void onceWarm_scanningAllocatesNothing() {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<String> keys = IntStream.range(0, 500).mapToObj(i -> "w" + i).sorted().toList();
    TermMatcher matcher = TermMatcher.compile(keys, SEED);
    Utf8Span said = Utf8Span.of("some other words, and " + String.join(", ", keys));
    for (int round = 0; round < 10; round++) {
      scan(matcher, said);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int round = 0; round < 1_000; round++) {
      scan(matcher, said);
    }
    // Asking takes a little itself.
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isBetween(0L, 1_000L);
    assertThat(hits.distinct()).isEqualTo(500);
  }

  private void scan(TermMatcher matcher, Utf8Span said) {
    hits.clear();
    text.set(said);
    matcher.scan(text, hits);
    text.release();
  }

  /** The clock is the wrong judge of linear time; the look-ups are bounded by construction. */
  @Test
  void B11_manyShortTokensAndOneLongToken_areReadToTheEnd() {
    List<String> keys = List.of("a a a a a a a a", "b");
    assertThat(found(keys, "a ".repeat(500_000) + "b"))
        .isEqualTo(Map.of("a a a a a a a a", 499_993, "b", 1));
    assertThat(found(keys, "a".repeat(2_000_000) + " b")).isEqualTo(Map.of("b", 1));
  }

  /** Steps are counted: at most one for each word of the longest term after a token. */
  @Test
  void B11_theStepsOfHostileTexts_growAsTheirLength() {
    List<String> keys =
        IntStream.rangeClosed(2, TermKey.MAX_TOKENS)
            .mapToObj(length -> "a ".repeat(length - 1) + "b")
            .toList();
    TermMatcher matcher = TermMatcher.compile(keys, SEED);
    for (String unit :
        List.of("a ", "a a a b ", "a a a a a a a a a c ", "a \u8457", "a\u0301 a ")) {
      long once = steps(matcher, unit.repeat(10_000));
      long twice = steps(matcher, unit.repeat(20_000));
      int tokens = Tokens.of(unit.repeat(100)).size() * 100;
      assertThat(once).as(unit).isLessThanOrEqualTo((long) tokens * (TermKey.MAX_TOKENS - 1));
      assertThat(twice - 2 * once).as(unit).isBetween(-100L, 100L);
    }
    assertThat(steps(matcher, "a ".repeat(1_000))).isGreaterThan(5_900);
  }

  private long steps(TermMatcher matcher, String said) {
    long before = hits.steps;
    scan(matcher, Utf8Span.of(said));
    return hits.steps - before;
  }

  /** Terms are rare in some stretches and dense in others; texts are longer than a batch. */
  @Test
  void onTextsInWhichTermsAreRare_itFindsWhatTheObviousWayFinds() {
    SplittableRandom random = new SplittableRandom(20261122);
    List<String> rare = List.of("patent", "claim", "work", "extraordinarilylongword", "caf\u00E9");
    List<String> common =
        IntStream.range(0, 300).mapToObj(i -> "w" + Integer.toString(i * 977, 36)).toList();
    int found = 0;
    for (int round = 0; round < 300; round++) {
      TreeSet<String> terms = new TreeSet<>();
      for (int i = 0; i < 8; i++) {
        List<String> path = new ArrayList<>(List.of(rare.get(random.nextInt(rare.size()))));
        for (int more = random.nextInt(TermKey.MAX_TOKENS); more > 0; more--) {
          List<String> from = random.nextInt(3) == 0 ? rare : common.subList(0, 4);
          path.add(from.get(random.nextInt(from.size())));
        }
        TermKey.of(String.join(" ", path)).ifPresent(terms::add);
      }
      List<String> keys = List.copyOf(terms);
      List<String> said = new ArrayList<>();
      int length = 200 + random.nextInt(1_500);
      int dense = random.nextInt(3);
      while (said.size() < length) {
        boolean term = random.nextInt(said.size() % 600 < 200 * dense ? 3 : 40) == 0;
        said.add(
            term
                ? keys.get(random.nextInt(keys.size()))
                : common.get(random.nextInt(common.size())));
        if (random.nextInt(30) == 0) {
          said.add(rare.get(random.nextInt(rare.size())));
        }
      }
      String text = String.join(random.nextBoolean() ? " " : ", ", said);
      Map<String, Integer> expected = naive(keys, text);
      assertThat(found(keys, text)).as("%s", keys).isEqualTo(expected);
      found += expected.size();
    }
    assertThat(found).isGreaterThan(1_000);
  }

  private Map<String, Integer> found(List<String> keys, String said) {
    hits.clear();
    text.set(Utf8Span.of(said));
    TermMatcher.compile(keys, SEED).scan(text, hits);
    Map<String, Integer> found = new TreeMap<>();
    for (int i = 0; i < hits.distinct(); i++) {
      assertThat(found.put(keys.get(hits.term(i)), hits.count(i))).isNull();
    }
    return found;
  }

  /** At each token the longest term that begins there, unless it lies within an earlier one. */
  private static Map<String, Integer> naive(List<String> keys, String said) {
    List<String> tokens = Tokens.of(said);
    Map<String, Integer> found = new TreeMap<>();
    int covered = 0;
    for (int from = 0; from < tokens.size(); from++) {
      for (int to = Math.min(tokens.size(), from + TermKey.MAX_TOKENS); to > from; to--) {
        String candidate = String.join(" ", tokens.subList(from, to));
        if (keys.contains(candidate)) {
          if (to > covered) {
            found.merge(candidate, 1, Integer::sum);
            covered = to;
          }
          break;
        }
      }
    }
    return found;
  }

  private static String sequence(
      SplittableRandom random, List<String> words, List<String> separators, int count) {
    List<String> parts = new ArrayList<>(Arrays.asList(""));
    for (int i = 0; i < count; i++) {
      parts.add(words.get(random.nextInt(words.size())));
      parts.add(separators.get(random.nextInt(separators.size())));
    }
    return String.join("", parts);
  }
}
