package dev.parlance.cli.cluster;

import dev.parlance.cli.BuildInfo;
import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Terminal;
import dev.parlance.inject.manifest.ManifestInjector;
import dev.parlance.inject.pod.PodInjector;
import dev.parlance.inject.settings.InjectorSettings;
import dev.parlance.inject.settings.SettingsReader;
import dev.parlance.inject.settings.SettingsReader.SettingsResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The injector without a cluster. */
@Command(
    name = "inject",
    description = {
      "Puts a sidecar into every pod of a manifest and prints the manifest.",
      "Pods and what makes pods: Deployment, StatefulSet, DaemonSet, Job, CronJob and others.",
      "Everything else, and all comments, stay. Warnings and refusals go to standard error;",
      "with a refusal nothing is printed and the exit status is 1."
    },
    footer = {
      "",
      "Examples:",
      "  parlance inject --image registry.example/parlance:0.1.0 agents.yaml | kubectl apply -f -",
      "  parlance inject --settings injector.yaml --diff agents.yaml"
    })
final class InjectCommand implements Callable<Integer> {
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

  private final Terminal terminal;

  InjectCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (settings.isEmpty() && image.isEmpty()) {
      return terminal.complain(ExitStatus.USAGE, "inject: expected --settings or --image");
    }
    SettingsResult read =
        settings
            .map(SettingsReader::load)
            .orElseGet(() ->
                SettingsReader.parse("image: { reference: none }", Path.of("").toAbsolutePath()));
    return switch (read) {
      case SettingsResult.Refused(List<String> problems) ->
          terminal.complain(
              ExitStatus.USAGE,
              "inject: "
                  + settings.map(Path::toString).orElse("settings")
                  + ": "
                  + String.join("; ", problems));
      case SettingsResult.Loaded(InjectorSettings loaded) -> run(loaded);
    };
  }

  private int run(InjectorSettings loaded) throws IOException {
    InjectorSettings used;
    try {
      used = image.map(loaded::withImage).orElse(loaded);
    } catch (IllegalArgumentException e) {
      return terminal.complain(ExitStatus.USAGE, "inject: --image: " + e.getMessage());
    }
    PodInjector injector = new PodInjector(used, BuildInfo.load().version());
    return options.run(terminal, "inject", text -> ManifestInjector.inject(text, injector));
  }
}
