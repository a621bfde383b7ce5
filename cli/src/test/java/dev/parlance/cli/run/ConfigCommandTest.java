package dev.parlance.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ConfigCommandTest {
  private static final String WRONG =
      """
      version: 1
      mode: enforced
      inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:8080" }
      timeouts: { connectMs: -5 }
      """;

  @TempDir Path folder = Path.of("");

  @Test
  void defaults_areThemselvesAValidConfiguration() throws IOException {
    for (String format : new String[] {"text", "json"}) {
      Run defaults = Run.of("config", "show-defaults", "-o", format);
      Path file = Files.writeString(folder.resolve("defaults.yaml"), defaults.out());
      Run run = Run.of("config", "validate", file.toString());
      assertThat(run.out()).contains("valid, revision");
      assertThat(run.status()).isZero();
    }
  }

  @Test
  void theWayOfARoute_isPrintedFromTopToBottom() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("good.yaml"),
            """
            version: 1
            inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:8080" }
            routes:
              - name: strict
                match: { pathPrefix: /a2a }
                grounding: required
                onUnjudged: warn
              - name: watched
                mode: observe
            """);
    Run strict = Run.of("config", "explain", file.toString(), "strict");
    assertThat(strict.out().lines().map(String::strip).toList())
        .containsSubsequence("route strict, inbound, mode enforce", "request", "answer")
        .anyMatch(line -> line.startsWith("judge") && line.contains("grounding required"))
        .anyMatch(line -> line.startsWith("enforce") && line.contains("the agent is asked again"));
    Run watched = Run.of("config", "explain", file.toString(), "watched");
    assertThat(watched.out()).doesNotContain("enforce ").contains("  pass ");
    Run unknown = Run.of("config", "explain", file.toString(), "none");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("strict, watched");
  }

  @Test
  void everyProblem_hasFileLineAndColumn() throws IOException {
    Path file = Files.writeString(folder.resolve("wrong.yaml"), WRONG);
    Run run = Run.of("config", "validate", file.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out().lines())
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(line -> line.startsWith(file + ":"))
        .anyMatch(line -> line.startsWith(file + ":2:7: /mode: "))
        .anyMatch(line -> line.startsWith(file + ":4:") && line.contains("/timeouts/connectMs: "));
  }

  @Test
  void problems_asJson() throws IOException {
    Path file = Files.writeString(folder.resolve("wrong.yaml"), WRONG);
    Run run = Run.of("config", "validate", "-o", "json", file.toString());
    JsonNode report = Json.MAPPER.readTree(run.out());
    assertThat(run.status()).isEqualTo(1);
    assertThat(report.path("valid").booleanValue()).isFalse();
    assertThat(report.path("problems").get(0).path("pointer").stringValue()).isEqualTo("/mode");
    assertThat(report.path("problems").get(0).path("line").intValue()).isEqualTo(2);
  }

  @Test
  void missingFile_isUsage() {
    Run run = Run.of("config", "validate", folder.resolve("none.yaml").toString());
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(1);
  }

  @Test
  void schema_isJson() {
    assertThat(Json.MAPPER.readTree(Run.of("config", "schema").out()).path("$schema").isString())
        .isTrue();
  }
}
