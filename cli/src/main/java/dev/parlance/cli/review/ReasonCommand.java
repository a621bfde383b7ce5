package dev.parlance.cli.review;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TextTable;
import dev.parlance.service.config.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Says what a reason code means; see {@link ReasonTable}. */
@Command(name = "reason")
final class ReasonCommand extends TerminalCommand {
  @Parameters(paramLabel = "CODE", arity = "0..*", description = "codes as the log has them")
  List<String> codes = new ArrayList<>();

  @Mixin OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    Map<String, ReasonTable.Row> known = ReasonTable.rows();
    List<ReasonTable.Row> found =
        codes.isEmpty()
            ? List.copyOf(known.values())
            : codes.stream().map(code -> find(known, code)).toList();
    output.print(terminal, json(found), () -> print(found));
    return ExitStatus.OK;
  }

  private static ReasonTable.Row find(Map<String, ReasonTable.Row> known, String code) {
    ReasonTable.Row row = known.get(code);
    if (row == null) {
      throw CommandProblem.failed(
          "there is no reason \"" + code + "\"" + Suggestion.sentence(code, known.keySet()));
    }
    return row;
  }

  private void print(List<ReasonTable.Row> found) {
    if (codes.isEmpty()) {
      var table = new TextTable("", "code, group, fault, what is the matter");
      found.forEach(row -> table.add(row.code(), row.group(), row.fault(), row.sentence()));
      table.print(terminal.out());
      return;
    }
    for (ReasonTable.Row row : found) {
      terminal.line("%s (%s): %s".formatted(row.code(), row.group(), row.sentence()));
      terminal.line("  whose matter  " + row.fault());
      terminal.line("  what helps    " + row.remedy());
    }
  }

  private static ArrayNode json(List<ReasonTable.Row> found) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    for (ReasonTable.Row row : found) {
      json.addObject()
          .put("code", row.code())
          .put("group", row.group())
          .put("fault", row.fault())
          .put("sentence", row.sentence())
          .put("remedy", row.remedy());
    }
    return json;
  }
}
