package dev.parlance.policy.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TokenTableTest {
  private final NormalizedText text = new NormalizedText();

  @Test
  void tokensWithEqualHashes_stayDifferentTokens() {
    TokenTable table = new TokenTable(1, 0L);
    add(table, "alpha beta gamma alpha");
    mark(table, "beta delta", TokenTable.Place.CONTEXT);
    mark(table, "alpha", TokenTable.Place.QUESTION);
    assertThat(table.size()).isEqualTo(3);
    assertThat(table.seen().inContext()).isEqualTo(1);
    assertThat(table.seen().inQuestion()).isEqualTo(1);
    assertThat(table.seen().novel()).isEqualTo(1);
  }

  @Test
  void aPrefixOrSuffixOfAToken_isAnotherToken() {
    TokenTable table = new TokenTable(1, 0L);
    add(table, "ab a b abc bc c");
    assertThat(table.size()).isEqualTo(6);
    mark(table, "abcabc", TokenTable.Place.CONTEXT);
    assertThat(table.seen().inContext()).isZero();
  }

  @Test
  void growth_losesNoTokenAndNoFlag() {
    TokenTable table = new TokenTable(5);
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      words.append('w').append(i).append(' ');
    }
    add(table, words.toString());
    mark(table, "w0 w49999 w50000", TokenTable.Place.CONTEXT);
    assertThat(table.size()).isEqualTo(50_000);
    assertThat(table.seen().inContext()).isEqualTo(2);
    assertThat(table.seen().novelNumbers()).isEqualTo(49_998);
  }

  @Test
  void crowdedTokens_areCountedAll_andSoAreThoseOfTheNextText() {
    TokenTable table = new TokenTable(3, 0L);
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 700; i++) {
      words.append('w').append(i).append(i % 50 == 0 ? " extraordinarilylong" + i : "").append(' ');
    }
    for (int i = 0; i < 2; i++) {
      add(table, words.toString());
      mark(table, "w1 w699 extraordinarilylong50", TokenTable.Place.CONTEXT);
      assertThat(table.size()).isEqualTo(714);
      assertThat(table.seen().inContext()).isEqualTo(3);
      table.clear();
    }
  }

  @Test
  void clear_forgetsEverything_alsoAfterGrowth() {
    TokenTable table = new TokenTable(5);
    add(table, "one two " + "x".repeat(300_000));
    table.clear();
    assertThat(table.size()).isZero();
    mark(table, "one", TokenTable.Place.CONTEXT);
    assertThat(table.seen().inContext()).isZero();
    add(table, "two");
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.seen().novel()).isEqualTo(1);
  }

  @Test
  void hash_dependsOnEveryByteTheLengthAndTheSeed() {
    SplittableRandom random = new SplittableRandom(9);
    Set<Long> hashes = new HashSet<>();
    TokenHash hash = new TokenHash(1);
    byte[] bytes = new byte[40];
    random.nextBytes(bytes);
    int variants = 0;
    for (int length = 0; length <= 32; length++) {
      hashes.add(hash.of(bytes, 3, length));
      variants++;
      for (int i = 0; i < length; i++) {
        bytes[3 + i] ^= 1;
        hashes.add(hash.of(bytes, 3, length));
        bytes[3 + i] ^= 1;
        variants++;
      }
    }
    for (int seed = 2; seed < 100; seed++) {
      hashes.add(new TokenHash(seed).of(bytes, 3, 32));
      variants++;
    }
    assertThat(hashes).hasSize(variants);
  }

  @Test
  void hash_spreadsOverTheLowBits() {
    TokenHash hash = new TokenHash(77);
    int[] buckets = new int[256];
    for (int i = 0; i < 256 * 100; i++) {
      byte[] word = Integer.toString(i).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
      buckets[(int) hash.of(word, 0, word.length) & 255]++;
    }
    for (int bucket : buckets) {
      assertThat(bucket).isBetween(50, 160);
    }
  }

  private void add(TokenTable table, String words) {
    text.set(Utf8Span.of(words));
    table.add(text, text.start(), text.end());
  }

  private void mark(TokenTable table, String words, TokenTable.Place place) {
    text.set(Utf8Span.of(words));
    table.mark(text, place);
  }
}
