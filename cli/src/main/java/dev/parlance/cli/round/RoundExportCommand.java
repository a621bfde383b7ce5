package dev.parlance.cli.round;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlOptions;
import dev.parlance.cli.api.RoundServiceCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "export",
    description = {
      "Writes ended rounds as JSON Lines, oldest first: what `parlance commit` reads.",
      "Each proposal has its quantised vector (q) and, where it is still stored, its",
      "text, so that a third party can encode it once more. The member `decided` has",
      "what the control plane says came of it."
    },
    footer = {"", "Example:", "  parlance round export release/7 | parlance commit"})
final class RoundExportCommand extends TerminalCommand {
  private static final int MOST = 1_000;

  @Mixin ControlOptions control = new ControlOptions();

  @Parameters(
      paramLabel = "ROUND",
      arity = "0..*",
      description = "rounds, the newest epoch of each (default: the newest rounds, all epochs)")
  List<String> names = new ArrayList<>();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "without names: how many at most, 1 to 1000 (default: 1000)")
  int limit = MOST;

  @Override
  public Integer call() throws IOException {
    names.forEach(RoundCommand.RoundName::check);
    CommandProblem.checkRange("--limit", limit, 1, MOST);
    try (var client = new ControlClient(control.find())) {
      return export(client);
    }
  }

  private int export(ControlClient client) {
    record Wanted(String round, long epoch) {}
    List<Wanted> wanted = new ArrayList<>(names.stream().map(name -> new Wanted(name, 0)).toList());
    if (names.isEmpty()) {
      RoundServiceCalls.list(client, limit, false).reversed().stream()
          .filter(round -> round.result() != null)
          .forEach(round -> wanted.add(new Wanted(round.round(), round.epoch())));
    }
    int status = ExitStatus.OK;
    for (Wanted one : wanted) {
      try {
        Optional<ObjectNode> line = RoundServiceCalls.export(client, one.round(), one.epoch());
        if (line.isPresent()) {
          terminal.println(Json.text(line.get()));
        } else {
          status = terminal.fail("round " + one.round() + " has not ended");
        }
      } catch (ControlClient.Refused e) {
        status = terminal.fail(String.valueOf(e.getMessage()));
      }
    }
    return status;
  }
}
