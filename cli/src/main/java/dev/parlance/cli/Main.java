package dev.parlance.cli;

import dev.parlance.client.CallRefused;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * {@code bin/parlance}.
 *
 * <p>Exit statuses: 0 everything went well; 1 a check failed, an input line was malformed, a thing
 * was not found, a sidecar or control plane did not answer; 2 the command line is wrong.
 */
@Command(
    name = "parlance",
    synopsisSubcommandLabel = "COMMAND",
    description = "Checks what AI agents mean, not only who they are.",
    footer = {
      "",
      "Start here:",
      "  parlance run --agent-port 8080 -- node agent.mjs",
      "                                        your agent, a sidecar beside it",
      "  parlance demo                         two agents, two sidecars, a live table",
      "  parlance proxy --config sidecar.yaml  a sidecar beside your agent",
      "  parlance control                      a control plane for cores and rounds",
      "  parlance help COMMAND                 the rest",
      "",
      "Exit status: 0 ok, 1 failed check or malformed input, 2 wrong usage."
    })
public final class Main {
  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "print the stack trace of a failure")
  boolean verbose;

  private final Terminal terminal;
  private CommandLine self;

  private Main(Terminal terminal) {
    this.terminal = terminal;
    this.self = new CommandLine(this);
  }

  /** Runs one command and ends the process with its exit status. */
  public static void main(String[] args) {
    int status = run(Terminal.ofProcess(), args);
    System.exit(status);
  }

  /** Runs one command on any streams; what tests call. */
  public static int run(Terminal terminal, String... args) {
    var main = new Main(terminal);
    try {
      return main.run(asked(args));
    } finally {
      terminal.out().flush();
      terminal.err().flush();
    }
  }

  /** What is usual elsewhere: {@code help COMMAND}, and {@code --version}. */
  private static String[] asked(String... args) {
    if (args.length > 0 && args[0].equals("help")) {
      List<String> about = new ArrayList<>(List.of(args).subList(1, args.length));
      if (about.isEmpty() || CommandIndex.contains(about.getFirst())) {
        about.add("--help");
      }
      return about.toArray(String[]::new);
    }
    if (args.length > 0 && (args[0].equals("--version") || args[0].equals("-V"))) {
      return new String[] {"version"};
    }
    return args;
  }

  private int run(String... args) {
    // the options before a command have no values, so the first other word is its name
    Optional<String> name = Arrays.stream(args).filter(arg -> !arg.startsWith("-")).findFirst();
    if (name.isEmpty() || !CommandIndex.contains(name.get())) {
      CommandIndex.addSummaries(self);
    } else if (name.get().equals(CommandIndex.COMPLETION)) {
      CommandIndex.addAll(self, terminal);
    } else if (!CommandIndex.add(self, terminal, name.get())) {
      return terminal.fail(
          name.get() + " is not in this build; mvn -DskipTests package builds all commands");
    }
    return configured().execute(args);
  }

  /** The whole tree of commands. */
  static CommandLine commandLine(Terminal terminal) {
    var main = new Main(terminal);
    CommandIndex.addAll(main.self, terminal);
    return main.configured();
  }

  private CommandLine configured() {
    self.setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setOut(new java.io.PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
        .setErr(new java.io.PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF))
        .setParameterExceptionHandler((problem, args) -> usageError(terminal, problem))
        .setExecutionExceptionHandler((problem, command, parsed) -> failure(problem, command));
    self.getHelpSectionMap()
        .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandIndex::list);
    self.getCommandSpec().usageMessage().commandListHeading("");
    withHelp(self);
    return self;
  }

  private static void withHelp(CommandLine command) {
    command.getCommandSpec().mixinStandardHelpOptions(false);
    command
        .getCommandSpec()
        .addOption(
            CommandLine.Model.OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .arity("0")
                .type(boolean.class)
                .description("print this help")
                .build());
    HelpText.join(command.getCommandSpec());
    command.getSubcommands().values().forEach(Main::withHelp);
  }

  private static int usageError(Terminal terminal, CommandLine.ParameterException problem) {
    CommandLine command = problem.getCommandLine();
    String message =
        problem.getMessage() != null
                && problem.getMessage().startsWith("Missing required subcommand")
            ? missing(command)
            : problem.getMessage();
    terminal.usage(message == null ? "the command line is wrong" : withoutClass(message));
    Advice.on(problem, terminal)
        .ifPresent(meant -> terminal.err().println("did you mean: " + meant + "?"));
    terminal.err().println("see: " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitStatus.USAGE;
  }

  /** A value that does not convert is told with the exception that the conversion threw. */
  private static String withoutClass(String message) {
    return message.replaceFirst("\\((?:[a-z]\\w*\\.)+[A-Z]\\w*: (.*)\\)$", "($1)");
  }

  /** Names the subcommands of a group; those of the whole command line are too many. */
  private static String missing(CommandLine command) {
    List<String> names = List.copyOf(command.getSubcommands().keySet());
    int last = names.size() - 1;
    return command.getParent() == null || last < 1
        ? "a command is missing" + (command.getParent() == null ? "" : ": " + names.getFirst())
        : "a command is missing: %s or %s"
            .formatted(String.join(", ", names.subList(0, last)), names.getLast());
  }

  private int failure(Exception problem, CommandLine command) {
    if (problem instanceof CommandProblem known) {
      return terminal.complain(known.status(), String.valueOf(known.getMessage()));
    }
    if (problem instanceof CallRefused refused) {
      return terminal.fail(String.valueOf(refused.getMessage()));
    }
    if (verbose) {
      problem.printStackTrace(terminal.err());
    }
    String name = command.getCommandSpec().qualifiedName().replaceFirst("^parlance ", "");
    return terminal.fail(name, problem, verbose);
  }
}
