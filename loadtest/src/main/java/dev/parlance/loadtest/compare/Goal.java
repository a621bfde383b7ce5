package dev.parlance.loadtest.compare;

import dev.parlance.loadtest.compare.ComparePlan.Scenario;
import dev.parlance.loadtest.compare.ComparePlan.Subject;
import dev.parlance.loadtest.compare.Report.Sample;
import dev.parlance.loadtest.compare.ReportTable.Range;
import dev.parlance.loadtest.load.LoadResult;
import dev.parlance.loadtest.load.LoadResult.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What is to be reached: a figure of one load, computed round by round, and a bound for it.
 *
 * @param text for people
 * @param figure what is computed
 * @param scenario where it is measured
 * @param subject whose figure is looked at
 * @param against what it is held against
 * @param bound for the median over the rounds
 */
public record Goal(
    String text, Figure figure, Scenario scenario, Subject subject, Subject against, Bound bound) {
  /** What is computed of one round. */
  enum Figure {
    /** Processor time per request, divided by that of the other subject. */
    CPU_RATIO,
    /** Microseconds of processor time per KB of request and answer, which have the same size. */
    CPU_US_PER_KB,
    /** Milliseconds of median latency, since a request was due, beyond the other subject's. */
    ADDED_P50_MS,
    /** The same of the 99th percentile. */
    ADDED_P99_MS;

    private static final int LEGS = 2;

    /** Empty if it cannot be told. */
    OptionalDouble of(LoadResult own, LoadResult other, double answerKb) {
      return switch (this) {
        case CPU_US_PER_KB -> ratio(own.proxyCpuUsPerRequest(), OptionalDouble.of(LEGS * answerKb));
        case CPU_RATIO -> ratio(own.proxyCpuUsPerRequest(), other.proxyCpuUsPerRequest());
        case ADDED_P50_MS -> added(own, other, Percentiles::p50Us);
        case ADDED_P99_MS -> added(own, other, Percentiles::p99Us);
      };
    }

    private static OptionalDouble added(
        LoadResult own, LoadResult other, ToDoubleFunction<Percentiles> us) {
      return own.requests() > 0 && other.requests() > 0
          ? OptionalDouble.of(
              (us.applyAsDouble(own.latency()) - us.applyAsDouble(other.latency())) / 1e3)
          : OptionalDouble.empty();
    }
  }

  /** One figure divided by another; empty if one of them is missing or the other is 0. */
  static OptionalDouble ratio(OptionalDouble above, OptionalDouble below) {
    return above.isPresent() && below.isPresent() && below.getAsDouble() > 0
        ? OptionalDouble.of(above.getAsDouble() / below.getAsDouble())
        : OptionalDouble.empty();
  }

  /**
   * A bound, reached if touched.
   *
   * @param side on which of its sides the figure has to be
   */
  record Bound(Side side, double value) {
    boolean isReachedBy(double figure) {
      return switch (side) {
        case AT_MOST -> figure <= value;
        case AT_LEAST -> figure >= value;
      };
    }

    String text() {
      String sign =
          switch (side) {
            case AT_MOST -> "<= ";
            case AT_LEAST -> ">= ";
          };
      return sign + String.format(Locale.ROOT, "%.2f", value);
    }
  }

  /** Where a figure has to be. */
  enum Side {
    AT_MOST,
    AT_LEAST
  }

  /** Median and extremes over the rounds; empty if one of the two was not measured. */
  Optional<Range> measured(List<Sample> samples) {
    List<Double> figures = new ArrayList<>();
    for (Sample own : samples) {
      if (!own.subject().equals(subject) || !own.scenario().equals(scenario)) {
        continue;
      }
      for (Sample other : samples) {
        if (other.subject().equals(against)
            && other.scenario().equals(scenario)
            && other.round() == own.round()) {
          figure.of(own.result(), other.result(), scenario.answerKb()).ifPresent(figures::add);
        }
      }
    }
    return Range.of(figures);
  }
}
