package dev.parlance.cli.run;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.OutputOption;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.demo.Demo;
import dev.parlance.demo.Demo.Show;
import dev.parlance.demo.DemoOptions;
import dev.parlance.demo.DemoOptions.Streaming;
import dev.parlance.demo.agent.Talk.Binding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "demo")
final class DemoCommand extends TerminalCommand {
  private static final Duration CHILDREN_END = Duration.ofSeconds(10);
  private static final long POLL_MS = 50;

  @Option(names = "--once", description = "end after the last question")
  boolean once;

  @Option(
      names = "--keep-dir",
      description = "keep the folder with configurations, logs and review queue")
  volatile boolean keepDir;

  @Option(names = "--first-act", description = "only the first act, without a control plane")
  boolean firstActOnly;

  @Option(
      names = "--round",
      description =
          "rounds: seven agents with a sidecar beside each, two liars among them, one control"
              + " plane")
  boolean round;

  @Option(
      names = "--pact",
      description =
          "pacts: two agents that know nothing of them, a sidecar beside each, one control plane")
  boolean pact;

  @Option(
      names = "--lexicon",
      description =
          "coined terms: three agents that know nothing of boards, a sidecar beside each, one"
              + " control plane")
  boolean lexicon;

  @Option(
      names = "--binding",
      paramLabel = "jsonrpc|rest|grpc",
      description = "in which form of A2A agent B asks agent A: jsonrpc (default), rest or grpc")
  Binding binding = Binding.JSONRPC;

  @Option(
      names = "--stream",
      arity = "0..1",
      fallbackValue = "hold",
      paramLabel = "hold|window|observe",
      description = {
        "A streams its answers, and its sidecar treats streams in this mode: hold (default) keeps"
            + " what is said until it is judged, window lets pieces go on one by one, observe lets"
            + " everything pass.",
        "With --verbose the table then shows how many events came and when."
      })
  Optional<StreamMode> stream = Optional.empty();

  /** What {@code --stream} takes. */
  enum StreamMode {
    HOLD,
    WINDOW,
    OBSERVE;

    Streaming streaming() {
      return switch (this) {
        case HOLD -> Streaming.HOLD;
        case WINDOW -> Streaming.WINDOW;
        case OBSERVE -> Streaming.OBSERVE;
      };
    }
  }

  @Spec @Nullable CommandSpec spec;

  @Mixin OutputOption output = new OutputOption();

  DemoCommand() {}

  DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    String home = terminal.environment().get("PARLANCE_HOME");
    if (home == null) {
      return terminal.usage("demo: start it with bin/parlance, which sets PARLANCE_HOME");
    }
    boolean ofTheActs = firstActOnly || binding != Binding.JSONRPC || stream.isPresent();
    List<String> plays = plays();
    if (plays.size() > 1 || (!plays.isEmpty() && ofTheActs)) {
      return terminal.usage(
          "demo: " + plays.getFirst() + " goes with --once, --verbose, --keep-dir and -o only");
    }
    Path root = Path.of(home);
    Path launcher = root.resolve("bin/parlance");
    Path workDir = Files.createTempDirectory("parlance-demo-");
    boolean here = root.equals(Path.of("").toAbsolutePath());
    var options =
        new DemoOptions(
            List.of(launcher.toString(), "proxy"),
            firstActOnly ? List.of() : List.of(launcher.toString(), "control"),
            here ? "bin/parlance" : launcher.toString(),
            root.resolve("LICENSE"),
            workDir,
            once ? DemoOptions.Mode.ONCE : DemoOptions.Mode.STAY,
            switch (output.format) {
              case TEXT -> isVerbose() ? DemoOptions.Output.TEXT : DemoOptions.Output.SUMMARY;
              case JSON -> DemoOptions.Output.JSON;
            },
            terminal.colour(),
            binding,
            stream.map(StreamMode::streaming).orElse(Streaming.OFF));
    if (!keepDir) {
      // Ctrl-C ends the demonstration through its own hook; this one waits for it, then cleans up.
      Runtime.getRuntime().addShutdownHook(new Thread(() -> removeQuietly(workDir), "demo-folder"));
    }
    Demo demo = new Demo(options, terminal.out(), terminal.err(), terminal.in());
    int status =
        demo.run(round ? Show.ROUNDS : pact ? Show.PACTS : lexicon ? Show.LEXICON : Show.ACTS);
    if (status != ExitStatus.OK) {
      keepDir = true; // the demonstration has said where its logs are
    } else if (keepDir) {
      terminal.err().println("configurations, logs and review queue are in " + workDir);
    }
    return status;
  }

  /** What is played in place of the acts. */
  private List<String> plays() {
    List<String> plays = new ArrayList<>();
    if (round) {
      plays.add("--round");
    }
    if (pact) {
      plays.add("--pact");
    }
    if (lexicon) {
      plays.add("--lexicon");
    }
    return plays;
  }

  /** The option is the whole program's. */
  private boolean isVerbose() {
    OptionSpec option = spec == null ? null : spec.findOption("--verbose");
    return option != null && Boolean.TRUE.equals(option.getValue());
  }

  private void removeQuietly(Path folder) {
    if (keepDir) {
      return;
    }
    try {
      awaitChildren();
      remove(folder);
    } catch (IOException | UncheckedIOException e) {
      terminal.err().println("could not remove " + folder + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sidecars write into the folder until they end. */
  private static void awaitChildren() throws InterruptedException {
    long deadlineNs = System.nanoTime() + CHILDREN_END.toNanos();
    while (ProcessHandle.current().children().findAny().isPresent()
        && System.nanoTime() - deadlineNs < 0) {
      Thread.sleep(POLL_MS);
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
