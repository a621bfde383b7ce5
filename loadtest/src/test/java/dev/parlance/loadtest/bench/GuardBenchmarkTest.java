package dev.parlance.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmark of the guard measures messages that really hold governed terms. */
class GuardBenchmarkTest {
  @ParameterizedTest
  @ValueSource(strings = {"answer", "all"})
  void ofALargeVocabulary_everyMessageHasManyTerms_andTheGuardHasASay(String said) {
    GuardBenchmark benchmark = new GuardBenchmark();
    benchmark.vocabulary = 20_000;
    benchmark.said = said;
    benchmark.setUp();
    for (int message = 0; message < RotatingMessages.messages().size(); message++) {
      CoreFindings findings = benchmark.guard().findings();
      assertThat(findings.checked()).isGreaterThan(20);
      assertThat(findings.certified()).isGreaterThan(findings.unknown());
    }
    assertThat(benchmark.judge().decision().reasons()).doesNotContain(Reason.TERM_UNCERTIFIED);
    Verdict guarded = benchmark.judgeAndGuard();
    assertThat(guarded.decision().reasons()).contains(Reason.TERM_UNCERTIFIED);
  }

  @Test
  void theTextThatIsSaid_isAsLargeAsItsNameSays() {
    assertThat(meanBytes(RotatingMessages.messages())).isBetween(500.0, 1_000.0);
    assertThat(meanBytes(RotatingMessages.sayingTheirEvidence())).isBetween(2_500.0, 4_500.0);
  }

  private static double meanBytes(List<AgentMessage> messages) {
    return messages.stream().mapToInt(message -> message.answer().length()).average().orElse(0);
  }
}
