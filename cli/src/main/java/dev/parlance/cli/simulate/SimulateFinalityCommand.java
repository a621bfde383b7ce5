package dev.parlance.cli.simulate;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.ProgressLine;
import dev.parlance.cli.Terminal;
import dev.parlance.sim.finality.FinalityOptions;
import dev.parlance.sim.finality.FinalityResult;
import dev.parlance.sim.finality.FinalitySimulation;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "finality",
    description = {
      "Runs rounds of agents against poisoned and lying ones.",
      "First the paper's diagnostic: 120 episodes of semantic poisoning, how far aggregates are",
      "turned, and whether rounds beyond the fault bound abort. Then a study of adversaries that",
      "see every honest proposal before they choose verdict, text and meaning, equivocate,",
      "withhold, replay and vote late. The same seed gives the same numbers. Status 1 if a",
      "promise was broken."
    },
    footer = {
      "",
      "Examples:",
      "  parlance simulate finality",
      "  parlance simulate finality --rounds 100000 --seed 2 -o json"
    })
final class SimulateFinalityCommand implements Callable<Integer> {
  private static final long ROUNDS_DEFAULT = 10_000;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description = "episodes of the diagnostic, a multiple of 12 up to 1200000 (default: 120)")
  int episodes = FinalityOptions.PAPER_EPISODES;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "rounds of the study, 1 to 100000000 (default: 10000)")
  long rounds = ROUNDS_DEFAULT;

  @Option(names = "--seed", paramLabel = "S", description = "seed, any integer (default: 1)")
  long seed = 1;

  @Mixin OutputOption output = new OutputOption();

  private final Terminal terminal;

  SimulateFinalityCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    FinalityOptions options;
    try {
      options = FinalityOptions.of(episodes, rounds, seed);
    } catch (IllegalArgumentException e) {
      return terminal.complain(ExitStatus.USAGE, "simulate finality: " + e.getMessage());
    }
    FinalityResult result;
    try (var progress = new ProgressLine(terminal)) {
      result =
          FinalitySimulation.run(
              options,
              (stage, done, total) -> {
                if (progress.isDue()) {
                  progress.show(String.format(Locale.ROOT, "%s: %,d of %,d", stage, done, total));
                }
              });
    }
    switch (output.format) {
      case TEXT -> new FinalityText(terminal).print(result);
      case JSON -> terminal.json(FinalityText.json(result));
    }
    return result.breaches() == 0 ? ExitStatus.OK : ExitStatus.FAILED;
  }
}
