package dev.parlance.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** The command lines that pages, help and the chart show: each is one that the commands take. */
@Timeout(120)
final class ShownCommandsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Where a command begins in a line of a shell. */
  private static final Pattern BEGINS =
      Pattern.compile("(?:^\\s*|[|;(] ?|&& |\\$ |-- )(?:\\$ )?(?:\\.\\./)*(?:bin/)?parlance(?= )");

  private static final Pattern IN_TEXT = Pattern.compile("`(?:\\.\\./)*(?:bin/)?parlance ([^`]+)`");

  /** Of a command with commands below it, named without the program. */
  private static final Pattern IN_SHORT =
      Pattern.compile(
          "`((?:core|round|pact|lexicon|identity|ledger|review|config|encoder|diagnostics|intercept|simulate)"
              + " [a-z-]+(?: [^`]*)?)`");

  /** A word of a shell, or what ends a command there. */
  private static final Pattern WORD =
      Pattern.compile(
          "\\s*(?:(#.*|[|<>;&)]+.*)|((?:'[^']*'|\"(?:\\\\.|[^\"\\\\])*\"|\\\\.|[^\\s|<>;&)'\"\\\\])+))");

  /** A word that a reader replaces. */
  private static final Pattern PLACEHOLDER = Pattern.compile("[A-Z]+");

  @Test
  void everyCommandLineOfAPage_isTaken() throws IOException {
    Map<String, String> shown = new LinkedHashMap<>();
    Map<String, String> named = new LinkedHashMap<>();
    for (Path page : pages()) {
      String text = Files.readString(page).replaceAll("\\\\\\n\\s*", "");
      String where = ROOT.relativize(page) + ": ";
      boolean inCode = false;
      for (String line : text.lines().toList()) {
        inCode ^= line.strip().startsWith("```");
        if (inCode || !page.toString().endsWith(".md")) {
          commands(line).forEach(command -> shown.put(where + command, command));
        }
      }
      IN_TEXT
          .matcher(text)
          .results()
          .map(found -> found.group(1).replace("\\|", "|"))
          .forEach(command -> named.put(where + command, command));
      if (page.toString().endsWith(".md")) {
        IN_SHORT
            .matcher(text)
            .results()
            .map(found -> found.group(1).replace("\\|", "|"))
            .forEach(command -> named.put(where + command, command));
      }
    }
    assertThat(faults(shown, false)).isEmpty();
    assertThat(faults(named, true)).isEmpty();
    assertThat(shown).hasSizeGreaterThan(150);
    assertThat(named).hasSizeGreaterThan(50);
  }

  @Test
  void everyExampleOfTheHelp_isTaken() {
    Map<String, String> shown = new LinkedHashMap<>();
    collect(whole(), shown);
    assertThat(faults(shown, false)).isEmpty();
    assertThat(shown).hasSizeGreaterThan(100);
  }

  private static void collect(CommandLine command, Map<String, String> shown) {
    for (String line : command.getCommandSpec().usageMessage().footer()) {
      commands(line)
          .forEach(
              found -> shown.put(command.getCommandSpec().qualifiedName() + ": " + found, found));
    }
    command.getSubcommands().values().forEach(sub -> collect(sub, shown));
  }

  /** Pages, and what the chart prints and its alerts say. */
  private static List<Path> pages() throws IOException {
    List<Path> pages =
        new ArrayList<>(
            List.of(
                ROOT.resolve("README.md"),
                ROOT.resolve("CONTRIBUTING.md"),
                ROOT.resolve("SECURITY.md")));
    for (String folder : List.of("docs", "deploy", "examples")) {
      try (Stream<Path> found = Files.walk(ROOT.resolve(folder))) {
        found
            .filter(page -> page.toString().matches(".*\\.(?:md|ya?ml|txt|tpl)"))
            .filter(page -> !page.toString().contains("/target/"))
            .filter(page -> !page.toString().contains("/node_modules/"))
            .sorted()
            .forEach(pages::add);
      }
    }
    return pages;
  }

  private static List<String> commands(String line) {
    List<String> commands = new ArrayList<>();
    Matcher begins = BEGINS.matcher(line);
    while (begins.find()) {
      // what stands in a second column is said of it, and the chart fills in what is in braces
      commands.add(
          line.substring(begins.end())
              .strip()
              .replaceFirst(" {2}.*", "")
              .replaceAll("\\{\\{.*?}}", "x"));
    }
    return commands;
  }

  private static List<String> faults(Map<String, String> commands, boolean optionsAreEnough) {
    List<String> faults = new ArrayList<>();
    CommandLine whole = whole();
    commands.forEach((where, command) ->
        fault(whole, words(command), optionsAreEnough)
            .ifPresent(fault -> faults.add(where + "\n  " + fault)));
    return faults;
  }

  private static Optional<String> fault(
      CommandLine whole, List<String> words, boolean optionsAreEnough) {
    boolean help = !words.isEmpty() && words.getFirst().equals("help");
    List<String> given = help ? words.subList(1, words.size()) : words;
    if (given.isEmpty() || given.equals(List.of("COMMAND")) || given.equals(List.of("--version"))) {
      return Optional.empty();
    }
    try {
      var _ = whole.parseArgs(given.toArray(String[]::new));
      return Optional.empty();
    } catch (MissingParameterException missing) {
      return help || optionsAreEnough && hasNoWord(given, missing.getCommandLine())
          ? Optional.empty()
          : Optional.of(said(missing));
    } catch (ParameterException refused) {
      boolean stands =
          optionsAreEnough && PLACEHOLDER.matcher(String.valueOf(refused.getValue())).matches();
      return stands ? Optional.empty() : Optional.of(said(refused));
    }
  }

  private static boolean hasNoWord(List<String> given, CommandLine command) {
    int behind = given.lastIndexOf(command.getCommandName()) + 1;
    return behind >= given.size() || given.get(behind).startsWith("-");
  }

  private static String said(ParameterException refused) {
    return String.valueOf(refused.getMessage());
  }

  /** The words of a command as a shell parts them, up to a pipe, a redirection or a comment. */
  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.lookingAt() && word.group(2) != null) {
      words.add(word.group(2).replaceAll("'([^']*)'|\"((?:\\\\.|[^\"])*)\"", "$1$2"));
      word.region(word.end(), command.length());
    }
    return words;
  }

  private static CommandLine whole() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false);
    return Main.commandLine(
        new Terminal(InputStream.nullInputStream(), nowhere, nowhere, Map.of(), false));
  }
}
