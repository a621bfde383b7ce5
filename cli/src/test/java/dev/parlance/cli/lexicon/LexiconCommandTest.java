package dev.parlance.cli.lexicon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.GoldenLines;
import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The offline commands about coined terms: every golden vector, and lines that are none. */
class LexiconCommandTest {
  private static Run lexicon(String command, String input) {
    return Run.withInput(input.getBytes(UTF_8), "lexicon", command);
  }

  private static List<JsonNode> lines(Run run) {
    return run.out().lines().map(Json.MAPPER::readTree).toList();
  }

  @ParameterizedTest
  @CsvSource({"replay,cogent-transcripts,31", "wire,lexicon-wire,34"})
  void everyPublicVector_isReproduced_inOrder_withItsMembersAndNoOthers(
      String command, String suite, int count) {
    GoldenLines golden = GoldenLines.of(suite);
    Run run = lexicon(command, golden.input());
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    assertThat(lines(run)).hasSize(count);
    golden.assertSame(lines(run), 1e-12);
  }

  @ParameterizedTest
  @CsvSource({
    "replay,cogent-transcripts-p-014",
    "replay,cogent-transcripts-p-013",
    "wire,lexicon-wire-p-003",
    "wire,lexicon-wire-p-010"
  })
  void changedMember_isAnsweredOnItsOwnLine_andNeverStopsTheRest(String command, String id) {
    GoldenLines golden =
        GoldenLines.of(command.equals("wire") ? "lexicon-wire" : "cogent-transcripts");
    JsonNode good = golden.line(id);
    List<JsonNode> changes = GoldenLines.changed(good);
    var input = new StringBuilder();
    changes.forEach(one -> input.append(Json.text(one)).append('\n'));
    input.append(Json.text(good)).append('\n');

    Run run = lexicon(command, input.toString());

    List<JsonNode> lines = lines(run);
    assertThat(run.err()).isEmpty();
    assertThat(lines).hasSize(changes.size() + 1);
    assertThat(lines.getLast())
        .isEqualTo(lines(lexicon(command, Json.text(good) + "\n")).getFirst());
    assertThat(lines.getLast().has("error")).isFalse();
    for (JsonNode line : lines) {
      if (line.has("error")) {
        assertThat(line.path("error").path("code").asString())
            .isIn("missing_field", "bad_type", "bad_value", "bad_json");
      }
    }
  }

  @Test
  void channelThatIsNone_isNamed() {
    String turn = "{\"id\":1,\"turns\":[{\"speaker\":\"a\",\"channel\":\"all\",\"text\":\"x\"}]}\n";
    Run run = lexicon("replay", turn);
    assertThat(run.status()).isEqualTo(1);
    assertThat(lines(run).getFirst().path("error").path("message").asString())
        .isEqualTo("turns[0].channel: expected public or faction:NAME");
  }

  @Test
  void missingMember_isTheSameAsNull() {
    assertThat(lexicon("replay", "{\"id\":1}\n{\"id\":1,\"turns\":null,\"factions\":null}\n").out())
        .isEqualTo(lexicon("replay", "{\"id\":1,\"turns\":[]}\n".repeat(2)).out());
    assertThat(lexicon("wire", "{\"id\":1}\n").out()).contains("missing_field");
  }
}
