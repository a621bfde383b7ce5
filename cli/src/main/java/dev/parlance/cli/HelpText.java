package dev.parlance.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Descriptions of commands, options and parameters as paragraphs.
 *
 * <p>A description is an array of lines as wide as where it stands. picocli wraps each of them for
 * itself, and shows the first one alone where it lists commands; so lines that are one paragraph
 * are joined, and what a command is said to do stands apart as the first sentence.
 */
final class HelpText {
  private HelpText() {}

  /** Takes what the help says of one command, and makes paragraphs of all descriptions. */
  static void join(CommandSpec command) {
    UsageMessageSpec help = command.usageMessage();
    List<String> words = List.of(command.qualifiedName().split(" ", -1));
    if (words.size() > 1 && command.userObject() != null) {
      List<String> name = words.subList(1, words.size());
      HelpPage page = HelpPage.of(name);
      List<String> description = new ArrayList<>(page.description());
      CommandIndex.summary(String.join(" ", name)).ifPresent(description::addFirst);
      help.description(description.toArray(String[]::new));
      help.footer(page.examples().toArray(String[]::new));
    }
    help.description(command(help.description()));
    for (OptionSpec option : List.copyOf(command.options())) {
      if (isLong(option)) {
        command.remove(option);
        command.addOption(option.toBuilder().description(joined(option)).build());
      }
    }
    for (PositionalParamSpec param : List.copyOf(command.positionalParameters())) {
      if (isLong(param)) {
        command.remove(param);
        command.addPositional(param.toBuilder().description(joined(param)).build());
      }
    }
  }

  private static boolean isLong(ArgSpec arg) {
    return arg.description().length > 1;
  }

  private static String[] joined(ArgSpec arg) {
    return paragraphs(arg.description()).toArray(String[]::new);
  }

  /** Paragraphs; the first one is a single sentence. */
  static String[] command(String... lines) {
    List<String> paragraphs = paragraphs(lines);
    if (!paragraphs.isEmpty()) {
      String first = paragraphs.getFirst();
      int end = first.indexOf(". ");
      if (end > 0) {
        paragraphs.set(0, first.substring(0, end + 1));
        paragraphs.add(1, first.substring(end + 2));
      }
    }
    return paragraphs.toArray(String[]::new);
  }

  /** A line goes on with the one before it, unless that is blank or one of the two is indented. */
  private static List<String> paragraphs(String... lines) {
    List<String> paragraphs = new ArrayList<>();
    for (String line : lines) {
      String before = paragraphs.isEmpty() ? "" : paragraphs.getLast();
      if (before.isBlank() || line.isBlank() || line.startsWith(" ") || before.startsWith(" ")) {
        paragraphs.add(line);
      } else {
        paragraphs.set(paragraphs.size() - 1, before + " " + line);
      }
    }
    return paragraphs;
  }
}
