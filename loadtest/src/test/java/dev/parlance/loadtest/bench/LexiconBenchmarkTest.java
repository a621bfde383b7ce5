package dev.parlance.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmark of boards measures messages that really hold terms of both kinds. */
class LexiconBenchmarkTest {
  @ParameterizedTest
  @ValueSource(strings = {"answer", "all"})
  void everyMessageHasCoinedTerms_andTheGuardFindsWhatItFindsAlone(String said) {
    LexiconBenchmark benchmark = new LexiconBenchmark();
    benchmark.governed = 1_000;
    benchmark.coined = 1_000;
    benchmark.said = said;
    benchmark.setUp();
    int messages = RotatingMessages.messages().size();
    int alone = 0;
    for (int message = 0; message < messages; message++) {
      alone += benchmark.guard().checked();
    }
    int together = 0;
    for (int message = 0; message < messages; message++) {
      together += benchmark.guardAndBoard().checked();
      assertThat(benchmark.found()).isGreaterThan(5);
    }
    assertThat(together).isEqualTo(alone).isGreaterThan(10 * messages);
  }
}
