package dev.parlance.loadtest.bench;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
 * What deciding one round costs: members that agree, and sixteen whose vectors exclude nothing, so
 * that all cores are tied and no branch of the search for one can be left early. Of all ways to lay
 * sixteen vectors out in groups that exclude each other this is the slowest.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HcscBenchmark {
  private static final long SEED = 0x5eed_2026_1122L;
  private static final String TEXT_SHA256 = "0".repeat(64);

  /** How members lie to each other. */
  public enum Layout {
    /** Seven near each other, of which two may be faulty. */
    AGREE_7(7, 2),
    /** Sixteen near each other, of which five may be faulty. */
    AGREE_16(16, 5),
    /** Sixteen at right angles, which is just near enough. */
    TIED_16(16, 5);

    private final int members;
    private final int faults;

    Layout(int members, int faults) {
      this.members = members;
      this.faults = faults;
    }

    private double[] vector(int member, int dim, Random random) {
      double[] vector = new double[dim];
      if (this == TIED_16) {
        vector[member] = 1;
        return vector;
      }
      vector[0] = 1;
      for (int i = 0; i < dim; i++) {
        vector[i] += random.nextGaussian() * 0.05 / Math.sqrt(dim);
      }
      return vector;
    }
  }

  /** Who takes part. */
  @Param({"AGREE_7", "AGREE_16", "TIED_16"})
  Layout layout = Layout.AGREE_7;

  /** Length of the vectors. */
  @Param({"384", "1024"})
  int dim;

  private final List<Proposal> proposals = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // JMH calls setUp first
  private RoundSpec round;

  /** Makes the proposals. */
  @Setup
  public void setUp() {
    Random random = new Random(SEED);
    List<String> members = new ArrayList<>();
    for (int i = 0; i < layout.members; i++) {
      String agent = "agent-" + (char) ('a' + i);
      members.add(agent);
      QuantVector vector = QuantVector.of(layout.vector(i, dim, random), dim).orElseThrow();
      proposals.add(new Proposal(agent, "yes", TEXT_SHA256, new Meaning.Vector(vector)));
    }
    double cosMin = layout == Layout.TIED_16 ? 0 : 0.9;
    round =
        new RoundSpec(
            "decide:1", layout.faults, members, new Encoding("enc", dim, cosMin), 0, true);
  }

  /** One decision. */
  @Benchmark
  public Outcome decide() {
    return Hcsc.decide(round, proposals);
  }
}
