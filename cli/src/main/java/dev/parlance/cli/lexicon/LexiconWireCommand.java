package dev.parlance.cli.lexicon;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LinesCommand;
import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.lexicon.TurnText;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "wire")
final class LexiconWireCommand extends LinesCommand {
  LexiconWireCommand() {
    super("lexicon wire");
  }

  @Override
  protected void answer(ObjectNode members, ObjectNode line) {
    if (optional(members, "board").isEmpty()) {
      line.put("judged", TurnText.of(InputLine.text(members.path("text"), "text")).judged());
      return;
    }
    KnownTerms block = KnownTerms.of(list(members, "board", "", LexiconWireCommand::term));
    line.put("text", block.text());
    ArrayNode left = line.putArray("left");
    block
        .left()
        .forEach(one -> left.addObject().put("key", one.key()).put("why", one.why().code()));
  }

  private static KnownTerms.Term term(Element one) {
    String status = one.text("status");
    if (!status.equals("active") && !status.equals("contested")) {
      throw LineFault.BAD_VALUE.problem(one.where() + ".status: expected active or contested");
    }
    return new KnownTerms.Term(
        one.text("term"),
        one.text("key"),
        one.text("definition"),
        count(one, "reuse"),
        count(one, "turn"),
        one.text("by"),
        status.equals("contested"));
  }

  private static long count(Element one, String name) {
    JsonNode count =
        InputLine.expect(
            one.object().path(name),
            JsonNode::isIntegralNumber,
            one.where() + "." + name,
            "an integer");
    if (!count.canConvertToLong() || count.longValue() < 0) {
      throw LineFault.BAD_VALUE.problem(one.where() + "." + name + ": expected 0 or more");
    }
    return count.longValue();
  }
}
