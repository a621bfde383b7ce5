package dev.parlance.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times and durations for people. */
public final class TimeText {
  private TimeText() {}

  /** {@code 12 s}, {@code 5 min}, {@code 30 h}, {@code 4 d}; nothing negative. */
  public static String of(long ageMs) {
    Duration age = Duration.ofMillis(Math.max(0, ageMs));
    if (age.toMinutes() < 1) {
      return age.toSeconds() + " s";
    }
    if (age.toHours() < 1) {
      return age.toMinutes() + " min";
    }
    return age.toDays() < 2 ? age.toHours() + " h" : age.toDays() + " d";
  }

  /** How long ago {@code atMs} was; nothing where there is no time. */
  public static String since(long atMs, long nowMs) {
    return atMs <= 0 ? "" : of(nowMs - atMs);
  }

  /** A time in UTC to the second, or nothing where there is none. */
  public static String time(long atMs) {
    return atMs <= 0 ? "" : Instant.ofEpochMilli(atMs).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
