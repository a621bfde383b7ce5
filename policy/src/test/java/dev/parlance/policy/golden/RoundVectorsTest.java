package dev.parlance.policy.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The vectors of whole rounds: every number, list and digest exactly. */
class RoundVectorsTest {
  static Stream<Golden.Vector> rounds() {
    return Golden.vectors("hcsc-rounds").filter(vector -> !isError(vector));
  }

  static Stream<Golden.Vector> invalid() {
    return Golden.vectors("hcsc-rounds").filter(RoundVectorsTest::isError);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rounds")
  void round_hasItsOutcome(Golden.Vector vector) {
    RoundSpec spec = spec(vector.in());
    List<Proposal> proposals = proposals(vector.in());
    Outcome outcome = Hcsc.decide(spec, proposals);
    JsonNode out = vector.out();
    assertThat(outcome.kind()).isEqualTo(out.get("outcome").asString());
    assertThat(outcome.count().delivered()).isEqualTo(out.get("delivered").asInt());
    assertThat(outcome.count().support()).isEqualTo(out.get("support").asInt());
    assertThat(outcome.count().runnerUp()).isEqualTo(out.get("runner_up").asInt());
    assertThat(outcome.count().margin()).isEqualTo(out.get("margin").asInt());
    assertThat(Hcsc.leading(spec, proposals)).isEqualTo(text(out, "verdict"));
    assertThat(outcome.dropped().stream().map(one -> List.of(one.agent(), one.reason().code())))
        .isEqualTo(lists(out.get("dropped")));
    switch (outcome) {
      case Outcome.SemanticCommit commit -> {
        assertThat(commit.verdict()).isEqualTo(out.get("verdict").asString());
        assertThat(commit.core()).isEqualTo(Golden.strings(out.get("core")));
        assertThat(commit.minCos()).isEqualTo(out.get("min_cos").asDouble());
        assertThat(entries(commit.aggregate())).isEqualTo(whole(out.get("aggregate")));
        assertThat(commit.digest()).isEqualTo(out.get("digest").asString());
      }
      case Outcome.VerdictCommit commit -> {
        assertThat(commit.verdict()).isEqualTo(out.get("verdict").asString());
        assertThat(commit.core()).isEqualTo(Golden.strings(out.get("core")));
        assertThat(commit.digest()).isEqualTo(out.get("digest").asString());
      }
      case Outcome.Abort abort ->
          assertThat(abort.reason().code()).isEqualTo(out.get("reason").asString());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void impossibleRounds_areRefused(Golden.Vector vector) {
    assertThat(vector.out().get("reason").asString()).isEqualTo("INVALID_ROUND");
    assertThatThrownBy(() -> spec(vector.in())).isInstanceOf(IllegalArgumentException.class);
  }

  private static boolean isError(Golden.Vector vector) {
    return vector.out().get("outcome").asString().equals("error");
  }

  private static RoundSpec spec(JsonNode in) {
    return new RoundSpec(
        in.get("round").asString(),
        in.get("f").asInt(),
        Golden.strings(in.get("members")),
        new Encoding(
            in.get("encoder").asString(), in.get("dim").asInt(), in.get("cos_min").asDouble()),
        in.path("extra_margin").asInt(0),
        in.path("verdict_fallback").asBoolean(true));
  }

  private static List<Proposal> proposals(JsonNode in) {
    List<Proposal> proposals = new ArrayList<>();
    for (JsonNode one : in.get("proposals")) {
      proposals.add(
          new Proposal(
              one.get("agent").asString(),
              one.get("verdict").asString(),
              sha256(one.get("text").asString()),
              QuantVector.of(numbers(one.get("embedding")), in.get("dim").asInt())
                  .<Meaning>map(Meaning.Vector::new)
                  .orElse(Meaning.MALFORMED)));
    }
    return proposals;
  }

  private static double[] numbers(JsonNode array) {
    double[] numbers = new double[array.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Golden.number(array.get(i));
    }
    return numbers;
  }

  private static List<Integer> whole(JsonNode array) {
    List<Integer> numbers = new ArrayList<>();
    array.forEach(one -> numbers.add(one.asInt()));
    return numbers;
  }

  private static List<Integer> entries(QuantVector vector) {
    List<Integer> entries = new ArrayList<>();
    for (int i = 0; i < vector.dim(); i++) {
      entries.add(vector.at(i));
    }
    return entries;
  }

  private static List<List<String>> lists(JsonNode array) {
    List<List<String>> lists = new ArrayList<>();
    array.forEach(one -> lists.add(Golden.strings(one)));
    return lists;
  }

  private static Optional<String> text(JsonNode object, String member) {
    return object.get(member).isNull()
        ? Optional.empty()
        : Optional.of(object.get(member).asString());
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
