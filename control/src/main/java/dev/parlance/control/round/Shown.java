package dev.parlance.control.round;

/** Text of others in messages for people. */
final class Shown {
  private static final int MAX = 64;

  private Shown() {}

  /** Not longer than a line. */
  static String of(String text) {
    return text.length() > MAX ? text.substring(0, MAX) + "..." : text;
  }
}
