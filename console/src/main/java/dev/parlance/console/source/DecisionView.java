package dev.parlance.console.source;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.text.Coded;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Lines of a decision log as the API shows them. */
final class DecisionView {
  private static final List<String> TEXTS =
      List.of(
          "id",
          "route",
          "action",
          "mode",
          "direction",
          "kind",
          "protocol",
          "peer",
          "routeRule",
          "flow",
          "trace",
          "header",
          "reviewId",
          "bodySha256");
  private static final List<String> MAY_BE_ABSENT =
      List.of("trace", "header", "reviewId", "bodySha256");

  private DecisionView() {}

  /** One line of type decision. */
  static ObjectNode of(String sidecar, String agent, JsonNode line) {
    ObjectNode view = JsonNodeFactory.instance.objectNode();
    view.put("sidecar", sidecar).put("agent", agent).put("tsMs", ms(line.path("ts").asString("")));
    for (String name : TEXTS) {
      String text = line.path(name).asString("");
      if (!text.isEmpty() || !MAY_BE_ABSENT.contains(name)) {
        view.put(name, text);
      }
    }
    view.put("attempt", Math.max(1, line.path("attempt").asInt(1)));
    view.set("reasons", line.path("reasons").deepCopy());
    view.put("sentence", sentence(line.path("reasons")));
    measured(line, view);
    view.put("totalUs", line.path("tTotalUs").asLong(0));
    view.put("judgeUs", line.path("tJudgeUs").asLong(0));
    return view;
  }

  /** Drift and signals, where a line or a verdict has them. */
  static void measured(JsonNode line, ObjectNode view) {
    if (line.path("drift").isNumber()) {
      view.put("drift", line.path("drift").asDouble());
    }
    JsonNode signals = line.path("signals");
    if (signals.isObject()) {
      ObjectNode shown = view.putObject("signals");
      for (String name : List.of("certainty", "grounding", "stochasticity")) {
        if (signals.path(name).isNumber()) {
          shown.put(name, signals.path(name).asDouble());
        }
      }
    }
  }

  /** The sentence of the first reason; its code where this version does not know it. */
  static String sentence(JsonNode reasons) {
    String first = reasons.path(0).asString("");
    return Coded.find(Reason.values(), first).map(Reason::sentence).orElse(first);
  }

  /** True if a decision passes the filter of the list. */
  static boolean fits(Map<String, String> filter, JsonNode view) {
    return is(filter, "route", view)
        && is(filter, "direction", view)
        && (!filter.containsKey("reason")
            || view.path("reasons")
                .valueStream()
                .anyMatch(code -> code.asString("").equals(filter.get("reason"))))
        && (!filter.containsKey("agent")
            || view.path("agent").asString("").contains(filter.getOrDefault("agent", ""))
            || view.path("peer").asString("").contains(filter.getOrDefault("agent", "")));
  }

  private static boolean is(Map<String, String> filter, String name, JsonNode view) {
    return !filter.containsKey(name) || view.path(name).asString("").equals(filter.get(name));
  }

  private static long ms(String instant) {
    try {
      return Instant.parse(instant).toEpochMilli();
    } catch (DateTimeParseException _) {
      return 0; // a line of another version
    }
  }
}
