package dev.parlance.cli;

import dev.parlance.service.config.Suggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What somebody probably meant who wrote a command, an option or a value that there is not. */
final class Advice {
  private Advice() {}

  static Optional<String> on(ParameterException problem, Terminal terminal) {
    CommandLine command = problem.getCommandLine();
    if (problem instanceof UnmatchedArgumentException unmatched) {
      return unmatched.getUnmatched().stream()
          .map(word -> ofWord(word, command, terminal))
          .flatMap(Optional::stream)
          .findFirst();
    }
    String given = problem.getValue();
    return given == null || problem.getArgSpec() == null
        ? Optional.empty()
        : Suggestion.of(given, values(problem.getArgSpec().type()));
  }

  private static Optional<String> ofWord(String word, CommandLine command, Terminal terminal) {
    if (word.startsWith("-")) {
      int end = word.indexOf('=');
      return Suggestion.of(end < 0 ? word : word.substring(0, end), options(command));
    }
    return elsewhere(word, terminal)
        .or(() ->
            Suggestion.of(word, command.getSubcommands().keySet())
                .map(name -> qualified(command, name)));
  }

  /** The commands of other groups by that very name: {@code verify} is {@code ledger verify}. */
  private static Optional<String> elsewhere(String word, Terminal terminal) {
    List<String> found = new ArrayList<>();
    collect(Main.commandLine(terminal), word, found);
    return found.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", found));
  }

  private static void collect(CommandLine command, String word, List<String> found) {
    command
        .getSubcommands()
        .forEach((name, sub) -> {
          if (name.equals(word)) {
            found.add(qualified(command, name));
          }
          collect(sub, word, found);
        });
  }

  private static String qualified(CommandLine group, String name) {
    String path = group.getCommandSpec().qualifiedName();
    return (path + " " + name).replaceFirst("^parlance ", "");
  }

  private static Collection<String> options(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .map(OptionSpec::names)
        .flatMap(Stream::of)
        .filter(name -> name.startsWith("--"))
        .toList();
  }

  private static List<String> values(Class<?> type) {
    Object[] constants = type.getEnumConstants();
    return constants == null ? List.of() : Arrays.stream(constants).map(Objects::toString).toList();
  }
}
