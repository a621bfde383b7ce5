package dev.parlance.policy.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThesaurusTest {
  private static final ToLongFunction<String> KEY = ThesaurusTest::key;
  private static final Thesaurus TABLE = Thesaurus.load(KEY);

  /** Spreads the hash of a string over 64 bits. */
  private static long key(String word) {
    long hash = 1125899906842597L;
    for (int i = 0; i < word.length(); i++) {
      hash = 31 * hash + word.charAt(i);
    }
    hash = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ hash >>> 27) * 0x94d049bb133111ebL;
    return hash ^ hash >>> 31;
  }

  @ParameterizedTest
  @CsvSource({
    "begin, start",
    "began, started",
    "large, big",
    "larger, bigger",
    "film, movie",
    "films, movies",
    "buy, purchase",
    "bought, purchased",
    "ensure, guarantee",
    "child, kid",
    "children, kids",
  })
  void synonymsInAnyForm(String a, String b) {
    assertThat(TABLE.isSynonym(key(a), key(b))).isTrue();
    assertThat(TABLE.isSynonym(key(b), key(a))).isTrue();
    assertThat(TABLE.isAntonym(key(a), key(b))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "go, went",
    "stop, stopped",
    "try, tries",
    "make, making",
    "city, cities",
    "leave, left",
    "lie, lying",
    "box, boxes",
    "mouse, mice",
    "happy, happy",
  })
  void formsOfOneWord(String a, String b) {
    assertThat(TABLE.isSameWord(key(a), key(b))).isTrue();
    assertThat(TABLE.isSynonym(key(a), key(b))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "open, close", "opened, closed", "increase, decrease", "increasing, decreasing", "hot, cold",
    "hotter, colder", "first, last", "possible, impossible", "accept, refuse", "more, less",
    "north, south",
  })
  void opposites(String a, String b) {
    assertThat(TABLE.isAntonym(key(a), key(b))).as(a).isTrue();
    assertThat(TABLE.isAntonym(key(b), key(a))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"large, larger", "high, highest", "dog, pump", "hot, colder", "valve, bearing"})
  void neitherSynonymNorOpposite(String a, String b) {
    assertThat(TABLE.isSynonym(key(a), key(b))).isFalse();
    assertThat(TABLE.isAntonym(key(a), key(b))).isFalse();
  }

  @Test
  void derivedWordsAreRelated_andADogIsAKindOfAnimal() {
    assertThat(TABLE.isRelated(key("decide"), key("decision"))).isTrue();
    assertThat(TABLE.isRelated(key("decisions"), key("decided"))).isTrue();
    assertThat(TABLE.isRelated(key("decide"), key("pump"))).isFalse();
    assertThat(TABLE.isKindOf(key("poodles"), key("dogs"))).isTrue();
    assertThat(TABLE.isKindOf(key("dogs"), key("poodles"))).isFalse();
  }

  @Test
  void wordsThatShareAGroupAreSynonyms() {
    int[] movie = new int[64];
    int[] film = new int[64];
    int movies = TABLE.groups(key("movie"), movie);
    int films = TABLE.groups(key("films"), film);

    assertThat(movies).isPositive();
    assertThat(java.util.Arrays.copyOf(film, films)).contains(movie[0]);
    assertThat(TABLE.groups(key("film"), new int[1])).isEqualTo(1);
    assertThat(TABLE.groups(key("xqzzt"), new int[1])).isZero();
  }

  @Test
  void aWordThatIsInNoTableIsUnknown() {
    assertThat(TABLE.isKnown(key("running"))).isTrue();
    assertThat(TABLE.isKnown(key("xqzzt"))).isFalse();
    assertThat(TABLE.isSynonym(key("xqzzt"), key("xqzzt"))).isFalse();
  }

  @Test
  void theTableIsSmallAndItsLicenceStandsBesideIt() throws Exception {
    try (InputStream table = Thesaurus.class.getResourceAsStream("thesaurus.bin");
        InputStream licence =
            Thesaurus.class.getResourceAsStream("/META-INF/licenses/WordNet-3.1.txt")) {
      assertThat(table.readAllBytes()).hasSizeBetween(500_000, 1_300_000);
      assertThat(new String(licence.readAllBytes(), StandardCharsets.UTF_8))
          .contains("WordNet 3.1 Copyright 2011 by Princeton University");
    }
    long startNs = System.nanoTime();
    Thesaurus.load(KEY);
    assertThat(System.nanoTime() - startNs).isLessThan(5_000_000_000L);
  }
}
