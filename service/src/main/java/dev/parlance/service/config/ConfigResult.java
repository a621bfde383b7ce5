package dev.parlance.service.config;

import java.util.List;
import java.util.Optional;

/**
 * What came of reading a configuration.
 *
 * @param <C> the configuration
 */
public sealed interface ConfigResult<C> {
  /** It is valid. */
  record Loaded<C>(C config) implements ConfigResult<C> {}

  /**
   * It is not, and nothing of it applies.
   *
   * @param problems all that is wrong, by line; never empty
   */
  record Refused<C>(List<ConfigProblem> problems) implements ConfigResult<C> {
    /** Refuses a refusal without a reason. */
    public Refused {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("expected at least one problem");
      }
    }
  }

  /** The configuration, if it is valid. */
  default Optional<C> loaded() {
    return switch (this) {
      case Loaded<C>(C config) -> Optional.of(config);
      case Refused<C> _ -> Optional.empty();
    };
  }

  /** What is wrong; empty if it is valid. */
  default List<ConfigProblem> problems() {
    return switch (this) {
      case Loaded<C> _ -> List.of();
      case Refused<C>(List<ConfigProblem> all) -> all;
    };
  }
}
