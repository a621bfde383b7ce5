package dev.parlance.cli.cluster.check;

import java.util.List;

/** What a check found, in words for the person who runs it. */
public sealed interface CheckFinding {
  /** One line: what was seen. */
  String detail();

  /** The word that stands for it in output for programs. */
  default String code() {
    return switch (this) {
      case Good _ -> "ok";
      case Warning _ -> "warning";
      case Bad _ -> "failed";
      case Skipped _ -> "skipped";
    };
  }

  /** It holds. */
  record Good(String detail) implements CheckFinding {}

  /** It works like this, and somebody should know. */
  record Warning(String detail) implements CheckFinding {}

  /** It does not hold: messages go unchecked, or something does not work. */
  record Bad(String detail) implements CheckFinding {}

  /** It could not be looked at, or there is nothing to look at. */
  record Skipped(String detail) implements CheckFinding {}

  static CheckFinding good(String detail) {
    return new Good(detail);
  }

  static CheckFinding warning(String detail) {
    return new Warning(detail);
  }

  static CheckFinding bad(String detail) {
    return new Bad(detail);
  }

  static CheckFinding skipped(String detail) {
    return new Skipped(detail);
  }

  /** Bad with the names if there are any, else good. */
  static CheckFinding noneBad(List<String> names, String bad, String good) {
    return names.isEmpty() ? good(good) : bad(bad + ": " + some(names));
  }

  /** A warning with the names if there are any, else good. */
  static CheckFinding noneOdd(List<String> names, String odd, String good) {
    return names.isEmpty() ? good(good) : warning(odd + ": " + some(names));
  }

  /** The first five names, and how many more there are. */
  static String some(List<String> names) {
    return names.size() <= 5
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, 5)) + " and " + (names.size() - 5) + " more";
  }
}
