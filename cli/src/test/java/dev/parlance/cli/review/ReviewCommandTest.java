package dev.parlance.cli.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class ReviewCommandTest extends StubbedAdmin {
  private static final String ITEM =
      """
      {"id":"rv-1","state":"pending","kind":"response","direction":"inbound","protocol":"a2a-1.0",
       "routeRule":"answers","flow":"f1","caller":"127.0.0.1","destination":"127.0.0.1:8080",
       "asp":"[@C:0; @G:0; @S:F; A:[]]","reasons":["g_low","budget"],"attempts":3,"heldAtMs":1,
       "decisionId":"d-1","question":"What?","answer":"evil \\u001b[2J\\u202e text\\nsecond line"}
      """;

  private static final String JUDGED_ITEM =
      """
      {"id":"rv-3","state":"pending","reasons":["number_changed"],"attempts":2,"heldAtMs":1,
       "question":"How long?","answer":"It lasts \\u202e36 months.","drafts":["No idea."],
       "evidence":[{"id":"c1","text":"It lasts 24 months.\\u001b[2J"}],"evidenceCut":true}
      """;

  private static final String JUDGEMENT =
      """
      {"id":"rv-3","count":2,"drafts":[
       {"attempt":1,"answer":"No idea.","judgement":{"words":[{"from":0,"to":2},{"from":3,"to":7}]}},
       {"attempt":2,"answer":"It lasts \\u202e36 months.","judgement":{
        "route":"regenerate",
        "reasons":[{"code":"number_changed","sentence":"it has another number than the material"}],
        "words":[{"from":0,"to":2,"evidence":{"chunk":0,"from":0,"to":2}},{"from":12,"to":14},
                 {"from":15,"to":21,"otherwise":true}],
        "claims":[{"from":0,"to":21,"weak":true,"nearest":{"chunk":0,"from":0,"to":18},
                   "changes":[{"from":12,"to":14}]}]}}]}
      """;

  ReviewCommandTest() throws IOException {}

  @Override
  Reply answer(String asked, String authorization) {
    String what = asked.replaceFirst(" \\{.*", "");
    if (!authorization.equals("Bearer secret")) {
      return new Reply(401, "{}");
    } else if (what.equals("GET /review?limit=100&state=pending")) {
      return new Reply(200, "{\"items\":[" + ITEM + "],\"total\":300,\"next\":\"open.rv-1\"}");
    } else if (what.startsWith("GET /review?limit=1000&state=pending&after=open.rv-1&")) {
      return new Reply(200, "{\"items\":[" + ITEM.replace("rv-1", "rv-2") + "],\"total\":2}");
    } else if (what.startsWith("GET /review?limit=1000&state=pending&")) {
      return new Reply(200, "{\"items\":[" + ITEM + "],\"total\":2,\"next\":\"open.rv-1\"}");
    } else if (what.equals("POST /review/rv-2/release")) {
      return new Reply(
          409,
          "{\"error\":{\"code\":\"expired\",\"message\":\"x\"},\"item\":{\"state\":\"expired\",\"decision\":{\"who\":\"bob\"}}}");
    } else if (what.equals("GET /review/rv-1?for=ada")) {
      return new Reply(200, ITEM);
    } else if (what.equals("GET /review/rv-3?for=ada")) {
      return new Reply(200, JUDGED_ITEM);
    } else if (what.equals("GET /review/rv-3/judgement")) {
      return new Reply(200, JUDGEMENT);
    } else if (what.equals("POST /review/rv-1/release")) {
      return new Reply(200, ITEM);
    } else if (what.equals("POST /review/rv-1/reject")) {
      return new Reply(
          409,
          "{\"error\":{\"code\":\"already_decided\",\"message\":\"x\"},\"item\":{\"state\":\"released\",\"decision\":{\"who\":\"bob\"}}}");
    } else {
      return new Reply(404, "{}");
    }
  }

  @Test
  void console_ofAFolderThatIsNotThere_saysThat_beforeItAsksWhoYouAre() {
    Run run =
        Run.withInput(new byte[0], "console", "--data-dir", folder.resolve("nowhere").toString());
    assertThat(run.status()).isNotZero();
    assertThat(run.err()).contains("nowhere").doesNotContain("--who");
  }

  @Test
  void list_showsPendingItems_inOneLineEach() {
    Run run = review("list");
    assertThat(run.status()).isZero();
    assertThat(run.out().lines()).hasSize(4);
    assertThat(run.out()).contains("rv-1").contains("g_low, budget").contains("What?");
    assertThat(run.out())
        .contains("1 of 300; all of them: --all;")
        .contains("parlance review list --after open.rv-1 --data-dir " + folder);
  }

  @Test
  void Q5_show_neutralisesWhatTheAgentWrote() {
    Run run = review("show", "rv-1");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("  | evil \\u{1B}[2J\\u{202E} text")
        .contains("  | second line")
        .contains("parlance review release rv-1 --who ada --data-dir " + folder)
        .contains("parlance explain d-1")
        .doesNotContain("\u001b")
        .doesNotContain("\u202e");
  }

  @Test
  void show_marksUnsupportedWords_ofEveryDraft_besideWhatIsNearest() {
    Run run = review("show", "rv-3");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("draft 1:\n  | [[No]] [[idea]].")
        .contains("answer:\n  | It lasts \\u{202E}[[36]] months.")
        .contains("as it is judged now: regenerate")
        .contains("  - it has another number than the material")
        .contains("  nearest in c1: It lasts 24 months\n")
        .contains("evidence c1:\n  | It lasts 24 months.\\u{1B}[2J")
        .contains("review.evidenceBytes")
        .doesNotContain("\u001b")
        .doesNotContain("\u202e");
  }

  @Test
  void Q5_jsonOutput_isAscii() {
    Run run = review("show", "rv-1", "-o", "json");
    assertThat(run.out()).matches("[\\x0a\\x20-\\x7e]+");
    assertThat(Json.MAPPER.readTree(run.out()).path("id").stringValue()).isEqualTo("rv-1");
  }

  @Test
  void release_sendsWhoAndNote() {
    Run run = review("release", "rv-1", "--note", "checked");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("rv-1 released by ada");
    assertThat(asked).hasSize(1);
    String request = asked.getFirst();
    assertThat(request).startsWith("POST /review/rv-1/release ");
    var body = Json.MAPPER.readTree(request.substring(request.indexOf('{')));
    assertThat(body.path("who").stringValue()).isEqualTo("ada");
    assertThat(body.path("note").stringValue()).isEqualTo("checked");
  }

  @Test
  void list_all_asksPageAfterPage_withTheFilter() {
    Run run =
        review(
            "list",
            "--all",
            "--route",
            "a b",
            "--reason",
            "g_low",
            "--since",
            "1970-01-01T00:00:05Z");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("rv-1").contains("rv-2").endsWith("\n2 of 2\n");
    assertThat(asked)
        .containsExactly(
            "GET /review?limit=1000&state=pending&route=a+b&reason=g_low&since=5000",
            "GET /review?limit=1000&state=pending&after=open.rv-1&route=a+b&reason=g_low&since=5000");
    assertThat(review("list", "--since", "yesterday").status()).isEqualTo(2);
  }

  @Test
  void release_ofSeveral_decidesAboutThoseThatWereCounted_onceTheirNumberIsTyped() {
    String[] args = {"release", "--reason", "g_low", "--who", "eve"};
    Run wrong = review("3\n", args);
    assertThat(wrong.status()).isEqualTo(1);
    assertThat(wrong.err())
        .contains("2 messages would be released")
        .contains("nothing was decided");
    assertThat(asked).hasSize(2).noneMatch(request -> request.startsWith("POST"));
    Run right = review("2\n", args);
    assertThat(right.status()).as("one had expired").isEqualTo(1);
    assertThat(right.out())
        .contains("1 released by eve")
        .contains("rv-2: already decided: released by bob, and it has expired");
    Run script = review("release", "--all", "--yes", "--text", "x", "-o", "json");
    assertThat(Json.MAPPER.readTree(script.out()).at("/decided/0").stringValue()).isEqualTo("rv-1");
  }

  @Test
  void release_saysWhoIsMissing_beforeAnythingElse() {
    assertThat(review("release", "--who", " ").err()).contains("name the person with --who");
    assertThat(review("release").err()).contains("which messages?");
    assertThat(review("release", "rv-1", "--all").err()).contains("which messages?");
    assertThat(asked).isEmpty();
  }

  @Test
  void alreadyDecided_saysByWhom() {
    Run run = review("reject", "rv-1");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("parlance: already decided: released by bob\n");
  }

  @Test
  void unknownId_isNotFound_andABadOneIsUsage() {
    Run unknown = review("show", "rv-9");
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.err()).contains("no such id");
    Run bad = review("show", "../metrics");
    assertThat(bad.status()).isEqualTo(2);
    assertThat(asked).containsExactly("GET /review/rv-9?for=ada");
  }

  @Test
  void wrongToken_saysWhichOneToUse() throws IOException {
    Files.writeString(folder.resolve("admin.token"), "other");
    Run run = review("list");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("refused the token").contains("admin.token");
  }

  @Test
  void sidecarDown_saysSo() {
    server.stop(0);
    Run run = review("list");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("no sidecar answers at http://127.0.0.1:");
  }

  @Test
  void noDataFolder_saysWhatToDo() {
    Run run = Run.of("review", "list", "--data-dir", folder.resolve("none").toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("admin.url").contains("--data-dir").contains("--admin");
  }

  @Test
  void addressOffLoopback_neverGetsTheToken() {
    Run run =
        Run.of(
            "review",
            "list",
            "--admin",
            "http://192.0.2.1:15000",
            "--token-file",
            folder.resolve("admin.token").toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("loopback");
    assertThat(asked).isEmpty();
  }
}
