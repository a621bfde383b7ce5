package dev.parlance.cli.pact;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LinesCommand;
import dev.parlance.policy.pact.PactCheck;
import dev.parlance.policy.pact.PactObservation;
import dev.parlance.policy.pact.PactTerms;
import dev.parlance.policy.pact.Predicate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "validate")
final class PactValidateCommand extends LinesCommand {
  PactValidateCommand() {
    super("pact validate");
  }

  @Override
  protected void answer(ObjectNode members, ObjectNode line) {
    if (optional(members, "body").isPresent() || optional(members, "predicates").isEmpty()) {
      read(
          InputLine.text(members.path("category"), "category"),
          InputLine.text(members.path("body"), "body"),
          line);
    } else {
      check(members, line);
    }
  }

  private static void read(String category, String body, ObjectNode line) {
    switch (PactTerms.read(category, body)) {
      case PactTerms.Reading.Bad(PactTerms.Fault fault, Optional<String> key) -> {
        line.put("error", fault.name());
        key.ifPresent(name -> line.put("key", name));
      }
      case PactTerms.Reading.Good(PactTerms terms) -> {
        ArrayNode items = line.putArray("items");
        for (PactTerms.Item item : terms.items()) {
          items
              .addObject()
              .put("key", item.key())
              .put("op", item.op().orElse(null))
              .put("value", item.value().orElse(null))
              .put("enforced", item.enforced().isPresent());
        }
      }
    }
  }

  private static void check(ObjectNode members, ObjectNode line) {
    List<Predicate> predicates =
        list(
            members,
            "predicates",
            "",
            one -> new Predicate(one.text("id"), one.text("category"), one.text("body")));
    Set<String> ids = new HashSet<>();
    for (Predicate one : predicates) {
      if (!ids.add(one.id())) {
        throw LineFault.BAD_VALUE.problem("predicates: expected each id once");
      }
    }
    JsonNode message =
        InputLine.expect(members.path("message"), JsonNode::isObject, "message", "an object");
    PactCheck.Result result = new PactCheck(predicates).check(observation(message));
    ArrayNode findings = line.putArray("findings");
    for (PactCheck.Finding finding : result.findings()) {
      findings
          .addObject()
          .put("predicate", finding.predicate().id())
          .put("key", finding.item().map(PactTerms.Item::key).orElse(null))
          .put("outcome", finding.outcome().code());
    }
    line.put("action", result.action().code());
  }

  private static PactObservation observation(JsonNode message) {
    PactTerms.Leg leg =
        switch (InputLine.text(message.path("leg"), "message.leg")) {
          case "request" -> PactTerms.Leg.REQUEST;
          case "answer" -> PactTerms.Leg.ANSWER;
          default -> throw LineFault.BAD_VALUE.problem("message.leg: expected request or answer");
        };
    return new PactObservation(
        leg,
        number(message, "bytes"),
        texts(message, "fields"),
        texts(message, "tools"),
        texts(message, "hosts"),
        number(message, "in_last_minute"),
        optionalText(message, "media", "message."),
        flag(message, "schema_ok"),
        number(message, "took_ms"),
        number(message, "citations"),
        terms(message),
        number(message, "g"),
        number(message, "drift"),
        optionalText(message, "finality", "message."),
        number(message, "filled"),
        number(message, "messages"),
        number(message, "total_bytes"),
        flag(message, "released").orElse(false));
  }

  /** A number as the golden files write it: non-finite ones are texts. */
  private static OptionalDouble number(JsonNode message, String name) {
    Optional<JsonNode> node = optional(message, name);
    if (node.isEmpty()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        switch (node.get().isString() ? node.get().stringValue() : "") {
          case "NaN" -> Double.NaN;
          case "Infinity" -> Double.POSITIVE_INFINITY;
          case "-Infinity" -> Double.NEGATIVE_INFINITY;
          default ->
              InputLine.expect(
                      node.get(),
                      JsonNode::isNumber,
                      "message." + name,
                      "a number or one of the texts NaN, Infinity, -Infinity")
                  .doubleValue();
        });
  }

  private static Optional<Boolean> flag(JsonNode message, String name) {
    return optional(message, name)
        .map(node ->
            InputLine.expect(node, JsonNode::isBoolean, "message." + name, "true or false")
                .booleanValue());
  }

  private static Optional<List<String>> texts(JsonNode message, String name) {
    return optional(message, name).map(_ -> list(message, name, "message.", Element::text));
  }

  private static Optional<Map<String, String>> terms(JsonNode message) {
    if (optional(message, "terms").isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> terms = new HashMap<>();
    for (Map.Entry<String, JsonNode> one : members(message, "terms", "message.")) {
      terms.put(one.getKey(), InputLine.text(one.getValue(), "message.terms." + one.getKey()));
    }
    return Optional.of(terms);
  }
}
