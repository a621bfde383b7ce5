package dev.parlance.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecideCommandTest {
  @Test
  void everyTable_isMeasured_andEndsInACommit() {
    StringWriter out = new StringWriter();
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .execute("decide", "--dim", "16", "--times", "3", "--warm-up", "20", "-o", "markdown");
    assertThat(status).isZero();
    List<String> rows = out.toString().lines().filter(line -> line.contains("| 16 |")).toList();
    assertThat(rows).hasSize(3).allMatch(row -> row.contains("_commit |"));
  }

  @Test
  void arrangements_areAllThereAre() {
    assertThat(DecideTables.arrangements(4))
        .containsExactly(
            List.of(4), List.of(3, 1), List.of(2, 2), List.of(2, 1, 1), List.of(1, 1, 1, 1));
    assertThat(DecideTables.arrangements(16)).hasSize(231).doesNotHaveDuplicates();
  }

  @Test
  void vectorsShorterThanTheLayoutNeeds_areRefused() {
    assertThat(
            Main.commandLine()
                .setErr(new PrintWriter(new StringWriter()))
                .execute("decide", "--dim", "8"))
        .isEqualTo(2);
  }
}
