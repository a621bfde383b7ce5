package dev.parlance.loadtest.compare;

import dev.parlance.loadtest.compare.ComparePlan.Contest;
import dev.parlance.loadtest.compare.ComparePlan.Scenario;
import dev.parlance.loadtest.compare.ComparePlan.Subject;
import dev.parlance.loadtest.compare.Report.Sample;
import dev.parlance.loadtest.load.CpuWatch;
import dev.parlance.loadtest.load.ExchangeCorpus;
import dev.parlance.loadtest.load.LoadGenerator;
import dev.parlance.loadtest.load.LoadPlan;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.load.LoadResult;
import dev.parlance.loadtest.load.SampleExchange;
import dev.parlance.loadtest.process.CorePinning;
import dev.parlance.loadtest.process.CoreSource;
import dev.parlance.loadtest.process.GuardCount;
import dev.parlance.loadtest.process.ProcFs;
import dev.parlance.loadtest.process.ProxyConfigs;
import dev.parlance.loadtest.process.TargetKind.Target;
import dev.parlance.loadtest.process.TargetLauncher;
import dev.parlance.loadtest.process.TargetLauncher.Launch;
import dev.parlance.loadtest.process.UpstreamProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs a comparison: upstream and targets are started once, warmed up, and then measured in
 * interleaved rounds (every target under one load, then every target under the next), so that
 * whatever else the machine does hits all of them alike. Each round begins with another target.
 *
 * @param scratch where to make a folder for configurations and logs; deleted again if all is well
 * @param progress takes a line for each step
 */
