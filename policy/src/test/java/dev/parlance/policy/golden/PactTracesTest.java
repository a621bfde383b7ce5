package dev.parlance.policy.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactMachine;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactTemplate;
import dev.parlance.policy.pact.Predicate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The vectors of whole negotiations: every phase, refusal, predicate and hash exactly. */
class PactTracesTest {
  static Stream<Golden.Vector> traces() {
    return Golden.vectors("pact-traces");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("traces")
  void negotiation_endsWhereItHasTo(Golden.Vector vector) {
    Map<String, PactTemplate> templates = new HashMap<>();
    vector
        .in()
        .path("templates")
        .properties()
        .forEach(one -> {
          JsonNode counters = one.getValue().path("max_counters");
          templates.put(
              one.getKey(),
              new PactTemplate(
                  predicates(one.getValue().path("predicates")),
                  counters.isInt() ? OptionalInt.of(counters.asInt()) : OptionalInt.empty()));
        });
    PactState state = PactState.start(templates);
    List<String> violations = new ArrayList<>();
    int index = 0;
    for (JsonNode event : vector.in().path("trace")) {
      PactMachine.Step step = PactMachine.step(state, event(event));
      int at = index++;
      step.fault().ifPresent(fault -> violations.add(at + " " + fault));
      state = step.next();
    }
    JsonNode out = vector.out();
    assertThat(violations)
        .isEqualTo(
            out.path("violations")
                .valueStream()
                .map(one -> one.path("step").asInt() + " " + one.path("code").asString())
                .toList());
    assertThat(state.phase().name()).isEqualTo(out.path("state").asString());
    assertThat(state.talks().counters()).isEqualTo(out.path("counters").asInt());
    Map<String, String> statuses = new TreeMap<>();
    state.talks().clauses().forEach((id, clause) -> statuses.put(id, clause.status().name()));
    Map<String, String> expected = new TreeMap<>();
    out.path("predicates")
        .properties()
        .forEach(one -> expected.put(one.getKey(), one.getValue().asString()));
    assertThat(statuses).isEqualTo(expected);
    assertThat(state.history()).isEqualTo(out.path("history").asString());
    if (out.path("missing_categories").isNull()) {
      assertThat(state.talks().clauses()).isEmpty();
    } else {
      assertThat(state.missing().stream().map(PactCategory::code))
          .isEqualTo(Golden.strings(out.path("missing_categories")));
    }
    boolean walked = state.phase() == Phase.WALKED_AWAY;
    Optional<String> reason = state.end().map(PactState.End::reason);
    assertThat(reason.filter(_ -> walked)).isEqualTo(text(out, "walkaway_reason"));
    assertThat(reason.filter(_ -> !walked)).isEqualTo(text(out, "dissolution"));
    assertThat(state.end().flatMap(PactState.End::responsible)).isEqualTo(text(out, "responsible"));
    Optional<PactEvent.Ratification> signed =
        state.signed().filter(one -> one.signers().size() == 2).map(PactState.Signed::terms);
    assertThat(signed.map(PactEvent.Ratification::pact)).isEqualTo(text(out, "pact"));
    assertThat(signed.map(PactEvent.Ratification::predicatesHash))
        .isEqualTo(text(out, "final_hash"));
  }

  private static Optional<String> text(JsonNode object, String member) {
    return Optional.of(object.path(member)).filter(JsonNode::isString).map(JsonNode::asString);
  }

  private static String string(JsonNode object, String member) {
    return object.path(member).asString("");
  }

  private static List<Predicate> predicates(JsonNode list) {
    return list.valueStream()
        .map(one -> new Predicate(string(one, "id"), string(one, "category"), string(one, "body")))
        .toList();
  }

  private static OptionalLong number(JsonNode object, String member) {
    return object.path(member).isIntegralNumber()
        ? OptionalLong.of(object.path(member).asLong())
        : OptionalLong.empty();
  }

  static PactEvent event(JsonNode event) {
    long atMs = event.path("t").asLong();
    String type = string(event, "type");
    if (type.equals("CLOCK")) {
      return new PactEvent.Clock(atMs, text(event, "unreachable"));
    }
    StringBuilder canonical = new StringBuilder();
    write(canonical, event);
    return new PactEvent.Message(
        atMs, string(event, "from"), canonical.toString(), body(event, type));
  }

  private static PactEvent.Body body(JsonNode event, String type) {
    String negotiation = string(event, "negotiation");
    return switch (type) {
      case "INVOCATION" ->
          new PactEvent.Invocation(
              negotiation,
              string(event, "source"),
              string(event, "target"),
              event.path("timeout_ms").asLong(),
              event.path("max_duration_ms").asLong(),
              Golden.strings(event.path("templates")));
      case "PROPOSAL" ->
          new PactEvent.Proposal(
              negotiation, predicates(event.path("predicates")), number(event, "deadline"));
      case "COUNTER" -> counter(event, negotiation);
      case "RATIFICATION" -> {
        Map<String, Boolean> signatures = new HashMap<>();
        event
            .path("signatures")
            .properties()
            .forEach(one -> signatures.put(one.getKey(), one.getValue().asString("").equals("ok")));
        yield new PactEvent.Ratification(
            negotiation,
            string(event, "pact"),
            string(event, "predicates_hash"),
            string(event, "history"),
            event.path("validity").path(0).asLong(),
            event.path("validity").path(1).asLong(),
            signatures);
      }
      case "WALKAWAY" -> new PactEvent.Walkaway(negotiation, string(event, "reason"));
      case "DISSOLUTION" ->
          new PactEvent.Dissolution(
              string(event, "pact"),
              string(event, "reason"),
              text(event, "failure_predicate"),
              number(event, "effective"));
      default -> new PactEvent.Unknown(type);
    };
  }

  private static PactEvent.Body counter(JsonNode event, String negotiation) {
    JsonNode template = event.path("template");
    if (template.isObject()) {
      return new PactEvent.TemplateChoice(
          negotiation,
          string(template, "ref"),
          string(template, "decision"),
          string(template, "rationale"));
    }
    if (event.path("escalate").asBoolean(false)) {
      return new PactEvent.Escalation(negotiation);
    }
    if (event.path("accept_all").asBoolean(false)) {
      return new PactEvent.AcceptAll(negotiation);
    }
    return new PactEvent.Position(
        negotiation,
        event
            .path("responses")
            .valueStream()
            .map(one ->
                new PactEvent.Response(
                    string(one, "id"),
                    string(one, "action"),
                    string(one, "category"),
                    string(one, "body"),
                    string(one, "rationale")))
            .toList(),
        number(event, "deadline"));
  }

  /** Canonical JSON of the machine: keys sorted, no blanks, ASCII. */
  private static void write(StringBuilder out, JsonNode node) {
    if (node.isObject()) {
      String[] names = node.propertyNames().toArray(String[]::new);
      Arrays.sort(names);
      out.append('{');
      for (int i = 0; i < names.length; i++) {
        Predicate.quoteAscii(i == 0 ? out : out.append(','), names[i]);
        write(out.append(':'), node.get(names[i]));
      }
      out.append('}');
    } else if (node.isArray()) {
      out.append('[');
      for (int i = 0; i < node.size(); i++) {
        write(i == 0 ? out : out.append(','), node.get(i));
      }
      out.append(']');
    } else if (node.isString()) {
      Predicate.quoteAscii(out, node.stringValue());
    } else {
      out.append(node);
    }
  }
}
