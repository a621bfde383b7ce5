package dev.parlance.loadtest;

import dev.parlance.loadtest.StartRun.StartedOnce;
import dev.parlance.loadtest.compare.ReportTable.Range;
import dev.parlance.loadtest.load.BodyOptions;
import dev.parlance.loadtest.load.ExchangeCorpus;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.LoadGenerator;
import dev.parlance.loadtest.load.LoadPlan;
import dev.parlance.loadtest.load.SampleExchange;
import dev.parlance.loadtest.process.CorePinning;
import dev.parlance.loadtest.process.UpstreamProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest start}: how long a sidecar takes, and how its first seconds are. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    description = {
      "Starts a sidecar again and again on one core: time from running the launcher to a listening",
      "port, to the first judged message and to readiness, and the p99 of the first half seconds",
      "under an open loop beside that of the steady state."
    })
final class StartCommand implements Callable<Integer> {
  @Mixin private BodyOptions bodies = new BodyOptions();

  @Option(names = "--runs", description = "Starts (default: ${DEFAULT-VALUE}).")
  private int runs = 7;

  @Option(names = "--rate", description = "Requests per second (default: ${DEFAULT-VALUE}).")
  private double rate = 1000;

  @Option(names = "--slots", description = "Half seconds under load (default: ${DEFAULT-VALUE}).")
  private int slots = 8;

  @Option(
      names = "--settle",
      description = "Seconds of load before the steady state (default: ${DEFAULT-VALUE}).")
  private int settle = 20;

  @Option(
      names = "--steady",
      description = "Seconds of the steady state, 0 for none (default: ${DEFAULT-VALUE}).")
  private int steady = 5;

  @Option(
      names = "--parlance",
      paramLabel = "COMMAND",
      description = "Starts the sidecar; {config} stands for its file. Default: this project's.")
  private String command =
      System.getProperty("parlance.root", ".") + "/bin/parlance proxy --config {config}";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoadPlan.check("runs", runs, 1, 1000);
    LoadPlan.check("slots", slots, 0, 1000);
    LoadPlan.check("seconds to settle", settle, 0, 120);
    LoadPlan.check("seconds of the steady state", steady, 0, 600);
    PrintWriter out = spec.commandLine().getOut();
    CorePinning cores = CorePinning.here();
    List<CorpusPlan> plans = bodies.plans();
    List<SampleExchange> exchanges = ExchangeCorpus.build(plans.getFirst());
    if (!cores.pinThisProcess()) {
      spec.commandLine().getErr().println("loadtest: cannot pin the load generator");
    }
    Path folder = Files.createTempDirectory("parlance-start");
    List<StartedOnce> results = new ArrayList<>();
    try (UpstreamProcess upstream = UpstreamProcess.start(folder, cores, plans);
        LoadGenerator generator = new LoadGenerator()) {
      StartRun.Plan plan =
          new StartRun.Plan(command, slots, rate, settle * 1000, steady * 1000, 60_000);
      StartRun run = new StartRun(plan, cores, upstream.port(), exchanges);
      out.printf(Locale.ROOT, "%d starts, %s, open loop at %,.0f/s%n", runs, cores.label(), rate);
      for (int i = 0; i < runs; i++) {
        StartedOnce once = run.run(Files.createDirectories(folder.resolve("run-" + i)), generator);
        results.add(once);
        out.println(line(once));
        out.flush();
      }
    }
    out.print(summary(results));
    out.println("configurations and logs: " + folder);
    out.flush();
    return 0;
  }

  private static String line(StartedOnce once) {
    return String.format(
        Locale.ROOT,
        "listening %.0f ms, first judged %.0f ms, ready %.0f ms (CPU %.0f ms, %.1f MiB);"
            + " p99 of half seconds, us: %s; steady %.0f us",
        once.listeningMs(),
        once.judgedMs(),
        once.readyMs(),
        once.cpuMs(),
        once.residentMb(),
        once.slots().stream().map(us -> String.format(Locale.ROOT, "%.0f", us)).toList(),
        once.steadyP99Us());
  }

  /** Medians with their spread. */
  static String summary(List<StartedOnce> results) {
    StringBuilder text = new StringBuilder();
    row(text, "listening, ms", results, StartedOnce::listeningMs);
    row(text, "first judged message, ms", results, StartedOnce::judgedMs);
    row(text, "ready, ms", results, StartedOnce::readyMs);
    row(text, "CPU until ready, ms", results, StartedOnce::cpuMs);
    row(text, "resident when ready, MiB", results, StartedOnce::residentMb);
    if (results.stream().allMatch(once -> once.steadyP99Us() > 0 && !once.slots().isEmpty())) {
      row(text, "p99 of the first second / steady", results, StartedOnce::firstSecondRatio);
    }
    return text.toString();
  }

  private static void row(
      StringBuilder text,
      String name,
      List<StartedOnce> results,
      ToDoubleFunction<StartedOnce> value) {
    Range range =
        Range.of(results.stream().mapToDouble(value).boxed().toList())
            .orElseThrow(() -> new IllegalArgumentException("expected at least one start"));
    text.append(
        String.format(
            Locale.ROOT,
            "%-34s median %8.1f  [%.1f - %.1f]%n",
            name,
            range.median(),
            range.min(),
            range.max()));
  }
}
