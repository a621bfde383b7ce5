package dev.parlance.policy.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactObservation;
import dev.parlance.policy.pact.PactScore;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The vectors of predicate bodies, of messages held against them, and of scores. */
class PactVectorsTest {
  static Stream<Golden.Vector> bodies() {
    return Golden.vectors("pact-terms").filter(one -> one.in().has("body"));
  }

  static Stream<Golden.Vector> checks() {
    return Golden.vectors("pact-terms").filter(one -> !one.in().has("body"));
  }

  static Stream<Golden.Vector> scores() {
    return Golden.vectors("pact-score");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void body_isReadAsItHasTo(Golden.Vector vector) {
    String category = vector.in().path("category").asString();
    JsonNode out = vector.out();
    switch (PactTerms.read(category, vector.in().path("body").asString())) {
      case PactTerms.Reading.Bad(PactTerms.Fault fault, Optional<String> key) -> {
        assertThat(fault.name()).isEqualTo(out.path("error").asString(""));
        assertThat(key).isEqualTo(text(out, "key"));
      }
      case PactTerms.Reading.Good(PactTerms terms) -> {
        List<List<Object>> items = new ArrayList<>();
        terms
            .items()
            .forEach(one ->
                items.add(List.of(one.key(), one.op(), one.value(), one.enforced().isPresent())));
        List<List<Object>> expected = new ArrayList<>();
        out.path("items")
            .forEach(one ->
                expected.add(
                    List.of(
                        one.path("key").asString(),
                        text(one, "op"),
                        text(one, "value"),
                        one.path("enforced").asBoolean())));
        assertThat(out.has("error")).isFalse();
        assertThat(items).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("checks")
  void message_isHeldAgainstThePredicates(Golden.Vector vector) {
    List<Predicate> predicates =
        vector
            .in()
            .path("predicates")
            .valueStream()
            .map(one ->
                new Predicate(
                    one.path("id").asString(),
                    one.path("category").asString(),
                    one.path("body").asString()))
            .toList();
    PactCheck.Result result =
        new PactCheck(predicates).check(observation(vector.in().path("message")));
    assertThat(
            result.findings().stream()
                .map(one ->
                    one.predicate().id()
                        + " "
                        + one.item().map(PactTerms.Item::key)
                        + " "
                        + one.outcome().code())
                .toList())
        .isEqualTo(
            vector
                .out()
                .path("findings")
                .valueStream()
                .map(one ->
                    one.path("predicate").asString()
                        + " "
                        + text(one, "key")
                        + " "
                        + one.path("outcome").asString())
                .toList());
    assertThat(result.action().code()).isEqualTo(vector.out().path("action").asString());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scores")
  void endings_giveTheirScores(Golden.Vector vector) {
    List<PactScore.Ended> endings = new ArrayList<>();
    for (JsonNode one : vector.in().path("endings")) {
      Map<String, PactScore.Observed> observations = new HashMap<>();
      one.path("observations")
          .properties()
          .forEach(party -> {
            Map<String, Long> violations = new HashMap<>();
            party
                .getValue()
                .path("violations")
                .properties()
                .forEach(count -> violations.put(count.getKey(), count(count.getValue())));
            observations.put(
                party.getKey(),
                new PactScore.Observed(count(party.getValue().path("observed")), violations));
          });
      endings.add(
          new PactScore.Ended(
              one.path("pact").asString(),
              Golden.strings(one.path("parties")),
              one.path("ending").asString(""),
              text(one, "responsible"),
              observations));
    }
    List<PactScore.Decided> decisions =
        vector
            .in()
            .path("decisions")
            .valueStream()
            .map(one ->
                new PactScore.Decided(
                    one.path("pact").asString(),
                    one.path("ending").asString(""),
                    text(one, "responsible")))
            .toList();
    JsonNode out = vector.out();
    switch (PactScore.of(endings, decisions)) {
      case PactScore.Result.BadEntry(String pact) -> {
        assertThat(out.path("error").asString("")).isEqualTo("BAD_ENTRY");
        assertThat(pact).isEqualTo(out.path("pact").asString());
      }
      case PactScore.Result.Scores(var scores) -> {
        assertThat(out.has("error")).isFalse();
        assertThat(scores.keySet())
            .containsExactlyInAnyOrderElementsOf(out.path("scores").propertyNames());
        scores.forEach((party, score) -> {
          JsonNode expected = out.path("scores").path(party);
          same(score.scopeHonesty(), expected.path("scopeHonesty"));
          same(score.reliability(), expected.path("reliability"));
          assertThat(score.counted()).isEqualTo(expected.path("counted").asInt());
        });
      }
    }
  }

  private static void same(OptionalDouble value, JsonNode expected) {
    if (expected.isNull()) {
      assertThat(value).isEmpty();
    } else {
      assertThat(value.orElseThrow()).isCloseTo(expected.asDouble(), Offset.offset(1e-9));
    }
  }

  private static long count(JsonNode node) {
    return node.isIntegralNumber() && node.canConvertToLong() ? node.asLong() : -1;
  }

  private static Optional<String> text(JsonNode object, String member) {
    return Optional.of(object.path(member)).filter(JsonNode::isString).map(JsonNode::asString);
  }

  private static OptionalDouble number(JsonNode object, String member) {
    JsonNode node = object.path(member);
    return node.isNumber()
        ? OptionalDouble.of(node.asDouble())
        : node.isString()
            ? OptionalDouble.of(Double.parseDouble(node.asString()))
            : OptionalDouble.empty();
  }

  private static Optional<List<String>> list(JsonNode object, String member) {
    return Optional.of(object.path(member)).filter(JsonNode::isArray).map(Golden::strings);
  }

  private static PactObservation observation(JsonNode message) {
    Optional<Map<String, String>> terms =
        Optional.of(message.path("terms"))
            .filter(JsonNode::isObject)
            .map(object -> {
              Map<String, String> map = new HashMap<>();
              object
                  .properties()
                  .forEach(one -> map.put(one.getKey(), one.getValue().asString("")));
              return map;
            });
    return new PactObservation(
        message.path("leg").asString("").equals("request")
            ? PactTerms.Leg.REQUEST
            : PactTerms.Leg.ANSWER,
        number(message, "bytes"),
        list(message, "fields"),
        list(message, "tools"),
        list(message, "hosts"),
        number(message, "in_last_minute"),
        text(message, "media"),
        Optional.of(message.path("schema_ok"))
            .filter(JsonNode::isBoolean)
            .map(JsonNode::booleanValue),
        number(message, "took_ms"),
        number(message, "citations"),
        terms,
        number(message, "g"),
        number(message, "drift"),
        text(message, "finality"),
        number(message, "filled"),
        number(message, "messages"),
        number(message, "total_bytes"),
        message.path("released").asBoolean(false));
  }
}
