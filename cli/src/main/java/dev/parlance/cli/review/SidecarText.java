package dev.parlance.cli.review;

import dev.parlance.cli.Colours;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.TimeText;
import dev.parlance.cli.api.CoreName;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.SidecarCore;
import java.util.List;
import java.util.function.UnaryOperator;

/** Sidecars, for people: a line for each core of each. */
final class SidecarText {
  private SidecarText() {}

  static void print(Terminal terminal, List<Sidecar> sidecars, long nowMs) {
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
    for (Sidecar sidecar : sidecars) {
      boolean attached = sidecar.getAttached();
      TextTable.Cell[] who = {
        TextTable.Cell.of(sidecar.getAgent()),
        TextTable.Cell.of(sidecar.getNode()),
        new TextTable.Cell(attached ? "yes" : "no", attached ? paint::good : paint::warning),
        TextTable.Cell.of(sidecar.getReplica()),
        TextTable.Cell.of(sidecar.getEnforcing() ? "enforce" : "observe"),
        isRefused(sidecar)
            ? new TextTable.Cell("refused", paint::bad)
            : TextTable.Cell.of(sidecar.getConfigRevision()),
        TextTable.Cell.of(TimeText.since(sidecar.getLastSeenMs(), nowMs)),
      };
      if (sidecar.getCoresCount() == 0) {
        add(table, who, SidecarCore.getDefaultInstance(), UnaryOperator.identity());
      }
      for (SidecarCore core : sidecar.getCoresList()) {
        add(
            table,
            who,
            core,
            switch (core.getState()) {
              case "synced" -> paint::good;
              case "refused", "stale" -> paint::bad;
              default -> paint::warning;
            });
      }
    }
    table.print(terminal.out());
    for (Sidecar sidecar : sidecars) {
      if (isRefused(sidecar)) {
        terminal
            .out()
            .println(
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
      TextTable table, TextTable.Cell[] who, SidecarCore core, UnaryOperator<String> colour) {
    boolean none = !core.hasId();
    table.add(
        who[0],
        who[1],
        who[2],
        who[3],
        who[4],
        who[5],
        who[6],
        TextTable.Cell.of(none ? "" : CoreName.of(core.getId())),
        TextTable.Cell.of(none ? "" : Long.toString(core.getVersion())),
        TextTable.Cell.of(none ? "" : Long.toString(core.getLatestVersion())),
        TextTable.Cell.of(none ? "" : TimeText.of(core.getAgeMs())),
        new TextTable.Cell(core.getState(), colour),
        TextTable.Cell.of(core.getNackReason()));
  }
}
