package dev.parlance.loadtest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The benchmark of boards measures messages that really hold terms of both kinds. */
class LexiconBenchmarkTest {
  private static final int WARM_UP = 12;

  @ParameterizedTest
  @CsvSource({"answer,messages,6", "all,messages,6", "answer,agents,2", "all,agents,2"})
  void everyMessageHasCoinedTerms_andTheGuardFindsWhatItFindsAlone(
      String said, String words, int atLeast) {
    LexiconBenchmark benchmark = of(said, words);
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

  private static LexiconBenchmark of(String said, String words) {
    LexiconBenchmark benchmark = new LexiconBenchmark();
    benchmark.governed = 1_000;
    benchmark.coined = 1_000;
    benchmark.said = said;
    benchmark.words = words;
    benchmark.setUp();
    return benchmark;
  }

  /**
   * Beside other work a JMH run says little: here the two are measured in turns, by the processor
   * time of this thread. {@code -Dpairs=N -XX:TieredStopAtLevel=4} for so many turns; the goal
   * holds for terms of agents.
   */
  @ParameterizedTest
  @CsvSource({"answer,agents", "all,agents", "answer,messages", "all,messages"})
  @EnabledIfSystemProperty(named = "pairs", matches = "[1-9][0-9]*")
  @SuppressWarnings("SystemOut") // it is run for what it prints
  void lookingForTermsOfABoardToo_costsLittleMore(String said, String words) {
    LexiconBenchmark benchmark = of(said, words);
    int pairs = Integer.getInteger("pairs");
    int messages = said.equals("all") ? 2_000 : 8_000;
    double[] alone = new double[pairs];
    double[] ratios = new double[pairs];
    for (int pair = -WARM_UP; pair < pairs; pair++) {
      double guardNs = nsEach(messages, () -> benchmark.guard().checked());
      double bothNs = nsEach(messages, () -> benchmark.guardAndBoard().checked());
      if (pair >= 0) {
        alone[pair] = guardNs;
        ratios[pair] = bothNs / guardNs;
      }
    }
    Arrays.sort(alone);
    Arrays.sort(ratios);
    System.out.printf(
        Locale.ROOT,
        "%s %s: guard alone %.2f us, with the board %.3f [%.3f-%.3f]%n",
        said,
        words,
        alone[pairs / 2] / 1_000,
        ratios[pairs / 2],
        ratios[pairs / 4],
        ratios[3 * pairs / 4]);
    assertThat(ratios[pairs / 2]).isLessThan(words.equals("agents") ? 1.15 : 1.25);
  }

  private static double nsEach(int times, IntSupplier work) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();
    int sum = 0;
    for (int i = 0; i < times; i++) {
      sum += work.getAsInt();
    }
    assertThat(sum).isPositive();
    return (threads.getCurrentThreadCpuTime() - before) / (double) times;
  }
}
