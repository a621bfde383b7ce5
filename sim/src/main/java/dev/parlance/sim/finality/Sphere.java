package dev.parlance.sim.finality;

import java.util.List;
import java.util.random.RandomGenerator;

/** Directions: vectors of length 1. Angles are in radians. */
final class Sphere {
  private static final double LEAST_NORM = 1e-12;

  private Sphere() {}

  /** Any direction, all equally likely. */
  static double[] any(RandomGenerator random, int dim) {
    while (true) {
      double[] vector = new double[dim];
      for (int i = 0; i < dim; i++) {
        vector[i] = random.nextGaussian();
      }
      if (norm(vector) > LEAST_NORM) {
        return unit(vector);
      }
    }
  }

  /** A direction at exactly this angle from another, to a side drawn at random. */
  static double[] tilted(double[] from, double angle, RandomGenerator random) {
    return towards(from, any(random, from.length), angle);
  }

  /**
   * A direction blurred alike to all sides, so that the angle to it is {@code spread} in the root
   * mean square, for spreads that are small.
   */
  static double[] blurred(double[] from, double spread, RandomGenerator random) {
    double sigma = StrictMath.tan(spread) / Math.sqrt(Math.max(1, from.length - 1));
    double[] vector = from.clone();
    for (int i = 0; i < vector.length; i++) {
      vector[i] += sigma * random.nextGaussian();
    }
    return unit(vector);
  }

  /**
   * The direction that is reached by going this angle from one direction towards another, and
   * further if the other one is nearer.
   */
  static double[] towards(double[] from, double[] to, double angle) {
    double along = dot(from, to);
    double[] side = new double[from.length];
    for (int i = 0; i < side.length; i++) {
      side[i] = to[i] - along * from[i];
    }
    if (norm(side) < LEAST_NORM) {
      // The same direction, or the opposite one: there is no side to go to.
      return from.clone();
    }
    double[] across = unit(side);
    double cos = StrictMath.cos(angle);
    double sin = StrictMath.sin(angle);
    double[] reached = new double[from.length];
    for (int i = 0; i < reached.length; i++) {
      reached[i] = cos * from[i] + sin * across[i];
    }
    return unit(reached);
  }

  /** The angle between two vectors, exact for small ones too; 0 to pi. */
  static double angle(double[] a, double[] b) {
    double[] u = unit(a);
    double[] v = unit(b);
    return 2.0 * StrictMath.atan2(distance(u, v), norm(plus(u, v)));
  }

  /** The mean, which is shorter than 1. */
  static double[] mean(List<double[]> vectors) {
    double[] sum = new double[vectors.getFirst().length];
    for (double[] vector : vectors) {
      for (int i = 0; i < sum.length; i++) {
        sum[i] += vector[i] / vectors.size();
      }
    }
    return sum;
  }

  /** The largest distance between any two; 0 if there is one only. */
  static double diameter(List<double[]> vectors) {
    double largest = 0.0;
    for (int i = 0; i < vectors.size(); i++) {
      for (int j = 0; j < i; j++) {
        largest = Math.max(largest, distance(vectors.get(i), vectors.get(j)));
      }
    }
    return largest;
  }

  /** The straight distance. */
  static double distance(double[] a, double[] b) {
    double sum = 0.0;
    for (int i = 0; i < a.length; i++) {
      sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(sum);
  }

  /** The straight distance between directions of this cosine. */
  static double distanceAt(double cos) {
    return Math.sqrt(Math.max(0.0, 2.0 - 2.0 * cos));
  }

  /** The opposite. */
  static double[] opposite(double[] vector) {
    double[] other = vector.clone();
    for (int i = 0; i < other.length; i++) {
      other[i] = -other[i];
    }
    return other;
  }

  /** The same direction with length 1. */
  static double[] unit(double[] vector) {
    double norm = norm(vector);
    double[] unit = vector.clone();
    for (int i = 0; i < unit.length; i++) {
      unit[i] /= norm;
    }
    return unit;
  }

  private static double[] plus(double[] a, double[] b) {
    double[] sum = a.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += b[i];
    }
    return sum;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0.0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static double norm(double[] vector) {
    return Math.sqrt(dot(vector, vector));
  }
}
