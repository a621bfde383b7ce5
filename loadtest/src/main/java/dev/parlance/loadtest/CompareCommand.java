package dev.parlance.loadtest;

import dev.parlance.loadtest.compare.ComparePlan;
import dev.parlance.loadtest.compare.ComparePlan.Contest;
import dev.parlance.loadtest.compare.ComparePlans;
import dev.parlance.loadtest.compare.Comparison;
import dev.parlance.loadtest.compare.Goal;
import dev.parlance.loadtest.compare.MachineFacts;
import dev.parlance.loadtest.compare.Report;
import dev.parlance.loadtest.compare.ReportWriter;
import dev.parlance.loadtest.load.BodyOptions;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.Freshness;
import dev.parlance.loadtest.load.LoadPlan;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.process.CorePinning.PinningOption;
import dev.parlance.loadtest.process.MeasuredSidecar;
import dev.parlance.loadtest.process.TargetKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
      "Measures processor time per request, requests per second and latency of: no proxy, HAProxy",
      "and nginx where installed, HAProxy with the reading pass in Lua, and Parlance forwarding",
      "unread, observing, and enforcing with a certified core. Starts and ends all of them.",
      "Exit status 1 if something did not work, or a goal of the plan 'goals' is missed."
    })
final class CompareCommand implements Callable<Integer> {
  /** What the plan of the goals fixes. */
  private static final List<String> AXES =
      List.of(
          "--targets",
          "--evidence",
          "--protocol",
          "--connections",
          "--rate",
          "--open-connections",
          "--bodies",
          "--request-kb");

  @Mixin private BodyOptions bodies = new BodyOptions();
  @Mixin private PinningOption pinning = new PinningOption();

  @Option(
      names = "--plan",
      description = {
        "quick: a first look; full: everything with everything; goals: exactly the rows that the",
        "goals are about; mesh: two sidecars with mutual TLS between them, beside one and beside",
        "HAProxy; bench: the five figures of 'bench' (default: ${DEFAULT-VALUE}). The options",
        "below change quick and full."
      })
  private ComparePlans.Name plan = ComparePlans.Name.QUICK;

  @Option(names = "--seconds", description = "Measured window of each phase.")
  private Optional<Double> seconds = Optional.empty();

  @Option(names = "--rounds", description = "Interleaved rounds.")
  private Optional<Integer> rounds = Optional.empty();

  @Option(
      names = "--warmup",
      description = "Seconds of load on each sidecar before the first round; others get at most 2.")
  private Optional<Double> warmup = Optional.empty();

  @Option(
      names = "--targets",
      split = ",",
      description = {
        "Some of direct, haproxy, nginx, haproxy-lua, parlance-forward, parlance-observe,",
        "parlance-enforce, parlance-unshown."
      })
  private List<TargetKind> targets = List.of();

  @Option(
      names = "--evidence",
      split = ",",
      description = {
        "What the agent answers with: new (no chunk comes twice), seen (answers come again)."
      })
  private List<Freshness> evidence = List.of();

  @Option(names = "--protocol", split = ",", description = "http1, h2, on both sides.")
  private List<Protocol> protocols = List.of();

  @Option(
      names = "--connections",
      split = ",",
      description = "Closed-loop connections; 'none' for no closed loop.")
  private List<String> connections = List.of();

  @Option(
      names = "--rate",
      split = ",",
      description = "Open-loop requests per second; 'none' for no open loop.")
  private List<String> rates = List.of();

  @Option(names = "--open-connections", description = "Open-loop connections.")
  private Optional<Integer> openConnections = Optional.empty();

  @Option(
      names = "--core-terms",
      paramLabel = "N",
      description = "Terms of the core that is guarded (default: ${DEFAULT-VALUE}).")
  private int coreTerms = ComparePlan.DEFAULT_CORE_TERMS;

  @Option(
      names = "--parlance-command",
      paramLabel = "COMMAND",
      description = "Starts a sidecar; {config} is its configuration (default: ${DEFAULT-VALUE}).")
  private String command = MeasuredSidecar.Commands.of(System.getProperty("parlance.root", "."));

  @Option(
      names = "--baseline",
      paramLabel = "FOLDER",
      description = {
        "An older checkout of Parlance: its sidecars are measured beside these, as '@baseline',"
            + " and",
        "the goal is that these take no more processor time."
      })
  private Optional<Path> baseline = Optional.empty();

  @Option(
      names = "--start-timeout",
      paramLabel = "SECONDS",
      description = "For a sidecar to answer, its build included (default: ${DEFAULT-VALUE}).")
  private int startTimeout = 300;

  @Option(names = "-o", description = "text, json or markdown (default: ${DEFAULT-VALUE}).")
  private LoadTestMain.Format format = LoadTestMain.Format.TEXT;

