package dev.parlance.loadtest.bench;

import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Assumption;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.route.Judge;
import dev.parlance.policy.route.Judge.Grounding;
import dev.parlance.policy.route.Profiles;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What is done once the tokens are counted: signals, decision and header, over many messages. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecisionBenchmark {
  private static final long SEED = 0x5eed_2026_1122L;
  private static final double REQUEST_KB = 4.5;

  private List<AgentMessage> messages = List.of();
  private List<AgentMessage> requests = List.of();
  private List<Measurement> measured = List.of();
  private List<AspHeader> headers = List.of();
  private List<String> texts = List.of();
  private int next;

  private final Judge decider = new Judge(_ -> measured.get(next));
  private final Judge judge = new Judge(new TokenOverlapEstimator(SEED));

  /** Builds the messages and measures them. */
  @Setup
  public void setUp() {
    messages = RotatingMessages.messages();
    requests =
        RotatingMessages.withAnswers(REQUEST_KB).stream()
            .map(message -> new AgentMessage(message.answer(), Utf8Span.EMPTY, Evidence.NONE))
            .toList();
    TokenOverlapEstimator estimator = new TokenOverlapEstimator(SEED);
    measured = messages.stream().map(estimator::measure).toList();
    List<Assumption> assumptions =
        List.of(new Assumption(Assumption.Basis.L, "09"), new Assumption(Assumption.Basis.K, "42"));
    headers =
        measured.stream()
            .map(one ->
                AspHeader.of(
                    one.features().contextOverlap(),
                    one.features().citationScore(),
                    one.features().novelRatio(),
                    assumptions))
            .toList();
    texts = headers.stream().map(AspHeader::text).toList();
  }

  private int rotate() {
    next = (next + 1) % messages.size();
    return next;
  }

  /** Signals, decision and header of a message that is measured already. */
  @Benchmark
  public Verdict decide() {
    AgentMessage message = messages.get(rotate());
    return decider.judge(message, Profiles.OVERLAP, 0, Grounding.REQUIRED, false);
  }

  /** A request of 4.5 KB, which has no evidence. */
  @Benchmark
  public Verdict judgeRequest() {
    AgentMessage message = requests.get(rotate());
    return judge.judge(message, Profiles.OVERLAP, 0, Grounding.OPTIONAL, false);
  }

  /** Writes a header with two assumptions. */
  @Benchmark
  public String writeHeader() {
    return headers.get(rotate()).text();
  }

  /** Reads it. */
  @Benchmark
  public Optional<AspHeader> readHeader() {
    return AspHeader.parse(texts.get(rotate()));
  }
}
