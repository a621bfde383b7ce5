package dev.parlance.cli.run;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.main.Sidecar;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One sidecar from its configuration file to its end. */
final class SidecarRun {
  private static final Logger LOG = LoggerFactory.getLogger(SidecarRun.class);

  private final Terminal terminal;
  private volatile int status = ExitStatus.OK;

  SidecarRun(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Runs it.
   *
   * @param file its configuration
   * @param stopOnStdinClose whether it ends with standard input
   * @return an exit status
   * @throws IOException if an address is taken or the data folder cannot be used
   */
  int run(Path file, boolean stopOnStdinClose) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return terminal.complain(
          ExitStatus.USAGE,
          "proxy: cannot read " + file + "; expected a sidecar configuration (YAML)");
    }
    return switch (ConfigLoader.load(file)) {
      case ConfigResult.Refused<SidecarConfig> refused -> {
        refused
            .problems()
            .forEach(problem -> terminal.err().println(ConfigFile.line(file, problem)));
        yield ExitStatus.FAILED;
      }
      case ConfigResult.Loaded(SidecarConfig config) -> run(config, file, stopOnStdinClose);
    };
  }

  private int run(SidecarConfig config, Path file, boolean stopOnStdinClose) throws IOException {
    Sidecar sidecar = Sidecar.start(config, file);
    HeapTrimmer.watch();
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
