package dev.parlance.loadtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs a comparison: upstream and targets are started once, warmed up, and then measured in
 * interleaved rounds (every target under one load, then every target under the next), so that
 * whatever else the machine does hits all of them alike. Each round begins with another target.
 */
final class Comparison {
  private final ComparePlan plan;
  private final Cores cores;
  private final Path scratch;
  private final Consumer<String> progress;

  /**
   * @param scratch where to make a folder for configurations and logs; deleted again if all is well
   * @param progress takes a line for each step
   */
  Comparison(ComparePlan plan, Cores cores, Path scratch, Consumer<String> progress) {
    this.scratch = scratch;
    this.plan = plan;
    this.cores = cores;
    this.progress = progress;
  }

  /** Starts everything, measures, ends everything. */
  Report run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(scratch, "parlance-loadtest-");
    boolean pinned = cores.pinThisProcess();
    List<List<Exchange>> corpora = plan.corpora().stream().map(Corpus::build).toList();
    List<Launch> launches = new ArrayList<>();
    try (UpstreamProcess upstream = UpstreamProcess.start(folder, cores, plan.corpora());
        LoadGenerator generator = new LoadGenerator()) {
      String probe = corpora.getFirst().getFirst().requestBody(RequestBytes.FIRST_ID);
      Launcher launcher =
          new Launcher(
              folder, cores, upstream.port(), plan.parlanceCommand(), plan.startTimeout(), probe);
      for (TargetKind kind : plan.targets()) {
        Launch launch = launcher.launch(kind);
        launches.add(launch);
        progress.accept(describe(launch));
      }
      List<Launch.Ready> ready = ready(launches);
      progress.accept(
          "measuring for about " + Math.max(1, plan.estimate(ready.size()).toSeconds()) + " s");
      List<Sample> samples = measure(ready, corpora, generator, upstream);
      Facts facts =
          Facts.gather(generator.transportName(), pinned ? cores.label() : "pinning failed");
      return new Report(facts, plan, launches, samples);
    } finally {
      Launcher.close(launches);
      if (launches.stream().noneMatch(launch -> launch instanceof Launch.Failed)) {
        delete(folder);
      } else {
        progress.accept("configurations and logs are kept in " + folder);
      }
    }
  }

  private List<Sample> measure(
      List<Launch.Ready> ready,
      List<List<Exchange>> corpora,
      LoadGenerator generator,
      UpstreamProcess upstream)
      throws IOException, InterruptedException {
    List<Scenario> scenarios = plan.scenarios();
    long own = ProcessHandle.current().pid();
    long other = upstream.child().pid();
    if (plan.warmupSeconds() > 0) {
      for (Launch.Ready target : ready) {
        progress.accept("warming up " + target.kind().code());
        LoadPlan load = plan.warmup(scenarios.getFirst(), target.port());
        generator.run(load, corpora.getFirst(), CpuWatch.none());
      }
    }
    List<Sample> samples = new ArrayList<>();
    for (int round = 1; round <= plan.rounds(); round++) {
      List<Launch.Ready> order = new ArrayList<>(ready);
      Collections.rotate(order, 1 - round);
      for (Scenario scenario : scenarios) {
        for (Launch.Ready target : order) {
          progress.accept("round " + round + ": " + target.kind().code() + ", " + scenario.label());
          CpuWatch watch =
              new CpuWatch(target::cpuUs, () -> ProcFs.cpuUs(own, other), ProcFs::machineCpuUs);
          LoadResult result =
              generator.run(
                  plan.phase(scenario, target.port()), corpora.get(scenario.corpus()), watch);
          OptionalLong residentKb = target.residentKb();
          samples.add(new Sample(target.kind(), scenario, round, result, residentKb));
        }
      }
    }
    return samples;
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
      case Launch.Ready ready -> ready.kind().code() + ": ready on port " + ready.port();
      case Launch.Skipped skipped -> "skipped: " + skipped.reason();
      case Launch.Failed failed -> failed.kind().code() + " failed: " + failed.reason();
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
