package dev.parlance.loadtest;

import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.config.Listen;
import dev.parlance.control.config.RoundsSettings;
import dev.parlance.control.config.RoundsSettings.EncoderChoice;
import dev.parlance.control.main.ControlReplica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest rounds}: how long a round takes beyond its slowest member. */
@Command(
    name = "rounds",
    mixinStandardHelpOptions = true,
    description = {
      "Holds rounds of seven members at a control plane with the embedded store, over real gRPC in",
      "one process, and prints how long after sending the last proposal a watcher has the outcome:",
      "encoding, ledger entries on the disk and signature included. Exit status 1 if the 99th",
      "percentile is above the goal."
    })
final class RoundsCommand implements Callable<Integer> {
  @Option(names = "--rounds", description = "Rounds that are measured (default: ${DEFAULT-VALUE}).")
  private int rounds = 500;

  @Option(
      names = "--warm-up",
      description = "Rounds before them that are not (default: ${DEFAULT-VALUE}).")
  private int warmUp = 200;

  @Option(
      names = "--think-ms",
      description =
          "Each member proposes after a random time of at most so many ms (default:"
              + " ${DEFAULT-VALUE}).")
  private int thinkMs = 20;

  @Option(
      names = "--goal-ms",
      description = "Goal for the 99th percentile (default: ${DEFAULT-VALUE}).")
  private double goalMs = 20;

  @Option(
      names = "--without-encoder",
      description = "Verdicts only, so that the encoder's part can be told.")
  private boolean withoutEncoder;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Where ledger and store are kept: the disk that is measured (default: a new folder for"
              + " temporary files).")
  private Path dataDir = Path.of("");

  @Mixin private FormOption form = new FormOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rounds < 1 || warmUp < 0 || thinkMs < 0 || !(goalMs > 0)) {
      throw new IllegalArgumentException("expected numbers above 0");
    }
    Path folder =
        dataDir.toString().isEmpty() ? Files.createTempDirectory("parlance-rounds") : dataDir;
    RoundsSettings settings =
        withoutEncoder
            ? RoundsSettings.DEFAULT.withEncoder(new EncoderChoice.Off())
            : RoundsSettings.DEFAULT;
    Listen free = new Listen("127.0.0.1", 0);
    try (ControlReplica plane =
            ControlReplica.start(
                ControlConfig.defaults(folder).listening(free, free).withRounds(settings));
        RoundsRun run = new RoundsRun(plane, thinkMs)) {
      for (int i = 0; i < warmUp; i++) {
        run.round(false);
      }
      for (int i = 0; i < rounds; i++) {
        run.round(true);
      }
      return print(run);
    }
  }

  private int print(RoundsRun run) {
    Table table =
        new Table(
            "rounds of 7 members, "
                + rounds
                + (withoutEncoder ? ", without encoder" : ", built-in encoder")
                + "; ms",
            List.of("", "p50", "p90", "p99", "max"),
            List.of(
                row("last proposal sent to outcome", run.beyondSlowest),
                row("other proposals, sent to answered", run.proposing)));
    form.print(spec.commandLine().getOut(), table);
    double p99Ms = run.beyondSlowest.getValueAtPercentile(99) / 1e6;
    boolean isGood = p99Ms <= goalMs && run.aborts() == 0;
    spec.commandLine()
        .getOut()
        .println(
            String.format(
                Locale.ROOT,
                "goal: p99 %.1f ms: %s; aborts: %d",
                goalMs,
                p99Ms <= goalMs ? "met" : "missed",
                run.aborts()));
    spec.commandLine().getOut().flush();
    return isGood ? 0 : 1;
  }

  private static List<String> row(String what, Histogram nanos) {
    Percentiles percentiles = Percentiles.of(nanos);
    return List.of(
        what,
        ms(percentiles.p50Us()),
        ms(percentiles.p90Us()),
        ms(percentiles.p99Us()),
        ms(percentiles.maxUs()));
  }

  private static String ms(double us) {
    return String.format(Locale.ROOT, "%.2f", us / 1e3);
  }
}
