package dev.parlance.cli;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

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
      "  parlance demo                         two agents, two sidecars, a live table",
      "  parlance proxy --config sidecar.yaml  a sidecar beside your agent",
      "  parlance control                      a control plane that certifies what agents mean",
      "  parlance COMMAND --help               the rest",
      "",
      "Exit status: 0 ok, 1 failed check or malformed input, 2 wrong usage."
    })
public final class Main implements Runnable {
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
  static int run(Terminal terminal, String... args) {
    try {
      return commandLine(terminal, args).execute(args);
    } finally {
      terminal.out().flush();
      terminal.err().flush();
    }
  }

  /** The whole tree of commands. */
  static CommandLine commandLine(Terminal terminal) {
    return commandLine(terminal, name -> true);
  }

  /**
   * The commands that this command line can need. If its first word is a command's name that is
   * this one, for each command brings classes of its own and a sidecar has no use for the others;
   * else all, because help and suggestions name them.
   */
  private static CommandLine commandLine(Terminal terminal, String... args) {
    Set<String> known = Commands.names();
    return args.length > 0 && known.contains(args[0])
        ? commandLine(terminal, args[0]::equals)
        : commandLine(terminal);
  }

  private static CommandLine commandLine(Terminal terminal, Predicate<String> wanted) {
    var main = new Main(terminal);
    CommandLine commands = main.self;
    Commands.addTo(commands, terminal, wanted);
    commands
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setOut(new java.io.PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
        .setErr(new java.io.PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF))
        .setParameterExceptionHandler((problem, args) -> usageError(terminal, problem))
        .setExecutionExceptionHandler((problem, command, parsed) -> main.failure(problem, command));
    withHelp(commands);
    return commands;
  }

  /** Without a command: the help, and the status of a wrong command line. */
  @Override
  public void run() {
    throw new CommandLine.ParameterException(self, "a command is missing");
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
    command.getSubcommands().values().forEach(Main::withHelp);
  }

  private static int usageError(Terminal terminal, CommandLine.ParameterException problem) {
    CommandLine command = problem.getCommandLine();
    String message = problem.getMessage();
    terminal.complain(ExitStatus.USAGE, message == null ? problem.toString() : message);
    if (problem instanceof UnmatchedArgumentException unmatched) {
      List<String> suggestions = unmatched.getSuggestions();
      if (!suggestions.isEmpty()) {
        terminal.err().println("did you mean: " + String.join(", ", suggestions) + "?");
      }
    }
    terminal.err().println("see: " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitStatus.USAGE;
  }

  private int failure(Exception problem, CommandLine command) {
    if (verbose) {
      problem.printStackTrace(terminal.err());
    }
    String name = command.getCommandSpec().qualifiedName().replaceFirst("^parlance ", "");
    return Failures.complain(terminal, name, problem, verbose);
  }
}
