package dev.parlance.cli.simulate;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.ProgressLine;
import dev.parlance.cli.Terminal;
import dev.parlance.policy.core.Bound;
import dev.parlance.sim.CertificationSimulation;
import dev.parlance.sim.SimulationOptions;
import dev.parlance.sim.SimulationResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "certification",
    description = {
      "Runs the simulation of section 5.1 and of figure 3.",
      "Two agents, six colour terms, three conditions; then drift, recertification,",
      "renegotiation. Prints the paper's Table 1 beside ours. The same seed gives the",
      "same numbers. The paper's bound is wilson; exact is what this product certifies",
      "with unless told otherwise."
    },
    footer = {
      "",
      "Examples:",
      "  parlance simulate certification --runs 1000 --seed 1",
      "  parlance simulate certification --bound exact -o json",
      "  parlance simulate certification --ledger sim && parlance ledger verify sim"
    })
final class SimulateCertificationCommand implements Callable<Integer> {
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

  private final Terminal terminal;

  SimulateCertificationCommand(Terminal terminal) {
    this.terminal = terminal;
  }

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
    try (var progress = new ProgressLine(terminal)) {
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
    return terminal.complain(ExitStatus.USAGE, "simulate certification: " + message);
  }

  private static boolean isEmptyDirectory(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }
}
