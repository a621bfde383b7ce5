package dev.parlance.loadtest;

import dev.parlance.loadtest.load.BodyOptions;
import dev.parlance.loadtest.load.CpuWatch;
import dev.parlance.loadtest.load.ExchangeCorpus;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.LoadGenerator;
import dev.parlance.loadtest.load.LoadPlan;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadResult;
import dev.parlance.loadtest.load.SampleExchange;
import dev.parlance.loadtest.process.CorePinning;
import dev.parlance.loadtest.process.MeasuredSidecar;
import dev.parlance.loadtest.process.ProcFs;
import dev.parlance.loadtest.process.ProxyConfigs;
import dev.parlance.loadtest.process.UpstreamProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code loadtest footprint}: the memory of a sidecar at rest, under load, in a burst, after it.
 */
@Command(
    name = "footprint",
    mixinStandardHelpOptions = true,
    description = {
      "Resident memory of a sidecar that is told a memory limit: idle, at a rate, in a burst and a",
      "while after it; and the pauses of its garbage collector. With --cgroup it really runs"
          + " inside",
      "a memory cgroup (v2) that you have made and limited; without, nothing enforces the limit."
    })
final class FootprintCommand implements Callable<Integer> {
  private static final int BURST_CONNECTIONS = 512;
  private static final int ANSWER_MS = 60_000;
  private static final long SAMPLE_MS = 100;
  private static final double KB_PER_MB = 1024;

