package dev.parlance.cli;

import io.netty.util.Version;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The names of all commands in the order of the help, with one line on each, and the way to what
 * makes them. A name whose group is not in this build stays in the index: whoever asks for it is
 * told what to build.
 */
final class CommandIndex {
  /** The one that describes all the others. */
  static final String COMPLETION = "completion";

  /** By the headings of the help; within each by the names of the commands. */
  private static final Map<String, Map<String, String>> GROUPS = groups();

  private static final Map<String, String> SUMMARIES = summaries();

  private CommandIndex() {}

  private static Map<String, Map<String, String>> groups() {
    Map<String, Map<String, String>> groups = new LinkedHashMap<>();
    try (InputStream in = CommandIndex.class.getResourceAsStream("commands.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      Map<String, String> group = new LinkedHashMap<>();
      for (String line : text.lines().toList()) {
        int colon = line.indexOf(": ");
        if (line.startsWith("# ")) {
          group = new LinkedHashMap<>();
          groups.put(line.substring(2), group);
        } else if (colon > 0) {
          group.put(line.substring(0, colon), line.substring(colon + 2));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("commands.txt in the jar cannot be read", e);
    }
    return groups;
  }

  private static Map<String, String> summaries() {
    Map<String, String> all = new LinkedHashMap<>();
    GROUPS.values().forEach(all::putAll);
    return all;
  }

  /** The part of the help that lists the commands. */
  static String list(CommandLine.Help help) {
    var list = new StringBuilder();
    GROUPS.forEach((heading, commands) -> {
      list.append(help.createHeading("%n@|bold " + heading + "|@%n"));
      list.append(help.createTextTable(commands));
    });
    return list.toString();
  }

  /** What a command does, in a sentence; empty if the name is none of a command here. */
  static Optional<String> summary(String name) {
    return Optional.ofNullable(SUMMARIES.get(name));
  }

  static boolean contains(String name) {
    return SUMMARIES.containsKey(name);
  }

  /** Adds names and summaries alone: enough for the help and for suggestions. */
  static void addSummaries(CommandLine commands) {
    SUMMARIES.forEach((name, summary) -> {
      var spec = CommandLine.Model.CommandSpec.create().name(name);
      spec.usageMessage().description(summary);
      commands.addSubcommand(name, spec);
    });
  }

  /** Adds every command that this build has. */
  static void addAll(CommandLine commands, Terminal terminal) {
    Map<String, Class<?>> types = types();
    for (String name : SUMMARIES.keySet()) {
      if (types.containsKey(name)) {
        commands.addSubcommand(name, command(types.get(name), terminal));
      }
    }
    commands.addSubcommand(COMPLETION, new CompletionCommand(terminal, commands));
  }

  /**
   * Adds one command.
   *
   * @return false if this build does not have it
   */
  static boolean add(CommandLine commands, Terminal terminal, String name) {
    Class<?> type = types().get(name);
    if (type == null) {
      return false;
    }
    commands.addSubcommand(name, command(type, terminal));
    return true;
  }

  private static CommandLine command(Class<?> type, Terminal terminal) {
    return new CommandLine(type, new CommandFactory(terminal));
  }

  private static Map<String, Class<?>> types() {
    Map<String, Class<?>> types = new LinkedHashMap<>();
    types.put("version", VersionCommand.class);
    Iterator<CommandGroup> groups =
        ServiceLoader.load(CommandGroup.class, CommandIndex.class.getClassLoader()).iterator();
    boolean more = true;
    while (more) {
      try {
        more = groups.hasNext();
        if (more) {
          types.putAll(groups.next().commands());
        }
      } catch (ServiceConfigurationError _) {
        more = true; // a group that was left out of this build; the next one follows
      }
    }
    return types;
  }

  @Command(name = "completion")
  record CompletionCommand(Terminal terminal, CommandLine root) implements Callable<Integer> {
    @Override
    public Integer call() {
      terminal.out().print(AutoComplete.bash("parlance", root));
      return ExitStatus.OK;
    }
  }

  /** Makes commands and their subcommands, each with the terminal. */
  record CommandFactory(Terminal terminal) implements CommandLine.IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      K made = CommandLine.defaultFactory().create(type);
      if (made instanceof TerminalCommand command) {
        command.terminal = terminal;
      }
      return made;
    }
  }

  @Command(name = "version")
  static final class VersionCommand extends TerminalCommand {
    @Mixin OutputOption output = new OutputOption();

    @Override
    public Integer call() {
      BuildInfo build = BuildInfo.load();
      // what its jar says; to ask Netty itself is to look into every jar
      String netty = Version.class.getPackage().getImplementationVersion();
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put("version", build.version());
      facts.put("revision", build.revision());
      facts.put("java", Runtime.version().toString());
      facts.put("netty", netty == null ? "unknown" : netty);
      switch (output.format) {
        case JSON -> terminal.println(Json.text(facts));
        case TEXT -> {
          terminal.println("parlance " + build.version() + " (" + build.revision() + ")");
          terminal.println("java " + facts.get("java"));
          terminal.println("netty " + facts.get("netty"));
        }
      }
      return ExitStatus.OK;
    }
  }
}
