package dev.parlance.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How far two simulated agents' meanings lie apart (section 5.1). Noise comes on top in all three.
 */
public enum Condition {
  /** The same meanings. */
  NOISE_ONLY("noise-only", 2.1, 2.1, 3.8),
  /** Two random terms of one agent are turned by 30 degrees. */
  MODERATE_DRIFT("moderate-drift", 7.4, 2.1, 2.6),
  /**
   * One agent's whole wheel is turned by a random multiple of 18 degrees. Of every twenty runs each
   * has another, and one has none.
   */
  HIGH_DIVERGENCE("high-divergence", 40.7, 1.8, 0.2);

  static final double DRIFT_DEGREES = 30.0;

  private static final int TURNS = 20;

  private final String code;
  private final double paperUnguardedPercent;
  private final double paperGuardedPercent;
  private final double paperCoreSize;

  Condition(String code, double unguardedPercent, double guardedPercent, double coreSize) {
    this.code = code;
    this.paperUnguardedPercent = unguardedPercent;
    this.paperGuardedPercent = guardedPercent;
    this.paperCoreSize = coreSize;
  }

  /** The stable name in output and on the ledger. */
  public String code() {
    return code;
  }

  /** Unguarded disagreement in the paper's Table 1, percent. */
  public double paperUnguardedPercent() {
    return paperUnguardedPercent;
  }

  /** Guarded disagreement in the paper's Table 1, percent. */
  public double paperGuardedPercent() {
    return paperGuardedPercent;
  }

  /** Mean core size in the paper's Table 1, terms. */
  public double paperCoreSize() {
    return paperCoreSize;
  }

  /** The second agents' meanings, run by run; the first one's are {@link HueWheel#REGULAR}. */
  List<HueWheel> secondAgents(int runs, RandomGenerator random) {
    List<HueWheel> wheels = new ArrayList<>(runs);
    while (wheels.size() < runs) {
      switch (this) {
        case NOISE_ONLY -> wheels.add(HueWheel.REGULAR);
        case MODERATE_DRIFT -> wheels.add(drifted(random));
        case HIGH_DIVERGENCE -> wheels.addAll(everyTurn(random));
      }
    }
    return wheels.subList(0, runs);
  }

  private static HueWheel drifted(RandomGenerator random) {
    int terms = HueWheel.TERMS.size();
    int first = random.nextInt(terms);
    int second = (first + 1 + random.nextInt(terms - 1)) % terms;
    return HueWheel.REGULAR.turned(first, DRIFT_DEGREES).turned(second, DRIFT_DEGREES);
  }

  /**
   * Every turn once, in random order: the disagreement depends so much on the turn that with turns
   * drawn independently 100 runs would leave its mean uncertain by two points.
   */
  private static List<HueWheel> everyTurn(RandomGenerator random) {
    List<HueWheel> wheels = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      wheels.add(random.nextInt(turn + 1), HueWheel.REGULAR.turned(turn * (360.0 / TURNS)));
    }
    return wheels;
  }
}
