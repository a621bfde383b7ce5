package dev.parlance.cli.offline;

import java.util.Arrays;
import java.util.List;

/**
 * The area under the ROC curve: the probability that a grounded answer has a higher score than an
 * ungrounded one, ties counting one half. Its standard error is DeLong's (DeLong, DeLong and
 * Clarke-Pearson 1988): of each answer the share of answers of the other label that it is rightly
 * above or below, and the variance of these shares within each label.
 */
final class Auroc {
  /** Standard errors on each side of a 95 % interval. */
  private static final double SIGMAS_95 = 1.959964;

  /**
   * A figure and how surely it is known.
   *
   * @param standardError NaN if a label has fewer than two answers
   */
  record Estimate(double value, double standardError) {
    /** Lower end of the 95 % interval. */
    double low() {
      return value - SIGMAS_95 * standardError;
    }

    /** Upper end of it. */
    double high() {
      return value + SIGMAS_95 * standardError;
    }
  }

  private Auroc() {}

  /** The area, of scores by label; neither may be empty. */
  static Estimate of(double[] grounded, double[] ungrounded) {
    return estimate(above(grounded, ungrounded), below(ungrounded, grounded));
  }

  /**
   * By how much the area is larger than that of other scores of the same answers in the same order.
   */
  static Estimate gain(
      double[] grounded, double[] ungrounded, double[] otherGrounded, double[] otherUngrounded) {
    return estimate(
        differences(above(grounded, ungrounded), above(otherGrounded, otherUngrounded)),
        differences(below(ungrounded, grounded), below(otherUngrounded, otherGrounded)));
  }

  /** The mean of figures of different answers. */
  static Estimate mean(List<Estimate> estimates) {
    double sum = 0;
    double variance = 0;
    for (Estimate estimate : estimates) {
      sum += estimate.value();
      variance += estimate.standardError() * estimate.standardError();
    }
    return new Estimate(sum / estimates.size(), Math.sqrt(variance) / estimates.size());
  }

  private static Estimate estimate(double[] ofGrounded, double[] ofUngrounded) {
    return new Estimate(
        mean(ofGrounded),
        Math.sqrt(
            variance(ofGrounded) / ofGrounded.length
                + variance(ofUngrounded) / ofUngrounded.length));
  }

  /** Of each score the share of the others that are below it, equal ones counting one half. */
  private static double[] above(double[] scores, double[] others) {
    double[] sorted = others.clone();
    Arrays.sort(sorted);
    double[] shares = new double[scores.length];
    for (int i = 0; i < shares.length; i++) {
      int less = countLess(sorted, scores[i]);
      int notMore = countLess(sorted, Math.nextUp(scores[i]));
      shares[i] = (less + notMore) / (2.0 * sorted.length);
    }
    return shares;
  }

  private static double[] below(double[] scores, double[] others) {
    double[] shares = above(scores, others);
    Arrays.setAll(shares, i -> 1 - shares[i]);
    return shares;
  }

  /** How many of these, which are in order, are less than {@code limit}. */
  static int countLess(double[] sorted, double limit) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double[] differences(double[] first, double[] second) {
    double[] differences = first.clone();
    Arrays.setAll(differences, i -> first[i] - second[i]);
    return differences;
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).sum() / values.length;
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum() / (values.length - 1);
  }
}
