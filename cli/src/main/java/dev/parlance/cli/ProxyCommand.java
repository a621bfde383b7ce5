package dev.parlance.cli;

import dev.parlance.proxy.config.ConfigLoader;
import dev.parlance.proxy.config.ConfigResult;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.main.Sidecar;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "proxy",
    description = {
      "Runs a sidecar until SIGTERM or Ctrl-C; then it takes nothing new, finishes what is under"
          + " way",
      "and ends with status 0. The configuration is read again when the file changes."
    },
    footer = {
      "",
      "Example:",
      "  parlance config validate sidecar.yaml && parlance proxy --config sidecar.yaml"
    })
final class ProxyCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyCommand.class);

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "the configuration (YAML); see parlance config show-defaults")
  Path file = Path.of("");

  @Option(
      names = "--stop-on-stdin-close",
      description = "stop when standard input ends, so that it never outlives whoever started it")
  boolean stopOnStdinClose;

  private final Terminal terminal;
  private volatile int status = ExitStatus.OK;

  ProxyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return terminal.complain(
          ExitStatus.USAGE,
          "proxy: cannot read " + file + "; expected a sidecar configuration (YAML)");
    }
    return switch (ConfigLoader.load(file)) {
      case ConfigResult.Refused refused -> {
        refused
            .problems()
            .forEach(problem -> terminal.err().println(ConfigFile.line(file, problem)));
        yield ExitStatus.FAILED;
      }
      case ConfigResult.Loaded(SidecarConfig config) -> run(config);
    };
  }

  private int run(SidecarConfig config) throws IOException {
    Sidecar sidecar = Sidecar.start(config, file);
    // A signal runs the hooks and would leave 143; a sidecar that drained has ended well.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  sidecar.close();
                  Runtime.getRuntime().halt(status);
                },
                "drain"));
    if (stopOnStdinClose) {
      Thread.ofPlatform().daemon().name("stdin").start(() -> stopAtEnd(terminal.in(), sidecar));
    }
    try {
      sidecar.stopped().get();
    } catch (ExecutionException e) {
      status = terminal.complain(ExitStatus.FAILED, "proxy: stopped because of " + e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      status = ExitStatus.FAILED;
    } finally {
      sidecar.close();
    }
    return status;
  }

  private static void stopAtEnd(InputStream in, Sidecar sidecar) {
    byte[] ignored = new byte[256];
    try {
      int read;
      do {
        read = in.read(ignored);
      } while (read >= 0);
    } catch (IOException e) {
      LOG.warn("standard input broke, stopping: {}", e.getMessage());
    }
    sidecar.close();
  }
}
