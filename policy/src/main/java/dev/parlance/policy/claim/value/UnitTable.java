package dev.parlance.policy.claim.value;

import static dev.parlance.policy.claim.value.ValueLexicon.NO_UNIT;

import java.util.List;
import java.util.function.ToIntFunction;

/** What is known of units by their number: what they measure, and what they are in its base. */
final class UnitTable {
  /**
   * A simple unit.
   *
   * @param dimension what it measures
   * @param factor what one of it is in the base of the dimension
   * @param offset is added before that
   * @param currency true if it is money
   */
  record Unit(int dimension, double factor, double offset, boolean currency) {}

  private final Unit[] units;
  private final int length;
  private final int months;
  private final int area;
  private final int volume;
  private final int proportion;
  private final int angle;
  private final int temperature;
  private final int hour;
  private final int metre;

  final int percent;

  /** Percentage points. */
  final int points;

  final int celsius;
  final int fahrenheit;

  /**
   * A table.
   *
   * @param units by their number; the first is none
   * @param dimension the number of a dimension
   * @param unit the number of the unit that a symbol stands for
   */
  UnitTable(List<Unit> units, ToIntFunction<String> dimension, ToIntFunction<String> unit) {
    this.units = units.toArray(Unit[]::new);
    length = dimension.applyAsInt("length");
    months = dimension.applyAsInt("months");
    area = dimension.applyAsInt("area");
    volume = dimension.applyAsInt("volume");
    proportion = dimension.applyAsInt("proportion");
    angle = dimension.applyAsInt("angle");
    temperature = dimension.applyAsInt("temperature");
    hour = unit.applyAsInt("h");
    metre = unit.applyAsInt("m");
    percent = unit.applyAsInt("%");
    points = unit.applyAsInt("pp");
    celsius = unit.applyAsInt("℃");
    fahrenheit = unit.applyAsInt("℉");
  }

  /** What two units must have in common to be converted into one another; 0 if nothing may. */
  int dimension(int unit) {
    if (unit > 0) {
      return units[unit].dimension;
    }
    if (unit == NO_UNIT || CompoundUnit.isHashed(unit)) {
      return 0;
    }
    int left = units[CompoundUnit.left(unit)].dimension;
    int right = CompoundUnit.right(unit);
    int power = CompoundUnit.leftPower(unit);
    if (right == 0 && left == length && (power == 2 || power == 3)) {
      return power == 2 ? area : volume;
    }
    return -(left
        | (power & 7) << 8
        | (right == 0 ? 0 : units[right].dimension) << 12
        | (CompoundUnit.rightPower(unit) & 0xF) << 20);
  }

  boolean isAngle(int unit) {
    return unit > 0 && units[unit].dimension == angle;
  }

  boolean isTemperature(int unit) {
    return unit > 0 && units[unit].dimension == temperature;
  }

  /** The unit of hours, whose number may be a time of day. */
  boolean isHour(int unit) {
    return unit == hour && unit != NO_UNIT;
  }

  /** The unit of metres, whose letter stands for million, too. */
  boolean isMetre(int unit) {
    return unit == metre && unit != NO_UNIT;
  }

  /** True of a unit of time, however long. */
  boolean isDuration(int unit) {
    return isTime(unit) || (unit > 0 && units[unit].dimension == months);
  }

  /** True of a unit that is a number of seconds. */
  boolean isTime(int unit) {
    return unit > 0 && units[unit].dimension == units[hour].dimension;
  }

  boolean isCurrency(int unit) {
    return unit > 0 && units[unit].currency;
  }

  /** True of percent, per mille and the like, which are numbers themselves. */
  boolean isProportion(int unit) {
    return unit > 0 && units[unit].dimension == proportion;
  }

  /** What so many of a unit that has a dimension are in the base of it. */
  double inBase(int unit, double value) {
    if (unit > 0) {
      return (value + units[unit].offset) * units[unit].factor;
    }
    double factor = raised(CompoundUnit.left(unit), CompoundUnit.leftPower(unit));
    int right = CompoundUnit.right(unit);
    return value * (right == 0 ? factor : factor * raised(right, CompoundUnit.rightPower(unit)));
  }

  private double raised(int unit, int power) {
    return StrictMath.pow(units[unit].factor, power);
  }
}
