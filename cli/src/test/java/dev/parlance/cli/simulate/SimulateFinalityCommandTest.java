package dev.parlance.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SimulateFinalityCommandTest {
  private static Run simulate(String... more) {
    String[] args = new String[more.length + 2];
    args[0] = "simulate";
    args[1] = "finality";
    System.arraycopy(more, 0, args, 2, more.length);
    return Run.of(args);
  }

  @Test
  void json_hasDiagnosticStudyAndControl_andDependsOnTheSeedOnly() {
    Run run = simulate("--episodes", "12", "--rounds", "500", "--seed", "3", "-o", "json");
    assertThat(run.status()).as(run.err()).isZero();
    JsonNode json = Json.MAPPER.readTree(run.out());
    assertThat(json.propertyNames())
        .containsExactly(
            "seed", "diagnostic", "study", "refused", "equivocations", "control", "breaches");
    assertThat(json.path("breaches").longValue()).isZero();
    assertThat(json.path("diagnostic"))
        .hasSize(12)
        .allSatisfy(row ->
            assertThat(row.path("aborts").intValue())
                .isEqualTo(row.path("bucket").stringValue().equals("beyond-bft") ? 1 : 0));
    assertThat(json.path("study"))
        .hasSize(10)
        .allSatisfy(row -> assertThat(row.path("wrongVerdict").longValue()).isZero());
    Run again = simulate("--episodes", "12", "--rounds", "500", "--seed", "3", "-o", "json");
    assertThat(again.out()).isEqualTo(run.out());
    Run other = simulate("--episodes", "12", "--rounds", "500", "--seed", "4", "-o", "json");
    assertThat(other.out()).isNotEqualTo(run.out());
  }

  @Test
  void text_putsThePapersNumbersBesideOurs() {
    Run run = simulate("--rounds", "300");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("Diagnostic, 120 episodes")
        .containsPattern(
            "feasible +4 +1 +rushing +10 +100\\.0 % +100\\.0 % +0\\.0 % .* 0\\.31-2\\.04")
        .containsPattern("beyond-bft +6 +2 +static +10 +0\\.0 % +0\\.0 % +100\\.0 % +100\\.0 %")
        .contains("no promise was broken")
        .containsPattern("adversaries +[0-9.]+ % +[0-9.]+ % +[0-9.]+ % +0\\.0 %")
        .containsPattern("paper, static +90\\.0 % +54\\.0 % +36\\.0 %")
        .contains("BFT_INFEASIBLE ")
        .contains("wrong_epoch ")
        .contains("control, f+1 faulty agents, 30 rounds");
  }

  @Test
  void wrongNumbers_areUsage() {
    assertThat(simulate("--rounds", "0").status()).isEqualTo(2);
    assertThat(simulate("--episodes", "13").err()).contains("a multiple of 12");
    assertThat(simulate("--seed", "x").status()).isEqualTo(2);
  }
}
