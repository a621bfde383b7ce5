package dev.parlance.loadtest.load;

import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** Options about the bodies, alike for every command: both sides must build the same ones. */
public final class BodyOptions {
  @Option(
      names = "--bodies",
      split = ",",
      paramLabel = "KB",
      description = "Sizes of answers in units of 1,000 bytes, at most ten (default: 4.5).")
  private List<Double> bodies = List.of(4.5);

  @Option(
      names = "--request-kb",
      split = ",",
      paramLabel = "KB",
      description = "Size of requests; one, or one for each size of answers (default: 4.5).")
  private List<Double> requestKb = List.of(4.5);

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

  /** One for each size of answers. */
  public List<CorpusPlan> plans() {
    return plans(bodies);
  }

  /** The same with these sizes of answers instead. */
  public List<CorpusPlan> plans(List<Double> answerKb) {
    if (answerKb.isEmpty() || answerKb.size() > 10) {
      throw new IllegalArgumentException("expected 1-10 sizes of answers, got " + answerKb.size());
    }
    if (requestKb.size() != 1 && requestKb.size() != answerKb.size()) {
      throw new IllegalArgumentException(
          "expected one size of requests or " + answerKb.size() + ", got " + requestKb.size());
    }
    return IntStream.range(0, answerKb.size())
        .mapToObj(i ->
            new CorpusPlan(
                seed,
                distinct,
                requestKb.get(requestKb.size() == 1 ? 0 : i),
                answerKb.get(i),
                ungrounded))
        .toList();
  }

  /** The sizes of answers that were asked for. */
  public List<Double> bodies() {
    return List.copyOf(bodies);
  }
}
