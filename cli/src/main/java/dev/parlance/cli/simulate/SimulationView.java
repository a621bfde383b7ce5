package dev.parlance.cli.simulate;

import dev.parlance.sim.SimulationResult;
import dev.parlance.sim.SimulationResult.Figure3Point;
import dev.parlance.sim.SimulationResult.Table1Row;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The numbers of the certification simulation as JSON. */
record SimulationView(List<Row> table1, List<Point> figure3) {
  /**
   * A row of Table 1.
   *
   * @param guardedPercent null if no run certified anything
   */
  record Row(
      String condition,
      double unguardedPercent,
      @Nullable Double guardedPercent,
      double coreSize,
      double emptyCorePercent) {}

  /**
   * A point of figure 3.
   *
   * @param guardedPercent null if every run's core was empty
   */
  record Point(
      String panel,
      int epoch,
      double unguardedPercent,
      @Nullable Double guardedPercent,
      double coreSize) {}

  static SimulationView of(SimulationResult result) {
    return new SimulationView(
        result.table1().stream().map(SimulationView::row).toList(),
        result.figure3().stream().map(SimulationView::point).toList());
  }

  private static Row row(Table1Row row) {
    return new Row(
        row.condition().code(),
        row.unguardedPercent(),
        orNull(row.guardedPercent()),
        row.coreSize(),
        row.emptyCorePercent());
  }

  private static Point point(Figure3Point point) {
    return new Point(
        point.panel().code(),
        point.epoch(),
        point.unguardedPercent(),
        orNull(point.guardedPercent()),
        point.coreSize());
  }

  private static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