  @Option(
      names = "--report",
      paramLabel = "FOLDER",
      description = "Also writes compare.md and compare.json there.")
  private Optional<Path> folder = Optional.empty();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoadPlan.check("start timeout seconds", startTimeout, 1, 3600);
    ComparePlan asked = baseline.isPresent() ? plan().besideBaseline() : plan();
    Report report = run(asked, pinning, spec.commandLine().getErr());
    if (baseline.isPresent()) {
      report =
          report.with("baseline", MachineFacts.revision(baseline.get().toString()).orElse("?"));
    }
    report = report.with("command", commandLine());
    ReportWriter writer = new ReportWriter(report);
    if (folder.isPresent()) {
      Files.createDirectories(folder.get());
      Files.writeString(folder.get().resolve("compare.md"), writer.markdown());
      Files.writeString(folder.get().resolve("compare.json"), writer.json() + "\n");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        switch (format) {
          case TEXT -> writer.text();
          case JSON -> writer.json();
          case MARKDOWN -> writer.markdown();
        });
    out.flush();
    return report.isClean() && report.reachesGoals() ? 0 : 1;
  }

  /** Measures; progress goes to {@code err}. */
  static Report run(ComparePlan plan, PinningOption pinning, PrintWriter err)
      throws IOException, InterruptedException {
    return new Comparison(
            plan,
            pinning.cores(),
            Path.of(System.getProperty("java.io.tmpdir")),
            line -> {
              err.println(line);
              err.flush();
            })
        .run();
  }

  /** Without what only says where things are on this machine. */
  private String commandLine() {
    List<String> words = new ArrayList<>(List.of("bin/loadtest", spec.name()));
    boolean isPath = false;
    for (String word : spec.commandLine().getParseResult().originalArgs()) {
      boolean opens =
          Stream.of("--parlance-command", "--report", "--baseline").anyMatch(word::startsWith);
      if (!opens && !isPath && !word.equals(spec.name())) {
        words.add(word);
      }
      isPath = opens && !word.contains("=");
    }
    return String.join(" ", words);
  }

  private ComparePlan plan() {
    ComparePlan.Times times = ComparePlans.times(plan);
    Optional<ComparePlans.Axes> usual = ComparePlans.axes(plan);
    if (usual.isPresent()) {
      ComparePlans.Axes axes = axes(usual.get());
      return plan(ComparePlans.contests(axes), bodies.plans(axes.bodies()), times, List.of());
    }
    AXES.stream()
        .filter(this::isGiven)
        .findFirst()
        .ifPresent(name -> {
          throw new IllegalArgumentException(
              "the plan '" + plan.name().toLowerCase(Locale.ROOT) + "' has its own " + name);
        });
    return plan(
        ComparePlans.contests(plan),
        ComparePlans.corpora(bodies.plans().getFirst()),
        times,
        ComparePlans.goals(plan));
  }

  private ComparePlan plan(
      List<Contest> contests, List<CorpusPlan> corpora, ComparePlan.Times times, List<Goal> goals) {
    return new ComparePlan(
        contests,
        new ComparePlan.Times(
            seconds.orElse(times.seconds()),
            rounds.orElse(times.rounds()),
            warmup.orElse(times.warmupSeconds()),
            warmup.isPresent() ? 0 : times.warmupRequests()),
        corpora,
        coreTerms,
        goals,
        new MeasuredSidecar.Commands(
            command,
            baseline.map(folder -> MeasuredSidecar.Commands.of(folder.toAbsolutePath().toString())),
            Duration.ofSeconds(startTimeout)));
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** The plan's axes with those that were given instead. */
  private ComparePlans.Axes axes(ComparePlans.Axes usual) {
    List<Integer> counts =
        isGiven("--connections")
            ? numbers(connections, "a number of connections").map(Double::intValue).toList()
            : usual.connections();
    int open =
        isGiven("--connections")
            ? counts.stream().max(Integer::compare).orElse(usual.openConnections())
            : usual.openConnections();
    return new ComparePlans.Axes(
        isGiven("--targets") ? targets : usual.targets(),
        isGiven("--evidence") ? evidence : usual.evidence(),
        isGiven("--protocol") ? protocols : usual.protocols(),
        counts,
        isGiven("--rate") ? numbers(rates, "a rate per second").toList() : usual.rates(),
        openConnections.orElse(open),
        isGiven("--bodies") ? bodies.bodies() : usual.bodies());
  }

  private static Stream<Double> numbers(List<String> words, String what) {
    return words.stream()
        .filter(word -> !word.equals("none"))
        .map(word -> {
          try {
            return Double.valueOf(word);
          } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected " + what + ", got " + word, e);
          }
        });
  }
}
