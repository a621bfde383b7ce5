package dev.parlance.policy.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.text.Utf8Span;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Texts that checkers get wrong, by id, under the profile that judges claims. */
class JudgeCasesTest {
  /** What is judged wrongly still; whoever mends one takes it away. */
  private static final Set<String> OPEN =
      Set.of(
          "list-and-heading-numbers-7",
          "cjk-characters-1",
          "cjk-characters-2",
          "dilution-2",
          "list-and-heading-numbers-20",
          "abstention-as-asked-9",
          "cjk-characters-9",
          "citation-forms-36",
          "question-echo-8");

  private static final Judge JUDGE = new Judge(new ClaimsEstimator(new Vocabulary(3)));

  static Stream<JsonNode> cases() throws IOException {
    List<JsonNode> cases = new ArrayList<>();
    read("/cases/judge.jsonl", cases);
    read("/cases/more.jsonl", cases);
    return cases.stream();
  }

  private static void read(String resource, List<JsonNode> cases) throws IOException {
    ObjectMapper json = new ObjectMapper();
    try (InputStream in =
        Objects.requireNonNull(JudgeCasesTest.class.getResourceAsStream(resource))) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        JsonNode one = json.readTree(line);
        // Those are about the input of the command line.
        if (!one.get("kind").asString().equals("input-mistakes")) {
          cases.add(one);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void text_goesWhereItShould(JsonNode one) {
    Route route = JUDGE.score(message(one.get("input")), Profiles.DEFAULT, 0).decision().route();
    boolean right =
        switch (one.get("expect").asString()) {
          case "passes" -> route == Route.EXECUTE || route == Route.WARN;
          case "stopped" -> route == Route.REGENERATE || route == Route.YIELD;
          case "not executed" -> route != Route.EXECUTE;
          default -> throw new IllegalStateException(one.get("expect").asString());
        };
    assertThat(right)
        .as("%s: %s", one.get("id").asString(), route)
        .isEqualTo(!OPEN.contains(one.get("id").asString()));
  }

  private static AgentMessage message(JsonNode input) {
    List<Chunk> chunks = new ArrayList<>();
    for (JsonNode chunk : input.path("chunks")) {
      chunks.add(new Chunk(chunk.get("id").asString(), Utf8Span.of(chunk.get("text").asString())));
    }
    List<String> citations = new ArrayList<>();
    input.path("citations").forEach(citation -> citations.add(citation.asString()));
    return new AgentMessage(
        Utf8Span.of(input.get("answer").asString()),
        Utf8Span.of(input.path("question").asString("")),
        new Evidence(
            chunks.isEmpty() ? EvidenceSource.NONE : EvidenceSource.DECLARED,
            chunks,
            citations,
            OptionalDouble.empty(),
            List.of()));
  }
}
