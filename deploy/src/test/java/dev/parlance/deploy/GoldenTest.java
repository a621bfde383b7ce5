package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the chart renders is what somebody has looked at. After a change that is meant: the command
 * of {@link GeneratedFilesTest} with {@code -Dtest=GoldenTest}, and a look at the difference.
 *
 * <p>Rules and dashboards have sources and tests of their own and are not in it.
 */
@NullMarked
class GoldenTest {
  private static final Path GOLDEN = Repository.ROOT.resolve("deploy/src/test/resources/golden");

  static Stream<String> names() {
    return Stream.concat(Stream.of("default", "everything"), Repository.CHART.profiles().stream());
  }

  @ParameterizedTest
  @MethodSource("names")
  void theRenderingIsTheOneThatWasLookedAt(String name) throws IOException {
    RenderRequest request =
        switch (name) {
          case "default" -> RenderRequest.of();
          case "everything" -> Repository.everything();
          default -> RenderRequest.of(Repository.CHART.values(name));
        };
    List<KubeResource> manifests =
        Repository.render(request).stream()
            .filter(manifest -> !manifest.kind().equals("PrometheusRule"))
            .filter(manifest -> !manifest.get("/metadata/labels").has("grafana_dashboard"))
            .sorted()
            .toList();
    assertThat(manifests).hasSizeGreaterThan(10);
    Path file = GOLDEN.resolve(name + ".yaml");
    String now = InstallManifests.write(manifests);
    if (Boolean.getBoolean("regenerate")) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, now);
    }
    assertThat(now).isEqualTo(Files.readString(file));
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyGoldenFileBelongsToARendering(String name) throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())).toList())
          .contains(name + ".yaml")
          .hasSameSizeAs(Set.copyOf(names().toList()));
    }
  }
}
