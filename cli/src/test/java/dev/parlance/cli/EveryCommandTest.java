package dev.parlance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;

/** What holds for the help and the complaints of every command there is. */
@Timeout(300)
final class EveryCommandTest {
  /** What no option and no parameter takes, or what is not there. */
  private static final List<String> WRONG = List.of("", "x", "-1", "99999999999999999999", "{");

  /** What commands can neither read nor write nor reach. */
  private static final List<String> THERE_IS_NONE =
      List.of("/no/such/file", "http://127.0.0.1:1/no", "127.0.0.1:1", "{", "");

  /** Names of classes, and what a class makes of itself where nobody gave it words. */
  private static final Pattern OF_CLASSES =
      Pattern.compile(
          "\\b(?:java|javax|dev|io|org|com|tools|picocli|sun|jdk)\\.[a-z]\\w*(?:\\.\\w+)*\\b"
              + "|\\b[A-Z]\\w*(?:Exception|Error)\\b"
              + "|@[0-9a-f]{6,}"
              + "|\\b[A-Z]\\w+\\[\\w+="
              + "|Optional(?:\\[|\\.empty)"
              + "|\\bnull\\b");

  /**
   * Not run: one needs no more than a name to put a token into the folder where it runs, the other
   * waits for what is not there, as {@code ReachCommandTest} shows.
   */
  private static final Set<List<String>> NOT_RUN =
      Set.of(List.of("control", "token"), List.of("reach"));

  private static final int COLUMNS = 80;

  /** A command by the words that lead to it. */
  private record Named(List<String> path, CommandLine command) {
    String[] with(List<String> more) {
      return Stream.concat(path.stream(), more.stream()).toArray(String[]::new);
    }
  }

  private static List<Named> commands() {
    List<Named> all = new ArrayList<>();
    collect(whole(), List.of(), all);
    return all;
  }

  private static CommandLine whole() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false);
    return Main.commandLine(
        new Terminal(InputStream.nullInputStream(), nowhere, nowhere, Map.of(), false));
  }

  private static void collect(CommandLine command, List<String> path, List<Named> all) {
    command
        .getSubcommands()
        .forEach((name, sub) -> {
          List<String> longer = new ArrayList<>(path);
          longer.add(name);
          all.add(new Named(longer, sub));
          collect(sub, longer, all);
        });
  }

  private static void assertSaid(List<String> faults, int status, Run run, String[] args) {
    Matcher found = OF_CLASSES.matcher(run.err());
    if (run.status() != status && run.status() != 1) {
      faults.add(String.join(" ", args) + ": status " + run.status());
    } else if (run.err().isBlank()) {
      faults.add(String.join(" ", args) + ": not a word");
    } else if (found.find()) {
      faults.add(String.join(" ", args) + ": '" + found.group() + "' in\n" + run.err());
    }
  }

  @Test
  void whateverAnOptionIsGiven_whatIsWrongIsSaid_withoutTheNameOfAClass() {
    List<String> faults = new ArrayList<>();
    Set<String> heard = new HashSet<>();
    int refused = 0;
    CommandLine whole = whole();
    for (Named named : commands()) {
      for (OptionSpec option : named.command().getCommandSpec().options()) {
        for (String value : WRONG) {
          String[] args = named.with(List.of(option.longestName() + "=" + value));
          Optional<String> complaint = complaint(whole, args);
          refused += complaint.isPresent() ? 1 : 0;
          // The same words about another option are no news.
          if (complaint
              .filter(said -> heard.add(said.replace(option.longestName(), "")))
              .isPresent()) {
            assertSaid(faults, ExitStatus.USAGE, Run.of(args), args);
          }
        }
      }
    }
    assertThat(faults).isEmpty();
    assertThat(refused).isGreaterThan(500);
  }

  /** Why it is refused before it does anything: what is not might begin to serve. */
  private static Optional<String> complaint(CommandLine whole, String[] args) {
    try {
      var _ = whole.parseArgs(args);
      return Optional.empty();
    } catch (ParameterException refused) {
      return Optional.of(String.valueOf(refused.getMessage()));
    }
  }

  @Test
  void whateverACommandNeeds_whatIsNotThereIsSaid_withoutTheNameOfAClass(@TempDir Path folder)
      throws Exception {
    Path aFile = Files.writeString(folder.resolve("file"), "");
    List<String> faults = new ArrayList<>();
    int run = 0;
    for (Named named : commands()) {
      List<ArgSpec> needed =
          named.command().getCommandSpec().args().stream().filter(ArgSpec::required).toList();
      for (String value : THERE_IS_NONE) {
        if (needed.isEmpty() || NOT_RUN.contains(named.path())) {
          continue;
        }
        List<String> given = new ArrayList<>();
        for (ArgSpec arg : needed) {
          // Below a file nothing can be made.
          String one =
              arg.type() == Path.class && !value.isEmpty() ? aFile.resolve("a") + value : value;
          given.add(arg instanceof OptionSpec option ? option.longestName() + "=" + one : one);
        }
        String[] args = named.with(given);
        run++;
        assertSaid(faults, ExitStatus.USAGE, Run.of(args), args);
      }
    }
    assertThat(faults).isEmpty();
    assertThat(run).isGreaterThan(50);
  }

  /** A line that ends before the next word would have to is one that was wrapped twice. */
  @Test
  void help_isAsWideAsATerminal_andWrappedOnce() {
    List<String> faults = new ArrayList<>();
    for (Named named : commandsAndMain()) {
      List<String> lines = Run.of(named.with(List.of("--help"))).out().lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.length() > COLUMNS) {
          faults.add(named.path() + ": " + line);
        }
        boolean behindExample = line.startsWith("  parlance ");
        if (!behindExample && i + 1 < lines.size() && isTwice(line, lines.get(i + 1))) {
          faults.add(named.path() + ":\n" + line + "\n" + lines.get(i + 1));
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  private static boolean isTwice(String line, String next) {
    String words = next.strip();
    int first = words.indexOf(' ') < 0 ? words.length() : words.indexOf(' ');
    boolean prose = indent(next) == 0 && indent(line) == 0 || indent(next) >= 20;
    boolean goesOn =
        !words.isEmpty() && !line.isBlank() && !line.matches("Usage: .*|.*[.:]| +-\\S+(?: \\S+)?");
    return prose && goesOn && line.length() + 1 + first < COLUMNS;
  }

  /** What a list of commands says of one is a sentence, and an example is a line to be copied. */
  @Test
  void help_saysOfEachCommandASentence_andHasExamplesOfOneLine() {
    List<String> faults = new ArrayList<>();
    for (Named named : commandsAndMain()) {
      UsageMessageSpec help = named.command().getCommandSpec().usageMessage();
      String first = help.description()[0];
      if (!first.endsWith(".") || !Character.isUpperCase(first.charAt(0))) {
        faults.add(named.path() + ": " + first);
      }
      for (String line : help.footer()) {
        if (line.length() > COLUMNS) {
          faults.add(named.path() + ": " + line);
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  private static List<Named> commandsAndMain() {
    return Stream.concat(Stream.of(new Named(List.of(), whole())), commands().stream()).toList();
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }
}
