package dev.parlance.cli.pact;

import dev.parlance.cli.LinesCommand;
import dev.parlance.policy.pact.PactScore;
import dev.parlance.policy.pact.PactScore.Decided;
import dev.parlance.policy.pact.PactScore.Ended;
import dev.parlance.policy.pact.PactScore.Observed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "score")
final class PactScoreCommand extends LinesCommand {
  /** Stands for what is no count: the score refuses it with the pact's name. */
  private static final long NO_COUNT = -1;

  PactScoreCommand() {
    super("pact score");
  }

  @Override
  protected void answer(ObjectNode members, ObjectNode line) {
    List<Ended> endings = list(members, "endings", "", PactScoreCommand::ended);
    List<Decided> decisions =
        list(
            members,
            "decisions",
            "",
            one -> new Decided(one.text("pact"), code(one.node(), "ending").orElse(""), who(one)));
    switch (PactScore.of(endings, decisions)) {
      case PactScore.Result.BadEntry(String pact) ->
          line.put("error", "BAD_ENTRY").put("pact", pact);
      case PactScore.Result.Scores(Map<String, PactScore> byParty) -> {
        ObjectNode scores = line.putObject("scores");
        byParty.forEach((party, score) -> {
          ObjectNode one = scores.putObject(party);
          put(one, "scopeHonesty", score.scopeHonesty());
          put(one, "reliability", score.reliability());
          one.put("counted", score.counted());
        });
      }
    }
  }

  private static void put(ObjectNode node, String name, OptionalDouble value) {
    value.ifPresentOrElse(number -> node.put(name, number), () -> node.putNull(name));
  }

  private static Ended ended(Element one) {
    String pact = one.text("pact");
    Map<String, Observed> observations = new HashMap<>();
    for (Map.Entry<String, JsonNode> seen :
        members(one.node(), "observations", one.where() + ".")) {
      String where = one.where() + ".observations." + seen.getKey();
      JsonNode counts = new Element(seen.getValue(), where).object();
      Map<String, Long> violations = new HashMap<>();
      for (Map.Entry<String, JsonNode> count : members(counts, "violations", where + ".")) {
        violations.put(count.getKey(), count(count.getValue()));
      }
      observations.put(seen.getKey(), new Observed(count(counts.path("observed")), violations));
    }
    return new Ended(
        pact, parties(one.node()), code(one.node(), "ending").orElse(""), who(one), observations);
  }

  /** What is no list of names is no two names either: the score refuses it. */
  private static List<String> parties(JsonNode ending) {
    List<String> parties = new ArrayList<>();
    for (JsonNode party : ending.path("parties")) {
      parties.add(party.isString() ? party.stringValue() : "");
    }
    return ending.path("parties").isArray() ? parties : List.of();
  }

  private static Optional<String> code(JsonNode object, String name) {
    return optional(object, name).filter(JsonNode::isString).map(JsonNode::stringValue);
  }

  private static Optional<String> who(Element one) {
    return code(one.node(), "responsible");
  }

  private static long count(JsonNode node) {
    return node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : NO_COUNT;
  }
}
