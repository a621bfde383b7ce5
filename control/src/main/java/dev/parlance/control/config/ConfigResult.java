package dev.parlance.control.config;

import java.util.List;

/** What came of reading a configuration. */
public sealed interface ConfigResult {
  /** It is valid. */
  record Loaded(ControlConfig config) implements ConfigResult {}

  /**
   * It is not, and nothing of it applies.
   *
   * @param problems all that is wrong, by line; never empty
   */
  record Refused(List<ConfigProblem> problems) implements ConfigResult {
    /** Refuses a refusal without a reason. */
    public Refused {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("expected at least one problem");
      }
    }
  }
}
