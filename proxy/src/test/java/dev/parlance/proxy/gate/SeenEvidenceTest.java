package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.signal.Estimator;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.KnownTexts;
import dev.parlance.policy.text.TokenSet;
import dev.parlance.policy.text.TokenSet.TokenSets;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SeenEvidenceTest {
  private static final int MAX_BYTES = 1 << 20;

  private static final int MIN_TEXT = 128;

  private final TokenSets sets = new TokenSets(77);
  private final SeenEvidence<TokenSet> seen =
      new SeenEvidence<>(MAX_BYTES, MIN_TEXT, TokenSet::memoryBytes);

  /** What is known of a text, which is read if nothing is. */
  private Optional<TokenSet> look(Utf8Span text) {
    KnownTexts.Key key = seen.newKey();
    Optional<TokenSet> found = seen.find(text, key);
    if (found.isEmpty()) {
      seen.keep(key, () -> sets.of(text));
    }
    return found;
  }

  @Test
  void aTextIsReadTwice_andKnownFromThenOn() {
    Utf8Span text = Utf8Span.of("Some evidence about returns, refunds and 30 days. ".repeat(9));
    assertThat(look(text)).isEmpty();
    assertThat(look(text)).isEmpty();
    assertThat(look(text)).hasValueSatisfying(set -> assertThat(set.size()).isEqualTo(8));
    assertThat(look(text.detached())).isPresent();
  }

  @Test
  void shortTextsAndVeryLargeOnes_areNeverKept() {
    for (Utf8Span text :
        List.of(
            Utf8Span.of("x ".repeat(MIN_TEXT / 2 - 1)), Utf8Span.of("x ".repeat(MAX_BYTES / 8)))) {
      for (int sight = 0; sight < 3; sight++) {
        assertThat(look(text)).isEmpty();
      }
    }
  }

  @Test
  void whatIsKept_staysWithinItsBytes() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 2_000; i++) {
      Utf8Span text = words(random, 300 + random.nextInt(3_000));
      assertThat(look(text)).isEmpty();
      assertThat(look(text)).isEmpty();
    }
    assertThat(seen.bytes()).isBetween(MAX_BYTES / 2L, (long) MAX_BYTES);
  }

  private KnownTexts.Key key(Utf8Span text) {
    KnownTexts.Key key = seen.newKey();
    assertThat(seen.find(text, key)).isEmpty();
    return key;
  }

  @Test
  void anyByteChanged_isAnotherText() {
    byte[] bytes = words(new SplittableRandom(5), 400).toByteArray();
    Set<KnownTexts.Key> keys = new HashSet<>();
    keys.add(key(Utf8Span.of(bytes)));
    for (int i = 0; i < bytes.length; i++) {
      for (int bit = 0; bit < 8; bit++) {
        bytes[i] ^= (byte) (1 << bit);
        keys.add(key(Utf8Span.of(bytes)));
        bytes[i] ^= (byte) (1 << bit);
      }
    }
    for (int length = MIN_TEXT; length < bytes.length; length++) {
      keys.add(key(Utf8Span.of(bytes, 0, length)));
    }
    assertThat(keys).hasSize(1 + 8 * bytes.length + bytes.length - MIN_TEXT);
  }

  @Test
  void messagesWhoseEvidenceComesAgain_areMeasuredAsIfItWereNew_byManyThreads()
      throws ExecutionException, InterruptedException {
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int task = 0; task < 4; task++) {
      int seed = task;
      tasks.add(() -> measureMany(new SplittableRandom(seed)));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<Integer> known : threads.invokeAll(tasks)) {
        assertThat(known.get()).isGreaterThan(500);
      }
    }
  }

  /** How many chunks were known. */
  private int measureMany(SplittableRandom random) {
    int[] hits = {0};
    KnownTexts<TokenSet> counted =
        new KnownTexts<>() {
          @Override
          public Key newKey() {
            return seen.newKey();
          }

          @Override
          public Optional<TokenSet> find(Utf8Span text, Key key) {
            Optional<TokenSet> tokens = seen.find(text, key);
            hits[0] += tokens.isPresent() ? 1 : 0;
            return tokens;
          }

          @Override
          public void keep(Key key, Supplier<TokenSet> reading) {
            seen.keep(key, reading);
          }
        };
    Estimator knowing = new TokenOverlapEstimator(9, counted);
    Estimator reading = new TokenOverlapEstimator(8);
    for (int i = 0; i < 1_000; i++) {
      List<Chunk> chunks = new ArrayList<>();
      for (int c = 0; c < 3; c++) {
        // Few seeds, so that the same texts come again, to other threads as well.
        chunks.add(new Chunk("c" + c, words(new SplittableRandom(random.nextInt(200)), 900)));
      }
      AgentMessage message =
          new AgentMessage(
              words(random, 300),
              words(random, 60),
              new Evidence(
                  EvidenceSource.DECLARED, chunks, List.of(), OptionalDouble.empty(), List.of()));
      assertThat(knowing.measure(message)).isEqualTo(reading.measure(message));
    }
    return hits[0];
  }

  private static Utf8Span words(SplittableRandom random, int bytes) {
    StringBuilder text = new StringBuilder();
    while (text.length() < bytes) {
      int word = random.nextInt(400);
      text.append(
              word % 9 == 0
                  ? "\u00dcberl\u00e4nge"
                  : word % 40 == 1 ? "incomprehensibilities" : "w")
          .append(word)
          .append(random.nextInt(9) == 0 ? ". " : " ");
    }
    return Utf8Span.of(text.toString());
  }
}
