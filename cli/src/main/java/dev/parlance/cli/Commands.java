package dev.parlance.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine;

/** The commands in the order of the help; none is made before it is asked for. */
final class Commands {
  /** The one that describes all the others and so is there only when they are. */
  private static final String COMPLETION = "completion";

  private static final Map<String, Function<Terminal, CommandLine>> MAKERS = makers();

  private Commands() {}

  private static Map<String, Function<Terminal, CommandLine>> makers() {
    Map<String, Function<Terminal, CommandLine>> makers = new LinkedHashMap<>();
    makers.put("demo", terminal -> new CommandLine(new DemoCommand(terminal)));
    makers.put("proxy", terminal -> new CommandLine(new ProxyCommand(terminal)));
    makers.put("score", terminal -> new CommandLine(new ScoreCommand(terminal)));
    makers.put("certify", terminal -> new CommandLine(new CertifyCommand(terminal)));
    makers.put("commit", terminal -> new CommandLine(new CommitCommand(terminal)));
    makers.put("explain", terminal -> new CommandLine(new ExplainCommand(terminal)));
    makers.put("tap", terminal -> new CommandLine(new TapCommand(terminal)));
    makers.put("top", terminal -> new CommandLine(new TopCommand(terminal)));
    makers.put("core", CoreCommand::commandLine);
    makers.put("round", RoundCommand::commandLine);
    makers.put("ledger", LedgerCommand::commandLine);
    makers.put("control", ControlCommand::commandLine);
    makers.put("inject", terminal -> new CommandLine(new InjectCommand(terminal)));
    makers.put("uninject", terminal -> new CommandLine(new UninjectCommand(terminal)));
    makers.put("injector", terminal -> new CommandLine(new InjectorCommand(terminal)));
    makers.put("encoder", EncoderCommand::commandLine);
    makers.put("simulate", SimulateCommand::commandLine);
    makers.put("check", terminal -> new CommandLine(new CheckCommand(terminal)));
    makers.put("proxy-status", terminal -> new CommandLine(new ProxyStatusCommand(terminal)));
    makers.put("diagnostics", DiagnosticsCommand::commandLine);
    makers.put("config", ConfigCommand::commandLine);
    makers.put("intercept", InterceptCommand::commandLine);
    makers.put("review", ReviewCommand::commandLine);
    makers.put("install", terminal -> new CommandLine(new InstallCommand(terminal)));
    makers.put("reach", terminal -> new CommandLine(new ReachCommand(terminal)));
    makers.put("version", terminal -> new CommandLine(new VersionCommand(terminal)));
    return makers;
  }

  /** Names of the commands that can stand without the others. */
  static Set<String> names() {
    return MAKERS.keySet();
  }

  /** Adds those that are wanted, by name. */
  static void addTo(CommandLine commands, Terminal terminal, Predicate<String> wanted) {
    MAKERS.forEach((name, maker) -> {
      if (wanted.test(name)) {
        commands.addSubcommand(maker.apply(terminal));
      }
    });
    if (wanted.test(COMPLETION)) {
      commands.addSubcommand(new CompletionCommand(terminal, commands));
    }
  }
}
