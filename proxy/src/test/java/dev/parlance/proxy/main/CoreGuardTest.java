package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.proxy.gate.CompiledCore;
import dev.parlance.proxy.gate.Cores;
import dev.parlance.proxy.gate.TestCores;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What callers, agents and reviewers see of routes that hold messages against a core. */
class CoreGuardTest extends SidecarFixture {
  private static final String CONSEQUENTIAL =
      "consequential: true\n    core: { domain: license, peer: bob }";
  private static final CompiledCore CORE =
      CompiledCore.of(
          TestCores.core(
              "bob",
              3,
              "certified:impeller",
              "certified:radial play",
              "refused:play:radial play",
              "revoked:operating hours"));
  private static final CompiledCore ALL_CERTIFIED =
      CompiledCore.of(
          TestCores.core(
              "bob", 4, "certified:impeller", "certified:operating hours", "certified:play"));
  private static final String FINE = "When must the impeller be replaced?";

  private final AtomicReference<Cores.CoreView> view =
      new AtomicReference<>(Cores.CoreView.fresh(CORE, 12));

  @BeforeEach
  void hold() {
    cores = (_, _) -> view.get();
  }

  @Test
  void S10_aRequestWithAnUncertifiedTerm_isRefusedWithAnAlternative_andNothingReachesTheAgent()
      throws Exception {
    start(CONSEQUENTIAL);
    HttpResponse<String> refused = ask("How much PLAY, and how many operating-\nhours?", "7");

    assertThat(agent.asked()).isEmpty();
    assertThat(refused.headers().firstValue("Parlance-Route")).contains("regenerate");
    assertThat(refused.headers().firstValue("Parlance-Reason"))
        .contains("term_uncertified, term_revoked");
    JsonNode error = JSON.readTree(refused.body()).path("error");
    assertThat(error.path("code").intValue()).isEqualTo(-32080);
    assertThat(error.path("message").asString(""))
        .contains("The term \"play\" is not certified between alice and bob")
        .contains("use \"radial play\" instead of \"play\"")
        .contains("The term \"operating hours\" is no longer certified");
    JsonNode detail = error.at("/data/1/value");
    assertThat(detail.path("repair").asString("")).contains("instead of \"play\"");
    assertThat(detail.at("/verdict/core"))
        .isEqualTo(
            JSON.readTree(
                """
                {"domain":"license","peer":"bob","state":"fresh","version":3,
                 "cores":["alice+bob/license@3"],"ageMs":12,"checked":2,"certified":0,"unknown":1,
                 "revoked":1,"offending":[{"term":"play","status":"refused","use":"radial play"},
                 {"term":"operating hours","status":"revoked"}]}
                """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/healthz|ok|true",
        "/healthz|the impeller runs|false",
        "/pages|<p>operating hours</p>|false",
        "/pages/1|{\"a\":\"operating\\u0020hours\"}|false",
        "/pages?q=operating%20hours|fine|false",
        "/pages?q=radial+play|fine|false",
        "/pages?q=radial+plays|fine|true",
      })
  void whatPassesByItsName_hasNoGovernedTerm(String target, String body, boolean passes)
      throws Exception {
    script = _ -> new ScriptedAgent.Reply(200, "text/plain", body.getBytes(StandardCharsets.UTF_8));
    start(CONSEQUENTIAL);
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + sidecar.inboundPort().orElseThrow() + target))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.body().equals(body)).isEqualTo(passes);
    assertThat(answer.body().contains("plumbing_terms")).isEqualTo(!passes);
  }

  @Test
  void aRequestInCertifiedTerms_passes_andSoDoesItsAnswer() throws Exception {
    view.set(Cores.CoreView.fresh(ALL_CERTIFIED, 12));
    start(CONSEQUENTIAL);
    HttpResponse<String> answer = ask(FINE, "7");
    assertThat(agent.asked()).hasSize(1);
    assertThat(answer.headers().firstValue("Parlance-Route")).contains("execute");
    JsonNode core =
        JSON.readTree(answer.body())
            .at("/result/message/metadata/https:~1~1w3id.org~1parlance~1ext~1asp~1v1/core");
    assertThat(core.path("certified").intValue()).isEqualTo(3);
    assertThat(core.path("offending").size()).isZero();
  }

  @Test
  void anAnswerWithARevokedTerm_isAskedForAgainWithTheTermNamed_andTheBetterOneArrives()
      throws Exception {
    String better = "Replace the impeller when radial play exceeds 0.3 millimetres [Chunk c1].";
    script =
        asked ->
            ScriptedAgent.Reply.json(
                message(
                    asked.text().contains("no longer certified") ? better : GROUNDED, idOf(asked)));
    start(CONSEQUENTIAL);
    HttpResponse<String> answer = ask(FINE, "1");
    assertThat(JSON.readTree(answer.body()).at("/result/message/parts/0/text").asString(""))
        .isEqualTo(better);
    assertThat(agent.asked()).hasSize(2);
    assertThat(JSON.readTree(agent.asked().get(1).body()).toString())
        .contains("The term \\\"operating hours\\\" is no longer certified");
  }

  @Test
  void anAnswerThatKeepsTheTerm_isHeldWhenTheBudgetIsSpent_andAReleaseDeliversIt()
      throws Exception {
    start(CONSEQUENTIAL);
    HttpResponse<String> escalation = ask(FINE, "1");
    assertThat(escalation.headers().firstValue("Parlance-Route")).contains("yield");
    assertThat(escalation.headers().firstValue("Parlance-Reason")).contains("term_revoked, budget");
    assertThat(escalation.body()).doesNotContain("replaced every").contains("operating hours");
    assertThat(agent.asked()).hasSize(3);

    release();
    HttpResponse<String> delivered = ask(FINE, "1");
    assertThat(delivered.headers().firstValue("Parlance-Reason")).contains("released");
    assertThat(delivered.body()).contains("operating hours");
    assertThat(agent.asked()).hasSize(3);
  }

  @Test
  void aRequestThatKeepsTheTerm_isHeld_andGoesOnOnceAPersonReleasesIt() throws Exception {
    start(CONSEQUENTIAL + "\n    profile: none-left");
    script =
        asked -> ScriptedAgent.Reply.json(message("The impeller is fine [Chunk c1].", idOf(asked)));
    HttpResponse<String> held = ask("How much play?", "1");
    assertThat(held.headers().firstValue("Parlance-Route")).contains("yield");
    assertThat(agent.asked()).isEmpty();

    release();
    ask("How much play?", "1");
    assertThat(agent.asked()).hasSize(1);
    assertThat(agent.asked().getFirst().text()).contains("How much play?");
    assertThat(agent.asked().getFirst().fields().get("Parlance-reason"))
        .containsExactly("released");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # state  | mode    | settings                               | question | route   | reasons           | reached
          fresh    | enforce |                                        | fine     | execute | ok                | 1
          fresh    | enforce |                                        | play     | regenerate | term_uncertified | 0
          fresh    | observe |                                        | play     | regenerate | term_uncertified | 1
          stale    | enforce |                                        | none     | execute | ok                | 1
          stale    | enforce |                                        | fine     | yield   | core_stale        | 0
          stale    | enforce | onStale: warn                          | fine     | warn    | core_stale        | 1
          stale    | enforce | onStale: warn                          | play     | regenerate | term_uncertified | 0
          stale    | enforce | onStale: allow                         | fine     | execute | ok                | 1
          stale    | observe |                                        | fine     | yield   | core_stale        | 1
          absent   | enforce |                                        | none     | yield   | core_absent       | 0
          absent   | enforce | onAbsent: warn                         | none     | warn    | core_absent       | 1
          absent   | enforce | onAbsent: allow                        | play     | execute | ok                | 1
          absent   | observe |                                        | play     | yield   | core_absent       | 1
          """)
  void C2_requestsOnAConsequentialRoute_byStateModeAndOutcome(
      String state,
      String mode,
      String settings,
      String question,
      String route,
      String reasons,
      int reached)
      throws Exception {
    view.set(viewIn(state));
    start(
        "consequential: true\n    annotate: full\n    mode: %s\n    core: { domain: license %s}"
            .formatted(mode, settings == null ? "" : ", " + settings));
    HttpResponse<String> answer = ask(questionOf(question), "1");
    assertThat(agent.asked().size()).isGreaterThanOrEqualTo(reached);
    if (reached == 0) {
      assertThat(agent.asked()).isEmpty();
      assertThat(answer.headers().firstValue("Parlance-Route")).contains(route);
      assertThat(answer.headers().firstValue("Parlance-Reason")).contains(reasons);
    } else {
      var fields = agent.asked().getFirst().fields();
      assertThat(fields.get("Parlance-route")).containsExactly(route);
      assertThat(fields.get("Parlance-reason")).containsExactly(reasons);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fresh  | warn  | play | term_uncertified
          fresh  | count | play | ok
          fresh  | warn  | fine | ok
          stale  | warn  | play | core_stale, term_uncertified
          stale  | warn  | none | ok
          absent | warn  | play | ok
          """)
  void onAnOrdinaryRoute_messagesGoOn_withAWarningOrCounted(
      String state, String onUncertified, String question, String reasons) throws Exception {
    view.set(viewIn(state));
    start("core: { domain: license, onUncertified: %s }".formatted(onUncertified));
    ask(questionOf(question), "1");
    assertThat(agent.asked()).isNotEmpty();
    var fields = agent.asked().getFirst().fields();
    assertThat(fields.get("Parlance-route"))
        .containsExactly(reasons.equals("ok") ? "execute" : "warn");
    assertThat(fields.get("Parlance-reason")).containsExactly(reasons);
  }

  @Test
  void aTermThatIsRevokedMeanwhile_isHeldBackFromTheNextMessageOn() throws Exception {
    view.set(Cores.CoreView.fresh(ALL_CERTIFIED, 0));
    start(CONSEQUENTIAL);
    assertThat(ask("How many operating hours?", "1").headers().firstValue("Parlance-Route"))
        .contains("execute");
    view.set(Cores.CoreView.fresh(CORE, 0));
    assertThat(ask("How many operating hours?", "2").headers().firstValue("Parlance-Reason"))
        .contains("term_revoked");
  }

  @Test
  void B10_whatNobodyCanRead_doesNotPassAConsequentialRoute_andErrorsAreReadForTerms()
      throws Exception {
    view.set(Cores.CoreView.fresh(ALL_CERTIFIED, 0));
    start(CONSEQUENTIAL);
    HttpResponse<String> file =
        post(
            """
            {"jsonrpc":"2.0","id":5,"method":"SendMessage","params":{"message":{"messageId":"m-1",\
            "role":"ROLE_USER","parts":[{"text":"See the file."},{"url":"http://x.example/f"}]}}}\
            """);
    assertThat(file.body()).contains("-32081").contains("binary_part");
    assertThat(agent.asked()).isEmpty();

    script =
        asked ->
            ScriptedAgent.Reply.json(
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32001,\"message\":\"%s\"}}"
                    .formatted(idOf(asked), "Less play is needed"));
    HttpResponse<String> error = ask(FINE, "6");
    assertThat(error.body()).contains("-32001").contains("Less play");
    view.set(Cores.CoreView.fresh(CORE, 0));
    HttpResponse<String> refused = ask(FINE, "7");
    assertThat(refused.body())
        .contains("-32001")
        .contains("term_uncertified")
        .doesNotContain("Less play");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain|@",
        "text/plain; charset=iso-8859-1|caf\u00e9: @",
        "text/html|<!doctype"
            + " html><html><head><title>502</title></head><body><h1>@</h1></body></html>",
        "text/html; charset=iso-8859-1|<center><h1>@</h1></center><hr><center>nginx</center>",
        "text/html|<style type=\"text/css\">h1"
            + " {color:white;background-color:#525D76;}</style><h1>@</h1>",
        "application/xml|<?xml"
            + " version=\"1.0\"?><Error><Code>Away</Code><Message>@</Message></Error>",
        "text/xml|<?xml version='1.0' encoding='ISO-8859-1'?><e><f>caf\u00e9: @</f></e>"
      })
  void pagesAndLinesOfErrors_passAConsequentialRoute_onceTheGuardHasReadThem(String answer)
      throws Exception {
    view.set(Cores.CoreView.fresh(CORE, 0));
    start(CONSEQUENTIAL);
    String type = answer.substring(0, answer.indexOf('|'));
    String body = answer.substring(type.length() + 1);
    Map<String, Boolean> passes =
        Map.of(
            "Gone until 14:00.",
            true,
            "Less play is needed.",
            false,
            "Less pl<b>a</b>y is needed.",
            type.startsWith("text/plain"),
            "Less pl&#97;y is needed.",
            type.startsWith("text/plain"));
    int id = 0;
    for (Map.Entry<String, Boolean> one : passes.entrySet()) {
      script =
          _ ->
              new ScriptedAgent.Reply(
                  503, type, body.replace("@", one.getKey()).getBytes(StandardCharsets.ISO_8859_1));
      HttpResponse<String> told = ask(FINE, Integer.toString(++id));
      assertThat(told.statusCode()).isEqualTo(503);
      assertThat(told.body().contains(one.getKey())).as(told.body()).isEqualTo(one.getValue());
    }
  }

  @Test
  void decisionsOfTheGuard_areLoggedWithItsCore_explained_andCounted() throws Exception {
    start(CONSEQUENTIAL);
    String id = ask("How much play?", "1").headers().firstValue("Parlance-Decision").orElse("");
    JsonNode line = JSON.readTree(admin("GET", "/decisions/" + id, "").body());
    assertThat(line.at("/core/version").longValue()).isEqualTo(3);
    assertThat(line.at("/core/ageMs").longValue()).isEqualTo(12);
    assertThat(line.at("/core/unknown").intValue()).isEqualTo(1);
    assertThat(line.at("/core/onStale").asString("")).isEqualTo("yield");

    JsonNode explained = JSON.readTree(admin("GET", "/explain/" + id, "").body());
    assertThat(explained.path("reproduces").asBoolean(false)).isTrue();
    assertThat(explained.path("findings").toString())
        .contains("alice+bob/license@3, fresh, confirmed 12 ms before; of 1 governed terms")
        .contains("regenerate [term_uncertified]")
        .contains("instead of");

    view.set(Cores.CoreView.ABSENT);
    ask(FINE, "2");
    assertThat(scrape())
        .contains("parlance_core_terms_checked_total{domain=\"license\",status=\"unknown\"} 1.0")
        .contains("parlance_core_guard_total{reason=\"term_uncertified\",route=\"regenerate\"} 1.0")
        .contains("parlance_core_guard_total{reason=\"core_absent\",route=\"yield\"} 1.0")
        .doesNotContain("parlance_fail_open_total");
  }

  @Test
  void whatGoesOnWithoutAFreshCore_isCountedAsSuch() throws Exception {
    view.set(Cores.CoreView.ABSENT);
    start("core: { domain: license }");
    ask(FINE, "1");
    assertThat(scrape())
        .contains("parlance_fail_open_total{check=\"core_absent\",policy=\"allow\"} 2.0");
  }

  private void release() throws Exception {
    JsonNode items = JSON.readTree(admin("GET", "/review?state=pending", "").body()).path("items");
    assertThat(items.size()).isEqualTo(1);
    String id = items.get(0).path("id").asString("");
    assertThat(
            admin("POST", "/review/" + id + "/release", "{\"who\":\"ada\",\"undoMs\":0}")
                .statusCode())
        .isEqualTo(200);
  }

  private static Cores.CoreView viewIn(String state) {
    return switch (state) {
      case "fresh" -> Cores.CoreView.fresh(CORE, 1);
      case "stale" -> Cores.CoreView.stale(CORE, 3_600_001);
      default -> Cores.CoreView.ABSENT;
    };
  }

  private static String questionOf(String kind) {
    return switch (kind) {
      case "fine" -> FINE;
      case "play" -> "How much play?";
      default -> "What now?";
    };
  }
}
