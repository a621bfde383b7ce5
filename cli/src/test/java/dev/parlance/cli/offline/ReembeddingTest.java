package dev.parlance.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Json;
import dev.parlance.cli.Run;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.text.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Rounds written down with what the built-in encoder says, then encoded once more. */
class ReembeddingTest {
  private static final List<String> AGENTS = List.of("ada", "bob", "cy", "dan");
  private static final String TEXT = "The license lets anybody copy the work without a fee.";

  @Test
  void honestRecord_isConfirmed_exactly() {
    ObjectNode round = round(TEXT);
    Run run = reembed(round);
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    JsonNode found = found(run);
    assertThat(found.path("encoder").stringValue()).isEqualTo(round.path("encoder").stringValue());
    assertThat(counts(found)).containsExactly(4, 0, 0, 0, 0);
    assertThat(found.path("outcome").stringValue()).isEqualTo("semantic_commit");
    assertThat(found.path("same_outcome").booleanValue()).isTrue();
  }

  @Test
  void vectorOfAnotherText_isDifferent_andTheOutcomeIsThatOfTheTexts() {
    ObjectNode round = round(TEXT);
    for (int i = 1; i < 4; i++) {
      say(round, i, "Nobody knows when the ferry leaves on Sundays, so take a book.");
    }
    Run run = reembed(round);
    assertThat(run.status()).isEqualTo(1);
    JsonNode found = found(run);
    assertThat(counts(found)).containsExactly(1, 0, 3, 0, 0);
    assertThat(found.path("differing")).hasSize(3);
    assertThat(found.path("differing").get(0).path("agent").stringValue()).isEqualTo("bob");
    assertThat(found.path("differing").get(0).path("cos").doubleValue()).isLessThan(0.9);
  }

  @Test
  void outcomeThatOnlyForgedVectorsGive_isFound() {
    // Four different reasons with one vector: a semantic commit that the texts do not give.
    ObjectNode round = round(TEXT);
    say(round, 1, "Nobody knows when the ferry leaves on Sundays, so take a book.");
    say(round, 2, "Rust eats the northern bridge, and its bolts are from 1931.");
    say(round, 3, "My aunt paints herons; the largest one hangs in the hall.");
    JsonNode line = Json.MAPPER.readTree(reembed(round).out());
    assertThat(line.path("outcome").stringValue()).isEqualTo("semantic_commit");
    assertThat(line.path("reembedded").path("outcome").stringValue()).isEqualTo("verdict_commit");
    assertThat(line.path("reembedded").path("same_outcome").booleanValue()).isFalse();
  }

  @Test
  void roundingOfAnotherMachine_isNear_andNoReasonToFail() {
    ObjectNode round = round(TEXT);
    ObjectNode proposal = (ObjectNode) round.path("proposals").get(0);
    byte[] bytes = Base64.getDecoder().decode(proposal.path("q").stringValue());
    ByteBuffer entries = ByteBuffer.wrap(bytes);
    entries.putShort(0, (short) (entries.getShort(0) > 0 ? entries.getShort(0) - 3 : 3));
    proposal.put("q", Base64.getEncoder().encodeToString(bytes));
    Run run = reembed(round);
    assertThat(run.status()).isZero();
    assertThat(counts(found(run))).containsExactly(3, 1, 0, 0, 0);
  }

  @Test
  void proposalsWithoutTextOrVector_areCounted_andKeepWhatIsRecorded() {
    ObjectNode round = round(TEXT);
    ObjectNode withoutText = (ObjectNode) round.path("proposals").get(0);
    withoutText.put("textSha256", Sha256.hex(TEXT)).remove("text");
    ObjectNode unencoded = (ObjectNode) round.path("proposals").get(1);
    unencoded.put("fault", "unencoded").remove("q");
    Run run = reembed(round);
    assertThat(run.status()).isZero();
    assertThat(counts(found(run))).containsExactly(2, 0, 0, 1, 1);
  }

  @Test
  void roundOfAnotherEncoder_isRefused_andOneWithoutHasNothingToCompare() {
    Run other = reembed(round(TEXT).put("encoder", "other-1"));
    assertThat(other.status()).isEqualTo(1);
    assertThat(other.out()).contains("\"code\":\"other_encoder\"");
    ObjectNode none = round(TEXT).put("encoder", "none").put("dim", 0);
    none.path("proposals").forEach(one -> ((ObjectNode) one).put("fault", "unencoded").remove("q"));
    Run run = reembed(none);
    assertThat(run.status()).isZero();
    assertThat(counts(found(run))).containsExactly(0, 0, 0, 0, 4);
  }

