package dev.parlance.service.log;

import java.util.Locale;
import org.slf4j.event.Level;

/**
 * What is written: events at least as grave as this.
 *
 * @param least least weight of {@link Level#toInt} that passes
 */
record Threshold(int least) {
  /** What is written unless {@code -Dparlance.log.level} says otherwise. */
  static final Threshold DEFAULT = new Threshold(Level.WARN.toInt());

  /** {@code off}, {@code error}, {@code warn}, {@code info}, {@code debug}, {@code trace}. */
  static Threshold of(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "off" -> new Threshold(Integer.MAX_VALUE);
      case "error" -> new Threshold(Level.ERROR.toInt());
      case "info" -> new Threshold(Level.INFO.toInt());
      case "debug" -> new Threshold(Level.DEBUG.toInt());
      case "trace", "all" -> new Threshold(Level.TRACE.toInt());
      default -> DEFAULT; // as before a level that nobody knows
    };
  }

  boolean passes(Level level) {
    return level.toInt() >= least;
  }
}
