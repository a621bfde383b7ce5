package dev.parlance.cli.run;

import dev.parlance.cli.Main;
import dev.parlance.cli.Terminal;
import dev.parlance.service.log.LineLogging;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * {@code parlance proxy} in its everyday forms, {@code --config FILE [--stop-on-stdin-close]}: the
 * same sidecar without the parser of command lines, which costs a fifth of its start. The launcher
 * picks it, with a class path that has only what a sidecar needs. Every other form is for {@link
 * Main}.
 */
public final class ProxyMain {
  private static final String COMMAND = "proxy";
  private static final String CONFIG = "--config";
  private static final String STOP = "--stop-on-stdin-close";

  private ProxyMain() {}

  /** Runs a sidecar and ends the process with its exit status. */
  public static void main(String[] args) {
    Optional<Form> form = Form.of(args);
    if (form.isEmpty()) {
      Main.main(args);
      return;
    }
    // named, or SLF4J opens every jar of the class path to look for one
    System.setProperty(LoggerFactory.PROVIDER_PROPERTY_KEY, LineLogging.class.getName());
    System.exit(run(terminal(), form.get()));
  }

  private static int run(Terminal terminal, Form form) {
    try {
      return new SidecarRun(terminal).run(form.config(), form.stopOnStdinClose());
    } catch (IOException | RuntimeException e) {
      return terminal.fail(COMMAND, e, false);
    } finally {
      terminal.out().flush();
      terminal.err().flush();
    }
  }

  private static Terminal terminal() {
    return new Terminal(
        new FileInputStream(FileDescriptor.in),
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)),
            false,
            StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        Map.of(),
        false);
  }

  /**
   * What the command line says.
   *
   * @param config the configuration file
   * @param stopOnStdinClose whether the sidecar ends with standard input
   */
  record Form(Path config, boolean stopOnStdinClose) {
    /** Empty for anything but the everyday forms. */
    static Optional<Form> of(String... args) {
      if (args.length < 2 || !args[0].equals(COMMAND)) {
        return Optional.empty();
      }
      Optional<Path> config = Optional.empty();
      boolean stop = false;
      for (int i = 1; i < args.length; i++) {
        boolean isFile = args[i].equals(CONFIG) && i + 1 < args.length;
        if (isFile && config.isEmpty() && isPlain(args[i + 1])) {
          config = Optional.of(Path.of(args[++i]));
        } else if (args[i].equals(STOP) && !stop) {
          stop = true;
        } else {
          return Optional.empty();
        }
      }
      boolean stopAtEnd = stop;
      return config.map(file -> new Form(file, stopAtEnd));
    }

    /** What the parser would take as it stands: no option, quote or file of options. */
    private static boolean isPlain(String value) {
      return !value.isEmpty() && value.indexOf('\0') < 0 && "-@\"'".indexOf(value.charAt(0)) < 0;
    }
  }
}
