package dev.parlance.cli.local;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "run")
final class RunCommand extends TerminalCommand {
  @Option(
      names = "--agent-port",
      paramLabel = "PORT",
      description = "where the agent listens, on 127.0.0.1")
  Optional<Integer> agentPort = Optional.empty();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "where others reach the agent (default: 15006, or a free one)")
  Optional<Integer> port = Optional.empty();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "what the agent is called (default: agent)")
  String name = "agent";

  @Option(
      names = "--enforce",
      description = "hold back what does not hold: asked for again, or held for a person")
  boolean enforce;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "keep decision log and review queue there (default: nothing is kept)")
  Optional<Path> dataDir = Optional.empty();

  @Option(
      names = "--write",
      paramLabel = "FILE",
      description = "keep the sidecar's configuration, for parlance proxy --config FILE")
  Optional<Path> write = Optional.empty();

  @Option(
      names = "--no-console",
      description = "serve no console; without this a link to it is printed")
  boolean noConsole;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "start what stands in a file (YAML): several agents, a control plane")
  Optional<Path> file = Optional.empty();

  @Parameters(paramLabel = "COMMAND", description = "the agent's program and its arguments")
  List<String> command = List.of();

  @Override
  public Integer call() throws IOException {
    if (file.isPresent()) {
      return command.isEmpty() && agentPort.isEmpty() && write.isEmpty() && port.isEmpty()
          ? runFile(file.get())
          : terminal.usage("run: -f goes with --enforce, --data-dir and --no-console only");
    }
    if (command.isEmpty()) {
      return terminal.usage(
          "run: what is to be run? parlance run --agent-port 8080 -- node agent.mjs");
    }
    if (agentPort.isEmpty()) {
      return terminal.usage("run: --agent-port: on which port does the agent listen?");
    }
    for (int one : List.of(agentPort.get(), port.orElse(1))) {
      if (one < 1 || one > AgentSpec.MAX_PORT) {
        return terminal.usage("run: expected a port from 1 to 65535, got %d", one);
      }
    }
    AgentSpec agent =
        new AgentSpec(name, agentPort.get(), command, Path.of("."), Map.of(), "/", port);
    return new LocalRun(
            terminal,
            new LocalRun.Options(
                List.of(agent), mode("observe"), dataDir, write, Optional.empty(), console()))
        .run();
  }

  private int runFile(Path from) throws IOException {
    return switch (RunFile.load(from)) {
      case ConfigResult.Refused<RunFile> refused -> {
        refused.problems().forEach(problem -> terminal.note("%s:%s", from, problem));
        yield ExitStatus.USAGE;
      }
      case ConfigResult.Loaded(RunFile read) ->
          new LocalRun(
                  terminal,
                  new LocalRun.Options(
                      read.agents().stream().map(RunFile.Agent::spec).toList(),
                      mode(read.mode()),
                      dataDir,
                      Optional.empty(),
                      read.control(),
                      console()))
              .run();
    };
  }

  private LocalRun.Console console() {
    return noConsole ? LocalRun.Console.OFF : LocalRun.Console.ON;
  }

  private String mode(String otherwise) {
    return enforce ? "enforce" : otherwise;
  }
}
