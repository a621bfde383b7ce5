package dev.parlance.cli.pact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private static JsonNode golden(String suite) {
    Path here = Path.of("").toAbsolutePath();
    String file = "policy/src/test/resources/golden/" + suite + ".json";
    Path beside = here.resolve("..").resolve(file);
    return Json.MAPPER.readTree((Files.exists(beside) ? beside : here.resolve(file)).toFile());
  }

  private static ObjectNode line(JsonNode vector) {
    ObjectNode line = (ObjectNode) vector.path("in").deepCopy();
    line.set("id", vector.path("id"));
    return line;
  }

  private static ObjectNode vector(String suite, String id) {
    for (JsonNode vector : golden(suite).path("vectors")) {
      if (vector.path("id").asString().equals(id)) {
        return line(vector);
      }
    }
    throw new AssertionError("no vector " + id);
  }

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
    JsonNode golden = golden(suite);
    var input = new StringBuilder();
    golden.path("vectors").forEach(one -> input.append(Json.text(line(one))).append('\n'));

    Run run = pact(command, input.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    List<JsonNode> lines = lines(run);
    assertThat(lines).hasSize(golden.path("count").intValue()).hasSize(count);
    double tolerance = suite.equals("pact-score") ? 1e-9 : 0;
    for (int i = 0; i < lines.size(); i++) {
      JsonNode vector = golden.path("vectors").path(i);
      ObjectNode expected = (ObjectNode) vector.path("out").deepCopy();
      expected.set("id", vector.path("id"));
      same(expected, lines.get(i), tolerance);
    }
  }

  private static void same(JsonNode expected, JsonNode found, double tolerance) {
    if (expected.isFloatingPointNumber()) {
      assertThat(found.isNumber()).isTrue();
      assertThat(found.doubleValue()).isCloseTo(expected.doubleValue(), within(tolerance));
    } else if (expected.isObject()) {
      assertThat(found.propertyNames())
          .as("%s against %s", found, expected)
          .containsExactlyInAnyOrderElementsOf(expected.propertyNames());
      expected
          .properties()
          .forEach(one -> same(one.getValue(), found.path(one.getKey()), tolerance));
    } else if (expected.isArray()) {
      assertThat(found.size()).as("%s against %s", found, expected).isEqualTo(expected.size());
      for (int i = 0; i < expected.size(); i++) {
        same(expected.path(i), found.path(i), tolerance);
      }
    } else {
      assertThat(found).isEqualTo(expected);
    }
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
    ObjectNode good = vector(command.equals("validate") ? "pact-terms" : suite(command), id);
    List<JsonNode> changes = new ArrayList<>(changed(good));
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

  /** Every copy in which one member or element is something else. */
  private static List<JsonNode> changed(ObjectNode line) {
    List<String> values =
        List.of(
            "null",
            "true",
            "-1",
            "1.5",
            "1e999",
            "\"\"",
            "\"NaN\"",
            "\"\\ud800\"",
            "[1]",
            "{}",
            "123456789012345678901234567890");
    List<JsonNode> all = new ArrayList<>();
    int places = places(line);
    for (int place = 0; place < places; place++) {
      for (String value : values) {
        JsonNode copy = line.deepCopy();
        replace(copy, new int[] {place}, Json.MAPPER.readTree(value));
        all.add(copy);
      }
    }
    return all;
  }

  private static int places(JsonNode node) {
    int places = node.size();
    for (JsonNode child : node) {
      places += places(child);
    }
    return places;
  }

  private static boolean replace(JsonNode node, int[] place, JsonNode value) {
    if (node instanceof ObjectNode object) {
      for (String name : List.copyOf(object.propertyNames())) {
        if (place[0]-- == 0) {
          object.set(name, value);
          return true;
        }
        if (replace(object.path(name), place, value)) {
          return true;
        }
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        if (place[0]-- == 0) {
          array.set(i, value);
          return true;
        }
        if (replace(array.path(i), place, value)) {
          return true;
        }
      }
    }
    return false;
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
    ObjectNode line = vector("pact-notes", VERIFIED);
    line.put("note", "x".repeat((1 << 20) + 1));
    Run run = pact("verify", Json.text(line) + "\n");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .isEqualTo("{\"id\":\"" + VERIFIED + "\",\"valid\":false,\"fault\":\"note_too_large\"}\n");
  }

  @Test
  void missingMember_isTheSameAsNull() {
    ObjectNode line = vector("pact-notes", VERIFIED);
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
    ObjectNode line = vector("pact-notes", VERIFIED);
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
    ObjectNode line = vector("pact-traces", "pact-traces-p-060");
    ((ObjectNode) line.path("trace").path(0)).put("priority", 0.5);
    JsonNode error = answer("replay", line).path("error");
    assertThat(error.path("code").asString()).isEqualTo("bad_type");
    assertThat(error.path("message").asString()).startsWith("trace[0].");
  }
}
