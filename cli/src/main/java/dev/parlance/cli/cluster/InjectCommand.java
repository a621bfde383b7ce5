package dev.parlance.cli.cluster;

import dev.parlance.cli.BuildInfo;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.inject.manifest.ManifestInjector;
import dev.parlance.inject.manifest.UnifiedDiff;
import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.pod.PodOutcome;
import dev.parlance.inject.pod.PodOutcome.PodFinding;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.policy.text.Coded;
import dev.parlance.proxy.config.Mode;
import dev.parlance.service.IoWords;
import dev.parlance.service.config.ConfigProblem;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The injector without a cluster. */
@Command(name = "inject")
final class InjectCommand extends TerminalCommand {
  @Mixin InjectOptions options = new InjectOptions();

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = "the injector's file; without it its defaults, and no control plane")
  Optional<Path> settings = Optional.empty();

  @Option(
      names = "--image",
      paramLabel = "IMAGE",
      description = "image of the sidecar, instead of the one in the file")
  Optional<String> image = Optional.empty();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "observe or enforce, for pods that do not say themselves; without it what the injector's"
              + " file says, else observe")
  Optional<String> mode = Optional.empty();

  @Override
  public Integer call() throws IOException {
    if (settings.isEmpty() && image.isEmpty()) {
      return terminal.usage("inject: expected --settings or --image");
    }
    ConfigResult<InjectorSettings> read =
        settings
            .map(SettingsReader::load)
            .orElseGet(() ->
                SettingsReader.parse("image: { reference: none }", Path.of("").toAbsolutePath()));
    return switch (read) {
      case ConfigResult.Refused<InjectorSettings>(List<ConfigProblem> problems) ->
          terminal.usage(
              "inject: %s: %s",
              settings.map(Path::toString).orElse("settings"),
              problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("; ")));
      case ConfigResult.Loaded<InjectorSettings>(InjectorSettings loaded) -> run(loaded);
    };
  }

  private int run(InjectorSettings loaded) throws IOException {
    InjectorSettings used;
    try {
      used = image.map(loaded::withImage).orElse(loaded);
    } catch (IllegalArgumentException e) {
      return terminal.usage("inject: --image: " + e.getMessage());
    }
    if (mode.isPresent()) {
      Optional<Mode> known = Coded.find(Mode.values(), mode.get());
      if (known.isEmpty()) {
        return terminal.usage("inject: --mode: expected observe or enforce");
      }
      used = used.withMode(known.get());
    }
    PodInjector injector = new PodInjector(used, BuildInfo.load().version());
    return options.run(terminal, "inject", text -> ManifestInjector.inject(text, injector));
  }

  /** What {@code inject} and {@code uninject} have in common: manifests in, manifests out. */
  static final class InjectOptions {
    private static final int MAX_BYTES = 8 << 20;
    private static final String STDIN = "-";

    @Parameters(
        arity = "0..*",
        paramLabel = "FILE",
        description = "manifests (YAML, several documents each); - or none: standard input")
    List<String> files = List.of();

    @Option(names = "--diff", description = "print what would change instead of the manifest")
    boolean diff;

    /**
     * Changes every file and prints the outcome; prints nothing to standard output if anything was
     * refused, so that a pipe to kubectl applies nothing.
     */
    int run(Terminal terminal, String command, Function<String, ManifestInjector.Result> change)
        throws IOException {
      StringBuilder out = new StringBuilder();
      boolean isGood = true;
      for (String file : files.isEmpty() ? List.of(STDIN) : files) {
        String name = file.equals(STDIN) ? "standard input" : file;
        String text;
        try {
          text = read(terminal, file);
        } catch (CharacterCodingException e) {
          return terminal.fail(command + ": " + name + " is not UTF-8");
        } catch (IOException e) {
          return terminal.usage(command + ": cannot read " + name + ": " + IoWords.why(e));
        }
        switch (change.apply(text)) {
          case ManifestInjector.Result.Unreadable(String problem) -> {
            terminal.note(name + ":" + problem);
            isGood = false;
          }
          case ManifestInjector.Result.Done done -> {
            for (ManifestInjector.Pod pod : done.pods()) {
              isGood &= report(terminal, name, pod);
            }
            if (diff) {
              out.append(UnifiedDiff.of("a/" + file, "b/" + file, text, done.text()));
            } else {
              append(out, done.text());
            }
          }
        }
      }
      if (isGood) {
        terminal.out().print(out);
      }
      return isGood ? ExitStatus.OK : ExitStatus.FAILED;
    }

    /** A document more; between two of them stands a marker. */
    private static void append(StringBuilder out, String text) {
      if (!out.isEmpty() && !text.startsWith("---")) {
        out.append("---\n");
      }
      out.append(text);
      if (!text.endsWith("\n")) {
        out.append('\n');
      }
    }

    /** Says what became of a pod; false if it was refused. */
    private static boolean report(Terminal terminal, String file, ManifestInjector.Pod pod) {
      String about = file + ": " + pod.name() + ": ";
      return switch (pod.outcome()) {
        case PodOutcome.Injected injected -> {
          injected.warnings().forEach(one -> terminal.note(about + "warning: " + one));
          yield true;
        }
        case PodOutcome.Unchanged(PodFinding why) -> {
          terminal.note(about + "unchanged: " + why);
          yield true;
        }
        case PodOutcome.Refused refused -> {
          refused.problems().forEach(one -> terminal.note(about + "refused: " + one));
          yield false;
        }
      };
    }

    private static String read(Terminal terminal, String file) throws IOException {
      byte[] bytes;
      if (file.equals(STDIN)) {
        bytes = terminal.in().readNBytes(MAX_BYTES + 1);
      } else {
        Path path = Path.of(file);
        bytes = Files.size(path) > MAX_BYTES ? new byte[MAX_BYTES + 1] : Files.readAllBytes(path);
      }
      if (bytes.length > MAX_BYTES) {
        throw new IOException("more than " + MAX_BYTES + " bytes");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }
  }

  /** What {@code inject} did, taken back. */
  @Command(name = "uninject")
  static final class UninjectCommand extends TerminalCommand {
    @Mixin InjectOptions options = new InjectOptions();

    @Override
    public Integer call() throws IOException {
      return options.run(terminal, "uninject", ManifestInjector::uninject);
    }
  }
}
