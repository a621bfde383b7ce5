package dev.parlance.cli.review;

import dev.parlance.cli.AdminOptions;
import dev.parlance.cli.BuildInfo;
import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.LineReader;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.client.SidecarClient;
import dev.parlance.console.ConsoleServer;
import dev.parlance.console.ConsoleSettings;
import dev.parlance.console.source.SidecarCalls;
import dev.parlance.console.source.SidecarSource;
import dev.parlance.service.Lifecycle;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "console",
    description = {
      "Serves the console of one sidecar on this machine, for a browser, until Ctrl-C.",
      "",
      "It prints a link with a code that logs in once; Enter prints another. Whoever opens one"
          + " acts",
      "under your name, may see everything and may decide about held messages."
    },
    footer = {
      "",
      "Examples:",
      "  parlance console --data-dir parlance-data",
      "  parlance console --data-dir parlance-data --port 8090 --who ada"
    })
final class ConsoleCommand extends TerminalCommand {
  private static final int MAX_PORT = 65_535;

  @Mixin AdminOptions admin = new AdminOptions();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "port on 127.0.0.1 (default: 0, a free one)")
  int port;

  @Option(
      names = "--who",
      paramLabel = "NAME",
      description = "in whose name is decided (default: the user's name)")
  Optional<String> who = Optional.empty();

  @Override
  public Integer call() throws IOException {
    String person = who.orElse(terminal.environment().getOrDefault("USER", "")).strip();
    if (person.isEmpty() || person.length() > 200) {
      throw CommandProblem.usage("who decides? Name the person with --who, 1 to 200 characters");
    }
    if (port < 0 || port > MAX_PORT) {
      throw CommandProblem.usage("expected --port from 0 to " + MAX_PORT + ", got " + port);
    }
    SidecarClient.Address address = admin.find();
    CountDownLatch end = new CountDownLatch(1);
    try (SidecarClient client = new SidecarClient(address, Json.MAPPER);
        ConsoleServer server =
            ConsoleServer.start(
                ConsoleSettings.onLoopback(port, BuildInfo.load().version(), person),
                new SidecarSource("sidecar", new SidecarCalls(client)),
                Optional.empty())) {
      Lifecycle.closeOnSignal(end::countDown, () -> ExitStatus.OK);
      print(server);
      Thread.ofPlatform().daemon().name("parlance-console-stdin").start(() -> printAtEnter(server));
      end.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitStatus.FAILED;
    }
    return ExitStatus.OK;
  }

  private void print(ConsoleServer server) {
    terminal.println("%s", server.link());
    terminal.out().flush();
  }

  /** A code is used up by the first browser that opens it. */
  private void printAtEnter(ConsoleServer server) {
    LineReader lines = new LineReader(terminal.in(), 64, () -> {});
    try {
      while (lines.next() instanceof LineReader.Line.Whole) {
        print(server);
      }
    } catch (IOException _) {
      // Standard input is gone; so is who would press Enter.
    }
  }
}
