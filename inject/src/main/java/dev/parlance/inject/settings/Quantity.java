package dev.parlance.inject.settings;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount as Kubernetes writes it: {@code 160Mi}, {@code 50m}, {@code 0.5}, {@code 2e3}. The text
 * stays as written.
 *
 * @param text the text
 */
public record Quantity(String text) {
  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)(|m|k|M|G|T|Ki|Mi|Gi|Ti|[eE][0-9]{1,2})");

  private static final Map<String, BigDecimal> UNITS =
      Map.of(
          "",
          BigDecimal.ONE,
          "m",
          new BigDecimal("0.001"),
          "k",
          new BigDecimal("1e3"),
          "M",
          new BigDecimal("1e6"),
          "G",
          new BigDecimal("1e9"),
          "T",
          new BigDecimal("1e12"),
          "Ki",
          BigDecimal.valueOf(1L << 10),
          "Mi",
          BigDecimal.valueOf(1L << 20),
          "Gi",
          BigDecimal.valueOf(1L << 30),
          "Ti",
          BigDecimal.valueOf(1L << 40));

  /** Refuses what is no amount above zero. */
  public Quantity {
    if (value(text).isEmpty()) {
      throw new IllegalArgumentException(
          "expected a quantity like 160Mi or 50m, got \"" + text + "\"");
    }
  }

  /** Reads a text; empty if it is no amount above zero. */
  public static Optional<Quantity> parse(String text) {
    return value(text).map(_ -> new Quantity(text));
  }

  private static Optional<BigDecimal> value(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    BigDecimal number = new BigDecimal(form.group(1));
    String unit = form.group(2);
    BigDecimal factor = UNITS.get(unit);
    BigDecimal value =
        factor == null
            ? number.scaleByPowerOfTen(Integer.parseInt(unit.substring(1)))
            : number.multiply(factor);
    // Beyond 2^53 nothing is an amount of memory or CPU any more.
    return value.signum() > 0 && value.compareTo(BigDecimal.valueOf(1L << 53)) < 0
        ? Optional.of(value)
        : Optional.empty();
  }

  /** The amount as a whole number (of bytes), rounded down. */
  public long bytes() {
    return value(text).orElseThrow().setScale(0, RoundingMode.DOWN).longValueExact();
  }

  /** True if this is more than the other. */
  public boolean isMoreThan(Quantity other) {
    return value(text).orElseThrow().compareTo(value(other.text).orElseThrow()) > 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
