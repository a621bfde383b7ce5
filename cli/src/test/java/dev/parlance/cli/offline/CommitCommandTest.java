package dev.parlance.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.policy.text.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class CommitCommandTest {
  private static final String HEAD =
      "{\"id\":7,\"round\":\"r\",\"n\":1,\"f\":0,\"members\":[\"ada\"],\"encoder\":\"e\",";
  private static final String ONE =
      "{\"agent\":\"ada\",\"verdict\":\"yes\",\"text\":\"t\",\"embedding\":[1,0]}";
  private static final String GOOD = line(ONE).replace("\"id\":7", "\"id\":\"good\"");

  @Test
  void everyPublicVector_isReproduced_inOrder_withItsMembersAndNoOthers() throws IOException {
    JsonNode golden;
    try (InputStream in = CommitCommandTest.class.getResourceAsStream("/golden/hcsc-rounds.json")) {
      golden = Json.MAPPER.readTree(in);
    }
    var input = new StringBuilder();
    for (JsonNode vector : golden.path("vectors")) {
      ObjectNode line = (ObjectNode) vector.path("in").deepCopy();
      line.set("id", vector.path("id"));
      input.append(Json.text(line)).append('\n');
    }

    Run run = commit(input.toString());

    assertThat(run.status()).isZero();
    List<JsonNode> lines = lines(run);
    assertThat(lines).hasSize(golden.path("count").intValue()).hasSize(59);
    for (int i = 0; i < lines.size(); i++) {
      JsonNode vector = golden.path("vectors").get(i);
      ObjectNode expected = (ObjectNode) vector.path("out").deepCopy();
      expected.set("id", vector.path("id"));
      assertThat(lines.get(i)).isEqualTo(expected);
    }
  }

  @Test
  void impossibleRound_saysWhyOnStandardError() {
    Run run = commit(GOOD.replace("\"f\":0", "\"f\":-1"));
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .isEqualTo("{\"id\":\"good\",\"outcome\":\"error\",\"reason\":\"INVALID_ROUND\"}\n");
    assertThat(run.err())
        .isEqualTo(
            "parlance: commit: \"good\": expected f and extraMargin of at least 0, got -1, 0\n");
  }

  @Test
  void impossibleRoundWithoutId_isNotCalledNull() {
    Run run = commit(GOOD.replace("\"f\":0", "\"f\":-1").replace("\"id\":\"good\",", ""));
    assertThat(run.err())
        .isEqualTo(
            "parlance: commit: a round without id: expected f and extraMargin of at least 0, got"
                + " -1, 0\n");
  }

  static Stream<String> impossible() {
    return Stream.of(
        GOOD.replace("\"n\":1", "\"n\":2"),
        GOOD.replace("\"f\":0", "\"f\":99999999999"),
        GOOD.replace("\"f\":0", "\"f\":1e0".replace("1e0", "9".repeat(40))),
        GOOD.replace("\"dim\":2", "\"dim\":0"),
        GOOD.replace("\"dim\":2", "\"dim\":4294967298"),
        GOOD.replace("\"cos_min\":0.9", "\"cos_min\":1.0000000000000002"),
        GOOD.replace("\"cos_min\":0.9", "\"cos_min\":\"NaN\""),
        GOOD.replace("\"cos_min\":0.9", "\"cos_min\":0.9,\"extra_margin\":-1"),
        GOOD.replace("\"encoder\":\"e\"", "\"encoder\":\"\""),
        GOOD.replace("[\"ada\"]", "[\"a da\"]"),
        GOOD.replace("\"n\":1", "\"n\":2").replace("[\"ada\"]", "[\"ada\",\"ada\"]"));
  }

  @ParameterizedTest
  @MethodSource("impossible")
  void constantsThatCannotBe_areAnInvalidRound(String line) {
    Run run = commit(line);
    assertThat(lines(run).getFirst().path("reason").stringValue()).isEqualTo("INVALID_ROUND");
    assertThat(run.err()).contains("expected ");
  }

  @Test
  void quantisedVector_givesTheSameDigestAsTheNumbersItCameFrom() {
    String q = Base64.getEncoder().encodeToString(new byte[] {0x7f, (byte) 0xff, 0, 0});
    JsonNode numbers = lines(commit(GOOD)).getFirst();
    JsonNode quantised =
        lines(commit(GOOD.replace("\"embedding\":[1,0]", "\"q\":\"" + q + "\""))).getFirst();
    assertThat(quantised).isEqualTo(numbers);
    assertThat(quantised.path("outcome").stringValue()).isEqualTo("semantic_commit");
    String digest = Sha256.hex("t");
    assertThat(
            lines(commit(GOOD.replace("\"text\":\"t\"", "\"textSha256\":\"" + digest + "\"")))
                .getFirst())
        .isEqualTo(numbers);
  }

  @Test
  void proposalWithoutVector_countsForItsVerdictOnly_andMalformedForNothing() {
    JsonNode unencoded =
        lines(commit(GOOD.replace("\"embedding\":[1,0]", "\"fault\":\"unencoded\""))).getFirst();
    assertThat(unencoded.path("outcome").stringValue()).isEqualTo("verdict_commit");
    JsonNode malformed =
        lines(commit(GOOD.replace("\"embedding\":[1,0]", "\"fault\":\"malformed\""))).getFirst();
    assertThat(malformed.path("reason").stringValue()).isEqualTo("INSUFFICIENT_DELIVERY");
    assertThat(malformed.path("dropped").toString()).isEqualTo("[[\"ada\",\"malformed\"]]");
  }

  @Test
  void roundWithoutEncoder_canReachAVerdict() {
    String line =
        GOOD.replace("\"encoder\":\"e\"", "\"encoder\":\"none\"")
            .replace("\"dim\":2", "\"dim\":0")
            .replace("\"embedding\":[1,0]", "\"fault\":\"unencoded\"");
    assertThat(lines(commit(line)).getFirst().path("outcome").stringValue())
        .isEqualTo("verdict_commit");
  }

  static Stream<Arguments> malformed() {
    List<Arguments> cases = new ArrayList<>();
    cases.add(Arguments.of("", "empty_line", "null"));
    cases.add(Arguments.of("nothing", "bad_json", "null"));
    cases.add(Arguments.of("{\"id\":7,\"round\":\"r\"", "bad_json", "7"));
    cases.add(Arguments.of("{\"id\":{}}", "bad_type", "null"));
    for (String name :
        List.of("round", "n", "f", "members", "encoder", "dim", "cos_min", "proposals")) {
      ObjectNode line = (ObjectNode) Json.MAPPER.readTree(line(ONE));
      line.remove(name);
      cases.add(Arguments.of(Json.text(line), "missing_field", "7"));
      line.putObject(name);
      cases.add(Arguments.of(Json.text(line), "bad_type", "7"));
    }
    for (String name : List.of("agent", "verdict", "text", "embedding")) {
      ObjectNode proposal = (ObjectNode) Json.MAPPER.readTree(ONE);
      proposal.remove(name);
      cases.add(Arguments.of(line(Json.text(proposal)), "missing_field", "7"));
      proposal.putNull(name);
      cases.add(Arguments.of(line(Json.text(proposal)), "bad_type", "7"));
    }
    cases.add(of("\"dim\":2", "\"dim\":2.5", "bad_type"));
    cases.add(of("\"cos_min\":0.9", "\"cos_min\":\"0.9\"", "bad_type"));
    cases.add(of("\"cos_min\":0.9", "\"cos_min\":0.9,\"verdict_fallback\":1", "bad_type"));
    cases.add(of("\"cos_min\":0.9", "\"cos_min\":0.9,\"cos_min\":0.8", "duplicate_key"));
    cases.add(of("[\"ada\"]", "[1]", "bad_type"));
    cases.add(of("[1,0]", "[1,\"0\"]", "bad_type"));
    cases.add(of("[1,0]", "[1,0],\"q\":\"f/8AAA==\"", "bad_value"));
    cases.add(of("\"embedding\":[1,0]", "\"q\":\"!\"", "bad_value"));
    cases.add(of("\"embedding\":[1,0]", "\"q\":\"gAAAAA==\"", "bad_value"));
    cases.add(of("\"embedding\":[1,0]", "\"q\":\"AAAAAA==\"", "bad_value"));
    cases.add(of("\"embedding\":[1,0]", "\"fault\":\"else\"", "bad_value"));
    cases.add(of("\"text\":\"t\"", "\"text\":\"\\ud800\"", "bad_json"));
    cases.add(of("\"text\":\"t\"", "\"textSha256\":\"AB\"", "bad_value"));
    cases.add(
        of(
            "\"text\":\"t\"",
            "\"text\":\"t\",\"textSha256\":\"" + "0".repeat(64) + "\"",
            "bad_value"));
    cases.add(Arguments.of(line("5"), "bad_type", "7"));
    return cases.stream();
  }

  private static Arguments of(String what, String by, String code) {
    return Arguments.of(line(ONE).replace(what, by), code, "7");
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void malformedLine_givesItsCode_andTheNextOneIsDecided(String line, String code, String id) {
    Run run = commit(line + "\n" + GOOD + "\n");
    assertThat(run.status()).isEqualTo(1);
    List<JsonNode> lines = lines(run);
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst().path("error").path("code").stringValue()).isEqualTo(code);
    assertThat(lines.getFirst().path("error").path("message").stringValue()).isNotBlank();
    assertThat(lines.getFirst().path("id").toString()).isEqualTo(id);
    assertThat(lines.getLast().path("outcome").stringValue()).isEqualTo("semantic_commit");
  }

  @Test
  void unreadableFile_isOneLine_andStatusTwo() {
    Run run = Run.of("commit", "/no/such/file");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void output_isAscii_evenForForeignAgents() {
    Run run = commit(line(ONE + "," + ONE.replace("ada", "\u202e\\u0007")));
    assertThat(run.out()).matches("[\\x20-\\x7e]+\n");
    assertThat(lines(run).getFirst().path("dropped").toString()).contains("unknown_agent");
  }

  private static String line(String proposals) {
    return HEAD + "\"dim\":2,\"cos_min\":0.9,\"proposals\":[" + proposals + "]}";
  }

  private static Run commit(String input) {
    return Run.withInput(input.getBytes(StandardCharsets.UTF_8), "commit");
  }

  private static List<JsonNode> lines(Run run) {
    return run.out().lines().map(line -> Json.MAPPER.readTree(line)).toList();
  }
}
