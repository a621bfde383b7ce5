package dev.parlance.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Main;
import dev.parlance.cli.Run;
import dev.parlance.cli.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class SimulateCommandTest {
  private static Run simulate(String... more) {
    String[] args = new String[more.length + 2];
    args[0] = "simulate";
    args[1] = "certification";
    System.arraycopy(more, 0, args, 2, more.length);
    return Run.of(args);
  }

  @Test
  void json_hasTheTableAndTheFigure_andNothingElse() {
    Run run = simulate("--runs", "20", "--seed", "3", "-o", "json");
    assertThat(run.status()).as(run.err()).isZero();
    JsonNode json = Json.MAPPER.readTree(run.out());
    assertThat(json.propertyNames()).containsExactly("table1", "figure3");
    assertThat(json.path("table1"))
        .extracting(row -> row.path("condition").stringValue())
        .containsExactly("noise-only", "moderate-drift", "high-divergence");
    assertThat(json.path("table1").get(0).propertyNames())
        .containsExactly(
            "condition", "unguardedPercent", "guardedPercent", "coreSize", "emptyCorePercent");
    assertThat(json.path("table1").get(0).path("unguardedPercent").doubleValue())
        .isBetween(1.0, 3.2);
    assertThat(json.path("table1").get(2).path("unguardedPercent").doubleValue())
        .isBetween(30.0, 50.0);
    assertThat(json.path("figure3")).hasSize(5 * 50);
    assertThat(simulate("--runs", "20", "--seed", "3", "-o", "json").out()).isEqualTo(run.out());
    assertThat(simulate("--runs", "20", "--seed", "4", "-o", "json").out()).isNotEqualTo(run.out());
  }

  @Test
  void text_putsThePapersNumbersBesideOurs_andChartsOnWideTerminalsOnly() {
    Run run = simulate("--runs", "2");
    assertThat(run.out())
        .contains("bound wilson")
        .containsPattern("moderate-drift +\\d+\\.\\d\\d +7\\.4 +\\d\\.\\d\\d +2\\.1 ")
        .contains("recertified")
        .doesNotContain("\u2588");
    var out = new ByteArrayOutputStream();
    int status =
        Main.run(
            new Terminal(
                InputStream.nullInputStream(),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                Map.of("PARLANCE_COLUMNS", "160"),
                false),
            "simulate",
            "certification",
            "--runs",
            "2");
    assertThat(status).isZero();
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).anyMatch(line -> line.contains("\u2588"));
    assertThat(lines).allMatch(line -> line.length() <= 160);
  }

  @Test
  void ledger_isLeftWhereVerifyReadsIt_andNeverOverSomethingElse(@TempDir Path folder)
      throws IOException {
    Path ledger = folder.resolve("ledger");
    Run run =
        simulate("--runs", "2", "--ledger-runs", "1", "--ledger", ledger.toString(), "-o", "json");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).contains("parlance ledger verify " + ledger + " --vkey ");
    assertThat(Json.MAPPER.readTree(run.out()).path("table1")).hasSize(3);
    assertThat(Run.of("ledger", "verify", ledger.toString()).status()).isZero();
    Run again = simulate("--runs", "2", "--ledger", ledger.toString());
    assertThat(again.status()).isEqualTo(2);
    assertThat(again.err()).contains("expected a new or empty directory");
    Path file = Files.writeString(folder.resolve("file"), "x");
    assertThat(simulate("--runs", "2", "--ledger", file.toString()).status()).isEqualTo(2);
  }

  @Test
  void wrongNumbers_areUsage() {
    assertThat(simulate("--runs", "0").status()).isEqualTo(2);
    assertThat(simulate("--ledger-runs", "1").status()).isEqualTo(2);
    assertThat(simulate("--bound", "none").status()).isEqualTo(2);
    assertThat(Run.of("simulate").status()).isEqualTo(2);
  }
}
