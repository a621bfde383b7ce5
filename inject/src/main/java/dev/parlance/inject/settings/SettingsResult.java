package dev.parlance.inject.settings;

import java.util.List;

/** What came of reading the injector's file. */
public sealed interface SettingsResult {
  /**
   * It is valid.
   *
   * @param settings the settings
   */
  record Loaded(InjectorSettings settings) implements SettingsResult {}

  /**
   * It is not, and nothing of it applies.
   *
   * @param problems all that is wrong, each as {@code key.path: got, expected}; never empty
   */
  record Refused(List<String> problems) implements SettingsResult {
    /** Refuses a refusal without a reason. */
    public Refused {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("expected at least one problem");
      }
    }
  }
}
