package dev.parlance.loadtest;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code loadtest run}: one phase against whatever stands before a {@code loadtest upstream}. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Sends load to a loopback port behind which a 'loadtest upstream' with the same body options",
      "answers, and checks every answer."
    })
final class RunCommand implements Callable<Integer> {
  @Mixin private BodyOptions bodies = new BodyOptions();

  @Option(names = "--port", required = true, description = "Where to send the load.")
  private int port;

  @Option(names = "--rate", description = "Requests per second; without it, a closed loop.")
  private Optional<Double> rate = Optional.empty();

  @Option(names = "--protocol", description = "http1 or h2 (default: ${DEFAULT-VALUE}).")
  private String protocol = Protocol.HTTP1.code();

  @Option(
      names = "--evidence",
      description = "new (no chunk comes twice) or seen (default: ${DEFAULT-VALUE}).")
  private String evidence = Freshness.SEEN.code();

  @Option(names = "--connections", description = "Default: ${DEFAULT-VALUE}.")
  private int connections = 16;

  @Option(names = "--seconds", description = "Measured window (default: ${DEFAULT-VALUE}).")
  private double seconds = 10;

  @Option(names = "--warmup", description = "Seconds before it (default: ${DEFAULT-VALUE}).")
  private double warmup = 2;

  @Option(names = "--count", description = "End after this many measured requests.")
  private int count = LoadPlan.MAX_REQUESTS;

  @Option(names = "--timeout-ms", description = "For an answer (default: ${DEFAULT-VALUE}).")
  private int timeoutMs = 10_000;

  @Option(names = "--pid", description = "Process whose processor time to show.")
  private Optional<Long> pid = Optional.empty();

  @Option(names = "-o", description = "text or json (default: ${DEFAULT-VALUE}).")
  private Main.Format format = Main.Format.TEXT;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<CorpusPlan> plans = bodies.plans();
    Pace pace = rate.<Pace>map(Pace.OpenLoop::new).orElseGet(Pace.ClosedLoop::new);
    LoadPlan plan =
        new LoadPlan(
            port,
            Codes.one(evidence, "evidence", Freshness.values(), Freshness::code).path(0),
            pace,
            connections,
            (int) Math.round(warmup * 1000),
            (int) Math.round(seconds * 1000),
            count,
            timeoutMs,
            Codes.one(protocol, "protocol", Protocol.values(), Protocol::code));
    long own = ProcessHandle.current().pid();
    CpuWatch watch =
        new CpuWatch(
            () -> pid.isPresent() ? ProcFs.cpuUs(pid.get()) : OptionalLong.empty(),
            () -> ProcFs.cpuUs(own),
            ProcFs::machineCpuUs);
    try (LoadGenerator generator = new LoadGenerator()) {
      LoadResult result = generator.run(plan, Corpus.build(plans.getFirst()), watch);
      spec.commandLine().getOut().println(print(plan, result));
      spec.commandLine().getOut().flush();
      return result.faults() == 0 ? 0 : 1;
    }
  }

  private String print(LoadPlan plan, LoadResult result) {
    return switch (format) {
      case JSON -> JsonMapper.builder().build().writeValueAsString(ReportWriter.result(result));
      case TEXT, MARKDOWN -> text(plan, result);
    };
  }

  private static String text(LoadPlan plan, LoadResult result) {
    Percentiles latency = result.latency();
    OptionalDouble cpu = result.proxyCpuUsPerRequest();
    return String.format(
        Locale.ROOT,
        "%s, %d connections: %,d requests, %,.0f/s, p50 %,.0f us, p99 %,.0f us, p99.9 %,.0f us,"
            + " refused %d, errors %d%s",
        plan.pace().label(),
        plan.connections(),
        result.requests(),
        result.requestsPerSecond(),
        latency.p50Us(),
        latency.p99Us(),
        latency.p999Us(),
        result.count(Outcome.REFUSED),
        result.faults(),
        cpu.isPresent()
            ? String.format(Locale.ROOT, ", CPU %.1f us/request", cpu.getAsDouble())
            : "");
  }
}
