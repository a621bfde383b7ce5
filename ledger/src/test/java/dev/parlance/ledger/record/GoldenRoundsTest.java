package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundId.RoundNames;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The golden rounds, put on a ledger and recomputed from it. */
class GoldenRoundsTest {
  @TempDir private static Path directory = Path.of("");

  private final LedgerWriter ledger = new LedgerWriter(1);

  private static List<JsonNode> vectors() {
    JsonNode root =
        new JsonMapper()
            .readTree(
                PythonVerifier.besideTheModules(
                    "policy/src/test/resources/golden/hcsc-rounds.json"));
    List<JsonNode> vectors = new ArrayList<>();
    root.path("vectors").forEach(vectors::add);
    assertThat(vectors).hasSize(root.path("count").asInt());
    // An opening refuses impossible constants, so those rounds have no place on a ledger.
    vectors.removeIf(one -> one.path("out").path("outcome").asString().equals("error"));
    return vectors;
  }

  private static double number(JsonNode node) {
    return node.isString() ? Double.parseDouble(node.asString()) : node.asDouble();
  }

  private static Meaning meaning(JsonNode embedding, int dim) {
    double[] vector = new double[embedding.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = number(embedding.get(i));
    }
    return QuantVector.of(vector, dim).<Meaning>map(Meaning.Vector::new).orElse(Meaning.MALFORMED);
  }

  private RoundRecord write(JsonNode vector) {
    JsonNode in = vector.path("in");
    RoundId id = new RoundId(vector.path("id").asString(), 1);
    List<String> members = new ArrayList<>();
    in.path("members").forEach(member -> members.add(member.asString()));
    int dim = in.path("dim").asInt();
    RoundSpec spec =
        new RoundSpec(
            id.bound(),
            in.path("f").asInt(),
            members,
            new Encoding(in.path("encoder").asString(), dim, number(in.path("cos_min"))),
            in.path("extra_margin").asInt(0),
            in.path("verdict_fallback").asBoolean(true));
    RoundWriter round = new RoundWriter(ledger, id, spec, 1).open();
    for (JsonNode one : in.path("proposals")) {
      String agent = one.path("agent").asString();
      String verdict = one.path("verdict").asString();
      // The control plane refuses these before they come to the ledger.
      if (members.contains(agent) && RoundNames.isName(verdict)) {
        ledger.append(
            new RoundEntry.Proposed(
                id,
                agent,
                verdict,
                Digest.of(one.path("text").asString()),
                meaning(one.path("embedding"), dim),
                RoundWriter.HEX,
                "execute",
                "d-1",
                ledger.now()));
      }
    }
    round.seal(SealCause.DEADLINE);
    if (!round.record().proposals().isEmpty()) {
      round.decide();
    }
    return round.record();
  }

  @Test
  void everyGoldenRound_comesToItsOutcomeOnALedger_forUsAndForAStranger() throws Exception {
    List<JsonNode> vectors = vectors();
    for (JsonNode vector : vectors) {
      RoundRecord round = write(vector);
      RoundOutcome outcome = OutcomeNote.outcome(round).orElseThrow();
      JsonNode out = vector.path("out");
      String id = vector.path("id").asString();
      assertThat(outcome.kind()).as(id).isEqualTo(out.path("outcome").asString());
      assertThat(outcome.reason()).as(id).isEqualTo(text(out.path("reason")));
      assertThat(outcome.delivered()).as(id).isEqualTo(out.path("delivered").asInt());
      assertThat(outcome.support()).as(id).isEqualTo(out.path("support").asInt());
      assertThat(outcome.runnerUp()).as(id).isEqualTo(out.path("runner_up").asInt());
      List<String> core = new ArrayList<>();
      out.path("core").forEach(member -> core.add(member.asString()));
      assertThat(outcome.core()).as(id).isEqualTo(core);
      if (outcome.isCommit()) {
        assertThat(outcome.verdict()).as(id).isEqualTo(text(out.path("verdict")));
      }
      if (outcome.kind().equals("semantic_commit")) {
        assertThat(round.decided().orElseThrow().minCos().orElseThrow())
            .as(id)
            .isEqualTo(out.path("min_cos").asDouble());
      }
    }
    RecomputationReport report = RecomputationTest.recompute(ledger.bytes());
    assertThat(report.disagreements()).isEmpty();
    RecomputationReport.Rounds rounds = report.rounds();
    assertThat(rounds.opened()).isEqualTo(vectors.size()).isEqualTo(53);
    assertThat(rounds.semanticCommits() + rounds.verdictCommits() + rounds.aborts())
        .isEqualTo(vectors.size());
    PythonVerifier.assumePresent();
    PythonVerifier python = new PythonVerifier(directory);
    PythonVerifier.Run run =
        python.verify(
            python.export(ledger.bytes()), Optional.of(ExportTest.KEY.verifier().format()));
    assertThat(run.output())
        .startsWith("sound: ")
        .contains(rounds.semanticCommits() + " semantic commits,");
    assertThat(run.status()).isZero();
  }

  private static Optional<String> text(JsonNode node) {
    return node.isNull() ? Optional.empty() : Optional.of(node.asString());
  }
}
