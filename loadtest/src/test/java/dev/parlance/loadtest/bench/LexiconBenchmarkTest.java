package dev.parlance.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The benchmark of boards measures messages that really hold terms of both kinds. */
class LexiconBenchmarkTest {
  @ParameterizedTest
  @CsvSource({"answer,messages,6", "all,messages,6", "answer,agents,2", "all,agents,2"})
  void everyMessageHasCoinedTerms_andTheGuardFindsWhatItFindsAlone(
      String said, String words, int atLeast) {
    LexiconBenchmark benchmark = new LexiconBenchmark();
    benchmark.governed = 1_000;
    benchmark.coined = 1_000;
    benchmark.said = said;
    benchmark.words = words;
    benchmark.setUp();
    int messages = RotatingMessages.messages().size();
    int alone = 0;
    for (int message = 0; message < messages; message++) {
      alone += benchmark.guard().checked();
    }
    int together = 0;
    int coined = 0;
    for (int message = 0; message < messages; message++) {
      together += benchmark.guardAndBoard().checked();
      assertThat(benchmark.found()).isGreaterThanOrEqualTo(atLeast);
      coined += benchmark.found();
    }
    int apart = 0;
    for (int message = 0; message < messages; message++) {
      apart += benchmark.board();
    }
    assertThat(apart).isEqualTo(coined);
    assertThat(together).isEqualTo(alone).isGreaterThan(10 * messages);
  }
}
