package dev.parlance.cli.offline;

import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Profile;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One output line of {@code score}: the members of a golden {@code asp-text} vector's {@code out},
 * the {@code id}, and beside them the regime, the hex digits as numbers and the profile's name.
 * {@code reasons} is empty for EXECUTE. Doubles are printed so that they read back equal.
 */
final class ScoreOutput {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ScoreOutput() {}

  /** Judges against whatever evidence there is, also none: a missing chunk is no special case. */
  static ObjectNode scored(
      JsonNode id, AgentMessage message, int errors, Profile profile, Judge judge) {
    Verdict verdict = judge.score(message, profile, errors);
    Measurement measurement = verdict.measurement().orElseThrow();
    Signals signals = verdict.signals().orElseThrow();
    AspHeader header = verdict.header().orElseThrow();
    Features features = measurement.features();
    ObjectNode line = NODES.objectNode();
    line.set("id", id);
    line.put("tokens", measurement.counts().tokens());
    line.put("inContext", measurement.counts().inContext());
    line.put("novel", measurement.counts().novel());
    line.put("inQuestion", measurement.counts().inQuestion());
    line.set("citedIds", strings(measurement.counts().citedIds()));
    line.set("validIds", strings(measurement.counts().validIds()));
    line.put("o_c", features.contextOverlap());
    line.put("s_cite", features.citationScore());
    line.put("n", features.novelRatio());
    line.put("o_q", features.questionOverlap());
    line.put("g", signals.grounding());
    line.put("s", signals.stochasticity());
    line.put("c", signals.certainty());
    line.put("d", signals.driftSqrtJsd());
    line.put("header", header.text());
    line.put("route", verdict.decision().route().name());
    line.set(
        "reasons",
        strings(
            verdict.decision().reasons().stream()
                .filter(reason -> reason != Reason.OK)
                .map(Reason::code)
                .toList()));
    line.put("regime", verdict.regime().code());
    line.put("certaintyDigit", header.certaintyDigit());
    line.put("groundingDigit", header.groundingDigit());
    line.put("stochasticityDigit", header.stochasticityDigit());
    line.put("profile", profile.name());
    return line;
  }

  private static ArrayNode strings(List<String> values) {
    ArrayNode array = NODES.arrayNode();
    values.forEach(array::add);
    return array;
  }
}
