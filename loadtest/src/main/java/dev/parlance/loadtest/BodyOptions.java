package dev.parlance.loadtest;

import java.util.List;
import picocli.CommandLine.Option;

/** Options about the bodies, alike for every command: both sides must build the same ones. */
final class BodyOptions {
  @Option(
      names = "--bodies",
      split = ",",
      paramLabel = "KB",
      description = "Sizes of answers in units of 1,000 bytes, at most ten (default: 4.5).")
  private List<Double> bodies = List.of(4.5);

  @Option(
      names = "--request-kb",
      paramLabel = "KB",
      description = "Size of requests (default: ${DEFAULT-VALUE}).")
  private double requestKb = 4.5;

  @Option(
      names = "--distinct",
      paramLabel = "N",
      description = "Different bodies in rotation (default: ${DEFAULT-VALUE}).")
  private int distinct = CorpusPlan.DEFAULT_EXCHANGES;

  @Option(
      names = "--ungrounded",
      paramLabel = "SHARE",
      description =
          "Share of answers that their context does not support, 0-1 (default: ${DEFAULT-VALUE}).")
  private double ungrounded;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the bodies (default: ${DEFAULT-VALUE}).")
  private long seed = CorpusPlan.DEFAULT_SEED;

  List<CorpusPlan> plans() {
    if (bodies.isEmpty() || bodies.size() > 10) {
      throw new IllegalArgumentException("expected 1-10 sizes of answers, got " + bodies.size());
    }
    return bodies.stream()
        .map(answerKb -> new CorpusPlan(seed, distinct, requestKb, answerKb, ungrounded))
        .toList();
  }
}
