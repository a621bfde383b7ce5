package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.message.EvidenceSource;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.service.config.ConfigResult;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Messages made to be dear: eight times as much of one costs about eight times as much, by the
 * estimate exactly and by the processor's clock within a factor that a square would leave far
 * behind.
 */
class HostileMessagesTest {
  private static final int UNITS = 400;
  private static final int GROWTH = 8;

  /** Half way between 8 and 64, on the scale of factors; caches and their misses need some room. */
  private static final double LINEAR = 28;

  private static final int RUNS = 7;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final CompiledCore CORE =
      CompiledCore.of(
          TestCores.core(
              "bob",
              3,
              IntStream.range(0, 2000)
                  .mapToObj(i -> "certified:a a a a a a a x" + i)
                  .toArray(String[]::new)));

  /** What grows. */
  enum Shape {
    LONG_ANSWER_AND_MANY_CHUNKS,
    BEGINNINGS_OF_TERMS,
    MANY_TERMS,
    MANY_CITATIONS,
    OPEN_BRACKETS,
    RANGES,
    MARKS,
    LIGATURES;

    AgentMessage of(int units) {
      return switch (this) {
        case LONG_ANSWER_AND_MANY_CHUNKS ->
            message(words(20 * units), words(units), units, words(20), 0);
        case BEGINNINGS_OF_TERMS -> message("a ".repeat(50 * units), "a", 1, "a", 0);
        case MANY_TERMS ->
            message(joined(3 * units, i -> "a a a a a a a x" + i % 2000), "a", 1, "a", 0);
        case MANY_CITATIONS ->
            message(joined(10 * units, i -> "[Chunk c" + i + "]"), "a", units, "a", 10 * units);
        case OPEN_BRACKETS -> message("[(".repeat(50 * units), "[", 1, "[", 0);
        case RANGES -> message("[1-9999] ".repeat(10 * units), "a", 1, "a", 0);
        case MARKS -> message("a" + "\u0301\u0316".repeat(20 * units), "a", 1, "\u0316\u0301", 0);
        case LIGATURES -> message("\uFDFA".repeat(20 * units), "\uFDFA", 2, "\uFDFA", 0);
      };
    }
  }

  private final Gate gate =
      new Gate(
          new FlowBudgets(16),
          () -> 0,
          "test",
          (_, _) -> Cores.CoreView.fresh(CORE, 12),
          _ -> Optional.of("bob"));
  private final RouteRule rule = rule();

  @ParameterizedTest
  @EnumSource(Shape.class)
  void eightTimesTheMessageCostsAboutEightTimesAsMuch(Shape shape) {
    Draft one = draft(shape.of(UNITS));
    Draft eight = draft(shape.of(GROWTH * UNITS));
    assertThat((double) Gate.cost(eight, rule).ns())
        .isBetween(
            0.9 * GROWTH * Gate.cost(one, rule).ns(), 1.2 * GROWTH * Gate.cost(one, rule).ns());
    assertThat(cpuNs(one)).isPositive(); // compiled from here on
    assertThat((double) cpuNs(eight) / cpuNs(one)).isLessThan(LINEAR);
  }

  /** The least of some runs: what it costs when nobody is in the way. */
  private long cpuNs(Draft draft) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < RUNS; i++) {
      long before = THREADS.getCurrentThreadCpuTime();
      assertThat(gate.judge(draft, rule).judgeNs()).isPositive();
      least = Math.min(least, THREADS.getCurrentThreadCpuTime() - before);
    }
    return least;
  }

  private static Draft draft(AgentMessage message) {
    return new Draft(
        Leg.RESPONSE,
        message,
        Grounding.OPTIONAL,
        new Draft.FlowKey("f", "a", Utf8Span.EMPTY),
        1,
        Optional.empty());
  }

  private static String words(int count) {
    return joined(count, i -> Integer.toString(i, 36) + "x");
  }

  private static String joined(int count, IntFunction<String> word) {
    return IntStream.range(0, count).mapToObj(word).collect(Collectors.joining(" "));
  }

  private static AgentMessage message(
      String answer, String question, int chunks, String chunk, int citations) {
    List<Chunk> all = new ArrayList<>();
    for (int i = 0; i < chunks; i++) {
      all.add(new Chunk("c" + i, Utf8Span.of(chunk + " " + i)));
    }
    return new AgentMessage(
        Utf8Span.of(answer),
        Utf8Span.of(question),
        new Evidence(
            EvidenceSource.DECLARED,
            all,
            IntStream.range(0, citations).mapToObj(i -> "c" + i).toList(),
            OptionalDouble.empty(),
            List.of()));
  }

  private static RouteRule rule() {
    String yaml =
        "inbound: {listen: '127.0.0.1:1', agent: '127.0.0.1:2'}\n"
            + "routes: [{name: r, core: {domain: license}}]";
    if (!(ConfigLoader.parse(yaml, Path.of("/x")) instanceof ConfigResult.Loaded(var config))) {
      throw new AssertionError(yaml);
    }
    return config.routes().getFirst();
  }
}
