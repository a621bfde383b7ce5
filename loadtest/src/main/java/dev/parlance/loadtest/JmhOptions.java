package dev.parlance.loadtest;

import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Option;

/** How long the commands that run JMH measure. */
final class JmhOptions {
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
