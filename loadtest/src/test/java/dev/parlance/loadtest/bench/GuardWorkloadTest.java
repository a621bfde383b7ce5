package dev.parlance.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The benchmark of the guard measures messages that really hold governed terms. */
class GuardWorkloadTest {
  @ParameterizedTest
  @EnumSource(GuardWorkload.Said.class)
  void ofALargeVocabulary_everyMessageHasManyTerms_andTheGuardHasASay(GuardWorkload.Said said) {
    GuardWorkload load = GuardBenchmark.workload(said, 20_000);
    for (int message = 0; message < CorpusPlan.DEFAULT_EXCHANGES; message++) {
      CoreFindings findings = load.guard().findings();
      assertThat(findings.checked()).isGreaterThan(20);
      assertThat(findings.certified()).isGreaterThan(findings.unknown());
    }
    assertThat(load.bytesPerTerm()).isBetween(30.0, 130.0);
    assertThat(load.judge().decision().reasons()).doesNotContain(Reason.TERM_UNCERTIFIED);
    Verdict guarded = load.judgeAndGuard();
    assertThat(guarded.decision().reasons()).contains(Reason.TERM_UNCERTIFIED);
  }

  @Test
  void theTextThatIsSaid_isAsLargeAsItsNameSays() {
    assertThat(GuardBenchmark.workload(GuardWorkload.Said.ANSWER, 10).bytesSaid())
        .isBetween(500.0, 1_000.0);
    assertThat(GuardBenchmark.workload(GuardWorkload.Said.ALL, 10).bytesSaid())
        .isBetween(2_500.0, 4_500.0);
  }
}
