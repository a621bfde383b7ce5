package dev.parlance.cli.round;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlOptions;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.cli.api.RoundInfo;
import dev.parlance.cli.api.RoundServiceCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
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
final class RoundExportCommand implements Callable<Integer> {
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

  private final Terminal terminal;

  RoundExportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws java.io.IOException {
    for (String name : names) {
      Optional<String> problem = RoundName.problem(name);
      if (problem.isPresent()) {
        return terminal.complain(ExitStatus.USAGE, problem.get());
      }
    }
    if (limit < 1 || limit > MOST) {
      return terminal.complain(
          ExitStatus.USAGE, "--limit: expected a number from 1 to 1000, got " + limit);
    }
    return switch (control.find()) {
      case ControlOptions.Found.Missing(String message) ->
          terminal.complain(ExitStatus.FAILED, message);
      case ControlOptions.Found.Address address -> {
        try (var client = new ControlClient(address)) {
          yield export(client);
        }
      }
    };
  }

  private int export(ControlClient client) {
    record Wanted(String round, long epoch) {}
    List<Wanted> wanted = new ArrayList<>(names.stream().map(name -> new Wanted(name, 0)).toList());
    if (names.isEmpty()) {
      switch (RoundServiceCalls.list(client, limit, false)) {
        case ControlReply.Failed<List<RoundInfo>>(var _, String message) -> {
          return terminal.complain(ExitStatus.FAILED, message);
        }
        case ControlReply.Answered<List<RoundInfo>>(List<RoundInfo> rounds) ->
            rounds.reversed().stream()
                .filter(round -> round.result() != null)
                .forEach(round -> wanted.add(new Wanted(round.round(), round.epoch())));
      }
    }
    int status = ExitStatus.OK;
    for (Wanted one : wanted) {
      switch (RoundServiceCalls.export(client, one.round(), one.epoch())) {
        case ControlReply.Failed<Optional<ObjectNode>>(var _, String message) ->
            status = terminal.complain(ExitStatus.FAILED, message);
        case ControlReply.Answered<Optional<ObjectNode>>(Optional<ObjectNode> line) -> {
          if (line.isPresent()) {
            terminal.out().println(Json.text(line.get()));
          } else {
            status =
                terminal.complain(ExitStatus.FAILED, "round " + one.round() + " has not ended");
          }
        }
      }
    }
    return status;
  }
}
