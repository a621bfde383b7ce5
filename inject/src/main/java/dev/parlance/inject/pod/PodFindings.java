package dev.parlance.inject.pod;

import dev.parlance.inject.pod.PodOutcome.PodFinding;
import java.util.ArrayList;
import java.util.List;

/** What was found about one pod so far. */
final class PodFindings {
  private final List<PodFinding> problems = new ArrayList<>();
  private final List<PodFinding> warnings = new ArrayList<>();

  void problem(PodReason reason, String message) {
    problems.add(new PodFinding(reason, message));
  }

  void warning(PodReason reason, String message) {
    warnings.add(new PodFinding(reason, message));
  }

  boolean isBad() {
    return !problems.isEmpty();
  }

  List<PodFinding> problems() {
    return List.copyOf(problems);
  }

  List<PodFinding> warnings() {
    return List.copyOf(warnings);
  }
}
