package dev.parlance.deploy.picture;

import java.util.Locale;

/** Values with their unit, three digits long. */
final class Unit {
  private Unit() {}

  /** A value in a unit of Grafana's. */
  static String format(double value, String unit) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    return switch (unit) {
      case "s" -> seconds(value);
      case "bytes" -> bytes(value);
      case "percentunit" -> digits(value * 100) + " %";
      case "cps", "reqps" -> digits(value) + "/s";
      default -> scaled(value);
    };
  }

  private static String seconds(double value) {
    double size = Math.abs(value);
    if (value == 0) {
      return "0 s";
    }
    if (size < 1e-3) {
      return digits(value * 1e6) + " \u00b5s";
    }
    if (size < 1) {
      return digits(value * 1e3) + " ms";
    }
    if (size < 120) {
      return digits(value) + " s";
    }
    if (size < 7_200) {
      return digits(value / 60) + " min";
    }
    return size < 172_800 ? digits(value / 3_600) + " h" : digits(value / 86_400) + " d";
  }

  private static String bytes(double value) {
    double size = Math.abs(value);
    if (size < 1_024) {
      return digits(value) + " B";
    }
    if (size < 1 << 20) {
      return digits(value / 1_024) + " KiB";
    }
    return size < 1 << 30 ? digits(value / (1 << 20)) + " MiB" : digits(value / (1 << 30)) + " GiB";
  }

  private static String scaled(double value) {
    double size = Math.abs(value);
    if (size >= 1e6) {
      return digits(value / 1e6) + " M";
    }
    return size >= 1e4 ? digits(value / 1e3) + " k" : digits(value);
  }

  private static String digits(double value) {
    double size = Math.abs(value);
    String text =
        String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
  }
}
