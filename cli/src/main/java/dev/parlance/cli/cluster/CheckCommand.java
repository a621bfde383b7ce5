package dev.parlance.cli.cluster;

import dev.parlance.cli.BuildInfo;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.KubectlOptions;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.cli.TextTable;
import dev.parlance.cli.cluster.check.CheckFinding;
import dev.parlance.cli.cluster.check.Checkup;
import dev.parlance.cli.cluster.check.Checkup.Check;
import dev.parlance.cli.cluster.check.Cluster;
import dev.parlance.cli.cluster.check.Kubectl;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks whether a cluster is fit for Parlance, or Parlance in it is well. */
@Command(name = "check")
final class CheckCommand extends TerminalCommand {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final int PODS_MAX = 10_000;

  @Mixin OutputOption output = new OutputOption();

  @Option(names = "--pre", description = "check before installation")
  boolean before;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "namespace of Parlance (default: parlance-system)")
  String namespace = "parlance-system";

  @Mixin KubectlOptions options = new KubectlOptions();

  @Option(
      names = "--prometheus",
      paramLabel = "NAMESPACE/SERVICE:PORT",
      description = "a Prometheus to be asked, through the API server")
  Optional<String> prometheus = Optional.empty();

  @Option(
      names = "--pods",
      paramLabel = "N",
      description = "ask at most so many sidecars for their metrics, 0 to 10000 (default: 50)")
  int pods = 50;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "of each call of kubectl, 1 to 600 (default: 30)")
  int timeoutSeconds = 30;

  @Option(names = "--strict", description = "a warning is a failure")
  boolean strict;

  @Option(names = "--list", description = "print the names of all checks and what each looks at")
  boolean list;

  private final Optional<Kubectl> given;
  private final Clock clock;

  CheckCommand() {
    this.given = Optional.empty();
    this.clock = Clock.systemUTC();
  }

  CheckCommand(Terminal terminal, Optional<Kubectl> given, Clock clock) {
    this.terminal = terminal;
    this.given = given;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    Optional<String> problem = problem();
    if (problem.isPresent()) {
      return terminal.usage(problem.get());
    }
    if (list) {
      TextTable table = new TextTable("", "check, what holds");
      Checkup.all().forEach(check -> table.add(check.id(), check.title()));
      table.print(terminal.out());
      return ExitStatus.OK;
    }
    Kubectl kubectl =
        given.orElseGet(() ->
            new Kubectl.Program(
                options.program,
                options.context,
                options.kubeconfig,
                Duration.ofSeconds(timeoutSeconds)));
    Cluster cluster =
        new Cluster(
            kubectl,
            new Cluster.Setting(
                namespace,
                BuildInfo.load().version(),
                prometheus.flatMap(Cluster.PrometheusAt::parse),
                pods,
                clock.instant()));
    List<Checkup.Result> results =
        Checkup.run(before ? Checkup.before() : Checkup.after(), cluster);
    switch (output.format) {
      case TEXT -> print(results);
      case JSON -> terminal.json(view(results));
    }
    boolean failed =
        results.stream()
            .map(Checkup.Result::finding)
            .anyMatch(finding ->
                finding instanceof CheckFinding.Bad
                    || (strict && finding instanceof CheckFinding.Warning));
    return failed ? ExitStatus.FAILED : ExitStatus.OK;
  }

  private Optional<String> problem() {
    if (!NAME.matcher(namespace).matches()) {
      return Optional.of("--namespace: not a name: " + TerminalEscaper.shortened(namespace, 40));
    }
    if (prometheus.isPresent() && Cluster.PrometheusAt.parse(prometheus.get()).isEmpty()) {
      return Optional.of(
          "--prometheus: expected NAMESPACE/SERVICE:PORT, got "
              + TerminalEscaper.shortened(prometheus.get(), 80));
    }
    if (pods < 0 || pods > PODS_MAX) {
      return Optional.of("--pods: expected a number from 0 to " + PODS_MAX + ", got " + pods);
    }
    return timeoutSeconds < 1 || timeoutSeconds > 600
        ? Optional.of("--timeout: expected a number from 1 to 600, got " + timeoutSeconds)
        : Optional.empty();
  }

  /** What all checks came to, for programs. */
  private record View(
      String when, String namespace, Map<String, Long> counts, List<CheckView> checks) {}

  private record CheckView(
      String id, String section, String title, String result, String detail, String remedy) {}

  private View view(List<Checkup.Result> results) {
    return new View(
        before ? "before" : "after",
        namespace,
        counts(results),
        results.stream()
            .map(one ->
                new CheckView(
                    one.check().id(),
                    one.section(),
                    one.check().title(),
                    one.finding().code(),
                    one.finding().detail(),
                    remedy(one.check())))
            .toList());
  }

  private static Map<String, Long> counts(List<Checkup.Result> results) {
    Map<String, Long> counts = new LinkedHashMap<>();
    List.of("ok", "warning", "failed", "skipped").forEach(code -> counts.put(code, 0L));
    results.forEach(one -> counts.merge(one.finding().code(), 1L, Long::sum));
    return counts;
  }

  /** What to do, with the namespace put in. */
  private String remedy(Check check) {
    return check.remedy().replace("NAMESPACE", namespace);
  }

  /** Checks for people: one line each, and what to do where one does not hold. */
  private void print(List<Checkup.Result> results) {
    String section = "";
    for (Checkup.Result result : results) {
      if (!result.section().equals(section)) {
        terminal.println((section.isEmpty() ? "" : "\n") + result.section());
        section = result.section();
      }
      Check check = result.check();
      String mark =
          switch (result.finding()) {
            case CheckFinding.Good _ -> terminal.good("ok     ");
            case CheckFinding.Warning _ -> terminal.warning("warning");
            case CheckFinding.Bad _ -> terminal.bad("FAILED ");
            case CheckFinding.Skipped _ -> terminal.faint("skipped");
          };
      terminal.println("  " + mark + "  " + check.title());
      String about =
          "           " + check.id() + ": " + TerminalEscaper.line(result.finding().detail());
      switch (result.finding()) {
        case CheckFinding.Good _ -> {}
        case CheckFinding.Skipped _ -> terminal.println(terminal.faint(about));
        case CheckFinding.Warning _, CheckFinding.Bad _ -> {
          terminal.println(about);
          terminal.println("           remedy: " + remedy(check));
        }
      }
    }
    terminal.println(
        "%n%d ok, %d warnings, %d failed, %d skipped", counts(results).values().toArray());
  }
}
