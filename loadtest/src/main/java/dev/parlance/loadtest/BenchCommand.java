package dev.parlance.loadtest;

import dev.parlance.loadtest.compare.ComparePlan;
import dev.parlance.loadtest.compare.ComparePlans;
import dev.parlance.loadtest.compare.Report;
import dev.parlance.loadtest.compare.ReportWriter;
import dev.parlance.loadtest.load.BodyOptions;
import dev.parlance.loadtest.process.CorePinning.PinningOption;
import dev.parlance.loadtest.process.MeasuredSidecar;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest bench}: what reading a message costs on this machine, in five figures. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Measures in under five minutes what Parlance takes on this machine: processor time of a"
          + " route",
      "that reads nothing, of one that reads answers, and of one that reads both legs with new and",
      "with known evidence, each divided by HAProxy's for forwarding unread where it is installed,",
      "and microseconds per judged KB. Exit status 1 if something did not work."
    })
final class BenchCommand implements Callable<Integer> {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);

  @Mixin private PinningOption pinning = new PinningOption();

  @Option(
      names = "--release",
      paramLabel = "FOLDER",
      description = "An unpacked release, or a checkout, to measure (default: this checkout).")
  private Path release = Path.of(System.getProperty("parlance.root", "."));

  @Option(
      names = "--report",
      paramLabel = "FOLDER",
      description = "Also writes bench.json there, to send in.")
  private Optional<Path> folder = Optional.empty();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Report report =
        CompareCommand.run(plan(release), pinning, spec.commandLine().getErr())
            .with("command", "bin/loadtest bench");
    ReportWriter writer = new ReportWriter(report);
    if (folder.isPresent()) {
      Files.createDirectories(folder.get());
      Files.writeString(folder.get().resolve("bench.json"), writer.json() + "\n");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(writer.text());
    out.flush();
    return report.isClean() ? 0 : 1;
  }

  /** What is measured of this build. */
  static ComparePlan plan(Path root) {
    return new ComparePlan(
        ComparePlans.contests(ComparePlans.Name.BENCH),
        ComparePlans.times(ComparePlans.Name.BENCH),
        List.of(ComparePlans.corpora(new BodyOptions().plans().getFirst()).getFirst()),
        ComparePlan.DEFAULT_CORE_TERMS,
        ComparePlans.goals(ComparePlans.Name.BENCH),
        new MeasuredSidecar.Commands(
            MeasuredSidecar.Commands.of(root.toAbsolutePath().toString()),
            Optional.empty(),
            START_TIMEOUT));
  }
}
