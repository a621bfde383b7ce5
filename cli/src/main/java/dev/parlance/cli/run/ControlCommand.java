package dev.parlance.cli.run;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.control.config.ControlConfig;
import dev.parlance.control.main.ControlMain;
import dev.parlance.control.main.ControlReplica;
import dev.parlance.control.store.Store.StoreException;
import dev.parlance.service.config.ConfigResult;
import dev.parlance.service.config.Listen;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "control",
    subcommands = {ControlTokenCommand.class, ControlKeysCommand.class},
    description = {
      "Runs a control plane until SIGTERM or Ctrl-C.",
      "Then it takes nothing new, gives its audits back and ends with status 0. Keys,",
      "tokens, ledger and store are made at first start. Status 1 if it cannot start,",
      "2 for a bad configuration."
    },
    footer = {
      "",
      "Examples:",
      "  parlance control",
      "  parlance control --config control.yaml --data /var/lib/parlance",
      "  parlance control token alice > alice.token"
    })
final class ControlCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ControlCommand.class);

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

  private final Terminal terminal;
  private volatile int status = ExitStatus.OK;

  ControlCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    for (Optional<String> address : List.of(grpc, http)) {
      if (address.isPresent() && Listen.parse(address.get()).isEmpty()) {
        return terminal.complain(
            ExitStatus.USAGE, "control: expected HOST:PORT, got " + address.get());
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
    } catch (IOException | StoreException e) {
      return terminal.complain(
          ExitStatus.FAILED, "control: cannot start: " + String.valueOf(e.getMessage()));
    }
    // A signal runs the hooks and would leave 143; a control plane that drained has ended well.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  plane.close();
                  Runtime.getRuntime().halt(status);
                },
                "control-drain"));
    ControlMain.announce(plane, loaded, terminal.out());
    if (stopOnStdinClose) {
      Thread.ofPlatform().daemon().name("stdin").start(() -> stopAtEnd(terminal.in(), plane));
    }
    try {
      plane.stopped().join();
    } catch (CompletionException e) {
      status =
          terminal.complain(
              ExitStatus.FAILED, "control: stopped because of " + String.valueOf(e.getCause()));
    } finally {
      plane.close();
    }
    return status;
  }

  private static void stopAtEnd(InputStream in, ControlReplica plane) {
    byte[] ignored = new byte[256];
    try {
      int read;
      do {
        read = in.read(ignored);
      } while (read >= 0);
    } catch (IOException e) {
      LOG.warn("standard input broke, stopping: {}", e.getMessage());
    }
    plane.close();
  }
}
