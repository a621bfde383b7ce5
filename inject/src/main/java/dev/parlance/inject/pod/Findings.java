package dev.parlance.inject.pod;

import java.util.ArrayList;
import java.util.List;

/** What was found about one pod so far. */
final class Findings {
  private final List<Finding> problems = new ArrayList<>();
  private final List<Finding> warnings = new ArrayList<>();

  void problem(Reason reason, String message) {
    problems.add(new Finding(reason, message));
  }

  void warning(Reason reason, String message) {
    warnings.add(new Finding(reason, message));
  }

  boolean isBad() {
    return !problems.isEmpty();
  }

  List<Finding> problems() {
    return List.copyOf(problems);
  }

  List<Finding> warnings() {
    return List.copyOf(warnings);
  }
}
