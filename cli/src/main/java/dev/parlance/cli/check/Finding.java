package dev.parlance.cli.check;

/** What a check found, in words for the person who runs it. */
public sealed interface Finding {
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
  record Good(String detail) implements Finding {}

  /** It works like this, and somebody should know. */
  record Warning(String detail) implements Finding {}

  /** It does not hold: messages go unchecked, or something does not work. */
  record Bad(String detail) implements Finding {}

  /** It could not be looked at, or there is nothing to look at. */
  record Skipped(String detail) implements Finding {}
}
