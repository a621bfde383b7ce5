package dev.parlance.loadtest.bench;

import dev.parlance.policy.claim.Citations;
import dev.parlance.policy.claim.PlainText;
import dev.parlance.policy.claim.Units;
import dev.parlance.policy.claim.support.ClaimsEstimator;
import dev.parlance.policy.claim.support.ReadChunk;
import dev.parlance.policy.claim.support.Vocabulary;
import dev.parlance.policy.claim.value.ValueLexicon;
import dev.parlance.policy.claim.value.Values;
import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.signal.Estimator;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.TokenOverlapEstimator;
import dev.parlance.policy.text.TokenSet;
import dev.parlance.proxy.gate.SeenEvidence;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What it costs to hold the claims of an answer of 690 bytes against 3 KB of evidence, beside
 * counting its words, and what reading the texts takes of that, part by part.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ClaimsBenchmark {
  private static final long SEED = 0x5eed_2026_1126L;

  private static final int STORE_BYTES = 16 << 20;

  private final Vocabulary vocabulary = new Vocabulary(SEED);
  private final Estimator words = new TokenOverlapEstimator(SEED);
  private final Estimator claims = new ClaimsEstimator(vocabulary);
  private final Estimator wordsOfSeen =
      new TokenOverlapEstimator(SEED, new SeenEvidence<>(STORE_BYTES, 128, TokenSet::memoryBytes));
  private final Estimator claimsOfSeen =
      new ClaimsEstimator(vocabulary, new SeenEvidence<>(STORE_BYTES, 32, ReadChunk::memoryBytes));
  private final PlainText plain = new PlainText();
  private final Units units = new Units(SEED);
  private final Values values = new Values(ValueLexicon.load(SEED));
  private final Citations citations = new Citations();
  private List<AgentMessage> messages = List.of();
  private int next;

  /** Builds the messages. */
  @Setup
  public void setUp() {
    messages = RotatingMessages.messages();
  }

  private AgentMessage rotate() {
    next = (next + 1) % messages.size();
    return messages.get(next);
  }

  /** Words in common with the evidence. */
  @Benchmark
  public Measurement overlap() {
    return words.measure(rotate());
  }

  /** Claims held against the evidence. */
  @Benchmark
  public Measurement claims() {
    return claims.measure(rotate());
  }

  /** The same where the evidence came before. */
  @Benchmark
  public Measurement overlapOfSeenEvidence() {
    return wordsOfSeen.measure(rotate());
  }

  /** The same where the evidence came before. */
  @Benchmark
  public Measurement claimsOfSeenEvidence() {
    return claimsOfSeen.measure(rotate());
  }

  /** The evidence without its markup. */
  @Benchmark
  public int plainText() {
    int length = 0;
    for (Chunk chunk : rotate().evidence().chunks()) {
      plain.read(chunk.text());
      length += plain.text().length();
    }
    return length;
  }

  /** Words and sentences of the evidence. */
  @Benchmark
  public int units() {
    int count = 0;
    for (Chunk chunk : rotate().evidence().chunks()) {
      units.read(chunk.text());
      count += units.count();
    }
    return count;
  }

  /** The same, and its values. */
  @Benchmark
  public int unitsAndValues() {
    values.clear();
    for (Chunk chunk : rotate().evidence().chunks()) {
      units.read(chunk.text());
      values.add(chunk.text(), units);
    }
    return values.count();
  }

  /** The citation markers of the answer. */
  @Benchmark
  public int citations() {
    AgentMessage message = rotate();
    citations.read(message.answer(), message.evidence().chunks());
    return citations.markers();
  }
}
