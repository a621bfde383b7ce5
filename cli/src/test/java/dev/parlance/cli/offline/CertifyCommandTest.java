package dev.parlance.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class CertifyCommandTest {
  private static final String GOOD =
      "{\"id\":\"good\",\"agent1\":\"AADN\",\"agent2\":\"AANN\",\"term\":\"notice\"}";

  @Test
  void everyPublicVector_isReproduced_inOrder_withItsMembersAndNoOthers() throws IOException {
    JsonNode golden;
    try (InputStream in =
        CertifyCommandTest.class.getResourceAsStream("/golden/stim-certify.json")) {
      golden = Json.MAPPER.readTree(in);
    }
    var input = new StringBuilder();
    for (JsonNode vector : golden.path("vectors")) {
      ObjectNode line = (ObjectNode) vector.path("in").deepCopy();
      line.set("id", vector.path("id"));
      input.append(Json.text(line)).append('\n');
    }

    Run run = certify(input.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    List<JsonNode> lines = lines(run);
    assertThat(lines).hasSize(golden.path("count").intValue()).hasSize(43);
    for (int i = 0; i < lines.size(); i++) {
      JsonNode vector = golden.path("vectors").get(i);
      assertThat(lines.get(i).path("id")).isEqualTo(vector.path("id"));
      List<String> members = new java.util.ArrayList<>(vector.path("out").propertyNames());
      members.add("id");
      assertThat(lines.get(i).propertyNames()).containsExactlyInAnyOrderElementsOf(members);
      for (var expected : vector.path("out").properties()) {
        JsonNode actual = lines.get(i).path(expected.getKey());
        String what = vector.path("id").stringValue() + " " + expected.getKey();
        if (expected.getKey().startsWith("u")) {
          assertThat(actual.doubleValue())
              .as(what)
              .isCloseTo(expected.getValue().doubleValue(), within(1e-9));
        } else if (expected.getValue().isFloatingPointNumber()) {
          assertThat(actual.doubleValue()).as(what).isEqualTo(expected.getValue().doubleValue());
        } else {
          assertThat(actual).as(what).isEqualTo(expected.getValue());
        }
      }
    }
  }

  @Test
  void term_isGivenBack_andConstantsMayComeFromTheCommandLine() {
    String line = "{\"agent1\":\"" + "A".repeat(20) + "\",\"agent2\":\"" + "A".repeat(20) + "\"}";
    JsonNode strict = lines(certify(line)).getFirst();
    assertThat(strict.path("certified").booleanValue()).isFalse();
    assertThat(strict.path("id").isNull()).isTrue();
    JsonNode lax = lines(certify(line, "--tau", "0.2")).getFirst();
    assertThat(lax.path("certified").booleanValue()).isTrue();
    assertThat(lines(certify(GOOD)).getFirst().path("term").stringValue()).isEqualTo("notice");
    assertThat(lines(certify(GOOD)).getFirst().path("n_aud").intValue()).isEqualTo(3);
  }

  static Stream<Arguments> malformed() {
    return Stream.of(
        of("", "empty_line", "null"),
        of("nothing", "bad_json", "null"),
        of("{\"id\":7,\"agent1\":\"A\"", "bad_json", "7"),
        of("{\"id\":7,\"id\":8,\"agent1\":\"A\",\"agent2\":\"A\"}", "duplicate_key", "7"),
        of("{\"id\":[],\"agent1\":\"A\",\"agent2\":\"A\"}", "bad_type", "null"),
        of("{\"id\":7,\"agent1\":\"A\"}", "missing_field", "7"),
        of("{\"id\":7,\"agent1\":\"A\",\"agent2\":1}", "bad_type", "7"),
        of("{\"id\":7,\"agent1\":\"A\",\"agent2\":\"AA\"}", "bad_value", "7"),
        of("{\"id\":7,\"agent1\":\"A\",\"agent2\":\"a\"}", "bad_value", "7"),
        of("{\"id\":7,\"agent1\":\"A\",\"agent2\":\"A\",\"tau\":0}", "bad_value", "7"),
        of("{\"id\":7,\"agent1\":\"A\",\"agent2\":\"A\",\"tau\":\"NaN\"}", "bad_type", "7"),
        of("{\"id\":7,\"agent1\":\"A\",\"agent2\":\"A\",\"tau\":1e999}", "bad_value", "7"),
        of("{\"id\":7,\"agent1\":\"A\",\"agent2\":\"A\",\"delta\":0.6}", "bad_value", "7"),
        of("{\"id\":7,\"agent1\":\"A\",\"agent2\":\"A\",\"rho_min\":-0.1}", "bad_value", "7"),
        of("{\"id\":7,\"agent1\":\"A\",\"agent2\":\"A\",\"rho_min\":null}", "bad_type", "7"),
        of("{\"id\":7,\"agent1\":\"A\",\"agent2\":\"A\",\"term\":5}", "bad_type", "7"));
  }

  private static Arguments of(String line, String code, String id) {
    return Arguments.of(line, code, id);
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void malformedLine_givesItsCode_andTheNextOneIsDecided(String line, String code, String id) {
    Run run = certify(line + "\n" + GOOD + "\n");
    assertThat(run.status()).isEqualTo(1);
    List<JsonNode> lines = lines(run);
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst().path("error").path("code").stringValue()).isEqualTo(code);
    assertThat(lines.getFirst().path("error").path("message").stringValue()).isNotBlank();
    assertThat(lines.getFirst().path("id").toString()).isEqualTo(id);
    assertThat(lines.getLast().path("id").stringValue()).isEqualTo("good");
    assertThat(lines.getLast().has("certified")).isTrue();
  }

  @Test
  void wrongCommandLine_isStatusTwo_withARemedy() {
    assertThat(Run.of("certify", "--tau", "1.5").status()).isEqualTo(2);
    assertThat(Run.of("certify", "--tau", "NaN").err()).contains("tau must lie in (0,1)");
    assertThat(Run.of("certify", "--bound", "exact").err()).contains("--bound needs --table");
    assertThat(Run.of("certify", "--table", "a.csv", "b.jsonl").status()).isEqualTo(2);
    assertThat(Run.of("certify", "--table", "/no/such/file").status()).isEqualTo(2);
    assertThat(Run.of("certify", "/no/such/file").status()).isEqualTo(2);
    assertThat(Run.of("certify", "--table", "-", "--power", "2").status()).isEqualTo(2);
  }

  private static Run certify(String input, String... more) {
    String[] args = new String[more.length + 1];
    args[0] = "certify";
    System.arraycopy(more, 0, args, 1, more.length);
    return Run.withInput(input.getBytes(StandardCharsets.UTF_8), args);
  }

  private static List<JsonNode> lines(Run run) {
    return run.out().lines().map(line -> Json.MAPPER.readTree(line)).toList();
  }
}
