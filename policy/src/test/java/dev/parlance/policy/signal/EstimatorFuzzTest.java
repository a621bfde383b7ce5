package dev.parlance.policy.signal;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;

@Tag("fuzz")
class EstimatorFuzzTest {
  private final Estimator fast = new TokenOverlapEstimator(99);
  private final Estimator plain = new ReferenceEstimator();

  /** Cuts the input at its NUL bytes into answer, question and chunk. */
  @FuzzTest(maxDuration = "60s")
  void anyMessage_isMeasuredAsTheReferenceDoes(byte[] bytes) {
    Utf8Span all = Utf8Span.of(bytes);
    int first = indexOfNul(all, 0);
    int second = indexOfNul(all, Math.min(first + 1, all.length()));
    AgentMessage message =
        new AgentMessage(
            all.slice(0, first),
            between(all, first, second),
            new Evidence(
                EvidenceSource.DECLARED,
                List.of(new Chunk("c1", between(all, second, all.length()))),
                List.of(),
                OptionalDouble.empty(),
                List.of()));
    Measurement measured = fast.measure(message);
    assertThat(measured.features().isFinite()).isTrue();
    // The reference neither breaks up mark runs nor bounds the ids of long texts.
    if (bytes.length <= 256) {
      assertThat(measured).isEqualTo(plain.measure(message));
    }
  }

  private static Utf8Span between(Utf8Span all, int nul, int end) {
    int from = Math.min(nul + 1, end);
    return all.slice(from, end - from);
  }

  private static int indexOfNul(Utf8Span span, int from) {
    int i = from;
    while (i < span.length() && span.byteAt(i) != 0) {
      i++;
    }
    return i;
  }
}
