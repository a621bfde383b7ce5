package dev.parlance.cli;

import io.netty.util.Version;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
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

  private static final Map<String, String> SUMMARIES = new LinkedHashMap<>();

  static {
    SUMMARIES.put(
        "demo", "Starts two A2A agents and a sidecar beside each, on free ports of this machine.");
    SUMMARIES.put(
        "proxy",
        "Runs a sidecar until SIGTERM or Ctrl-C; then it takes nothing new, finishes what is under"
            + " way");
    SUMMARIES.put(
        "score",
        "Judges answers offline: JSON Lines in, JSON Lines out, in the same order and number.");
    SUMMARIES.put(
        "certify", "Decides offline which terms agents use alike (Algorithm 1). Two forms:");
    SUMMARIES.put(
        "commit", "Decides rounds of proposals offline (H-CSC): JSON Lines in, JSON Lines out, in");
    SUMMARIES.put(
        "explain",
        "Says why a message took its route, and computes the decision again from what was logged.");
    SUMMARIES.put(
        "tap", "Shows the decisions of a running sidecar as they are taken, until Ctrl-C.");
    SUMMARIES.put(
        "top",
        "Counts the decisions of a running sidecar by direction, peer and rule, again and again");
    SUMMARIES.put(
        "core", "Asks a control plane for certified cores, plans and audits, and starts audits.");
    SUMMARIES.put(
        "round", "Opens rounds of proposals at a control plane, and shows what came of them.");
    SUMMARIES.put("ledger", "Checks, proves and exports ledgers.");
    SUMMARIES.put("control", "Runs a control plane until SIGTERM or Ctrl-C.");
    SUMMARIES.put("inject", "Puts a sidecar into every pod of a manifest and prints the manifest.");
    SUMMARIES.put(
        "uninject",
        "Takes the sidecars out of a manifest that parlance inject put in, and prints it.");
    SUMMARIES.put(
        "injector", "Runs the injector, a webhook that puts sidecars into pods, until SIGTERM.");
    SUMMARIES.put(
        "encoder", "Checks and tries encoders, which turn the texts of rounds into vectors.");
    SUMMARIES.put("simulate", "Runs the papers' simulations and prints their numbers beside ours.");
    SUMMARIES.put(
        "check",
        "Looks whether a cluster is ready for Parlance (--pre) or whether Parlance is well in it.");
    SUMMARIES.put(
        "proxy-status", "Lists the sidecars of a control plane, with the cores they guard with.");
    SUMMARIES.put("diagnostics", "Collects what is needed to find out what is wrong.");
    SUMMARIES.put("config", "Checks a sidecar configuration, prints its schema or its defaults.");
    SUMMARIES.put(
        "intercept", "Redirects the traffic of a pod (of this network namespace) to its sidecar.");
    SUMMARIES.put("review", "Lists, shows and decides the messages that wait for a person.");
    SUMMARIES.put("install", "Prints what is to be installed in a Kubernetes cluster.");
    SUMMARIES.put("reach", "Waits until addresses answer with a status below 300.");
    SUMMARIES.put(
        "version", "Prints the version, the revision it was built from, and what it runs on.");
    SUMMARIES.put(COMPLETION, "Prints a completion script for bash and zsh.");
  }

  private CommandIndex() {}

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

  @Command(
      name = "completion",
      description = "Prints a completion script for bash and zsh.",
      footer = {"", "Example:", "  source <(parlance completion)"})
  static final class CompletionCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final CommandLine root;

    CompletionCommand(Terminal terminal, CommandLine root) {
      this.terminal = terminal;
      this.root = root;
    }

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

  @Command(
      name = "version",
      description = "Prints the version, the revision it was built from, and what it runs on.",
      footer = {"", "Example:", "  parlance version -o json"})
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
