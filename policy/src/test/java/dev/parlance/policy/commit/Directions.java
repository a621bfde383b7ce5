package dev.parlance.policy.commit;

import java.util.List;

/** Plain geometry of unit vectors, for tests. */
final class Directions {
  private Directions() {}

  static double[] units(QuantVector vector) {
    double[] unit = new double[vector.dim()];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = vector.at(i);
    }
    return scaled(unit, 1 / norm(unit));
  }

  static double[] mean(List<double[]> vectors) {
    double[] mean = new double[vectors.getFirst().length];
    for (double[] vector : vectors) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += vector[i] / vectors.size();
      }
    }
    return mean;
  }

  static double diameter(List<double[]> vectors) {
    double widest = 0;
    for (double[] one : vectors) {
      for (double[] other : vectors) {
        widest = Math.max(widest, distance(one, other));
      }
    }
    return widest;
  }

  static double distance(double[] one, double[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) {
      sum += (one[i] - other[i]) * (one[i] - other[i]);
    }
    return Math.sqrt(sum);
  }

  static double angle(double[] one, double[] other) {
    double[] u = scaled(one, 1 / norm(one));
    double[] v = scaled(other, 1 / norm(other));
    return 2 * Math.asin(Math.min(1, distance(u, v) / 2));
  }

  static double norm(double[] vector) {
    return distance(vector, new double[vector.length]);
  }

  static double[] scaled(double[] vector, double by) {
    double[] scaled = new double[vector.length];
    for (int i = 0; i < vector.length; i++) {
      scaled[i] = vector[i] * by;
    }
    return scaled;
  }
}
