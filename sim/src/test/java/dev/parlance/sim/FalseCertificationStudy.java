package dev.parlance.sim;

import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.Certifier;
import dev.parlance.policy.core.SampleSize;
import dev.parlance.policy.core.Tally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How often each bound certifies a term whose true contradiction rate is exactly tau, where it
 * should do so with probability at most delta: with one look at a fixed number of comparisons, and
 * with a look after every comparison.
 *
 * <p>Comparisons are drawn as distances between contradictions, which are geometric. Between two
 * contradictions only agreements are added, and an agreement never hurts, so it is enough to know
 * for each number of contradictions from which comparison on it certifies; a look after every
 * comparison finds the same.
 */
public final class FalseCertificationStudy {
  private static final int CHUNK = 10_000;

  private FalseCertificationStudy() {}

  /** The rows: per size and bound one look, then per bound looks after every comparison. */
  public static List<StudyRow> run(StudyOptions options, SimulationProgress progress) {
    List<StudyRow> rows = new ArrayList<>();
    SplittableRandom root = new SplittableRandom(options.seed());
    for (int size : options.sizes()) {
      for (Bound bound : Bound.values()) {
        CertificationParams params = params(bound, options);
        int most = mostContradictions(size, params);
        String stage = bound.code() + ", one look at " + size;
        rows.add(
            row(
                bound,
                StudyRow.Looks.ONE,
                size,
                options,
                root.split(),
                gaps -> isAtMost(most, size, gaps),
                stage,
                progress));
      }
    }
    for (Bound bound : Bound.values()) {
      int[] from = certifiedFrom(options.horizon(), params(bound, options));
      rows.add(
          row(
              bound,
              StudyRow.Looks.EVERY,
              options.horizon(),
              options,
              root.split(),
              gaps -> isEverCertified(from, options.horizon(), gaps),
              bound.code() + ", every look up to " + options.horizon(),
              progress));
    }
    return rows;
  }

  private static CertificationParams params(Bound bound, StudyOptions options) {
    return new CertificationParams(options.tau(), options.delta(), 0.0, bound);
  }

  /** One simulated certification. */
  @FunctionalInterface
  private interface Trial {
    boolean isCertified(Gaps gaps);
  }

  /** Distances between contradictions. */
  private static final class Gaps {
    private final SplittableRandom random;
    private final double scale;

    private Gaps(SplittableRandom random, double rate) {
      this.random = random;
      this.scale = 1.0 / Math.log1p(-rate);
    }

    /** Agreements before the next contradiction; P(at least n) = (1 - rate)^n. */
    private long next() {
      return (long) (Math.log(1.0 - random.nextDouble()) * scale);
    }
  }

  private static StudyRow row(
      Bound bound,
      StudyRow.Looks looks,
      int comparisons,
      StudyOptions options,
      SplittableRandom random,
      Trial trial,
      String stage,
      SimulationProgress progress) {
    int chunks = Math.toIntExact((options.simulations() + CHUNK - 1) / CHUNK);
    SplittableRandom[] randoms = new SplittableRandom[chunks];
    for (int chunk = 0; chunk < chunks; chunk++) {
      randoms[chunk] = random.split();
    }
    long[] certified = new long[1];
    Parallel.<Long, RuntimeException>inOrder(
        chunks,
        options.threads(),
        chunk -> {
          long size = Math.min(CHUNK, options.simulations() - (long) chunk * CHUNK);
          Gaps gaps = new Gaps(randoms[chunk], options.tau());
          long count = 0;
          for (long i = 0; i < size; i++) {
            count += trial.isCertified(gaps) ? 1 : 0;
          }
          return count;
        },
        (chunk, count) -> {
          certified[0] += count;
          progress.advanced(
              stage, Math.min(options.simulations(), (chunk + 1L) * CHUNK), options.simulations());
        });
    return new StudyRow(bound, looks, comparisons, options.simulations(), certified[0]);
  }

