package dev.parlance.cli.review;

import dev.parlance.cli.CommandProblem;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.CertificationCalls;
import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlPlaneCommand;
import dev.parlance.cli.api.CoreName;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "proxy-status",
    description = {
      "Lists the sidecars of a control plane, with the cores they guard with.",
      "",
      "A core is synced (the newest is in force), behind (the newest is under way),",
      "refused (the sidecar refused the newest, for the reason shown, and guards with",
      "the last good one) or stale (not confirmed for longer than the sidecar",
      "allows). The configuration is the revision in force, or refused if the last",
      "file was; then a line below says where it is wrong. Exit status 1 if any core",
      "of any sidecar is refused or stale, or any configuration is refused."
    },
    footer = {"", "Examples:", "  parlance proxy-status", "  parlance proxy-status --watch"})
final class ProxyStatusCommand extends ControlPlaneCommand<List<CertificationCalls.SidecarInfo>> {
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
  protected List<CertificationCalls.SidecarInfo> ask(ControlClient client) {
    List<CertificationCalls.SidecarInfo> sidecars = list(client);
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

  private List<CertificationCalls.SidecarInfo> list(ControlClient client) {
    return CertificationCalls.sidecars(client).stream()
        .filter(sidecar -> agent.isEmpty() || agent.get().equals(sidecar.agent()))
        .toList();
  }

  @Override
  protected int print(List<CertificationCalls.SidecarInfo> sidecars) {
    if (watch && output.format == OutputOption.OutputFormat.JSON) {
      terminal.println(Json.text(sidecars));
      return status(sidecars);
    }
    return super.print(sidecars);
  }

  @Override
  protected void text(List<CertificationCalls.SidecarInfo> sidecars) {
    SidecarText.print(terminal, sidecars, System.currentTimeMillis());
  }

  @Override
  protected int status(List<CertificationCalls.SidecarInfo> sidecars) {
    boolean unwell =
        sidecars.stream()
                .flatMap(sidecar -> sidecar.cores().stream())
                .map(CertificationCalls.SidecarInfo.Core::state)
                .anyMatch(state -> state.equals("refused") || state.equals("stale"))
            || sidecars.stream().anyMatch(SidecarText::isRefused);
    return unwell ? ExitStatus.FAILED : ExitStatus.OK;
  }

  /** Sidecars, for people: a line for each core of each. */
  static final class SidecarText {
    private SidecarText() {}

    static void print(
        Terminal terminal, List<CertificationCalls.SidecarInfo> sidecars, long nowMs) {
      if (sidecars.isEmpty()) {
        terminal.println("no sidecar is or was attached");
        return;
      }
      var table =
          new TextTable(
              "",
              "agent, node, attached, replica, mode, config, >seen, core, >version, >latest, >age,"
                  + " state, reason");
      for (CertificationCalls.SidecarInfo sidecar : sidecars) {
        boolean attached = sidecar.attached();
        TextTable.Cell[] who = {
          TextTable.Cell.of(sidecar.agent()),
          TextTable.Cell.of(sidecar.node()),
          new TextTable.Cell(
              attached ? "yes" : "no", attached ? terminal::good : terminal::warning),
          TextTable.Cell.of(sidecar.replica()),
          TextTable.Cell.of(sidecar.enforcing() ? "enforce" : "observe"),
          isRefused(sidecar)
              ? new TextTable.Cell("refused", terminal::bad)
              : TextTable.Cell.of(sidecar.configRevision()),
          TextTable.Cell.of(TimeText.since(sidecar.lastSeenMs(), nowMs)),
        };
        if (sidecar.cores().isEmpty()) {
          add(table, who, null, UnaryOperator.identity());
        }
        for (CertificationCalls.SidecarInfo.Core core : sidecar.cores()) {
          add(
              table,
              who,
              core,
              switch (core.state()) {
                case "synced" -> terminal::good;
                case "refused", "stale" -> terminal::bad;
                default -> terminal::warning;
              });
        }
      }
      table.print(terminal.out());
      for (CertificationCalls.SidecarInfo sidecar : sidecars) {
        if (isRefused(sidecar)) {
          terminal.println(
              "%s/%s goes on with configuration %s; the last file is refused (%s): %s"
                  .formatted(
                      TerminalEscaper.line(sidecar.agent()),
                      TerminalEscaper.line(sidecar.node()),
                      TerminalEscaper.line(sidecar.configRevision()),
                      TerminalEscaper.line(sidecar.configRefusedReason()),
                      TerminalEscaper.line(sidecar.configRefusedDetail())));
        }
      }
    }

    /** True if the last configuration file of the sidecar was refused. */
    static boolean isRefused(CertificationCalls.SidecarInfo sidecar) {
      return !sidecar.configRefusedReason().isEmpty();
    }

    private static void add(
        TextTable table,
        TextTable.Cell[] who,
        CertificationCalls.SidecarInfo.@Nullable Core core,
        UnaryOperator<String> colour) {
      table.add(
          who[0],
          who[1],
          who[2],
          who[3],
          who[4],
          who[5],
          who[6],
          core == null ? "" : new CoreName(core.agents(), core.domain()),
          core == null ? "" : core.version(),
          core == null ? "" : core.latestVersion(),
          core == null ? "" : TimeText.of(core.ageMs()),
          core == null ? "" : new TextTable.Cell(core.state(), colour),
          core == null ? "" : core.nackReason());
    }
  }
}
