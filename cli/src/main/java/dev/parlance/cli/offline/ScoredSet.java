package dev.parlance.cli.offline;

import dev.parlance.policy.route.Profile;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** What a judge said of the labelled answers of one set: three numbers each, no text. */
final class ScoredSet {
  /** Fewer answers of a label say too little of a set to choose a threshold by it. */
  static final int MIN_ROWS = 20;

  /** Passes below every threshold, or above each: rules beside it decide, or none does. */
  static final double NEVER_PASSES = -1;

  static final double ALWAYS_PASSES = 2;

  private final String name;
  private final Scores grounded = new Scores();
  private final Scores ungrounded = new Scores();

  ScoredSet(String name) {
    this.name = name;
  }

  /** All answers of these sets as one. */
  static ScoredSet pooled(String name, Collection<ScoredSet> sets) {
    ScoredSet pooled = new ScoredSet(name);
    for (ScoredSet set : sets) {
      pooled.grounded.addAll(set.grounded);
      pooled.ungrounded.addAll(set.ungrounded);
    }
    return pooled;
  }

  String name() {
    return name;
  }

  Scores grounded() {
    return grounded;
  }

  Scores ungrounded() {
    return ungrounded;
  }

  Scores of(boolean isGrounded) {
    return isGrounded ? grounded : ungrounded;
  }

  boolean hasBothLabels() {
    return grounded.count() > 0 && ungrounded.count() > 0;
  }

  /** True if it has enough answers of each label to count beside other sets. */
  boolean isLarge() {
    return grounded.count() >= MIN_ROWS && ungrounded.count() >= MIN_ROWS;
  }

  /** How well the scores rank. */
  Auroc.Estimate auroc() {
    return Auroc.of(grounded.score(), ungrounded.score());
  }

  /** How much better than those of the other profile. */
  Auroc.Estimate gain() {
    return Auroc.gain(grounded.score(), ungrounded.score(), grounded.other(), ungrounded.other());
  }

  /** What becomes of both labels if {@code groundingMin} is this. */
  Outcome at(double threshold) {
    return new Outcome(grounded.shareSentBack(threshold), 1 - ungrounded.shareSentBack(threshold));
  }

  /**
   * The two errors of a threshold.
   *
   * @param groundedSentBack share of the grounded answers that are asked for again or held
   * @param ungroundedLetThrough share of the ungrounded ones that are delivered, warned or not
   */
  record Outcome(double groundedSentBack, double ungroundedLetThrough) {
    static Outcome mean(List<Outcome> outcomes) {
      return new Outcome(
          outcomes.stream().mapToDouble(Outcome::groundedSentBack).average().orElse(Double.NaN),
          outcomes.stream()
              .mapToDouble(Outcome::ungroundedLetThrough)
              .average()
              .orElse(Double.NaN));
    }
  }

  /** Answers of one label. */
  static final class Scores {
    private double[] score = new double[64];
    private double[] passesTo = new double[64];
    private double[] other = new double[64];
    private int count;
    private double[] sorted = {};

    /**
     * Adds an answer.
     *
     * @param grounding what ranks it
     * @param passes the largest {@link Profile.Thresholds#groundingMin} with which it is delivered
     * @param otherGrounding what ranks it under the other profile
     */
    void add(double grounding, double passes, double otherGrounding) {
      if (count == score.length) {
        score = Arrays.copyOf(score, 2 * count);
        passesTo = Arrays.copyOf(passesTo, 2 * count);
        other = Arrays.copyOf(other, 2 * count);
      }
      score[count] = grounding;
      passesTo[count] = passes;
      other[count] = otherGrounding;
      count++;
    }

    private void addAll(Scores more) {
      for (int i = 0; i < more.count; i++) {
        add(more.score[i], more.passesTo[i], more.other[i]);
      }
    }

    int count() {
      return count;
    }

    private double[] score() {
      return Arrays.copyOf(score, count);
    }

    private double[] other() {
      return Arrays.copyOf(other, count);
    }

    /** Share that a threshold sends back; NaN of none. */
    double shareSentBack(double threshold) {
      if (sorted.length != count) {
        sorted = Arrays.copyOf(passesTo, count);
        Arrays.sort(sorted);
      }
      return (double) Auroc.countLess(sorted, threshold) / count;
    }
  }
}