  /** The most contradictions that certify at so many comparisons; -1 if none do. */
  private static int mostContradictions(int comparisons, CertificationParams params) {
    int most = -1;
    while (most < comparisons
        && Certifier.decide(new Tally(comparisons, comparisons, most + 1), params).isCertified()) {
      most++;
    }
    return most;
  }

  private static boolean isAtMost(int most, int comparisons, Gaps gaps) {
    long at = 0;
    for (int contradictions = 0; contradictions <= most; contradictions++) {
      at += gaps.next() + 1;
      if (at > comparisons) {
        return true;
      }
    }
    return false;
  }

  /** For each number of contradictions the first comparison at which it certifies. */
  private static int[] certifiedFrom(int horizon, CertificationParams params) {
    int[] from = new int[horizon + 1];
    int known = 0;
    for (int c = 0; c <= horizon; c++) {
      from[c] = c + SampleSize.furtherNeeded(new Tally(c, c, c), params);
      if (from[c] > horizon) {
        break;
      }
      known = c + 1;
    }
    return Arrays.copyOf(from, known);
  }

  private static boolean isEverCertified(int[] from, int horizon, Gaps gaps) {
    long at = 0;
    for (int first : from) {
      at += gaps.next();
      if (first <= Math.min(at, horizon)) {
        return true;
      }
      at++;
      if (at > horizon) {
        return false;
      }
    }
    return false;
  }

  /**
   * What the study of false certification is to simulate.
   *
   * @param simulations certifications per row, 1 or more
   * @param seed everything random comes from it; the number of threads does not matter
   * @param tau the threshold, which is also the true rate of every simulated term: the worst case
   * @param delta the error probability asked for
   * @param sizes numbers of comparisons at which one look is taken
   * @param horizon for looks after every comparison: how many comparisons there are
   * @param threads how many to compute with, 1 or more
   */
  public record StudyOptions(
      long simulations,
      long seed,
      double tau,
      double delta,
      List<Integer> sizes,
      int horizon,
      int threads) {
    /** Refuses what cannot be run; tau and delta are checked where they are used. */
    public StudyOptions {
      sizes = List.copyOf(sizes);
      if (simulations < 1 || horizon < 1 || threads < 1) {
        throw new IllegalArgumentException(
            "expected one simulation, comparison and thread or more, got "
                + simulations
                + ", "
                + horizon
                + ", "
                + threads);
      }
      for (int size : sizes) {
        if (size < 1) {
          throw new IllegalArgumentException("expected one comparison or more, got " + size);
        }
      }
    }

    /**
     * At the paper's constants: one look at 52, 59, 100, 200 and 400 comparisons, or 2,000 looks.
     */
    public static StudyOptions of(long simulations, long seed) {
      return new StudyOptions(
          simulations,
          seed,
          0.05,
          0.05,
          List.of(52, 59, 100, 200, 400),
          2_000,
          Runtime.getRuntime().availableProcessors());
    }
  }

  /**
   * How often a term of exactly the threshold rate was certified.
   *
   * @param bound how evidence was weighed
   * @param looks when it was looked at
   * @param comparisons eligible comparisons, at the one look or at the last
   * @param simulations how many certifications were simulated
   * @param certified how many of them certified the term
   */
  public record StudyRow(
      Bound bound, Looks looks, int comparisons, long simulations, long certified) {
    /** When the evidence is looked at. */
    public enum Looks {
      /** Once, at the end. */
      ONE,
      /** After every comparison; certified at the first look that allows it. */
      EVERY
    }

    /** Share of the simulations that certified, in [0,1]. */
    public double rate() {
      return (double) certified / simulations;
    }

    /**
     * How far above delta the share may come out by chance where the true probability is delta:
     * three standard errors, exceeded with probability .0013.
     */
    public double margin(double delta) {
      return 3.0 * Math.sqrt(delta * (1.0 - delta) / simulations);
    }
  }
}
