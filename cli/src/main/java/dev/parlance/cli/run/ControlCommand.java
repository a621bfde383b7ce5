package dev.parlance.cli.run;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.LineReader;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.main.ControlMain;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.policy.core.Names;
import dev.parlance.service.IoWords;
import dev.parlance.service.Lifecycle;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "control",
    subcommands = {
      ControlCommand.ControlTokenCommand.class,
      ControlCommand.ControlKeysCommand.class
    })
final class ControlCommand extends TerminalCommand {
  private static final int MAX_LINE = 64;

  @Mixin ControlConfigOptions config = new ControlConfigOptions();

  @Option(
      names = "--grpc",
      paramLabel = "HOST:PORT",
      description =
          "where sidecars and tools connect (default: 127.0.0.1:7070); port 0: a free one")
  Optional<String> grpc = Optional.empty();

  @Option(
      names = "--http",
      paramLabel = "HOST:PORT",
      description = "where ledger, metrics and probes are served (default: 127.0.0.1:7071)")
  Optional<String> http = Optional.empty();

  @Option(
      names = "--stop-on-stdin-close",
      description = "stop when standard input ends, so that it never outlives whoever started it")
  boolean stopOnStdinClose;

  private volatile int status = ExitStatus.OK;

  @Override
  public Integer call() {
    for (Optional<String> address : List.of(grpc, http)) {
      if (address.isPresent() && Listen.parse(address.get()).isEmpty()) {
        return terminal.usage("control: expected HOST:PORT, got " + address.get());
      }
    }
    return switch (config.load(grpc.flatMap(Listen::parse), http.flatMap(Listen::parse))) {
      case ConfigResult.Refused<ControlConfig> refused -> config.complain(terminal, refused);
      case ConfigResult.Loaded(ControlConfig loaded) -> run(loaded);
    };
  }

  private int run(ControlConfig loaded) {
    ControlReplica plane;
    try {
      plane = ControlReplica.start(loaded);
    } catch (IOException e) {
      return terminal.fail("control: cannot start: " + IoWords.withFile(e));
    } catch (StoreException e) {
      return terminal.fail("control: cannot start: " + String.valueOf(e.getMessage()));
    }
    Lifecycle.closeOnSignal(plane::close, () -> status);
    ControlMain.announce(plane, loaded, terminal.out());
    if (stopOnStdinClose) {
      terminal.whenInputEnds(plane::close);
    } else if (loaded.console().filter(console -> console.url().isEmpty()).isPresent()) {
      Thread.ofPlatform().daemon().name("parlance-control-stdin").start(() -> links(plane));
    }
    try {
      plane.stopped().join();
    } catch (CompletionException e) {
      status = terminal.fail("control: stopped because of " + String.valueOf(e.getCause()));
    } finally {
      plane.close();
    }
    return status;
  }

  /** Another link to the console with every line: one is used up by who opens it. */
  private void links(ControlReplica plane) {
    LineReader lines = new LineReader(terminal.in(), MAX_LINE, () -> {});
    try {
      while (lines.next() instanceof LineReader.Line.Whole) {
        plane.console().ifPresent(console -> terminal.println("%s", console.opening()));
        terminal.out().flush();
      }
    } catch (IOException _) {
      // Standard input is gone; so is who would press Enter.
    }
  }

  @Command(name = "token")
  static final class ControlTokenCommand extends TerminalCommand {
    @Parameters(paramLabel = "AGENT", description = "id of the agent")
    String agent = "";

    @Mixin ControlConfigOptions config = new ControlConfigOptions();
    @Mixin OutputOption output = new OutputOption();

    @Override
    public Integer call() throws IOException {
      if (!Names.isName(agent)) {
        return terminal.usage(
            "control token: expected an id like [A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}, got "
                + TerminalEscaper.shortened(agent, 80));
      }
      return switch (config.load(Optional.empty(), Optional.empty())) {
        case ConfigResult.Refused<ControlConfig> refused -> config.complain(terminal, refused);
        case ConfigResult.Loaded(ControlConfig loaded) -> {
          String token = ControlMain.attachToken(loaded, agent);
          output.print(
              terminal, Map.of("agent", agent, "token", token), () -> terminal.println(token));
          yield ExitStatus.OK;
        }
      };
    }
  }

  @Command(name = "keys")
  static final class ControlKeysCommand extends TerminalCommand {
    @Parameters(
        paramLabel = "DIR",
        arity = "0..1",
        description = "folder of the keys, instead of the one of the data folder or configuration")
    Optional<Path> folder = Optional.empty();

    @Mixin ControlConfigOptions config = new ControlConfigOptions();
    @Mixin OutputOption output = new OutputOption();

    @Override
    public Integer call() throws IOException {
      return switch (config.load(Optional.empty(), Optional.empty())) {
        case ConfigResult.Refused<ControlConfig> refused -> config.complain(terminal, refused);
        case ConfigResult.Loaded(ControlConfig loaded) -> {
          ControlMain.Keys keys =
              ControlMain.keys(folder.orElse(loaded.keys()), loaded.ledgerOrigin());
          Map<String, String> texts = new LinkedHashMap<>();
          texts.put("core", keys.core().format());
          texts.put("ledger", keys.ledger().format());
          switch (output.format) {
            case TEXT ->
                texts.forEach((what, key) -> terminal.line(String.format("%-7s %s", what, key)));
            case JSON -> terminal.json(texts);
          }
          yield ExitStatus.OK;
        }
      };
    }
  }

  /** Which control plane's configuration and data folder a command is about. */
  static final class ControlConfigOptions {
    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "the configuration (YAML); without it the defaults")
    Optional<Path> file = Optional.empty();

    @Option(
        names = {"--data", "--data-dir"},
        paramLabel = "DIR",
        description = "data folder instead of the configured one (default: parlance-control)")
    Optional<Path> dataDir = Optional.empty();

    /** The configuration with what the command line changes. */
    ConfigResult<ControlConfig> load(Optional<Listen> grpc, Optional<Listen> http) {
      return ControlMain.config(new ControlMain.Options(file, dataDir, grpc, http));
    }

    /** Says everything that is wrong with a configuration: exit status 2. */
    int complain(Terminal terminal, ConfigResult.Refused<ControlConfig> refused) {
      refused
          .problems()
          .forEach(problem -> terminal.note(file.map(path -> path + ":").orElse("") + problem));
      return ExitStatus.USAGE;
    }
  }
}
