package dev.parlance.cli.review;

import dev.parlance.cli.Colours;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.CoreName;
import dev.parlance.cli.api.SidecarInfo;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Sidecars, for people: a line for each core of each. */
final class SidecarText {
  private SidecarText() {}

  static void print(Terminal terminal, List<SidecarInfo> sidecars, long nowMs) {
    if (sidecars.isEmpty()) {
      terminal.out().println("no sidecar is or was attached");
      return;
    }
    var paint = new Colours(terminal);
    var table =
        new TextTable(
            "",
            "agent",
            "node",
            "attached",
            "replica",
            "mode",
            "config",
            ">seen",
            "core",
            ">version",
            ">latest",
            ">age",
            "state",
            "reason");
    for (SidecarInfo sidecar : sidecars) {
      boolean attached = sidecar.attached();
      TextTable.Cell[] who = {
        TextTable.Cell.of(sidecar.agent()),
        TextTable.Cell.of(sidecar.node()),
        new TextTable.Cell(attached ? "yes" : "no", attached ? paint::good : paint::warning),
        TextTable.Cell.of(sidecar.replica()),
        TextTable.Cell.of(sidecar.enforcing() ? "enforce" : "observe"),
        isRefused(sidecar)
            ? new TextTable.Cell("refused", paint::bad)
            : TextTable.Cell.of(sidecar.configRevision()),
        TextTable.Cell.of(TimeText.since(sidecar.lastSeenMs(), nowMs)),
      };
      if (sidecar.cores().isEmpty()) {
        add(table, who, null, UnaryOperator.identity());
      }
      for (SidecarInfo.Core core : sidecar.cores()) {
        add(
            table,
            who,
            core,
            switch (core.state()) {
              case "synced" -> paint::good;
              case "refused", "stale" -> paint::bad;
              default -> paint::warning;
            });
      }
    }
    table.print(terminal.out());
    for (SidecarInfo sidecar : sidecars) {
      if (isRefused(sidecar)) {
        terminal
            .out()
            .println(
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
  static boolean isRefused(SidecarInfo sidecar) {
    return !sidecar.configRefusedReason().isEmpty();
  }

  private static void add(
      TextTable table,
      TextTable.Cell[] who,
      SidecarInfo.@Nullable Core core,
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
