package dev.parlance.loadtest.bench;

import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.policy.core.CoreCheck;
import dev.parlance.policy.route.Verdict;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What the core guard adds to judging one message of about 4.5 KB, evidence included: the guard
 * alone, the judge alone, and both.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GuardBenchmark {
  /** Size of the messages, in units of 1,000 bytes. */
  static final double MESSAGE_KB = 4.5;

  /** How many terms are governed. */
  @Param({"10", "1000", "100000"})
  int vocabulary;

  /** How much of the message is said, see {@link GuardWorkload.Said}. */
  @Param({"answer", "all"})
  String said = "";

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private GuardWorkload load;

  /** Builds messages and vocabulary. */
  @Setup
  public void setUp() {
    load = workload(GuardWorkload.Said.ofCode(said), vocabulary);
  }

  static GuardWorkload workload(GuardWorkload.Said said, int vocabulary) {
    return new GuardWorkload(
        new CorpusPlan(
            CorpusPlan.DEFAULT_SEED, CorpusPlan.DEFAULT_EXCHANGES, MESSAGE_KB, MESSAGE_KB, 0),
        said,
        vocabulary);
  }

  /** The guard alone. */
  @Benchmark
  public CoreCheck guard() {
    return load.guard();
  }

  /** The judge alone. */
  @Benchmark
  public Verdict judge() {
    return load.judge();
  }

  /** Both. */
  @Benchmark
  public Verdict judgeAndGuard() {
    return load.judgeAndGuard();
  }
}
