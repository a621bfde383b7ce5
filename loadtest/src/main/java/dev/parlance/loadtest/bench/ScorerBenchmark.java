package dev.parlance.loadtest.bench;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.TokenSet;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.gate.SeenEvidence;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * How fast answers are measured against 3 KB of evidence in two or three chunks: evidence that is
 * new each time, and evidence that was seen before. Beside them a plain loop that sums the bytes of
 * the same messages. The counter {@code bytes} is in bytes per nanosecond, that is GB/s, of all
 * that has to be read: without the evidence where that was seen.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ScorerBenchmark {
  private static final long SEED = 0x5eed_2026_1122L;
  private static final int STORE_BYTES = 4 << 20;

  /** Size of the answer, in units of 1,000 bytes. */
  @Param({"0.7", "1", "4.5", "100"})
  double answerKb;

  private final SeenEvidence<TokenSet> seen =
      new SeenEvidence<>(STORE_BYTES, 128, TokenSet::memoryBytes);
  private final TokenOverlapEstimator estimator = new TokenOverlapEstimator(SEED, seen);
  private List<AgentMessage> messages = List.of();
  private int next;
  private long stamp;

  /** Bytes that were read. */
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  @State(Scope.Thread)
  public static class Read {
    /** How many. */
    public long bytes;
  }

  /** Builds the messages. */
  @Setup
  public void setUp() {
    messages = RotatingMessages.withAnswers(answerKb);
  }

  private AgentMessage rotate() {
    next = (next + 1) % messages.size();
    return messages.get(next);
  }

  private static int said(AgentMessage message) {
    return message.answer().length() + message.question().length();
  }

  /** Every chunk begins with a word that no chunk before had. */
  @Benchmark
  public Measurement newEvidence(Read read) {
    AgentMessage message = rotate();
    read.bytes += said(message);
    for (Chunk chunk : message.evidence().chunks()) {
      byte[] text = chunk.text().array();
      long left = stamp++;
      for (int i = 0; i < 8; i++) {
        text[i] = (byte) ('a' + (left & 15));
        left >>= 4;
      }
      read.bytes += text.length;
    }
    return estimator.measure(message);
  }

  /** The evidence comes again after 64 messages. */
  @Benchmark
  public Measurement seenEvidence(Read read) {
    AgentMessage message = rotate();
    read.bytes += said(message);
    return estimator.measure(message);
  }

  /** All bytes of the message, one after the other. */
  @Benchmark
  public int byteSum(Read read) {
    AgentMessage message = rotate();
    int sum = sum(message.answer(), read) + sum(message.question(), read);
    for (Chunk chunk : message.evidence().chunks()) {
      sum += sum(chunk.text(), read);
    }
    return sum;
  }

  private static int sum(Utf8Span text, Read read) {
    byte[] bytes = text.array();
    int sum = 0;
    for (int i = text.arrayOffset(); i < text.arrayOffset() + text.length(); i++) {
      sum += bytes[i];
    }
    read.bytes += text.length();
    return sum;
  }
}
