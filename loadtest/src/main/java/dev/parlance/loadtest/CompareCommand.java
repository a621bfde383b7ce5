package dev.parlance.loadtest;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code loadtest compare}: the sidecar beside other proxies and no proxy at all. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Measures processor time per request, requests per second and latency of: no proxy, Parlance",
      "observing and enforcing, HAProxy and nginx where installed. Starts and ends all of them."
    })
final class CompareCommand implements Callable<Integer> {
  @Mixin private BodyOptions bodies = new BodyOptions();

  @Option(names = "--seconds", description = "Per phase (default: ${DEFAULT-VALUE}).")
  private double seconds = 10;

  @Option(
      names = "--rate",
      split = ",",
      description = "Open-loop requests per second (default: 1000,3000); 'none' for no open loop.")
  private List<String> rates = List.of("1000", "3000");

  @Option(
      names = "--connections",
      split = ",",
      description = "Closed-loop connections (default: 16,64); open loops use the largest.")
  private List<Integer> connections = List.of(16, 64);

  @Option(names = "--rounds", description = "Interleaved rounds (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--warmup",
      description = "Seconds of load on each target before the first round (default: 8).")
  private double warmup = 8;

  @Option(
      names = "--targets",
      split = ",",
      description = "Default: direct,parlance-observe,parlance-enforce,haproxy,nginx.")
  private List<String> targets = Arrays.stream(TargetKind.values()).map(TargetKind::code).toList();

  @Option(
      names = "--parlance-command",
      paramLabel = "COMMAND",
      description = "Starts a sidecar; {config} is its configuration (default: ${DEFAULT-VALUE}).")
  private String parlanceCommand =
      System.getProperty("parlance.root", ".") + "/bin/parlance proxy --config {config}";

  @Option(
      names = "--start-timeout",
      paramLabel = "SECONDS",
      description = "For a sidecar to answer, its build included (default: ${DEFAULT-VALUE}).")
  private int startTimeout = 300;

  @Option(names = "--no-pinning", description = "Do not bind processes to cores.")
  private boolean noPinning;

  @Option(names = "-o", description = "text, json or markdown (default: ${DEFAULT-VALUE}).")
  private Main.Format format = Main.Format.TEXT;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    ComparePlan plan =
        new ComparePlan(
            targets.stream().distinct().map(CompareCommand::kind).sorted().toList(),
            seconds,
            rounds,
            rates.stream().filter(rate -> !rate.equals("none")).map(CompareCommand::rate).toList(),
            connections,
            bodies.plans(),
            warmup,
            parlanceCommand,
            Duration.ofSeconds(startTimeout));
    PrintWriter err = spec.commandLine().getErr();
    Cores cores = noPinning ? Cores.UNPINNED : Cores.here();
    Report report =
        new Comparison(
                plan,
                cores,
                Path.of(System.getProperty("java.io.tmpdir")),
                line -> {
                  err.println(line);
                  err.flush();
                })
            .run();
    ReportWriter writer = new ReportWriter(report);
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        switch (format) {
          case TEXT -> writer.text();
          case JSON -> writer.json();
          case MARKDOWN -> writer.markdown();
        });
    out.flush();
    return report.isClean() ? 0 : 1;
  }

  private static double rate(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("expected a rate per second, got " + text, e);
    }
  }

  private static TargetKind kind(String code) {
    return TargetKind.of(code)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no target is called "
                    + code
                    + "; there are "
                    + Arrays.stream(TargetKind.values())
                        .map(TargetKind::code)
                        .collect(Collectors.joining(", "))));
  }
}
