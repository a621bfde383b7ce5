package dev.parlance.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class EncoderCommandTest {
  @TempDir Path temp;

  private static List<JsonNode> lines(Run run) {
    return run.out().lines().map(Json.MAPPER::readTree).toList();
  }

  @Test
  void check_ofTheBuiltInEncoder_saysWhatItIs() {
    Run run = Run.of("encoder", "check", "-o", "json");
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    JsonNode view = Json.MAPPER.readTree(run.out());
    assertThat(view.propertyNames())
        .containsExactly("state", "id", "dim", "maxTokens", "cosMin", "manifestSha256");
    assertThat(view.path("state").stringValue()).isEqualTo("ready");
    assertThat(Run.of("encoder", "check").out()).startsWith("state      ready\nid         ");
  }

  @Test
  void check_ofAFolderThatIsNone_failsWithTheCode() {
    Run run = Run.of("encoder", "check", temp.resolve("nowhere").toString());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("state      failed\nfault      unreadable\ndetail     ");
  }

  @Test
  void embed_answersEveryLine_andMalformedOnesWithTheirCode() {
    String input =
        """
        {"id":"a","text":"Both parties keep a copy."}
        {"id":7,"text":"Both parties keep a copy."}
        {"id":"no text"}
        {"id":"number","text":1}
        nonsense
        {"id":"empty","text":""}
        {"id":"last","text":"It ends in May."}
        """;
    Run run = Run.withInput(input.getBytes(StandardCharsets.UTF_8), "encoder", "embed");
    assertThat(run.status()).isEqualTo(1);
    List<JsonNode> lines = lines(run);
    assertThat(lines).hasSize(7);
    assertThat(lines.get(0).path("vector").size()).isPositive();
    assertThat(lines.get(1).path("vector")).isEqualTo(lines.get(0).path("vector"));
    assertThat(lines.get(1).path("id").intValue()).isEqualTo(7);
    assertThat(lines.stream().map(line -> line.path("error").path("code").asString("")))
        .containsExactly("", "", "missing_field", "bad_type", "bad_json", "malformed_vector", "");
    assertThat(lines.get(6).path("id").stringValue()).isEqualTo("last");
  }

  @Test
  void compare_saysCosineAngleAndWhetherItIsTheSame() {
    String text = "Both parties keep a copy of this agreement.";
    Run same = Run.of("encoder", "compare", "-o", "json", text, text);
    assertThat(same.status()).isZero();
    JsonNode view = Json.MAPPER.readTree(same.out());
    assertThat(view.path("cosine").doubleValue()).isCloseTo(1.0, within(1e-9));
    assertThat(view.path("degrees").doubleValue()).isCloseTo(0.0, within(1e-3));
    assertThat(view.path("same").booleanValue()).isTrue();
    Run other = Run.of("encoder", "compare", text, "Nothing of that concerns a volcano.");
    assertThat(other.status()).isZero();
    assertThat(other.out()).startsWith("cosine ").contains(" degrees (", "not the same claim");
    assertThat(Run.of("encoder", "compare", text, "").err()).contains("malformed_vector");
    assertThat(Run.of("encoder", "compare", text).status()).isEqualTo(2);
  }

  @Test
  void manifest_isNotWrittenOverAnotherOne_norForFilesThatAreNone() throws IOException {
    Files.writeString(temp.resolve("model.onnx"), "no model");
    Files.writeString(temp.resolve("tokenizer.json"), "{}");
    Run run = Run.of("encoder", "manifest", temp.toString(), "--id", "x");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("bad_model");
    assertThat(temp.resolve("manifest.json")).doesNotExist();
    Files.writeString(temp.resolve("manifest.json"), "{}");
    assertThat(Run.of("encoder", "manifest", temp.toString(), "--id", "x").err())
        .contains("is there already");
    assertThat(Run.of("encoder", "manifest", temp.toString()).status()).isEqualTo(2);
  }
}
