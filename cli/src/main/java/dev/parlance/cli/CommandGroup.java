package dev.parlance.cli;

import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/**
 * The commands of one topic. Groups are found by {@link java.util.ServiceLoader}, so a build can
 * leave a topic's package out together with the modules that only it needs.
 */
public interface CommandGroup {
  /** How each of its commands is made, by name. No class of a command is loaded before that. */
  Map<String, Function<Terminal, CommandLine>> commands();
}
