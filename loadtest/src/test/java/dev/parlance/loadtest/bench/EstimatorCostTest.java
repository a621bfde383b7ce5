package dev.parlance.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.ReadChunk;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.signal.Estimator;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.TokenSet;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.gate.SeenEvidence;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What holding claims against evidence costs beside counting words (Eq. 1), on the same messages in
 * one process: blocks of both by turns, by the processor time and the allocated bytes of the
 * thread.
 */
class EstimatorCostTest {
  /** {@code -Destimators.blocks=41} measures, and prints medians. */
  private static final int BLOCKS = Integer.getInteger("estimators.blocks", 1);

  private static final int ROUNDS = Integer.getInteger("estimators.rounds", 1);
  private static final int WARM = 3;
  private static final long SEED = 0x5eed_2026_1127L;
  private static final int STORE_BYTES = 64 << 20;

  /** Every so many words of an answer one is left out: it follows its evidence, but quotes none. */
  private static final int LEFT_OUT = 7;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Sizes of messages. */
  private enum Size {
    SHORT,
    TYPICAL,
    LONG
  }

  private record Cost(long bytes, long cpuNs) {}

  @ParameterizedTest
  @EnumSource(Size.class)
  void claimsLeaveLittleGarbage_howeverMuchEvidenceThereIs(Size size) {
    List<AgentMessage> messages = messages(size);
    Vocabulary vocabulary = new Vocabulary(SEED);
    List<Estimator> estimators =
        List.of(
            new TokenOverlapEstimator(SEED),
            new ClaimsEstimator(vocabulary),
            new TokenOverlapEstimator(
                SEED, new SeenEvidence<>(STORE_BYTES, 128, TokenSet::memoryBytes)),
            new ClaimsEstimator(
                vocabulary, new SeenEvidence<>(STORE_BYTES, 32, ReadChunk::memoryBytes)));
    List<List<Cost>> costs = new ArrayList<>();
    estimators.forEach(_ -> costs.add(new ArrayList<>()));
    for (int block = -Math.max(WARM, BLOCKS / 2); block < BLOCKS; block++) {
      for (int i = 0; i < estimators.size(); i++) {
        Cost cost = measure(estimators.get(i), messages);
        if (block >= 0) {
          costs.get(i).add(cost);
        }
      }
    }
    print(size, costs, messages);
    assertThat(median(costs.get(1), Cost::bytes)).isLessThan(6_000);
    assertThat(median(costs.get(3), Cost::bytes)).isLessThan(6_000);
  }

  private static Cost measure(Estimator estimator, List<AgentMessage> messages) {
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long cpuNs = THREADS.getCurrentThreadCpuTime();
    int tokens = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (AgentMessage message : messages) {
        tokens += estimator.measure(message).counts().tokens();
      }
    }
    long count = (long) ROUNDS * messages.size();
    Cost cost =
        new Cost(
            (THREADS.getCurrentThreadAllocatedBytes() - bytes) / count,
            (THREADS.getCurrentThreadCpuTime() - cpuNs) / count);
    assertThat(tokens).isPositive();
    return cost;
  }

  private static void print(Size size, List<List<Cost>> costs, List<AgentMessage> messages) {
    String[] names = {"new", "seen"};
    for (int i = 0; i < names.length; i++) {
      List<Cost> words = costs.get(2 * i);
      List<Cost> claims = costs.get(2 * i + 1);
      List<Double> ratios = new ArrayList<>();
      for (int block = 0; block < words.size(); block++) {
        ratios.add((double) claims.get(block).cpuNs() / Math.max(1, words.get(block).cpuNs()));
      }
      ratios.sort(null);
      System.out.printf(
          Locale.ROOT,
          "%s, %d + %d bytes, evidence %s: Eq. 1 %.1f us, claims %.1f us, ratio %.1f [%.1f-%.1f],"
              + " %d and %d bytes allocated%n",
          size,
          messages.stream().mapToInt(m -> m.answer().length()).sum() / messages.size(),
          messages.stream().mapToInt(EstimatorCostTest::evidenceBytes).sum() / messages.size(),
          names[i],
          median(words, Cost::cpuNs) / 1e3,
          median(claims, Cost::cpuNs) / 1e3,
          ratios.get(ratios.size() / 2),
          ratios.get(ratios.size() / 4),
          ratios.get(ratios.size() * 3 / 4),
          median(words, Cost::bytes),
          median(claims, Cost::bytes));
    }
  }

  private static long median(List<Cost> costs, ToLongFunction<Cost> of) {
    return costs.stream().mapToLong(of).sorted().toArray()[costs.size() / 2];
  }

  private static int evidenceBytes(AgentMessage message) {
    return message.evidence().chunks().stream().mapToInt(chunk -> chunk.text().length()).sum();
  }

  private static List<AgentMessage> messages(Size size) {
    List<AgentMessage> all = RotatingMessages.messages();
    List<AgentMessage> sized = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      AgentMessage message = all.get(i);
      String answer = reworded(message.answer().toString());
      List<Chunk> chunks = message.evidence().chunks();
      sized.add(
          switch (size) {
            case SHORT ->
                message(
                    answer.substring(0, answer.lastIndexOf(' ', 110)),
                    message,
                    List.of(new Chunk("c1", Utf8Span.of(cut(chunks.getFirst())))));
            case TYPICAL -> message(answer, message, chunks);
            case LONG -> message(answer, message, several(all, i));
          });
    }
    return sized;
  }

  private static String cut(Chunk chunk) {
    String text = chunk.text().toString();
    return text.substring(0, text.lastIndexOf(' ', 600));
  }

  /** The chunks of six messages. */
  private static List<Chunk> several(List<AgentMessage> all, int first) {
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      for (Chunk chunk : all.get((first + 11 * i) % all.size()).evidence().chunks()) {
        chunks.add(new Chunk("c" + (chunks.size() + 1), chunk.text()));
      }
    }
    return chunks;
  }

  private static String reworded(String answer) {
    StringBuilder text = new StringBuilder();
    int word = 0;
    for (String next : answer.split(" ", -1)) {
      if (++word % LEFT_OUT != 0) {
        text.append(text.isEmpty() ? "" : " ").append(next);
      }
    }
    return text.toString();
  }

  private static AgentMessage message(String answer, AgentMessage asked, List<Chunk> chunks) {
    return new AgentMessage(
        Utf8Span.of(answer),
        asked.question(),
        new Evidence(
            EvidenceSource.DECLARED, chunks, List.of(), OptionalDouble.empty(), List.of()));
  }
}
