package dev.parlance.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The real kubectl makes of each overlay what the chart renders. */
@NullMarked
class KustomizeTest {
  private static final String KUBECTL = System.getenv().getOrDefault("KUBECTL", "kubectl");

  @BeforeAll
  static void kubectlIsThere() {
    boolean found =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kubectl")))
            || Files.isExecutable(Path.of(KUBECTL));
    if (!found) {
      System.err.println("SKIPPED: KustomizeTest needs kubectl on the PATH, or named by KUBECTL");
    }
    assumeTrue(found, "no kubectl");
  }

  static List<String> overlays() {
    return GeneratedFiles.OVERLAYS;
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void anOverlayIsWhatTheChartRendersWithTheFileOfThatName(String overlay)
      throws IOException, InterruptedException {
    assertThat(byKey(kustomize("overlays/" + overlay)))
        .containsExactlyInAnyOrderEntriesOf(
            chart(RenderRequest.of(Repository.CHART.values(overlay))));
  }

  @Test
  void theBaseIsWhatTheChartRendersByItself() throws IOException, InterruptedException {
    assertThat(byKey(kustomize("base")))
        .containsExactlyInAnyOrderEntriesOf(chart(RenderRequest.of()));
  }

  @Test
  void theExampleBuilds() throws IOException, InterruptedException {
    assertThat(byKey(kustomize("example")).keySet())
        .anyMatch(key -> key.startsWith("v1 Namespace "))
        .filteredOn(key -> key.startsWith("apps/v1 Deployment "))
        .hasSize(2);
  }

  private static Map<String, JsonNode> chart(RenderRequest request) {
    return byKey(InstallManifests.plain(Repository.render(request), RenderRequest.NAMESPACE));
  }

  private static Map<String, JsonNode> byKey(List<KubeResource> manifests) {
    Map<String, JsonNode> trees = new TreeMap<>();
    for (KubeResource manifest : manifests) {
      assertThat(trees.put(manifest.key(), manifest.tree())).as(manifest.key()).isNull();
    }
    return trees;
  }

  private static List<KubeResource> kustomize(String folder)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("kustomize", ".log");
    Process process =
        new ProcessBuilder(
                KUBECTL, "kustomize", Repository.ROOT.resolve("deploy/k8s/" + folder).toString())
            .redirectError(log.toFile())
            .start();
    try {
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(log)).isZero();
      return InstallManifests.read(text);
    } finally {
      process.destroyForcibly();
      Files.delete(log);
    }
  }
}