  @Mixin private BodyOptions bodies = new BodyOptions();

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description = "Memory the sidecar is told it may use (default: ${DEFAULT-VALUE}).")
  private String limit = "160m";

  @Option(
      names = "--cgroup",
      paramLabel = "FOLDER",
      description = "A memory cgroup (v2) to run the sidecar in; its memory.max counts then.")
  private Optional<Path> cgroup = Optional.empty();

  @Option(names = "--rate", description = "Requests per second (default: ${DEFAULT-VALUE}).")
  private double rate = 3000;

  @Option(names = "--connections", description = "At that rate (default: ${DEFAULT-VALUE}).")
  private int connections = 32;

  @Option(names = "--seconds", description = "At that rate (default: ${DEFAULT-VALUE}).")
  private int seconds = 60;

  @Option(names = "--idle", description = "Seconds at rest before (default: ${DEFAULT-VALUE}).")
  private int idle = 15;

  @Option(names = "--burst", description = "Seconds of the burst (default: ${DEFAULT-VALUE}).")
  private int burst = 10;

  @Option(names = "--after", description = "Seconds at rest after it (default: ${DEFAULT-VALUE}).")
  private int after = 60;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoadPlan.check("seconds at the rate", seconds, 1, 600);
    LoadPlan.check("seconds of the burst", burst, 1, 600);
    LoadPlan.check("seconds at rest", Math.min(idle, after), 0, 600);
    if (!limit.matches("[1-9][0-9]{0,8}[kKmMgG]?")) {
      throw new IllegalArgumentException("expected a size such as 160m, got " + limit);
    }
    PrintWriter out = spec.commandLine().getOut();
    CorePinning cores = CorePinning.here();
    cores.pinThisProcess();
    List<CorpusPlan> plans = bodies.plans();
    List<SampleExchange> exchanges = ExchangeCorpus.build(plans.getFirst());
    Path folder = Files.createTempDirectory("parlance-footprint");
    Path gcLog = folder.resolve("gc.log");
    try (UpstreamProcess upstream = UpstreamProcess.start(folder, cores, plans);
        LoadGenerator generator = new LoadGenerator();
        MeasuredSidecar sidecar = start(folder, gcLog, cores, upstream.port())) {
      out.println(
          cgroup
              .map(group -> "in the memory cgroup " + group)
              .orElse(
                  "NOT in a memory cgroup: told a limit of "
                      + limit
                      + ", but nothing enforces it (--cgroup); resident memory is what counts"));
      Thread.sleep(idle * 1000L);
      double idleMb = resident(sidecar);
      print(out, "idle", idleMb);
      Peak atRate =
          peak(
              sidecar,
              () ->
                  load(
                      generator,
                      sidecar,
                      exchanges,
                      new Pace.OpenLoop(rate),
                      connections,
                      seconds));
      print(out, String.format(Locale.ROOT, "largest at %,.0f/s", rate), atRate.megabytes());
      GcPauses pauses = GcPauses.of(Files.readAllLines(gcLog, StandardCharsets.UTF_8));
      out.println("garbage collector until then: " + pauses.label());
      Peak inBurst =
          peak(
              sidecar,
              () ->
                  load(
                      generator,
                      sidecar,
                      exchanges,
                      new Pace.ClosedLoop(),
                      BURST_CONNECTIONS,
                      burst));
      print(out, "largest in the burst", inBurst.megabytes());
      Thread.sleep(after * 1000L);
      double afterMb = resident(sidecar);
      print(out, after + " s after it", afterMb);
      out.printf(Locale.ROOT, "after / idle: %.2f%n", afterMb / idleMb);
      out.println(
          "garbage collector, whole run: "
              + GcPauses.of(Files.readAllLines(gcLog, StandardCharsets.UTF_8)).label());
      long faults = atRate.faults() + inBurst.faults();
      out.println("faults: " + faults);
      out.flush();
      return faults == 0 ? 0 : 1;
    }
  }

  private MeasuredSidecar start(Path folder, Path gcLog, CorePinning cores, int upstreamPort)
      throws IOException, InterruptedException {
    Path own = Files.createDirectories(folder.resolve("sidecar"));
    String join =
        cgroup
            .map(group -> "echo $$ >'" + group.resolve("cgroup.procs") + "' || exit 1\n")
            .orElse("");
    String told = cgroup.isPresent() ? "" : "export PARLANCE_MEMORY_LIMIT=" + limit + "\n";
    Path script =
        Files.writeString(
            folder.resolve("start.sh"),
            join
                + told
                + "export PARLANCE_JAVA_OPTS=\"-Xlog:gc:file="
                + gcLog
                + ":uptime ${PARLANCE_JAVA_OPTS:-}\"\n"
                + "exec '"
                + System.getProperty("parlance.root", ".")
                + "/bin/parlance' proxy --config \"$1\"\n");
    String config = ProxyConfigs.parlance("enforce", upstreamPort, own);
    return switch (MeasuredSidecar.start(
        "bash " + script + " {config}", cores, own, config, Duration.ofSeconds(60), port -> true)) {
      case MeasuredSidecar.Started.Not(String reason) -> throw new IOException(reason);
      case MeasuredSidecar.Started.Ready(MeasuredSidecar sidecar) -> sidecar;
    };
  }

  private static LoadResult load(
      LoadGenerator generator,
      MeasuredSidecar sidecar,
      List<SampleExchange> exchanges,
      Pace pace,
      int connections,
      int seconds)
      throws IOException, InterruptedException {
    LoadPlan plan =
        new LoadPlan(
            sidecar.port(),
            "/a2a/0",
            pace,
            connections,
            0,
            seconds * 1000,
            LoadPlan.MAX_REQUESTS,
            ANSWER_MS);
    return generator.run(plan, exchanges, CpuWatch.none());
  }

  private static double resident(MeasuredSidecar sidecar) throws IOException {
    return ProcFs.residentKb(sidecar.pid())
            .orElseThrow(() -> new IOException("the sidecar has ended:\n" + sidecar.child().tail()))
        / KB_PER_MB;
  }

  private record Peak(double megabytes, long faults) {}

  @FunctionalInterface
  private interface Work {
    LoadResult run() throws IOException, InterruptedException;
  }

  /** The largest resident memory while something runs. */
  private static Peak peak(MeasuredSidecar sidecar, Work work)
      throws IOException, InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong largestKb = new AtomicLong();
    Thread sampler =
        Thread.ofPlatform()
            .daemon()
            .name("memory")
            .start(() -> {
              while (!over.get()) {
                ProcFs.residentKb(sidecar.pid())
                    .ifPresent(kb -> largestKb.accumulateAndGet(kb, Math::max));
                try {
                  Thread.sleep(SAMPLE_MS);
                } catch (InterruptedException e) {
                  return;
                }
              }
            });
    LoadResult result;
    try {
      result = work.run();
    } finally {
      over.set(true);
      sampler.join();
    }
    resident(sidecar); // still there
    return new Peak(largestKb.get() / KB_PER_MB, result.faults());
  }

  private static void print(PrintWriter out, String name, double megabytes) {
    out.printf(Locale.ROOT, "%-24s %7.1f MiB resident%n", name, megabytes);
    out.flush();
  }

  /**
   * Pauses of the garbage collector as {@code -Xlog:gc} writes them.
   *
   * @param sortedMs each pause in milliseconds, shortest first
   */
  record GcPauses(List<Double> sortedMs) {
    private static final Pattern PAUSE =
        Pattern.compile("GC\\([0-9]+\\) Pause .* ([0-9]+(?:\\.[0-9]+)?)ms$");

    GcPauses {
      sortedMs = sortedMs.stream().sorted().toList();
    }

    /** Those in the lines of a log. */
    static GcPauses of(List<String> lines) {
      return new GcPauses(
          lines.stream()
              .map(PAUSE::matcher)
              .filter(Matcher::find)
              .map(found -> Double.valueOf(found.group(1)))
              .toList());
    }

    /** The least pause that so many of 100 do not exceed; 0 if there was none. */
    double percentile(double percent) {
      if (sortedMs.isEmpty()) {
        return 0;
      }
      int rank = (int) Math.ceil(percent / 100 * sortedMs.size());
      return sortedMs.get(Math.max(0, Math.min(sortedMs.size(), rank) - 1));
    }

    /** For people. */
    String label() {
      return String.format(
          Locale.ROOT,
          "%d pauses, p50 %.2f ms, p99.9 %.2f ms, max %.2f ms",
          sortedMs.size(),
          percentile(50),
          percentile(99.9),
          percentile(100));
    }
  }
}
