package dev.parlance.loadtest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What to compare and how long.
 *
 * @param targets in the order of the report
 * @param seconds measured window of each phase, 0.05-600
 * @param rounds how often everything is repeated, 1-100
 * @param rates open-loop rates, each with the largest number of connections
 * @param connections closed-loop numbers of connections
 * @param corpora one for each size of answers
 * @param warmupSeconds closed-loop load on each target before the first round, 0-120
 * @param parlanceCommand starts a sidecar; {@code {config}} stands for the configuration's path
 * @param startTimeout how long a sidecar may take to start (it may have to be built first)
 */
record ComparePlan(
    List<TargetKind> targets,
    double seconds,
    int rounds,
    List<Double> rates,
    List<Integer> connections,
    List<CorpusPlan> corpora,
    double warmupSeconds,
    String parlanceCommand,
    Duration startTimeout) {
  private static final int TIMEOUT_MS = 10_000;

  ComparePlan {
    targets = List.copyOf(targets);
    rates = List.copyOf(rates);
    connections = List.copyOf(connections);
    corpora = List.copyOf(corpora);
    if (!(seconds >= 0.05 && seconds <= 600)) {
      throw new IllegalArgumentException("seconds must lie in 0.05-600, got " + seconds);
    }
    if (!(warmupSeconds >= 0 && warmupSeconds <= 120)) {
      throw new IllegalArgumentException("warm-up must lie in 0-120 seconds, got " + warmupSeconds);
    }
    LoadPlan.check("rounds", rounds, 1, 100);
    if (targets.isEmpty() || corpora.isEmpty() || connections.isEmpty()) {
      throw new IllegalArgumentException(
          "expected at least one target, one size of answers and one number of connections");
    }
  }

  /** Closed loops first, then open loops, for each size of answers. */
  List<Scenario> scenarios() {
    int most = connections.stream().mapToInt(Integer::intValue).max().orElseThrow();
    List<Scenario> scenarios = new ArrayList<>();
    for (int corpus = 0; corpus < corpora.size(); corpus++) {
      double answerKb = corpora.get(corpus).answerKb();
      for (int count : connections) {
        scenarios.add(new Scenario(corpus, answerKb, count, new Pace.ClosedLoop()));
      }
      for (double rate : rates) {
        scenarios.add(new Scenario(corpus, answerKb, most, new Pace.OpenLoop(rate)));
      }
    }
    return List.copyOf(scenarios);
  }

  /** One phase; its own short warm-up lets connections, caches and the clock of the core settle. */
  LoadPlan phase(Scenario scenario, int port) {
    int measureMs = (int) Math.round(seconds * 1000);
    int settleMs = Math.clamp(measureMs / 5, 50, 1000);
    return new LoadPlan(
        port,
        scenario.path(),
        scenario.pace(),
        scenario.connections(),
        settleMs,
        measureMs,
        LoadPlan.MAX_REQUESTS,
        TIMEOUT_MS);
  }

  /** Closed-loop load that gives a target the time to compile itself. */
  LoadPlan warmup(Scenario scenario, int port) {
    int warmupMs = (int) Math.round(warmupSeconds * 1000);
    return new LoadPlan(
        port,
        scenario.path(),
        new Pace.ClosedLoop(),
        scenario.connections(),
        0,
        Math.max(10, warmupMs),
        LoadPlan.MAX_REQUESTS,
        TIMEOUT_MS);
  }

  /** About how long it takes with this many targets, without their start. */
  Duration estimate(int targetCount) {
    double settle = Math.clamp(seconds / 5, 0.05, 1);
    double phases = (double) rounds * scenarios().size() * targetCount * (seconds + settle);
    return Duration.ofMillis((long) (1000 * (phases + targetCount * warmupSeconds)));
  }
}
