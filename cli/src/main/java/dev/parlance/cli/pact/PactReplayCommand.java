package dev.parlance.cli.pact;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LinesCommand;
import dev.parlance.ledger.pact.PactMessages;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactEvent;
import dev.parlance.policy.pact.PactMachine;
import dev.parlance.policy.pact.PactState;
import dev.parlance.policy.pact.PactState.Phase;
import dev.parlance.policy.pact.PactTemplate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "replay")
final class PactReplayCommand extends LinesCommand {
  PactReplayCommand() {
    super("pact replay");
  }

  @Override
  protected void answer(ObjectNode members, ObjectNode line) {
    Map<String, PactTemplate> templates = new HashMap<>();
    for (Map.Entry<String, JsonNode> one : members(members, "templates", "")) {
      templates.put(
          one.getKey(), good(PactMessages.template(one.getValue()), "templates." + one.getKey()));
    }
    PactState state = PactState.start(templates);
    ArrayNode violations = line.putArray("violations");
    int index = 0;
    for (JsonNode node : InputLine.array(members.path("trace"), "trace")) {
      PactEvent event = good(PactMessages.trace(node), "trace[" + index + "]");
      PactMachine.Step step = PactMachine.step(state, event);
      if (step.fault().isPresent()) {
        violations.addObject().put("step", index).put("code", step.fault().get().name());
      }
      state = step.next();
      index++;
    }
    write(state, line);
  }

  private static <T> T good(PactMessages.Reading<T> reading, String where) {
    return switch (reading) {
      case PactMessages.Reading.Good<T>(T read) -> read;
      case PactMessages.Reading.Refused<T>(_, String detail) ->
          throw LineFault.BAD_TYPE.problem(where + "." + detail);
    };
  }

  private static void write(PactState state, ObjectNode line) {
    boolean walked = state.phase() == Phase.WALKED_AWAY;
    Optional<String> reason = state.end().map(PactState.End::reason);
    line.put("state", state.phase().name());
    line.put("walkaway_reason", reason.filter(_ -> walked).orElse(null));
    line.put("counters", state.talks().counters());
    ObjectNode predicates = line.putObject("predicates");
    state.talks().clauses().forEach((id, clause) -> predicates.put(id, clause.status().name()));
    if (state.talks().clauses().isEmpty()) {
      line.putNull("missing_categories");
    } else {
      ArrayNode missing = line.putArray("missing_categories");
      state.missing().stream().map(PactCategory::code).forEach(missing::add);
    }
    Optional<PactEvent.Ratification> signed =
        state.signed().filter(one -> one.signers().size() == 2).map(PactState.Signed::terms);
    line.put("final_hash", signed.map(PactEvent.Ratification::predicatesHash).orElse(null));
    line.put("pact", signed.map(PactEvent.Ratification::pact).orElse(null));
    line.put("dissolution", reason.filter(_ -> !walked).orElse(null));
    line.put("responsible", state.end().flatMap(PactState.End::responsible).orElse(null));
    line.put("history", state.history());
  }
}
