package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** The repository that the tests run in, and the chart in it. */
@NullMarked
final class Repository {
  static final Path ROOT = root();
  static final HelmChart CHART = new HelmChart(ROOT.resolve("deploy/helm/parlance"));

  private Repository() {}

  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("deploy/helm/parlance/Chart.yaml"))) {
      here = here.resolve("..").normalize();
      assertThat(here).as("a folder above with the chart").isNotEqualTo(here.getRoot());
    }
    return here;
  }

  /** What Helm renders; fails if it refuses. */
  static List<KubeResource> render(RenderRequest request) {
    Rendering rendering = CHART.render(request);
    assertThat(rendering).isInstanceOf(Rendering.Rendered.class);
    return rendering instanceof Rendering.Rendered done ? done.manifests() : List.of();
  }

  /** What Helm says against it; fails if it renders. */
  static String refusal(RenderRequest request) {
    Rendering rendering = CHART.render(request);
    assertThat(rendering).isInstanceOf(Rendering.Refused.class);
    return rendering instanceof Rendering.Refused(String problem) ? problem : "";
  }

  /** One object of a rendering. */
  static KubeResource one(List<KubeResource> manifests, String kind, String name) {
    List<KubeResource> found =
        manifests.stream()
            .filter(manifest -> manifest.kind().equals(kind) && manifest.name().equals(name))
            .toList();
    assertThat(found).as("%s %s", kind, name).hasSize(1);
    return found.getFirst();
  }

  /** The chart with everything on. */
  static RenderRequest everything() {
    return RenderRequest.of(ROOT.resolve("deploy/src/test/resources/values-everything.yaml"));
  }

  /**
   * Every rendering that tests look at: the chart's own values, each file of values, everything.
   */
  static List<RenderRequest> requests() {
    List<RenderRequest> all = new ArrayList<>();
    all.add(RenderRequest.of());
    CHART.profiles().forEach(profile -> all.add(RenderRequest.of(CHART.values(profile))));
    all.add(everything());
    return all;
  }

  /** A copy of the chart in a folder of its own, with what the links lead to. */
  static Path copy(Path folder) throws IOException {
    Path source = CHART.folder();
    Path copy = Files.createTempDirectory(folder, "copy").resolve("parlance");
    try (Stream<Path> tree = Files.walk(source, FileVisitOption.FOLLOW_LINKS)) {
      for (Path path : tree.toList()) {
        Path target = copy.resolve(source.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target);
        }
      }
    }
    return copy;
  }

  /** What Helm renders, and its hooks as well, which it keeps to itself otherwise. */
  static List<KubeResource> renderWithHooks(Path folder, RenderRequest request) throws IOException {
    Path copy = copy(folder);
    Path test = copy.resolve("templates/tests/reach.yaml");
    String text = Files.readString(test);
    Files.writeString(test, text.replace("helm.sh/", "was-helm.sh/"));
    Rendering rendering = new HelmChart(copy).render(request);
    assertThat(rendering).isInstanceOf(Rendering.Rendered.class);
    return rendering instanceof Rendering.Rendered done ? done.manifests() : List.of();
  }
}