  @Test
  void encoderThatCannotBeUsed_isOneLine() {
    Run run = Run.withInput(new byte[0], "commit", "--reembed", "/no/such/folder");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).startsWith("parlance: commit: ");
  }

  @Test
  void claimedOutcome_agreesOrIsFound() {
    ObjectNode round = round(TEXT);
    JsonNode truth = Json.MAPPER.readTree(commit(round).out());
    ObjectNode decided = round.putObject("decided");
    decided.put("outcome", "semantic_commit").put("digest", truth.path("digest").stringValue());
    Run good = commit(round);
    assertThat(good.status()).isZero();
    assertThat(good.out()).contains("\"agrees\":true");
    decided.put("digest", "0".repeat(64));
    assertThat(commit(round).status()).isEqualTo(1);
    assertThat(commit(round).out()).contains("\"agrees\":false");
    round.put("decided", 5);
    assertThat(commit(round).out()).contains("\"code\":\"bad_type\"");
  }

  @Test
  void likeness_isStrictAtItsLimits() {
    double[] base = new double[512];
    java.util.Arrays.fill(base, 1.0);
    Meaning recorded = vector(base, 0, 0);
    assertThat(Reembedding.likeness(recorded, vector(base, 0, 0)))
        .isEqualTo(Reembedding.Likeness.EXACT);
    assertThat(Reembedding.likeness(recorded, vector(base, 1, 4)))
        .isEqualTo(Reembedding.Likeness.NEAR);
    assertThat(Reembedding.likeness(recorded, vector(base, 1, 5)))
        .isEqualTo(Reembedding.Likeness.DIFFERENT);
    assertThat(Reembedding.likeness(Meaning.MALFORMED, Meaning.MALFORMED))
        .isEqualTo(Reembedding.Likeness.EXACT);
    assertThat(Reembedding.likeness(Meaning.MALFORMED, recorded))
        .isEqualTo(Reembedding.Likeness.DIFFERENT);
    assertThat(Reembedding.likeness(recorded, Meaning.UNENCODED))
        .isEqualTo(Reembedding.Likeness.DIFFERENT);
  }

  private static Meaning vector(double[] base, int entries, int by) {
    byte[] bytes = QuantVector.of(base, base.length).orElseThrow().toBytes();
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (int i = 0; i < entries; i++) {
      buffer.putShort(2 * i, (short) (buffer.getShort(2 * i) + by));
    }
    return new Meaning.Vector(QuantVector.ofBytes(bytes).orElseThrow());
  }

  /** A round whose members all say a text, as the control plane would have recorded it. */
  private static ObjectNode round(String text) {
    JsonNode encoder = Json.MAPPER.readTree(Run.of("encoder", "check", "-o", "json").out());
    Run embedded =
        Run.withInput(
            Json.text(JsonNodeFactory.instance.objectNode().put("text", text))
                .getBytes(StandardCharsets.UTF_8),
            "encoder",
            "embed");
    List<Double> vector = new ArrayList<>();
    Json.MAPPER
        .readTree(embedded.out())
        .path("vector")
        .forEach(entry -> vector.add((double) entry.floatValue()));
    byte[] q =
        QuantVector.of(vector.stream().mapToDouble(Double::doubleValue).toArray(), vector.size())
            .orElseThrow()
            .toBytes();
    ObjectNode round = JsonNodeFactory.instance.objectNode();
    round.put("id", 1).put("round", "r:1").put("n", 4).put("f", 1);
    ArrayNode members = round.putArray("members");
    AGENTS.forEach(members::add);
    round.put("encoder", encoder.path("id").stringValue());
    round.put("dim", encoder.path("dim").intValue());
    round.put("cos_min", 0.95);
    ArrayNode proposals = round.putArray("proposals");
    for (String agent : AGENTS) {
      proposals
          .addObject()
          .put("agent", agent)
          .put("verdict", "yes")
          .put("text", text)
          .put("q", Base64.getEncoder().encodeToString(q));
    }
    return round;
  }

  private static void say(ObjectNode round, int member, String text) {
    ((ObjectNode) round.path("proposals").get(member)).put("text", text);
  }

  private static Run commit(ObjectNode round) {
    return Run.withInput(Json.text(round).getBytes(StandardCharsets.UTF_8), "commit");
  }

  private static Run reembed(ObjectNode round) {
    return Run.withInput(
        Json.text(round).getBytes(StandardCharsets.UTF_8), "commit", "--reembed", "built-in");
  }

  private static JsonNode found(Run run) {
    return Json.MAPPER.readTree(run.out()).path("reembedded");
  }

  private static List<Integer> counts(JsonNode found) {
    return List.of("exact", "near", "different", "no_text", "unencoded").stream()
        .map(name -> found.path(name).intValue())
        .toList();
  }
}