public record Comparison(
    ComparePlan plan, CorePinning cores, Path scratch, Consumer<String> progress) {
  /** Starts everything, measures, ends everything. */
  public Report run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(scratch, "parlance-loadtest-");
    List<Target> targets = plan.targets();
    progress.accept("this takes about " + minutes(plan.estimate(targets).toSeconds()));
    List<List<SampleExchange>> corpora =
        plan.corpora().stream().map(ExchangeCorpus::build).toList();
    List<Launch> launches = new ArrayList<>();
    try (UpstreamProcess upstream = UpstreamProcess.start(folder, cores, plan.corpora());
        LoadGenerator generator = new LoadGenerator()) {
      Sides sides = new Sides(folder, corpora, generator, upstream);
      boolean pinned = warmUpLoad(targets, sides);
      if (targets.stream().noneMatch(target -> target.kind().isGuarding())) {
        return run(sides, targets, launches, Optional.empty(), pinned);
      }
      Path control = Files.createDirectories(folder.resolve("control"));
      try (CoreSource core = CoreSource.start(control, plan.coreTerms())) {
        return run(sides, targets, launches, Optional.of(core.guard()), pinned);
      } finally {
        TargetLauncher.close(launches); // before the control plane that they are attached to
      }
    } finally {
      TargetLauncher.close(launches);
      if (launches.stream().noneMatch(launch -> launch instanceof Launch.Failed)) {
        delete(folder);
      } else {
        progress.accept("configurations and logs are kept in " + folder);
      }
    }
  }

  /** What stands on both sides of every target. */
  private record Sides(
      Path folder,
      List<List<SampleExchange>> corpora,
      LoadGenerator generator,
      UpstreamProcess upstream) {}

  /**
   * Load generator and upstream by themselves, on every core, so that they are compiled before they
   * share one; true if they could be bound to it then, or were not to be.
   */
  private boolean warmUpLoad(List<Target> targets, Sides sides)
      throws IOException, InterruptedException {
    long upstream = sides.upstream().child().pid();
    cores.unbind(upstream);
    for (Protocol protocol : targets.stream().map(Target::protocol).distinct().toList()) {
      progress.accept("warming up the load generator over " + protocol.label());
      sides
          .generator()
          .run(
              plan.loadWarmup(protocol, sides.upstream().port()),
              sides.corpora().getFirst(),
              CpuWatch.none());
    }
    return cores.bindUpstream(upstream) && cores.pinThisProcess();
  }

  private Report run(
      Sides sides,
      List<Target> targets,
      List<Launch> launches,
      Optional<ProxyConfigs.Guard> guard,
      boolean pinned)
      throws IOException, InterruptedException {
    TargetLauncher launcher =
        new TargetLauncher(
            sides.folder(),
            cores,
            sides.upstream().port(),
            plan.sidecars(),
            plan.largestBodyBytes(),
            sides.generator(),
            sides.corpora().getFirst(),
            guard);
    for (Target target : targets) {
      Launch launch = launcher.launch(target);
      launches.add(launch);
      progress.accept(describe(launch));
    }
    List<Launch.Ready> ready = ready(launches);
    MachineFacts facts =
        MachineFacts.gather(
            sides.generator().transportName(), pinned ? cores.label() : "pinning failed", ready);
    return new Report(facts, plan, launches, measure(ready, sides));
  }

  private List<Sample> measure(List<Launch.Ready> ready, Sides sides)
      throws IOException, InterruptedException {
    for (Launch.Ready target : ready) {
      warmUp(target, sides);
    }
    List<Sample> samples = new ArrayList<>();
    long startNs = System.nanoTime();
    long all =
        plan.times().rounds()
            * plan.contests().stream().mapToLong(c -> turns(c, ready).size()).sum();
    for (int round = 1; round <= plan.times().rounds(); round++) {
      for (Contest contest : plan.contests()) {
        Scenario scenario = contest.scenario();
        List<Turn> order = turns(contest, ready);
        Collections.rotate(order, 1 - round);
        if (round % 2 == 0 && plan.sidecars().baseline().isPresent()) {
          Collections.reverse(order); // so that neither build always comes after the other
        }
        for (Turn turn : order) {
          progress.accept(
              "round "
                  + round
                  + ": "
                  + turn.subject().label()
                  + ", "
                  + scenario.label()
                  + left(startNs, samples.size(), all));
          samples.add(phase(turn, scenario, round, sides));
        }
      }
    }
    return samples;
  }

  /** A sidecar may use every core meanwhile, so that it compiles in the time that is given. */
  private void warmUp(Launch.Ready target, Sides sides) throws IOException, InterruptedException {
    List<SampleExchange> exchanges =
        sides.corpora().get(plan.firstContest(target.target()).scenario().corpus());
    List<Long> sidecars = target.admin().isPresent() ? target.pids() : List.of();
    List<Long> moved = sidecars.stream().filter(cores::unbind).toList();
    long requests = 0;
    int warmups = 0;
    do {
      for (LoadPlan load : plan.warmups(target.target(), target.port())) {
        progress.accept("warming up " + target.target().code() + " at " + load.path());
        requests +=
            sides.generator().run(load, target.named(), exchanges, CpuWatch.none()).requests();
      }
      warmups++;
    } while (plan.isCold(target.target(), requests, warmups));
    if (!moved.stream().allMatch(cores::bind)) {
      throw new IOException("cannot bind " + target.target().code() + " to its core again");
    }
  }

  /** A subject with the process that it is measured at. */
  private record Turn(Subject subject, Launch.Ready target) {}

  private static List<Turn> turns(Contest contest, List<Launch.Ready> ready) {
    List<Turn> turns = new ArrayList<>();
    for (Subject subject : contest.subjects()) {
      Target target = subject.at(contest.scenario().protocol());
      ready.stream()
          .filter(each -> each.target().equals(target))
          .forEach(each -> turns.add(new Turn(subject, each)));
    }
    return turns;
  }

  private Sample phase(Turn turn, Scenario scenario, int round, Sides sides)
      throws IOException, InterruptedException {
    Launch.Ready target = turn.target();
    long own = ProcessHandle.current().pid();
    long other = sides.upstream().child().pid();
    CpuWatch watch =
        new CpuWatch(target::cpuUs, () -> ProcFs.cpuUs(own, other), ProcFs::machineCpuUs);
    GuardCount before = guardCount(target);
    LoadResult result =
        sides
            .generator()
            .run(
                plan.phase(scenario, turn.subject().evidence(), target.port()),
                target.named(),
                sides.corpora().get(scenario.corpus()),
                watch);
    OptionalLong residentKb = target.residentKb();
    GuardCount guarded = guardCount(target).since(before);
    return new Sample(turn.subject(), scenario, round, result, residentKb, guarded);
  }

  /** Read outside the measured window. */
  private static GuardCount guardCount(Launch.Ready target)
      throws IOException, InterruptedException {
    return target.target().kind().isGuarding()
        ? GuardCount.read(target.admin().orElseThrow())
        : GuardCount.NONE;
  }

  private static String left(long startNs, long done, long all) {
    if (done == 0) {
      return "";
    }
    double each = (System.nanoTime() - startNs) / 1e9 / done;
    return " (" + done + " of " + all + ", " + minutes(Math.round(each * (all - done))) + " left)";
  }

  private static String minutes(long seconds) {
    return seconds < 120 ? Math.max(1, seconds) + " s" : (seconds + 30) / 60 + " minutes";
  }

  private static List<Launch.Ready> ready(List<Launch> launches) {
    List<Launch.Ready> ready = new ArrayList<>();
    for (Launch launch : launches) {
      if (launch instanceof Launch.Ready target) {
        ready.add(target);
      }
    }
    return ready;
  }

  private static String describe(Launch launch) {
    return switch (launch) {
      case Launch.Ready ready -> ready.target().code() + ": ready on port " + ready.port();
      case Launch.Skipped skipped ->
          "SKIPPED: " + skipped.target().code() + ", " + skipped.reason();
      case Launch.Failed failed -> failed.target().code() + " failed: " + failed.reason();
    };
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
