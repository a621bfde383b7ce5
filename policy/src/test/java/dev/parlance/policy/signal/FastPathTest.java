package dev.parlance.policy.signal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.KnownTexts;
import dev.parlance.policy.text.TokenSet;
import dev.parlance.policy.text.TokenSet.TokenSets;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The estimator that reads eight bytes at a time against the one that reads byte by byte. */
class FastPathTest {
  private static final int ROUNDS = 400 * Integer.getInteger("soak", 5);

  private final Estimator fast = new TokenOverlapEstimator(5);
  private final Estimator plain = new ByteEstimator(6);

  @Test
  void mixturesOfWordsScriptsAndMarkers_giveTheSameCounts() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      AgentMessage message = new MixedText(new SplittableRandom(seed)).message(1 << seed % 13);
      assertThat(fast.measure(message)).as("seed %d", seed).isEqualTo(plain.measure(message));
    }
  }

  @Test
  void evidenceWhoseTokensAreKnown_givesTheSameCounts() {
    TokenSets sets = new TokenSets(11);
    for (int seed = 0; seed < ROUNDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      KnownTexts<TokenSet> known =
          new KnownTexts<>() {
            @Override
            public Key newKey() {
              return new Key() {};
            }

            @Override
            public Optional<TokenSet> find(Utf8Span text, Key key) {
              return random.nextInt(4) == 0 ? Optional.empty() : Optional.of(sets.of(text));
            }

            @Override
            public void keep(Key key, Supplier<TokenSet> reading) {}
          };
      Estimator knowing = new TokenOverlapEstimator(5, known);
      AgentMessage message = new MixedText(random).message(1 << seed % 13);
      assertThat(knowing.measure(message)).as("seed %d", seed).isEqualTo(plain.measure(message));
    }
  }

  @Test
  void aWordOfEveryLengthAtEveryPlace_isFound() {
    for (int length = 1; length < 40; length++) {
      String word = "Abcdefghij".repeat(4).substring(0, length);
      for (int before = 0; before < 140; before++) {
        String text = ".".repeat(before) + word + (before % 3 == 0 ? "" : "; tail 7");
        AgentMessage message = message(text, List.of(word.toLowerCase(java.util.Locale.ROOT)));
        Measurement measured = fast.measure(message);
        assertThat(measured).as("%d behind %d", length, before).isEqualTo(plain.measure(message));
        assertThat(measured.counts().inContext()).isEqualTo(1);
      }
    }
  }

  @Test
  void everyAsciiCharacter_separatesOrNot_asCodePointByCodePoint() {
    for (char c = 0; c < 0x80; c++) {
      for (int place = 0; place < 16; place++) {
        String text = "abcdefghijklmnopqrst".substring(0, place) + c + "xyz" + c + c + "0123";
        AgentMessage message = message(text, List.of("xyz" + c, "0123"));
        assertThat(fast.measure(message))
            .as("U+%04X at %d", (int) c, place)
            .isEqualTo(plain.measure(message));
      }
    }
  }

  @Test
  void wordsLongerThanAWindow_andManyDifferentOnes_giveTheSameCounts() {
    List<String> texts = new ArrayList<>();
    for (int length : new int[] {1022, 1023, 1024, 1025, 2047, 2048, 5000}) {
      texts.add("x".repeat(length));
      texts.add("go " + "y".repeat(length) + " " + "y".repeat(length) + "\u00e9 end");
    }
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 60_000; i++) {
      many.append(Integer.toString(i * 7919, 36)).append(i % 7 == 0 ? "\n" : " ");
    }
    texts.add(many.toString());
    for (String text : texts) {
      AgentMessage message =
          message(text, List.of(text.substring(1), text.toUpperCase(java.util.Locale.ROOT)));
      assertThat(fast.measure(message)).isEqualTo(plain.measure(message));
    }
    // And afterwards scratch that has grown holds nothing back.
    AgentMessage small = message("one two", List.of("two x"));
    assertThat(fast.measure(small)).isEqualTo(plain.measure(small));
  }

  private static AgentMessage message(String answer, List<String> contexts) {
    return new AgentMessage(
        Utf8Span.of(answer),
        Utf8Span.of("tail of the question"),
        new Evidence(
            EvidenceSource.DECLARED,
            contexts.stream().map(text -> new Chunk("c1", Utf8Span.of(text))).toList(),
            List.of(),
            OptionalDouble.empty(),
            List.of()));
  }
}
