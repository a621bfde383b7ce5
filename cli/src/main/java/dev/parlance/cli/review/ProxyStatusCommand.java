package dev.parlance.cli.review;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ControlPlaneCommand;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.core.CoreName;
import dev.parlance.client.ControlClient;
import dev.parlance.proto.v1.ListSidecarsRequest;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.SidecarCore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "proxy-status")
final class ProxyStatusCommand extends ControlPlaneCommand<List<Sidecar>> {
  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

  @Option(names = "--watch", description = "print again and again, until Ctrl-C")
  boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "with --watch: how often, 1 to 3600 (default: 2)")
  int intervalSeconds = 2;

  @Option(names = "--agent", paramLabel = "AGENT", description = "only sidecars of this agent")
  Optional<String> agent = Optional.empty();

  @Override
  protected void check() {
    CommandProblem.checkRange("--interval", intervalSeconds, 1, 3600);
  }

  @Override
  protected List<Sidecar> ask(ControlClient client) throws IOException {
    List<Sidecar> sidecars = list(client);
    while (watch) {
      if (terminal.colour()) {
        terminal.out().print(HOME_AND_CLEAR);
      }
      print(sidecars);
      terminal.out().flush();
      if (terminal.out().checkError()) {
        return sidecars; // nobody reads any more
      }
      try {
        Thread.sleep(1000L * intervalSeconds);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return sidecars;
      }
      sidecars = list(client);
    }
    return sidecars;
  }

  private List<Sidecar> list(ControlClient client) throws IOException {
    var request = ListSidecarsRequest.getDefaultInstance();
    return client.certification().ask(stub -> stub.listSidecars(request)).getSidecarsList().stream()
        .filter(sidecar -> agent.isEmpty() || agent.get().equals(sidecar.getAgent()))
        .toList();
  }

  /** The members of a core's name stand among its own. */
  @Override
  protected Object json(List<Sidecar> sidecars) {
    ArrayNode view = Json.MAPPER.valueToTree(sidecars);
    for (JsonNode sidecar : view) {
      for (JsonNode core : sidecar.path("cores")) {
        ((ObjectNode) core).setAll((ObjectNode) ((ObjectNode) core).remove("id"));
      }
    }
    return view;
  }

  @Override
  protected int print(List<Sidecar> sidecars) {
    if (watch && output.format == OutputOption.OutputFormat.JSON) {
      terminal.println(Json.text(json(sidecars)));
      return status(sidecars);
    }
    return super.print(sidecars);
  }

  @Override
  protected void text(List<Sidecar> sidecars) {
    SidecarText.print(terminal, sidecars, System.currentTimeMillis());
  }

  @Override
  protected int status(List<Sidecar> sidecars) {
    boolean unwell =
        sidecars.stream()
                .flatMap(sidecar -> sidecar.getCoresList().stream())
                .map(SidecarCore::getState)
                .anyMatch(state -> state.equals("refused") || state.equals("stale"))
            || sidecars.stream().anyMatch(SidecarText::isRefused);
    return unwell ? ExitStatus.FAILED : ExitStatus.OK;
  }

  /** Sidecars, for people: a line for each core of each. */
  static final class SidecarText {
    private SidecarText() {}

    static void print(Terminal terminal, List<Sidecar> sidecars, long nowMs) {
      if (sidecars.isEmpty()) {
        terminal.println("no sidecar is or was attached");
        return;
      }
      var table =
          new TextTable(
              "",
              "agent, node, attached, replica, mode, config, >seen, core, >version, >latest, >age,"
                  + " state, reason");
      for (Sidecar sidecar : sidecars) {
        boolean attached = sidecar.getAttached();
        TextTable.Cell[] who = {
          TextTable.Cell.of(sidecar.getAgent()),
          TextTable.Cell.of(sidecar.getNode()),
          new TextTable.Cell(
              attached ? "yes" : "no", attached ? terminal::good : terminal::warning),
          TextTable.Cell.of(sidecar.getReplica()),
          TextTable.Cell.of(sidecar.getEnforcing() ? "enforce" : "observe"),
          isRefused(sidecar)
              ? new TextTable.Cell("refused", terminal::bad)
              : TextTable.Cell.of(sidecar.getConfigRevision()),
          TextTable.Cell.of(TimeText.since(sidecar.getLastSeenMs(), nowMs)),
        };
        if (sidecar.getCoresList().isEmpty()) {
          add(table, who, null, UnaryOperator.identity());
        }
        for (SidecarCore core : sidecar.getCoresList()) {
          add(
              table,
              who,
              core,
              switch (core.getState()) {
                case "synced" -> terminal::good;
                case "refused", "stale" -> terminal::bad;
                default -> terminal::warning;
              });
        }
      }
      table.print(terminal.out());
      for (Sidecar sidecar : sidecars) {
        if (isRefused(sidecar)) {
          terminal.println(
              "%s/%s goes on with configuration %s; the last file is refused (%s): %s"
                  .formatted(
                      TerminalEscaper.line(sidecar.getAgent()),
                      TerminalEscaper.line(sidecar.getNode()),
                      TerminalEscaper.line(sidecar.getConfigRevision()),
                      TerminalEscaper.line(sidecar.getConfigRefusedReason()),
                      TerminalEscaper.line(sidecar.getConfigRefusedDetail())));
        }
      }
    }

    /** True if the last configuration file of the sidecar was refused. */
    static boolean isRefused(Sidecar sidecar) {
      return !sidecar.getConfigRefusedReason().isEmpty();
    }

    private static void add(
        TextTable table,
        TextTable.Cell[] who,
        @Nullable SidecarCore core,
        UnaryOperator<String> colour) {
      table.add(
          who[0],
          who[1],
          who[2],
          who[3],
          who[4],
          who[5],
          who[6],
          core == null ? "" : CoreName.of(core.getId()),
          core == null ? "" : core.getVersion(),
          core == null ? "" : core.getLatestVersion(),
          core == null ? "" : TimeText.of(core.getAgeMs()),
          core == null ? "" : new TextTable.Cell(core.getState(), colour),
          core == null ? "" : core.getNackReason());
    }
  }
}
