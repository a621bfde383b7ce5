package dev.parlance.cli.pact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.GoldenLines;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The offline commands about pacts: every golden vector, and lines that are none. */
class PactCommandTest {
  private static final String VERIFIED = "pact-notes-p-006";

  private static Run pact(String command, String input) {
    return Run.withInput(input.getBytes(UTF_8), "pact", command);
  }

  private static List<JsonNode> lines(Run run) {
    return run.out().lines().map(Json.MAPPER::readTree).toList();
  }

  private static JsonNode answer(String command, JsonNode line) {
    return lines(pact(command, Json.text(line) + "\n")).getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    "replay,pact-traces,68",
    "validate,pact-terms,101",
    "score,pact-score,34",
    "verify,pact-notes,55"
  })
  void everyPublicVector_isReproduced_inOrder_withItsMembersAndNoOthers(
      String command, String suite, int count) {
    GoldenLines golden = GoldenLines.of(suite);

    Run run = pact(command, golden.input());

    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(lines(run)).hasSize(count);
    golden.assertSame(lines(run), suite.equals("pact-score") ? 1e-9 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    "replay,pact-traces-p-060,trace",
    "validate,pact-terms-p-002,message",
    "score,pact-score-p-015,endings",
    "verify,pact-notes-p-006,note",
    "verify,pact-notes-p-033,note",
    "verify,pact-notes-p-002,seeds"
  })
  void changedMember_isAnsweredOnItsOwnLine_andNeverStopsTheRest(
      String command, String id, String without) {
    ObjectNode good =
        GoldenLines.of(command.equals("validate") ? "pact-terms" : suite(command)).line(id);
    List<JsonNode> changes = new ArrayList<>(GoldenLines.changed(good));
    ObjectNode missing = good.deepCopy();
    missing.remove(without);
    changes.add(missing);
    var input = new StringBuilder();
    for (JsonNode change : changes) {
      input.append(Json.text(change)).append('\n');
    }
    input.append(Json.text(good)).append('\n');

    Run run = pact(command, input.toString());

    List<JsonNode> lines = lines(run);
    assertThat(lines).hasSize(changes.size() + 1);
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isEqualTo(1);
    assertThat(lines.getLast()).isEqualTo(answer(command, good));
    assertThat(lines.getLast().has("error")).isFalse();
    for (JsonNode line : lines) {
      if (line.path("error").isObject()) {
        assertThat(line.path("error").path("code").asString())
            .isIn("missing_field", "bad_type", "bad_value", "bad_json");
      }
    }
  }

  private static String suite(String command) {
    return switch (command) {
      case "replay" -> "pact-traces";
      case "score" -> "pact-score";
      default -> "pact-notes";
    };
  }

  @ParameterizedTest
  @CsvSource({"replay", "validate", "score", "verify"})
  void hostileLine_isAFailureOfItsOwn(String command) {
    String deep = "{\"id\":1,\"x\":" + "[".repeat(100) + "]".repeat(100) + "}";
    String input =
        String.join(
            "\n",
            "",
            "null",
            "{\"id\":1",
            "{\"id\":1,\"id\":2}",
            deep,
            "{\"id\":1,\"x\":NaN}",
            "{\"id\":\"\\ud800\"}",
            "{\"id\":1,\"x\":\"" + "x".repeat(17 << 20) + "\"}",
            "");

    Run run = pact(command, input);

    assertThat(run.status()).isEqualTo(1);
    assertThat(lines(run).stream().map(one -> one.path("error").path("code").asString()).toList())
        .containsExactly(
            "empty_line",
            "bad_json",
            "bad_json",
            "duplicate_key",
            "json_limit",
            "bad_json",
            "bad_type",
            "line_too_long");
  }

  @Test
  void answerThatIsAnError_isNoFailure() {
    assertThat(pact("validate", "{\"category\":\"output\",\"body\":\"max_kb=x\"}\n"))
        .isEqualTo(new Run(0, "{\"id\":null,\"error\":\"BAD_VALUE\",\"key\":\"max_kb\"}\n", ""));
    ObjectNode line = GoldenLines.of("pact-notes").line(VERIFIED);
    line.put("note", "x".repeat((1 << 20) + 1));
    Run run = pact("verify", Json.text(line) + "\n");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .isEqualTo("{\"id\":\"" + VERIFIED + "\",\"valid\":false,\"fault\":\"note_too_large\"}\n");
  }

  @Test
  void missingMember_isTheSameAsNull() {
    ObjectNode line = GoldenLines.of("pact-notes").line(VERIFIED);
    JsonNode whole = answer("verify", line);
    line.remove("openings");
    assertThat(answer("verify", line)).isEqualTo(whole);
    line.putNull("openings");
    assertThat(answer("verify", line)).isEqualTo(whole);
    assertThat(pact("score", "{\"id\":1}\n{\"id\":1,\"endings\":null}\n").out())
        .isEqualTo("{\"id\":1,\"scores\":{}}\n".repeat(2));
  }

  @Test
  void keyThatIsNone_isAMalformedLine() {
    ObjectNode line = GoldenLines.of("pact-notes").line(VERIFIED);
    ((ArrayNode) line.path("keys")).add("A+00000000+AAAA");
    assertThat(answer("verify", line).path("error").path("code").asString()).isEqualTo("bad_value");
  }

  @Test
  void nameThatIsNoUtf16Order_isSortedByCodePoint() {
    // U+FFFF comes before U+10000, which in UTF-16 it does not
    String check =
        "{\"id\":1,\"predicates\":[{\"id\":\"\\ud800\\udc00\",\"category\":\"scope\",\"body\":\"b\"},{\"id\":\"\\uffff\",\"category\":\"scope\",\"body\":\"a\"}],\"message\":{\"leg\":\"answer\"}}\n";
    assertThat(
            lines(pact("validate", check))
                .getFirst()
                .path("findings")
                .valueStream()
                .map(one -> one.path("key").asString())
                .toList())
        .containsExactly("a", "b");
  }

  @Test
  void countThatIsNoInteger_isABadEntry_namedByItsPact() {
    for (String count : List.of("1.5", "-1", "\"1\"", "true", "null", "9007199254740992", "1e3")) {
      String line =
          "{\"id\":1,\"endings\":[{\"pact\":\"p\",\"parties\":[\"A\",\"B\"],"
              + "\"ending\":\"work_completed\",\"observations\":{\"A\":{\"observed\":"
              + count
              + "}}}]}\n";
      assertThat(pact("score", line))
          .as(count)
          .isEqualTo(new Run(0, "{\"id\":1,\"error\":\"BAD_ENTRY\",\"pact\":\"p\"}\n", ""));
    }
  }

  @Test
  void traceWithANumberThatTwoWritersWriteDifferently_isRefused() {
    ObjectNode line = GoldenLines.of("pact-traces").line("pact-traces-p-060");
    ((ObjectNode) line.path("trace").path(0)).put("priority", 0.5);
    JsonNode error = answer("replay", line).path("error");
    assertThat(error.path("code").asString()).isEqualTo("bad_type");
    assertThat(error.path("message").asString()).startsWith("trace[0].");
  }
}
