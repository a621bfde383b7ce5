package dev.parlance.loadtest.bench;

import dev.parlance.loadtest.RotatingMessages;
import dev.parlance.policy.core.CoreCheck;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What holding an answer of about 690 bytes against a certified core costs. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TermMatcherBenchmark {
  /** How many terms are governed. */
  @Param({"10", "1000", "100000"})
  int terms;

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private Supplier<CoreCheck> guard;

  /** Builds answers and vocabulary. */
  @Setup
  public void setUp() {
    guard = RotatingMessages.guard(terms);
  }

  /** One answer. */
  @Benchmark
  public CoreCheck scan() {
    return guard.get();
  }
}
