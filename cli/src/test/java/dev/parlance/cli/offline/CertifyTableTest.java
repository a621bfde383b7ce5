package dev.parlance.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CertifyTableTest {
  private static final String HEADER = "agent,event,term,verdict\n";

  @Test
  void oneTable_decidesEveryPairAndTerm_andSaysWhatIsStillNeeded() {
    var rows = new StringBuilder(HEADER);
    tests(rows, "alice", "notice", "A".repeat(60));
    tests(rows, "bob", "notice", "A".repeat(60));
    tests(rows, "carol", "notice", "A".repeat(59) + "D");
    tests(rows, "alice", "patent claim", "A".repeat(20));
    tests(rows, "bob", "Patent-Claim", "A".repeat(20));
    JsonNode json = json(table(rows.toString(), "-o", "json"), 0);

    assertThat(json.path("agents").toString()).isEqualTo("[\"alice\",\"bob\",\"carol\"]");
    assertThat(json.path("pairs")).hasSize(3);
    JsonNode pair = json.path("pairs").get(0);
    assertThat(pair.path("agents").toString()).isEqualTo("[\"alice\",\"bob\"]");
    JsonNode notice = pair.path("terms").get(0);
    assertThat(notice.path("term").stringValue()).isEqualTo("notice");
    assertThat(notice.path("k").intValue()).isEqualTo(60);
    assertThat(notice.path("certified").booleanValue()).isTrue();
    assertThat(notice.path("needed").intValue()).isZero();
    JsonNode patent = pair.path("terms").get(1);
    assertThat(patent.path("term").stringValue()).isEqualTo("patent claim");
    assertThat(patent.path("k").intValue()).isEqualTo(20);
    assertThat(patent.path("reason").stringValue()).isEqualTo("bound_above_tau");
    assertThat(patent.path("needed").intValue()).isEqualTo(59 - 20);
    JsonNode withCarol = json.path("pairs").get(1);
    assertThat(withCarol.path("terms").get(0).path("c").intValue()).isEqualTo(1);
    assertThat(withCarol.path("terms").get(0).path("certified").booleanValue()).isFalse();
    assertThat(withCarol.path("terms").get(1).path("reason").stringValue()).isEqualTo("no_data");
    assertThat(withCarol.path("terms").get(1).path("one_sided").intValue()).isEqualTo(20);
    assertThat(pair.path("core").toString()).isEqualTo("[\"notice\"]");
    assertThat(json.path("core")).isEmpty();
  }

  @Test
  void verdictStringsOfTheGoldenVectors_asATable_giveTheSameNumbers() throws IOException {
    JsonNode golden;
    try (InputStream in = CertifyTableTest.class.getResourceAsStream("/golden/stim-certify.json")) {
      golden = Json.MAPPER.readTree(in);
    }
    for (JsonNode vector : golden.path("vectors")) {
      JsonNode in = vector.path("in");
      if (in.path("agent1").stringValue().isEmpty()) {
        continue;
      }
      var rows = new StringBuilder(HEADER);
      tests(rows, "one", "t", in.path("agent1").stringValue());
      tests(rows, "two", "t", in.path("agent2").stringValue());
      JsonNode term =
          json(
                  table(
                      rows.toString(),
                      "-o",
                      "json",
                      "--tau",
                      in.path("tau").toString(),
                      "--delta",
                      in.path("delta").toString(),
                      "--rho-min",
                      in.path("rho_min").toString()),
                  0)
              .path("pairs")
              .get(0)
              .path("terms")
              .get(0);
      JsonNode out = vector.path("out");
      String what = vector.path("id").stringValue();
      for (String member : List.of("n_aud", "k", "c")) {
        assertThat(term.path(member)).as(what).isEqualTo(out.path(member));
      }
      assertThat(term.path("s").doubleValue()).as(what).isEqualTo(out.path("s").doubleValue());
      assertThat(term.path("certified")).as(what).isEqualTo(out.path("certified_clopper_pearson"));
    }
  }

  @Test
  void sameTestTwice_countsOnce_withAWarning() {
    Run run = table(HEADER + "a,e1,t,assent\nb,e1,t,assent\na,e1,T,assent\n");
    assertThat(run.status()).isZero();
    assertThat(run.err()).contains(":4: repeated_test: a, e1, t stands in line 2 already");
    JsonNode json = json(table(HEADER + "a,e1,t,A\nb,e1,t,A\na,e1,T,A\n", "-o", "json"), 0);
    assertThat(json.path("tests").intValue()).isEqualTo(2);
    assertThat(json.path("warningCount").intValue()).isEqualTo(1);
  }

  @Test
  void sameTestWithAnotherVerdict_isAnErrorThatNamesBothLines_andTheFirstCounts() {
    Run run = table(HEADER + "a,e1,t,assent\nb,e1,t,assent\na,e1,t,dissent\n");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .contains("conflicting_verdict")
        .contains("dissent in line 4, but assent in line 2");
    JsonNode json = json(table(HEADER + "a,e1,t,A\nb,e1,t,A\na,e1,t,D\n", "-o", "json"), 1);
    assertThat(json.path("errors").get(0).path("line").intValue()).isEqualTo(4);
    assertThat(json.path("pairs").get(0).path("terms").get(0).path("c").intValue()).isZero();
  }

  @Test
  void csv_isReadAsRfc4180HasIt_inAnyColumnOrder_withQuotesCrlfAndByteOrderMark() {
    String csv =
        """
        \ufeffVerdict,note,"term",event,agent
        assent,"a ""quoted"", note
        over two lines","derivative, work",e1,a

        DISSENT,,Derivative work,e1,b
        """
            .strip()
            .replace("\n", "\r\n");
    JsonNode json = json(table(csv, "-o", "json"), 0);
    JsonNode term = json.path("pairs").get(0).path("terms").get(0);
    assertThat(term.path("term").stringValue()).isEqualTo("derivative work");
    assertThat(term.path("c").intValue()).isEqualTo(1);
  }

  @Test
  void badRows_areNamedByLine_andTheOthersCount() {
    String csv =
        HEADER
            + "a,e1,t,assent\n"
            + "a,e2,t\n"
            + "a,e2,t,perhaps\n"
            + "a b,e2,t,assent\n"
            + "a,e2,...,assent\n"
            + "a,\"e2\"x,t,assent\n"
            + "a,e\"2,t,assent\n"
            + "b,e1,t,assent\n";
    JsonNode json = json(table(csv, "-o", "json"), 1);
    List<String> errors = new ArrayList<>();
    json.path("errors")
        .forEach(error ->
            errors.add(error.path("line").intValue() + " " + error.path("code").stringValue()));
    assertThat(errors)
        .containsExactly(
            "3 bad_csv", "4 bad_value", "5 bad_value", "6 bad_value", "7 bad_csv", "8 bad_csv");
    assertThat(json.path("tests").intValue()).isEqualTo(2);
  }

  @Test
  void quoteWithoutEnd_isNamedWhereItStarts() {
    Run run = table(HEADER + "a,e1,t,assent\nb,e1,t,assent\n\"a,e2,t,assent\nb,e2,t,assent\n");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(":4: bad_csv: a quoted field has no end");
  }

  @Test
  void invalidUtf8_isNamed_andTheOthersCount() {
    byte[] csv =
        (HEADER + "a,e1,t,assent\nb,e1,\u00ff,assent\nb,e1,t,assent\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    Run run = Run.withInput(csv, "certify", "--table", "-");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains(":3: bad_encoding");
    assertThat(run.out()).contains("a + b");
  }

  @Test
  void missingHeader_isOneClearError() {
    for (String csv : List.of("", "a,e1,t,assent\n", "agent,event,term,term,verdict\n")) {
      Run run = table(csv);
      assertThat(run.status()).as(csv).isEqualTo(1);
      assertThat(run.err()).as(csv).contains("columns agent,event,term,verdict");
      assertThat(run.out()).as(csv).isEmpty();
    }
  }

  @Test
  void jsonLines_areRecognised_andMalformedOnesNamed(@TempDir Path folder) throws IOException {
    String lines =
        """
        {"agent":"a","event":"e1","term":"t","verdict":"assent"}
        {"agent":"b","event":"e1","term":"t","verdict":"assent","other":1}
        {"agent":"b","event":"e2","term":"t"}
        not json
        """;
    Path file = Files.writeString(folder.resolve("tests.jsonl"), lines);
    for (Run run : List.of(table(lines), Run.of("certify", "--table", file.toString()))) {
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains(":3: missing_field").contains(":4: bad_json");
      assertThat(run.out()).contains("a + b").contains("V* of a + b: 0 of 1");
    }
  }

  @Test
  void text_namesTheConstantsAndTheCores_withoutColourOffATerminal() {
    var rows = new StringBuilder(HEADER);
    for (String agent : List.of("alice", "bob", "carol")) {
      tests(rows, agent, "notice", "A".repeat(60));
    }
    Run run = table(rows.toString(), "--power", "0.02");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("tau 0.05, delta 0.05 a term, rho_min 0.1, bound exact")
        .contains("V* of alice + bob: 1 of 1: notice")
        .contains("V* of all 3 agents: 1 of 1: notice")
        .contains("286 eligible comparisons")
        .contains("361 eligible comparisons")
        .contains("434 eligible comparisons")
        .doesNotContain("\u001b");
  }

  @Test
  void family_testsEachTermAtDeltaOverTheNumberOfTerms() {
    var rows = new StringBuilder(HEADER);
    for (String agent : List.of("alice", "bob")) {
      tests(rows, agent, "notice", "A".repeat(60));
      tests(rows, agent, "liability", "A".repeat(60));
    }
    JsonNode json = json(table(rows.toString(), "--multiplicity", "family", "-o", "json"), 0);
    assertThat(json.path("params").path("delta_per_term").doubleValue()).isEqualTo(0.025);
    assertThat(json.path("core")).isEmpty();
    assertThat(json(table(rows.toString(), "-o", "json"), 0).path("core")).hasSize(2);
  }

  @Test
  void oneAgent_isRefused_withWhatWasExpected() {
    Run run = table(HEADER + "a,e1,t,assent\n");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("two or more agents");
  }

  @Test
  void orderOfRows_changesNothing() {
    Random random = new Random(7);
    List<String> rows = new ArrayList<>();
    for (int event = 0; event < 200; event++) {
      for (String agent : List.of("a", "b", "c")) {
        rows.add(agent + ",e" + event + ",t" + event % 3 + "," + "AND".charAt(random.nextInt(3)));
      }
    }
    String sorted = table(HEADER + String.join("\n", rows), "-o", "json").out();
    Collections.shuffle(rows, random);
    assertThat(table(HEADER + String.join("\n", rows), "-o", "json").out()).isEqualTo(sorted);
  }

  @Test
  void tooManyAgents_areRefused_withARemedy() {
    var rows = new StringBuilder(HEADER);
    for (int i = 0; i <= VerdictTable.AGENTS_MAX; i++) {
      rows.append("agent").append(i).append(",e1,t,assent\n");
    }
    Run run = table(rows.toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("table_limit").contains("64 agents").contains("split it");
    assertThat(run.out()).isEmpty();
  }

  private static void tests(StringBuilder rows, String agent, String term, String verdicts) {
    for (int i = 0; i < verdicts.length(); i++) {
      rows.append(agent)
          .append(",e")
          .append(i)
          .append(',')
          .append(term)
          .append(',')
          .append(verdicts.charAt(i))
          .append('\n');
    }
  }

  private static Run table(String table, String... more) {
    List<String> args = new ArrayList<>(List.of("certify", "--table", "-"));
    args.addAll(List.of(more));
    return Run.withInput(table.getBytes(StandardCharsets.UTF_8), args.toArray(String[]::new));
  }

  private static JsonNode json(Run run, int status) {
    assertThat(run.status()).as(run.err()).isEqualTo(status);
    return Json.MAPPER.readTree(run.out());
  }
}
