package dev.parlance.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.parlance.loadtest.bench.RotatingMessages;
import dev.parlance.policy.message.AgentMessage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartsCommandTest {
  private static final List<PartsCommand.Cost> COSTS =
      List.of(
          new PartsCommand.Cost(
              "ScorerBenchmark.byteSum", "answerKb=100", 12_345.67, 8.9, 12_300, 20_000, 3.25, 48),
          new PartsCommand.Cost(
              "HcscBenchmark.decide",
              "",
              61.2,
              Double.NaN,
              Double.NaN,
              Double.NaN,
              Double.NaN,
              Double.NaN));

  @Test
  void theTable_hasARowForEachBenchmark() {
    assertThat(PartsCommand.text(LoadTestMain.Format.MARKDOWN, COSTS))
        .contains(
            "| ScorerBenchmark.byteSum | answerKb=100 | 12,345.7 | 8.9 | 12,300 | 20,000 | 3.25 |"
                + " 48 |")
        .contains("| HcscBenchmark.decide |  | 61.2 | - | - | - | - | - |");
  }

  @Test
  void json_leavesOutWhatWasNotMeasured() {
    assertThat(PartsCommand.text(LoadTestMain.Format.JSON, COSTS))
        .isEqualTo(
            "[{\"benchmark\":\"ScorerBenchmark.byteSum\",\"parameters\":\"answerKb=100\","
                + "\"nsPerOp\":12345.67,\"errorNs\":8.9,\"p50Ns\":12300.0,\"p99Ns\":20000.0,\"gigabytesPerSecond\":3.25,"
                + "\"bytesPerOp\":48.0},"
                + "{\"benchmark\":\"HcscBenchmark.decide\",\"parameters\":\"\",\"nsPerOp\":61.2}]");
  }

  @Test
  void samples_areToldWithPercentiles_forTheParametersThatWereAskedFor() {
    wantsGeneratedCode();
    StringWriter out = new StringWriter();
    int status =
        LoadTestMain.commandLine()
            .setOut(new PrintWriter(out, true))
            .execute(
                "parts",
                "--only=HcscBenchmark",
                "-p",
                "dim=16",
                "-p",
                "layout=AGREE_7,TIED_16",
                "--forks=0",
                "--iterations=1",
                "--milliseconds=50",
                "-o",
                "markdown");
    assertThat(status).isZero();
    assertThat(out.toString())
        .contains("| HcscBenchmark.decide | dim=16 layout=AGREE_7 |")
        .contains("| HcscBenchmark.decide | dim=16 layout=TIED_16 |");
  }

  /** What JMH's processor makes is there in Maven's builds. */
  private static void wantsGeneratedCode() {
    String classes =
        String.valueOf(PartsCommand.class.getProtectionDomain().getCodeSource().getLocation());
    assumeFalse(classes.contains("/target/dev/"), "bin/dev runs no annotation processors");
  }

  @Test
  void messagesDiffer_andHaveTheSizeThatWasAskedFor() {
    List<AgentMessage> messages = RotatingMessages.withAnswers(4.5);
    assertThat(messages).hasSize(64);
    assertThat(messages.stream().map(message -> message.answer().toString()).distinct())
        .hasSize(64);
    for (AgentMessage message : messages) {
      assertThat(message.answer().length()).isEqualTo(4_500);
      assertThat(message.evidence().chunks()).isNotEmpty();
    }
  }
}
