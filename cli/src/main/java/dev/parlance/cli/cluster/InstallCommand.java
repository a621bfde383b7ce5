package dev.parlance.cli.cluster;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.TerminalCommand;
import dev.parlance.cli.TerminalEscaper;
import dev.parlance.deploy.ChartFiles;
import dev.parlance.deploy.HelmChart;
import dev.parlance.deploy.InstallManifests;
import dev.parlance.deploy.KubeResource;
import dev.parlance.deploy.RenderRequest;
import dev.parlance.deploy.Rendering;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "install")
final class InstallCommand extends TerminalCommand {
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "values that come with the chart: minimal, observe, enforce, ha; may be repeated")
  List<String> profiles = List.of();

  @Option(
      names = {"-f", "--values"},
      paramLabel = "FILE",
      description = "file of values, above those of --profile; may be repeated")
  List<Path> values = List.of();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "one value, above all files; lists as {a,b}; may be repeated")
  List<String> settings = List.of();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "namespace (default: ${DEFAULT-VALUE})")
  String namespace = RenderRequest.NAMESPACE;

  @Option(
      names = "--release",
      paramLabel = "NAME",
      description = "name of the release, a label of all objects (default: ${DEFAULT-VALUE})")
  String release = RenderRequest.RELEASE;

  @Option(
      names = "--kube-version",
      paramLabel = "VERSION",
      description = "version of Kubernetes that is rendered for (default: ${DEFAULT-VALUE})")
  String kubeVersion = RenderRequest.KUBE_VERSION;

  @Override
  public Integer call() throws IOException {
    try (ChartFiles files = ChartFiles.open()) {
      HelmChart chart = files.chart();
      Optional<String> unknown =
          profiles.stream().filter(name -> !chart.profiles().contains(name)).findFirst();
      if (unknown.isPresent()) {
        return wrong(
            "--profile: got %s, expected one of %s"
                .formatted(
                    TerminalEscaper.shortened(unknown.get(), 40),
                    String.join(", ", chart.profiles())));
      }
      List<Path> all = new ArrayList<>(profiles.stream().map(chart::values).toList());
      for (Path file : values) {
        if (!Files.isReadable(file)) {
          return wrong("cannot read " + file);
        }
        all.add(file.toAbsolutePath());
      }
      RenderRequest request;
      try {
        request = new RenderRequest(release, namespace, kubeVersion, all, settings());
      } catch (IllegalArgumentException e) {
        return wrong(String.valueOf(e.getMessage()));
      }
      return switch (chart.render(request)) {
        case Rendering.Rendered rendered -> {
          List<KubeResource> plain = InstallManifests.plain(rendered.manifests(), namespace);
          terminal.out().print(InstallManifests.write(plain));
          yield ExitStatus.OK;
        }
        case Rendering.Refused(String problem) -> {
          terminal.fail("install: the chart does not render");
          problem
              .lines()
              .forEach(line -> terminal.err().println("  " + TerminalEscaper.line(line)));
          yield ExitStatus.FAILED;
        }
      };
    }
  }

  private int wrong(String what) {
    return terminal.usage("install: " + what);
  }

  private List<RenderRequest.Setting> settings() {
    List<RenderRequest.Setting> found = new ArrayList<>();
    for (String text : settings) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("--set: got " + text + ", expected KEY=VALUE");
      }
      found.add(new RenderRequest.Setting(text.substring(0, equals), text.substring(equals + 1)));
    }
    return found;
  }
}
