package dev.parlance.proxy.config.file;

import dev.parlance.service.config.ConfigProblem;
import java.time.Instant;
import java.util.List;

/**
 * A file that was refused.
 *
 * @param at when
 * @param reason why
 * @param problems all that is wrong with it
 */
public record ConfigRefusal(Instant at, ConfigRefusalReason reason, List<ConfigProblem> problems) {
  /** Takes a copy of the list. */
  public ConfigRefusal {
    problems = List.copyOf(problems);
  }
}
