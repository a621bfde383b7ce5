package dev.parlance.cli;

import java.util.Map;

/**
 * The commands of one topic. Groups are found by {@link java.util.ServiceLoader}, so a build can
 * leave a topic's package out together with the modules that only it needs.
 */
public interface CommandGroup {
  /**
   * Its commands by name: classes with picocli's annotations, and a constructor that takes nothing.
   */
  Map<String, Class<?>> commands();
}
