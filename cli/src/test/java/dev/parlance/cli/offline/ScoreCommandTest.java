package dev.parlance.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.cli.Json;
import dev.parlance.cli.LineFilter;
import dev.parlance.cli.Main;
import dev.parlance.cli.Run;
import dev.parlance.cli.Terminal;
import dev.parlance.onnx.testing.ClassifierFolder;
import dev.parlance.policy.message.Evidence;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ScoreCommandTest {
  private static final String GOOD = "{\"id\":\"good\",\"answer\":\"The limit is ten units.\"}";
  private static final String NONE_NAMED =
      "judged by profile asp-paper, as none was named: --profile NAME\n";

  @Test
  void everyPublicVector_isReproduced_inOrder() throws IOException {
    JsonNode golden;
    try (InputStream in = ScoreCommandTest.class.getResourceAsStream("/golden/asp-text.json")) {
      golden = Json.MAPPER.readTree(in);
    }
    var input = new StringBuilder();
    for (JsonNode vector : golden.path("vectors")) {
      ObjectNode line = (ObjectNode) vector.path("in").deepCopy();
      line.set("id", vector.path("id"));
      input.append(Json.text(line)).append('\n');
    }

    Run run = score(input.toString());

    assertThat(run.err()).isEqualTo(NONE_NAMED);
    assertThat(run.status()).isZero();
    List<JsonNode> lines = lines(run);
    assertThat(lines).hasSize(golden.path("count").intValue()).hasSize(70);
    for (int i = 0; i < lines.size(); i++) {
      JsonNode vector = golden.path("vectors").get(i);
      assertThat(lines.get(i).path("id")).isEqualTo(vector.path("id"));
      assertMatches(lines.get(i), vector);
    }
  }

  private static void assertMatches(JsonNode line, JsonNode vector) {
    for (var expected : vector.path("out").properties()) {
      JsonNode actual = line.path(expected.getKey());
      String what = vector.path("id").stringValue() + " " + expected.getKey();
      if (expected.getKey().equals("d")) {
        double d = expected.getValue().doubleValue();
        assertThat(actual.doubleValue()).as(what).isCloseTo(d, within(d < 1e-6 ? 1e-6 : 1e-9));
      } else if (expected.getValue().isFloatingPointNumber()) {
        assertThat(actual.doubleValue()).as(what).isEqualTo(expected.getValue().doubleValue());
      } else {
        assertThat(actual).as(what).isEqualTo(expected.getValue());
      }
    }
  }

  @Test
  void noChunks_underThePapersProfile_followsEquationSixOnly() {
    JsonNode line = lines(score(GOOD)).getFirst();
    assertThat(line.path("route").stringValue()).isEqualTo("REGENERATE");
    assertThat(line.path("reasons").toString()).isEqualTo("[\"g_low\",\"s_high\",\"d_crit\"]");
  }

  @Test
  void spentBudget_underThePapersProfile_yieldsUnread_butOurProfileReadsTheDraft() {
    String answer =
        "{\"answer\":\"The limit is ten units per day [Chunk c1]\",\"question\":\"What is the limit"
            + " per day?\",\"chunks\":[{\"id\":\"c1\",\"text\":\"The limit is ten units per"
            + " day.\"}],\"E\":2";
    List<JsonNode> lines = lines(score(answer + "}\n" + answer + ",\"profile\":\"parlance\"}"));
    assertThat(lines.getFirst().path("route").stringValue()).isEqualTo("YIELD");
    assertThat(lines.getFirst().path("reasons").toString()).isEqualTo("[\"budget\"]");
    assertThat(lines.getLast().path("route").stringValue()).isEqualTo("EXECUTE");
    assertThat(lines.getLast().path("profile").stringValue()).isEqualTo("parlance");
  }

  static Stream<Arguments> malformed() {
    return Stream.of(
        of("", "empty_line", "null"),
        of("  \t", "empty_line", "null"),
        of("not json", "bad_json", "null"),
        of("{\"id\":\"a\",\"answer\":", "bad_json", "\"a\""),
        of("{\"id\":\"a\",\"answer\":\"x\"} {}", "bad_json", "\"a\""),
        of("{\"id\":\"a\",\"answer\":\"x\",\"confidence\":NaN}", "bad_json", "\"a\""),
        of("{\"id\":\"a\",\"answer\":\"\\ud800\"}", "bad_json", "\"a\""),
        of("[1]", "bad_json", "null"),
        of("null", "bad_json", "null"),
        of("\ufeff{\"id\":\"a\",\"answer\":\"x\"}", "bad_encoding", "null"),
        of("{\"id\":\"a\",\"answer\":\"x\",\"answer\":\"y\"}", "duplicate_key", "\"a\""),
        of("{\"id\":\"a\",\"answer\":\"x\",\"z\":{\"b\":1,\"b\":2}}", "duplicate_key", "\"a\""),
        of(
            "{\"id\":\"a\",\"answer\":\"x\",\"z\":" + "[".repeat(100) + "]".repeat(100) + "}",
            "json_limit",
            "\"a\""),
        of("{\"id\":\"a\",\"z\":" + "[".repeat(200_000), "json_limit", "\"a\""),
        of("{\"id\":\"a\"}", "missing_field", "\"a\""),
        of("{\"answer\":5,\"id\":\"a\"}", "bad_type", "\"a\""),
        of("{\"answer\":null,\"id\":\"a\"}", "bad_type", "\"a\""),
        of("{\"answer\":\"x\",\"id\":{}}", "bad_type", "null"),
        of("{\"answer\":\"x\",\"id\":7,\"question\":[]}", "bad_type", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"chunks\":{}}", "bad_type", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"chunks\":[5]}", "bad_type", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"chunks\":[{\"id\":\"c\"}]}", "missing_field", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"citations\":[1]}", "bad_type", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"E\":-1}", "bad_value", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"E\":1.5}", "bad_type", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"E\":\"1\"}", "bad_type", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"E\":99999999999}", "bad_value", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"confidence\":\"NaN\"}", "bad_type", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"confidence\":1e999}", "bad_value", "7"),
        of("{\"answer\":\"x\",\"id\":7,\"profile\":\"nope\"}", "unknown_profile", "7"));
  }

  private static Arguments of(String line, String code, String id) {
    return Arguments.of(line, code, id);
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void B5_B6_B7_malformedLine_givesItsCode_andTheNextOneIsScored(
      String line, String code, String id) {
    Run run = score(line + "\n" + GOOD + "\n");
    assertThat(run.status()).isEqualTo(1);
    List<JsonNode> lines = lines(run);
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst().path("error").path("code").stringValue()).isEqualTo(code);
    assertThat(lines.getFirst().path("error").path("message").stringValue()).isNotBlank();
    assertThat(lines.getFirst().path("id").toString()).isEqualTo(id);
    assertThat(lines.getLast().path("id").stringValue()).isEqualTo("good");
    assertThat(lines.getLast().has("route")).isTrue();
  }

  @Test
  void B4_invalidUtf8_givesBadEncoding_andTheNextOneIsScored() {
    byte[] overlong = {'{', '"', 'a', '"', ':', '"', (byte) 0xC0, (byte) 0x80, '"', '}', '\n'};
    byte[] input = new byte[overlong.length + GOOD.length()];
    System.arraycopy(overlong, 0, input, 0, overlong.length);
    System.arraycopy(
        GOOD.getBytes(StandardCharsets.US_ASCII), 0, input, overlong.length, GOOD.length());
    Run run = Run.withInput(input, "score");
    assertThat(run.status()).isEqualTo(1);
    assertThat(lines(run).getFirst().path("error").path("code").stringValue())
        .isEqualTo("bad_encoding");
    assertThat(lines(run).getLast().has("route")).isTrue();
  }

  @Test
  void B1_lineOverTheLimit_isSkippedToTheNextLineFeed() {
    int over = LineFilter.LINE_BYTES_MAX + 1;
    byte[] tail = ("\n" + GOOD).getBytes(StandardCharsets.US_ASCII);
    byte[] input = new byte[over + tail.length];
    java.util.Arrays.fill(input, 0, over, (byte) 'x');
    System.arraycopy(tail, 0, input, over, tail.length);
    Run run = Run.withInput(input, "score");
    assertThat(run.status()).isEqualTo(1);
    assertThat(lines(run).getFirst().path("error").path("code").stringValue())
        .isEqualTo("line_too_long");
    assertThat(lines(run).getLast().path("id").stringValue()).isEqualTo("good");
  }

  @Test
  void S6_emptyAnswer_isDefined_andNeverExecute() {
    for (String answer : List.of("", "   ", "\u2764", "\\u0301")) {
      JsonNode line = lines(score("{\"answer\":\"" + answer + "\"}")).getFirst();
      assertThat(line.path("tokens").intValue()).isZero();
      assertThat(line.path("route").stringValue()).isEqualTo("REGENERATE");
      assertThat(line.path("n").doubleValue()).isEqualTo(1.0);
    }
  }

  @Test
  void confidence_becomesCertainty() {
    JsonNode line = lines(score("{\"answer\":\"x y z\",\"confidence\":1}")).getFirst();
    assertThat(line.path("c").doubleValue()).isEqualTo(1.0);
    assertThat(line.path("certaintyDigit").intValue()).isEqualTo(15);
  }

  /** Cases score-context, score-contexts, score-same-id, and more. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"contexts\":[{\"id\":\"c1\",\"text\":\"Delivery is on Monday.\"}]",
        "\"documents\":[\"Delivery is on Monday.\"]",
        "\"Question\":\"When?\"",
        "\"e\":1",
        "\"chunks\":[{\"id\":\"c1\",\"text\":\"Monday.\",\"page\":3}]",
        "\"assumptions\":[{\"basis\":\"K\",\"id\":\"1\",\"note\":\"x\"}]",
      })
  void unknownMember_isRefusedByName(String member) {
    JsonNode error = lines(score("{\"answer\":\"x\"," + member + "}")).getFirst().path("error");
    assertThat(error.path("code").stringValue()).isEqualTo("unknown_member");
    assertThat(error.path("message").stringValue())
        .containsPattern(
            "contexts|documents|Question|e;|chunks\\[0]\\.page|assumptions\\[0]\\.note");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"confidence\":1.5",
        "\"confidence\":-0.1",
        "\"assumptions\":[\"Z:1\"]",
        "\"assumptions\":[{\"basis\":\"K\",\"id\":\"no id\"}]",
        "\"chunks\":[],\"context\":[]",
      })
  void valuesOutOfRange_areRefused(String member) {
    assertThat(code("{\"answer\":\"x\"," + member + "}")).isEqualTo("bad_value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"c1", "C1", " c1", "\uff43\uff11"})
  void twoTextsUnderOneId_areRefused_andTheSameTextIsOneChunk(String id) {
    String line =
        "{\"answer\":\"The gate opens at 8 [Chunk c1].\",\"chunks\":[{\"id\":\"c1\",\"text\":\"The"
            + " gate opens at 8.\"},{\"id\":\""
            + id
            + "\",\"text\":\"The gate opens at %d.\"}]}";
    assertThat(code(line.formatted(9))).isEqualTo("duplicate_id");
    assertThat(lines(score(line.formatted(8))).getFirst().has("route")).isTrue();
  }

  @Test
  void context_isReadAsInAMessage() {
    String line =
        "{\"answer\":\"Delivery is on Monday [Chunk"
            + " c1].\",\"question\":\"When?\",\"%s\":[{\"id\":\"c1\",\"text\":\"Delivery is on"
            + " Monday.\",\"uri\":\"a.pdf\"},\"It costs 5.\",{\"id\":7,\"text\":\"x\"}],"
            + "\"assumptions\":[\"K:42\",{\"basis\":\"L\",\"id\":\"09\"}],\"label\":\"grounded\",\"set\":\"s\"}";
    JsonNode context = lines(score(line.formatted("context"))).getFirst();
    assertThat(context.path("validIds").toString()).isEqualTo("[\"c1\"]");
    assertThat(context.path("header").stringValue()).contains("K:42", "L:09");
    assertThat(context.path("chunkIds").toString()).isEqualTo("[\"c1\",\"2\",\"7\"]");
    assertThat(lines(score(line.formatted("chunks"))).getFirst()).isEqualTo(context);
  }

  @Test
  void S45_chunksBeyondTheBound_areTold() {
    String chunks = "{\"text\":\"x\"},".repeat(Evidence.MAX_CHUNKS + 2);
    JsonNode line = lines(score("{\"answer\":\"x\",\"context\":[" + chunks + "\"y\"]}")).getFirst();
    assertThat(line.path("evidenceCut").intValue()).isEqualTo(3);
  }

  private static String code(String line) {
    return lines(score(line)).getFirst().path("error").path("code").stringValue();
  }

  @Test
  void output_isAscii_evenForForeignIds() {
    Run run = score("{\"id\":\"\u202e\u00e9\\u0007\",\"answer\":\"x\"}");
    assertThat(run.out()).matches("[\\x20-\\x7e]+\n");
    assertThat(lines(run).getFirst().path("id").stringValue()).isEqualTo("\u202e\u00e9\u0007");
  }

  @Test
  void interactiveInput_seesEveryAnswerBeforeTheNextRead() {
    var seen = new ArrayList<Integer>();
    var out = new java.io.ByteArrayOutputStream();
    InputStream typing =
        new InputStream() {
          private int line;

          @Override
          public int read() {
            throw new AssertionError("expected reads of many bytes at once");
          }

          @Override
          public int read(byte[] into, int offset, int length) {
            seen.add(out.toString(StandardCharsets.UTF_8).split("\n", -1).length - 1);
            if (line++ == 3) {
              return -1;
            }
            byte[] text = (GOOD + "\n").getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(text, 0, into, offset, text.length);
            return text.length;
          }
        };
    var buffered =
        new java.io.PrintStream(
            new java.io.BufferedOutputStream(out, 1 << 16), false, StandardCharsets.UTF_8);
    Main.run(new Terminal(typing, buffered, System.err, java.util.Map.of(), false), "score");
    assertThat(seen).containsExactly(0, 1, 2, 3);
  }

  @Test
  void files_areReadInOrder_andOwnProfilesMayBeNamed(@TempDir Path folder) throws IOException {
    Path first = Files.writeString(folder.resolve("a b.jsonl"), "{\"id\":1,\"answer\":\"x\"}\n");
    Path second = Files.writeString(folder.resolve("b.jsonl"), "{\"id\":2,\"answer\":\"x\"}");
    Path config =
        Files.writeString(
            folder.resolve("sidecar.yaml"),
            """
            version: 1
            inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:8080" }
            profiles:
              lenient: { extends: asp-paper, groundingMin: 0.0, stochasticityMax: 1.0, driftCritSqrtJsd: 1.0, driftWarnSqrtJsd: 1.0 }
            """);
    Run run =
        Run.of(
            "score",
            "--config",
            config.toString(),
            "--profile",
            "lenient",
            first.toString(),
            second.toString());
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(lines(run)).extracting(line -> line.path("id").intValue()).containsExactly(1, 2);
    assertThat(lines(run)).allMatch(line -> line.path("route").stringValue().equals("EXECUTE"));
  }

  @Test
  void theProfileThatNobodyNamed_isSaidOnceOnStandardError() {
    assertThat(score(GOOD + "\n" + GOOD).err()).isEqualTo(NONE_NAMED);
    assertThat(score("{\"answer\":\"x\",\"profile\":\"parlance\"}").err()).isEmpty();
    byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
    assertThat(Run.withInput(good, "score", "--profile", "asp-paper").err()).isEmpty();
    assertThat(score("").err()).isEmpty();
  }

  @Test
  void unknownProfileOrFile_isOneLine_andStatusTwo() {
    Run profile = Run.of("score", "--profile", "nope");
    assertThat(profile.status()).isEqualTo(2);
    assertThat(profile.err())
        .isEqualTo(
            "parlance: score: unknown profile nope; expected one of asp-paper, overlap,"
                + " parlance\n");
    Run file = Run.of("score", "/no/such/file");
    assertThat(file.status()).isEqualTo(2);
    assertThat(file.err().lines()).hasSize(1);
    assertThat(file.out()).isEmpty();
  }

  private static Run score(String input) {
    return Run.withInput(input.getBytes(StandardCharsets.UTF_8), "score");
  }

  private static List<JsonNode> lines(Run run) {
    return run.out().lines().map(line -> Json.MAPPER.readTree(line)).toList();
  }

  @Test
  void secondStageOfTheConfiguration_isAskedAsASidecarAsksIt(@TempDir Path folder)
      throws IOException {
    ClassifierFolder.at(folder.resolve("model"));
    Path config = folder.resolve("sidecar.yaml");
    Files.writeString(
        config,
        """
        version: 1
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:9" }
        profiles: { open: { extends: parlance, groundingMin: 0.6, supportWarnBelow: 0.6 } }
        entailment: { dir: model, openFrom: 0, openTo: 1, raiseTo: 0.9 }
        """);
    String line =
        """
        {"answer":"I think %s that impeller of the pump is swapped by its owners regularly.",\
        "context":[{"id":"c1","text":"The impeller must be replaced every 2000 hours."}]}
        """;
    Run run =
        Run.withInput(
            (line.formatted("hello") + line.formatted("zz")).getBytes(StandardCharsets.UTF_8),
            "score",
            "--config",
            config.toString(),
            "--profile",
            "open");
    assertThat(run.err()).isEmpty();
    assertThat(lines(run))
        .extracting(scored -> scored.path("route").stringValue())
        .containsExactly("EXECUTE", "REGENERATE");
    assertThat(lines(run))
        .extracting(scored -> scored.path("g").doubleValue())
        .containsExactly(0.9, 0.0);
    Files.delete(folder.resolve("model/model.onnx"));
    Run refused = Run.of("score", "--config", config.toString());
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("/entailment/dir: unreadable: ");
  }
}
