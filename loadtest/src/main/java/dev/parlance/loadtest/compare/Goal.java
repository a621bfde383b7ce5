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

/** What is to be reached: a figure of one load, computed round by round, and a bound for it. */
public sealed interface Goal {
  /** For people. */
  String text();

  /** The bound for the median over the rounds. */
  Bound bound();

  /** Where it is measured. */
  Scenario scenario();

  /** Whose figure is looked at. */
  Subject subject();

  /** What it is held against. */
  Subject against();

  /** The figure of one round; empty if it cannot be told. */
  OptionalDouble figure(LoadResult own, LoadResult other);

  /**
   * Processor time per request, divided by that of another subject.
   *
   * @param subject above the line
   * @param against below the line
   */
  record CpuRatio(String text, Scenario scenario, Subject subject, Subject against, Bound bound)
      implements Goal {
    @Override
    public OptionalDouble figure(LoadResult own, LoadResult other) {
      OptionalDouble above = own.proxyCpuUsPerRequest();
      OptionalDouble below = other.proxyCpuUsPerRequest();
      return above.isPresent() && below.isPresent() && below.getAsDouble() > 0
          ? OptionalDouble.of(above.getAsDouble() / below.getAsDouble())
          : OptionalDouble.empty();
    }
  }

  /**
   * Milliseconds of latency, from the moment a request was due, beyond those of another subject.
   *
   * @param percentile which part of the requests it is about
   */
  record AddedMs(
      String text,
      Scenario scenario,
      Subject subject,
      Subject against,
      Percentile percentile,
      Bound bound)
      implements Goal {
    @Override
    public OptionalDouble figure(LoadResult own, LoadResult other) {
      return own.requests() > 0 && other.requests() > 0
          ? OptionalDouble.of((percentile.us(own.latency()) - percentile.us(other.latency())) / 1e3)
          : OptionalDouble.empty();
    }
  }

  /** A part of the requests. */
  enum Percentile {
    P50,
    P99;

    double us(Percentiles latency) {
      return switch (this) {
        case P50 -> latency.p50Us();
        case P99 -> latency.p99Us();
      };
    }
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
  default Optional<Range> measured(List<Sample> samples) {
    List<Double> figures = new ArrayList<>();
    for (Sample own : samples) {
      if (!own.subject().equals(subject()) || !own.scenario().equals(scenario())) {
        continue;
      }
      for (Sample other : samples) {
        if (other.subject().equals(against())
            && other.scenario().equals(scenario())
            && other.round() == own.round()) {
          figure(own.result(), other.result()).ifPresent(figures::add);
        }
      }
    }
    return Range.of(figures);
  }
}
