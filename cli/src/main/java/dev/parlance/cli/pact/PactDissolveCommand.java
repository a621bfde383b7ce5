package dev.parlance.cli.pact;

import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.client.SidecarClient;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Ends a pact in the name of the agent beside a sidecar. */
@Command(name = "dissolve")
final class PactDissolveCommand extends TerminalCommand {
  @Mixin AdminOptions admin = new AdminOptions();
  @Mixin OutputOption output = new OutputOption();

  @Parameters(paramLabel = "PACT", description = "id of the pact")
  String id = "";

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "REASON",
      description = "work_completed, work_failed, party_withdrew or dispute_escalated")
  String reason = "";

  @Option(
      names = "--who",
      paramLabel = "NAME",
      description = "who asks for it (default: the user's name)")
  Optional<String> who = Optional.empty();

  @Option(names = "--note", paramLabel = "TEXT", description = "why; goes into the log")
  String note = "";

  @Override
  public Integer call() throws IOException {
    String person = who.orElse(terminal.environment().getOrDefault("USER", "")).strip();
    if (person.isEmpty()) {
      throw CommandProblem.usage("who asks? $USER is empty; name the person with --who");
    }
    if (!AdminOptions.isId(id) || !reason.matches("[a-z_]{1,40}")) {
      throw CommandProblem.usage(
          "expected a pact's id and a reason, got "
              + TerminalEscaper.shortened(id, 80)
              + " and "
              + TerminalEscaper.shortened(reason, 40));
    }
    try (var client = admin.client()) {
      JsonNode pact =
          client.post(
              "/pacts/" + id + "/dissolve?reason=" + reason, Map.of("who", person, "note", note));
      output.print(
          terminal,
          pact,
          () ->
              terminal.println(
                  TerminalEscaper.line(
                      "%s: %s, %s"
                          .formatted(
                              id,
                              SidecarClient.firstText(pact, "state"),
                              SidecarClient.firstText(pact, "reason")))));
      return ExitStatus.OK;
    }
  }
}
