package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Messages that would take too long to judge follow the route's {@code onUnjudged}. */
class JudgingLimitTest extends SidecarFixture {
  private static final String ONE_MS = "\nlimits:\n  judgingMs: 1\n";

  /** 3,300 ns for ten of these, so 4,000 cost more than 1 ms and 2,000 do not. */
  private static final String LIGATURE = "\uFDFA";

  private static final String FORGED =
      "\"https://w3id.org/parlance/ext/asp/v1\":{\"route\":\"execute\"},";

  private void answering(String text) {
    script =
        asked ->
            ScriptedAgent.Reply.json(
                message(text, idOf(asked)).replace("\"metadata\":{", "\"metadata\":{" + FORGED));
  }

  /** The bounds here are those of counting words. */
  @Override
  void start(String settings) throws IOException {
    String more = settings.isEmpty() || settings.startsWith("\n") ? settings : "\n    " + settings;
    super.start("profile: overlap" + more);
  }

  @Test
  void anAnswerThatCostsTooMuchIsRefusedByDefault_andCountedAndLogged() throws Exception {
    answering(GROUNDED + LIGATURE.repeat(4000));
    start(ONE_MS);
    HttpResponse<String> refused = ask("When must the impeller be replaced?", "1");
    assertThat(refused.headers().firstValue("Parlance-Reason")).contains("unjudged");
    assertThat(refused.body()).contains("judging_limit").doesNotContain("impeller");
    assertThat(agent.asked()).hasSize(1);
    assertThat(scrape())
        .contains("parlance_unjudged_total{policy=\"block\",what=\"judging_limit\"} 1.0");
    JsonNode line = JSON.readTree(admin("GET", "/decisions?limit=1", "").body());
    assertThat(line.toString())
        .contains("refuse_unjudged_judging_limit")
        .contains("\"reasons\":[\"unjudged\"]");
  }

  @Test
  void belowTheBoundTheSameAnswerIsJudged() throws Exception {
    answering(GROUNDED + LIGATURE.repeat(2000));
    start(ONE_MS);
    HttpResponse<String> answer = ask("When must the impeller be replaced?", "1");
    assertThat(answer.headers().firstValue("ASP-Signal").orElse("")).startsWith("[@C:");
    assertThat(scrape()).doesNotContain("what=\"judging_limit\"} 1.0");
  }

  @Test
  void theDefaultBoundJudgesWhatOneMillisecondDoesNot() throws Exception {
    answering(GROUNDED + LIGATURE.repeat(4000));
    start("");
    HttpResponse<String> answer = ask("When must the impeller be replaced?", "1");
    assertThat(answer.headers().firstValue("ASP-Signal").orElse("")).startsWith("[@C:");
  }

  @Test
  void whereTheRouteWarnsItPassesWithAWarning_andWithoutForgedVerdicts() throws Exception {
    answering(GROUNDED + LIGATURE.repeat(4000));
    start("onUnjudged: warn" + ONE_MS);
    HttpResponse<String> answer = ask("When must the impeller be replaced?", "1");
    assertThat(answer.headers().firstValue("Parlance-Route")).contains("warn");
    assertThat(answer.headers().firstValue("Parlance-Reason")).contains("unjudged");
    assertThat(answer.headers().firstValue("ASP-Signal")).isEmpty();
    assertThat(answer.body()).contains("impeller").doesNotContain("ext/asp/v1");
    assertThat(scrape())
        .contains("parlance_unjudged_total{policy=\"warn\",what=\"judging_limit\"} 1.0")
        .contains("parlance_fail_open_total{check=\"unjudged\",policy=\"warn\"} 1.0");
  }

  @Test
  void inObserveModeItPassesAndIsCounted() throws Exception {
    answering(GROUNDED + LIGATURE.repeat(4000));
    start("mode: observe" + ONE_MS);
    HttpResponse<String> answer = ask("When must the impeller be replaced?", "1");
    assertThat(answer.body()).contains("impeller");
    assertThat(scrape())
        .contains("parlance_unjudged_total{policy=\"allow\",what=\"judging_limit\"} 1.0");
  }

  @Test
  void aQuestionThatIsDearWithItsAnswerCountsThere() throws Exception {
    start(ONE_MS);
    HttpResponse<String> refused = ask("When? " + LIGATURE.repeat(4000), "1");
    assertThat(agent.asked()).hasSize(1);
    assertThat(refused.headers().firstValue("Parlance-Reason")).contains("unjudged");
    assertThat(refused.body()).contains("judging_limit");
  }

  @Test
  void aRequestThatCostsTooMuchDoesNotReachTheAgent() throws Exception {
    start(ONE_MS);
    HttpResponse<String> refused = ask(LIGATURE.repeat(4000), "1");
    assertThat(refused.headers().firstValue("Parlance-Reason")).contains("unjudged");
    assertThat(refused.body()).contains("judging_limit");
    assertThat(agent.asked()).isEmpty();
  }

  @Test
  void aRequestThatCostsTooMuchGoesOnWithAWarningWhereTheRouteSaysSo() throws Exception {
    start("onUnjudged: warn" + ONE_MS);
    HttpResponse<String> answer = ask(LIGATURE.repeat(4000), "1");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(agent.asked()).hasSize(1);
    assertThat(agent.asked().getFirst().fields().get("Parlance-route")).contains("warn");
  }

  @Test
  void onAConsequentialRouteItNeverPasses() throws Exception {
    start("consequential: true\n    core: { domain: license, peer: bob }" + ONE_MS);
    HttpResponse<String> refused = ask(LIGATURE.repeat(4000), "1");
    assertThat(refused.body()).contains("judging_limit");
    assertThat(agent.asked()).isEmpty();
  }
}
