package dev.parlance.loadtest;

import dev.parlance.loadtest.compare.ReportTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code loadtest parts}: the parts that a message passes, each by itself. */
@Command(
    name = "parts",
    mixinStandardHelpOptions = true,
    description = {
      "Measures with JMH the parts by themselves: measuring against evidence, the core guard; the",
      "encoder, deciding a round, and a round as a whole; coined terms; holding a",
      "message to its pact, and a first request that negotiates one.",
      "Progress goes to stderr."
    })
final class PartsCommand implements Callable<Integer> {
  private static final String PACKAGE = "dev.parlance.loadtest.bench";

  /** Name of the counter that says how many bytes were read. */
  private static final String BYTES = "bytes";

  /** Name of what JMH measures of the garbage of one operation. */
  private static final String GARBAGE = "gc.alloc.rate.norm";

  @Option(
      names = "--only",
      description = "Regular expression that a benchmark's Class.method has to contain.",
      defaultValue = "")
  private String only = "";

  @Option(
      names = "-p",
      paramLabel = "NAME=VALUES",
      description = "Values of a benchmark's parameter, with commas between them.")
  private Map<String, String> parameters = Map.of();

  @Mixin private JmhOptions jmh = new JmhOptions();

  @Option(
      names = {"-o", "--output"},
      description = "One of: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).",
      defaultValue = "TEXT")
  private LoadTestMain.Format format = LoadTestMain.Format.TEXT;

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * One row.
   *
   * @param benchmark class and method
   * @param parameters in the order of their names; may be empty
   * @param nsPerOp mean
   * @param errorNs half width of the 99.9 % interval; NaN with a single measurement
   * @param p50Ns median; NaN where single operations are not timed
   * @param p99Ns the same for the 99th percentile
   * @param gigabytesPerSecond NaN where no bytes are counted
   * @param bytesPerOp allocated; NaN where that was not measured
   */
  record Cost(
      String benchmark,
      String parameters,
      double nsPerOp,
      double errorNs,
      double p50Ns,
      double p99Ns,
      double gigabytesPerSecond,
      double bytesPerOp) {
    static Cost of(RunResult run) {
      BenchmarkParams params = run.getParams();
      Result<?> primary = run.getPrimaryResult();
      // All benchmarks count in nanoseconds: times, or operations, so that bytes read as GB/s.
      double score = primary.getScore();
      boolean isTime = params.getMode() != Mode.Throughput;
      boolean isSampled = params.getMode() == Mode.SampleTime;
      Result<?> bytes = run.getSecondaryResults().get(BYTES);
      Result<?> garbage = run.getSecondaryResults().get(GARBAGE);
      return new Cost(
          params.getBenchmark().substring(PACKAGE.length() + 1),
          params.getParamsKeys().stream()
              .filter(key -> !params.getParam(key).isEmpty())
              .sorted()
              .map(key -> key + "=" + params.getParam(key))
              .collect(Collectors.joining(" ")),
          isTime ? score : 1 / score,
          isTime ? primary.getScoreError() : primary.getScoreError() / (score * score),
          isSampled ? primary.getStatistics().getPercentile(50) : Double.NaN,
          isSampled ? primary.getStatistics().getPercentile(99) : Double.NaN,
          bytes == null ? Double.NaN : bytes.getScore(),
          garbage == null ? Double.NaN : garbage.getScore());
    }

    List<String> cells() {
      return List.of(
          benchmark,
          parameters,
          number("%,.1f", nsPerOp),
          number("%,.1f", errorNs),
          number("%,.0f", p50Ns),
          number("%,.0f", p99Ns),
          number("%.2f", gigabytesPerSecond),
          number("%,.0f", bytesPerOp));
    }

    private static String number(String pattern, double value) {
      return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, pattern, value);
    }

    private static void put(Map<String, Object> members, String name, double value) {
      if (!Double.isNaN(value)) {
        members.put(name, value);
      }
    }

    Map<String, Object> members() {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("benchmark", benchmark);
      members.put("parameters", parameters);
      members.put("nsPerOp", nsPerOp);
      put(members, "errorNs", errorNs);
      put(members, "p50Ns", p50Ns);
      put(members, "p99Ns", p99Ns);
      put(members, "gigabytesPerSecond", gigabytesPerSecond);
      put(members, "bytesPerOp", bytesPerOp);
      return members;
    }
  }

  @Override
  public Integer call() throws RunnerException {
    ChainedOptionsBuilder options =
        jmh.of("^" + PACKAGE.replace(".", "\\.") + "\\..*(?:" + only + ")");
    options.addProfiler(GCProfiler.class);
    parameters.forEach((name, values) -> options.param(name, values.split(",", -1)));
    Collection<RunResult> results =
        new Runner(
                options.build(),
                OutputFormatFactory.createFormatInstance(System.err, VerboseMode.NORMAL))
            .run();
    List<Cost> costs = new ArrayList<>();
    results.forEach(run -> costs.add(Cost.of(run)));
    spec.commandLine().getOut().println(text(format, costs));
    return 0;
  }

  static String text(LoadTestMain.Format format, List<Cost> costs) {
    ReportTable table =
        new ReportTable(
            "cost of each part, mean with half of the 99.9 % interval",
            List.of("benchmark", "parameters", "ns/op", "\u00b1", "p50", "p99", "GB/s", "B/op"),
            costs.stream().map(Cost::cells).toList());
    return switch (format) {
      case TEXT -> table.text();
      case MARKDOWN -> table.markdown();
      case JSON ->
          JsonMapper.builder()
              .build()
              .writeValueAsString(costs.stream().map(Cost::members).toList());
    };
  }

  /** How long the commands that run JMH measure. */
  static final class JmhOptions {
    @Option(
        names = "--forks",
        description = "Virtual machines, one after the other (default: ${DEFAULT-VALUE}).",
        defaultValue = "2")
    private int forks;

    @Option(
        names = "--iterations",
        description = "Warm-up and measured iterations each (default: ${DEFAULT-VALUE}).",
        defaultValue = "5")
    private int iterations;

    @Option(
        names = "--milliseconds",
        description = "Length of an iteration (default: ${DEFAULT-VALUE}).",
        defaultValue = "1000")
    private int iterationMs;

    /** The benchmarks whose name holds this regular expression; a failure ends the run. */
    ChainedOptionsBuilder of(String include) {
      return new OptionsBuilder()
          .include(include)
          .forks(forks)
          .warmupIterations(iterations)
          .warmupTime(TimeValue.milliseconds(iterationMs))
          .measurementIterations(iterations)
          .measurementTime(TimeValue.milliseconds(iterationMs))
          .shouldFailOnError(true);
    }
  }
}
