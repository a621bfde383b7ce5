package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.demo.Demo;
import dev.parlance.demo.DemoOptions;
import dev.parlance.demo.agent.Talk;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The demonstration of rounds with real sidecars and a real control plane. */
@Timeout(600)
class RoundDemoIT {
  @TempDir Path workDir;

  @Test
  void everyRound_endsAsItHasTo_andTheLedgerSaysTheSame() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        new Demo(
                options(workDir, DemoOptions.Mode.ONCE, DemoOptions.Output.JSON),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                InputStream.nullInputStream())
            .run(Demo.Show.ROUNDS);
    assertThat(status).as("%s%n%s", out, err).isZero();
    JsonNode report = A2a.JSON.readTree(out.toString(StandardCharsets.UTF_8));
    assertThat(report.path("ok").asBoolean()).isTrue();
    JsonNode rounds = report.path("rounds");
    assertThat(rounds).hasSize(9);
    assertThat(rounds.valueStream().map(round -> round.path("outcome").asString("")))
        .containsExactly(
            "semantic_commit",
            "semantic_commit",
            "semantic_commit",
            "semantic_commit",
            "verdict_commit",
            "semantic_commit",
            "semantic_commit",
            "semantic_commit",
            "abort");
    for (JsonNode round : rounds) {
      assertThat(round.path("recomputed").asBoolean()).as("%s", round).isTrue();
      assertThat(round.path("core").valueStream().map(JsonNode::asString))
          .as("%s", round)
          .doesNotContain(
              round.path("outcome").asString("").equals("semantic_commit") ? "mallory" : "nobody");
    }
    JsonNode equivocated = rounds.path(2);
    assertThat(equivocated.path("proposals").valueStream())
        .filteredOn(one -> one.path("standing").asString("").equals("equivocation"))
        .hasSize(2);
    JsonNode turned = rounds.path(6);
    assertThat(turned.path("core").valueStream().map(JsonNode::asString)).doesNotContain("rupert");
    assertThat(turned.path("apart").valueStream())
        .filteredOn(one -> one.path("agent").asString("").equals("rupert"))
        .extracting(one -> one.path("kind").asString(""))
        .containsExactly("modality_changed");
    JsonNode listed = rounds.path(7);
    assertThat(listed.path("core").valueStream().map(JsonNode::asString))
        .containsExactly("ann", "ben", "cleo", "dora", "emil");
    assertThat(listed.path("common").valueStream().map(JsonNode::asString))
        .containsExactly("Copies may be distributed in Object form");
    JsonNode late = rounds.path(5);
    assertThat(late.path("refused").valueStream().map(one -> one.path("why").asString("")))
        .hasSize(2)
        .anyMatch(why -> why.contains("wrong_epoch") || why.contains("round_unknown"))
        .anyMatch(why -> why.contains("late"));
    assertThat(report.path("orders").valueStream().map(one -> one.path("passed").asBoolean()))
        .containsExactly(true, false, false, false, false);
    assertThat(rounds.valueStream().map(round -> round.path("toldInTheAnswer").asString("")))
        .noneMatch(String::isEmpty);
    JsonNode ledger = report.path("ledger");
    assertThat(ledger.path("sound").asBoolean()).isTrue();
    assertThat(ledger.path("semanticCommits").asInt()).isEqualTo(7);
    assertThat(ledger.path("verdictCommits").asInt()).isEqualTo(1);
    assertThat(ledger.path("aborts").asInt()).isEqualTo(1);
    assertThat(ledger.path("equivocations").asInt()).isEqualTo(1);
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }

  private static DemoOptions options(
      Path workDir, DemoOptions.Mode mode, DemoOptions.Output output) {
    return new DemoOptions(
        SecondActIT.parlance("proxy"),
        SecondActIT.parlance("control"),
        "bin/parlance",
        Path.of("..", "LICENSE"),
        workDir,
        mode,
        output,
        false,
        Talk.Binding.JSONRPC,
        DemoOptions.Streaming.OFF);
  }
}
