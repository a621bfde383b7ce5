package dev.parlance.cli.simulate;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Json;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.offline.TableText;
import dev.parlance.policy.core.Bound;
import dev.parlance.sim.CertificationSimulation;
import dev.parlance.sim.Condition;
import dev.parlance.sim.SimulationOptions;
import dev.parlance.sim.SimulationResult;
import dev.parlance.sim.SimulationResult.Figure3Point;
import dev.parlance.sim.SimulationResult.Panel;
import dev.parlance.sim.SimulationResult.Table1Row;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "certification")
final class SimulateCertificationCommand extends TerminalCommand {
  private static final int RUNS_MAX = 1_000_000;
  private static final int LEDGER_RUNS_DEFAULT = 100;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "runs per condition and of figure 3, 1 to 1000000 (default: 100)")
  int runs = 100;

  @Option(names = "--seed", paramLabel = "S", description = "seed, any integer (default: 1)")
  long seed = 1;

  @Option(
      names = "--bound",
      paramLabel = "BOUND",
      description = "wilson (default, the paper's), exact or anytime")
  Bound bound = Bound.WILSON;

  @Option(
      names = "--ledger",
      paramLabel = "DIR",
      description = "leave the audits of Table 1 on a ledger in this new or empty directory")
  Optional<Path> ledger = Optional.empty();

  @Option(
      names = "--ledger-runs",
      paramLabel = "N",
      description =
          "with --ledger: write the first N runs of each condition (default: all, at most "
              + "100; a run is some 2100 entries)")
  Optional<Integer> ledgerRuns = Optional.empty();

  @Mixin OutputOption output = new OutputOption();

  @Override
  public Integer call() throws IOException {
    if (runs < 1 || runs > RUNS_MAX) {
      return usage("--runs: expected 1 to " + RUNS_MAX + ", got " + runs);
    }
    if (ledgerRuns.isPresent() && (ledger.isEmpty() || ledgerRuns.get() < 1)) {
      return usage("--ledger-runs: expected 1 or more, beside --ledger DIR");
    }
    SimulationOptions options = SimulationOptions.of(runs, seed).withBound(bound);
    if (ledger.isPresent()) {
      Path folder = ledger.get();
      if (Files.exists(folder) && !isEmptyDirectory(folder)) {
        return usage("--ledger: expected a new or empty directory, got " + folder);
      }
      options =
          options.withLedger(
              new SimulationOptions.LedgerTarget(
                  folder,
                  Math.min(runs, ledgerRuns.orElse(LEDGER_RUNS_DEFAULT)),
                  System.currentTimeMillis()));
    }
    SimulationResult result;
    try (var progress = new Terminal.ProgressLine(terminal)) {
      result =
          CertificationSimulation.run(
              options,
              (stage, done, total) -> {
                if (progress.isDue()) {
                  progress.show(
                      String.format(Locale.ROOT, "%s: run %,d of %,d", stage, done, total));
                }
              });
    }
    switch (output.format) {
      case TEXT -> new SimulationText(terminal).print(result);
      case JSON -> terminal.json(SimulationText.json(result));
    }
    result
        .ledger()
        .ifPresent(left -> {
          terminal.note(
              left.audits() + " audits, " + left.entries() + " entries are in " + left.directory());
          terminal.note(
              "  parlance ledger verify " + left.directory() + " --vkey " + left.verifierKey());
        });
    return ExitStatus.OK;
  }

  private int usage(String message) {
    return terminal.usage("simulate certification: " + message);
  }

  private static boolean isEmptyDirectory(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  /** Prints the numbers of the certification simulation for people, and turns them into JSON. */
  static final class SimulationText {
    private static final String BLOCKS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
    private static final double TERMS = 6.0;
    private static final int NAME_WIDTH = 16;

    private final Terminal terminal;
    private final PrintStream out;

    SimulationText(Terminal terminal) {
      this.terminal = terminal;
      this.out = terminal.out();
    }

    void print(SimulationResult result) {
      out.println(
          "%s runs, seed %s; %s"
              .formatted(result.runs(), result.seed(), TableText.constants(result.params())));
      printTable(result.table1());
      printCharts(result);
      printFigure(result);
      var watch = result.watch();
      out.println();
      out.println(
          ("watched: %s terms before the drift, the drifted one revoked after %s "
                  + "epochs on average, missed in %s runs, %s false revocations")
              .formatted(
                  TableText.fixed(watch.coreBeforeDrift(), 2),
                  number(watch.meanEpochsToRevoke(), 2),
                  watch.missed(),
                  watch.falseRevocations()));
    }

    private void printTable(List<Table1Row> rows) {
      out.println();
      out.println("Table 1: disagreement on held-out events, percent; terms in the core, of six");
      var table =
          new TextTable(
              "  ", "condition, >unguarded, >paper, >guarded, >paper, >core, >paper, >empty cores");
      for (Table1Row row : rows) {
        Condition condition = row.condition();
        table.add(
            condition.code(),
            TableText.fixed(row.unguardedPercent(), 2),
            TableText.fixed(condition.paperUnguardedPercent(), 1),
            number(row.guardedPercent(), 2),
            TableText.fixed(condition.paperGuardedPercent(), 1),
            TableText.fixed(row.coreSize(), 2),
            TableText.fixed(condition.paperCoreSize(), 1),
            TableText.fixed(row.emptyCorePercent(), 1) + " %");
      }
      table.print(out);
    }

    /** A character for each epoch, on terminals that have room for them. */
    private void printCharts(SimulationResult result) {
      int epochs = result.panel(Panel.BASELINE).size();
      if (!terminal.hasRoomFor(2 * (epochs + 2) + NAME_WIDTH)) {
        return;
      }
      double highest =
          result.figure3().stream()
              .mapToDouble(point -> point.guardedPercent().orElse(0.0))
              .max()
              .orElse(1.0);
      out.println();
      out.println("Figure 3, an epoch a character");
      out.println(
          " ".repeat(NAME_WIDTH)
              + padded("terms in the core, 0 to 6", epochs + 2)
              + "guarded disagreement, 0 to "
              + TableText.fixed(highest, 1)
              + " %");
      for (Panel panel : Panel.values()) {
        List<Figure3Point> points = result.panel(panel);
        var core = new StringBuilder();
        var guarded = new StringBuilder();
        for (Figure3Point point : points) {
          core.append(block(point.coreSize() / TERMS));
          guarded.append(
              point.guardedPercent().isPresent()
                  ? block(point.guardedPercent().getAsDouble() / highest)
                  : ' ');
        }
        out.println(
            padded("  " + panel.code(), NAME_WIDTH)
                + padded(core.toString(), epochs + 2)
                + guarded);
      }
    }

    private static char block(double share) {
      int level = (int) Math.round(share * (BLOCKS.length() - 1));
      return BLOCKS.charAt(Math.clamp(level, 0, BLOCKS.length() - 1));
    }

    private static String padded(String text, int width) {
      return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private void printFigure(SimulationResult result) {
      out.println();
      out.println("Figure 3: terms in the core, and guarded disagreement in percent");
      List<String> names = new ArrayList<>(List.of(">epoch"));
      for (Panel panel : Panel.values()) {
        names.add(">" + panel.code());
        names.add(">%");
      }
      var table = new TextTable("  ", String.join(", ", names));
      int epochs = result.panel(Panel.BASELINE).size();
      for (int i = 0; i < epochs; i++) {
        List<TextTable.Cell> cells = new ArrayList<>();
        cells.add(TextTable.Cell.of(result.panel(Panel.BASELINE).get(i).epoch()));
        for (Panel panel : Panel.values()) {
          Figure3Point point = result.panel(panel).get(i);
          cells.add(TextTable.Cell.of(TableText.fixed(point.coreSize(), 2)));
          cells.add(TextTable.Cell.of(number(point.guardedPercent(), 2)));
        }
        table.add(cells.toArray());
      }
      table.print(out);
    }

    private static String number(OptionalDouble value, int places) {
      return value.isPresent() ? TableText.fixed(value.getAsDouble(), places) : "-";
    }

    /** Table 1 and figure 3 as JSON. */
    static ObjectNode json(SimulationResult result) {
      ObjectNode json = Json.MAPPER.createObjectNode();
      ArrayNode table = json.putArray("table1");
      for (Table1Row row : result.table1()) {
        table
            .addObject()
            .put("condition", row.condition().code())
            .put("unguardedPercent", row.unguardedPercent())
            .set("guardedPercent", Json.MAPPER.valueToTree(row.guardedPercent()))
            .put("coreSize", row.coreSize())
            .put("emptyCorePercent", row.emptyCorePercent());
      }
      ArrayNode figure = json.putArray("figure3");
      for (Figure3Point point : result.figure3()) {
        figure
            .addObject()
            .put("panel", point.panel().code())
            .put("epoch", point.epoch())
            .put("unguardedPercent", point.unguardedPercent())
            .set("guardedPercent", Json.MAPPER.valueToTree(point.guardedPercent()))
            .put("coreSize", point.coreSize());
      }
      return json;
    }
  }
}
