package dev.parlance.loadtest;

import java.util.List;

/**
 * One load, and who is measured under it.
 *
 * @param scenario the load
 * @param subjects in the order of the report, each once
 */
record Contest(Scenario scenario, List<Subject> subjects) {
  Contest {
    subjects = List.copyOf(subjects);
    if (subjects.isEmpty() || subjects.stream().distinct().count() != subjects.size()) {
      throw new IllegalArgumentException("expected subjects, each once, got " + subjects);
    }
  }
}
