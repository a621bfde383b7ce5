package dev.parlance.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Run;
import dev.parlance.deploy.InstallManifests;
import dev.parlance.deploy.KubeResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstallCommandTest {
  @TempDir Path folder = Path.of("");

  @Test
  void whatIsPrintedIsTheNamespaceAndEveryObjectOfTheChart() {
    Run run = Run.of("install");
    assertThat(run.err()).doesNotContain("install:");
    assertThat(run.status()).isZero();
    List<KubeResource> manifests = InstallManifests.read(run.out());
    assertThat(manifests.getFirst().key()).isEqualTo("v1 Namespace /parlance-system");
    assertThat(manifests)
        .extracting(KubeResource::key)
        .contains(
            "apps/v1 StatefulSet parlance-system/parlance-control",
            "apps/v1 Deployment parlance-system/parlance-injector");
    assertThat(run.out()).doesNotContain("helm.sh/").doesNotContain("managed-by");
  }

  @Test
  void profileFileAndSettingCountInThisOrder() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("mine.yaml"),
            "image: {repository: mine, tag: a}\nsidecar: {config: {mode: enforce}}\n");
    Run run =
        Run.of(
            "install",
            "--profile",
            "observe",
            "-f",
            file.toString(),
            "--set",
            "image.tag=b",
            "--set",
            "image.pullSecrets={one,two}",
            "-n",
            "mesh");
    assertThat(run.status()).isZero();
    KubeResource injector =
        InstallManifests.read(run.out()).stream()
            .filter(manifest -> manifest.key().equals("apps/v1 Deployment mesh/parlance-injector"))
            .findFirst()
            .orElseThrow();
    assertThat(injector.get("/spec/template/spec/containers/0/image").stringValue())
        .isEqualTo("mine:b");
    assertThat(injector.get("/spec/template/spec/imagePullSecrets").toString())
        .isEqualTo("[{\"name\":\"one\"},{\"name\":\"two\"}]");
    assertThat(run.out())
        .contains("failurePolicy: Ignore")
        .contains("mode: enforce")
        .doesNotContain("mode: observe");
  }

  @Test
  void aMisspeltValueIsRefusedByNameAndNothingIsPrinted() {
    Run run = Run.of("install", "--set", "sidecar.config.mod=observe");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("the chart does not render").contains("'mod'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sidecar", "image", "controlPlane", "injector", "networkPolicy"})
  void anEmptySectionIsRefusedByName(String section) throws IOException {
    Run run =
        Run.of(
            "install",
            "-f",
            Files.writeString(folder.resolve("empty.yaml"), section + ":\n").toString());
    assertThat(run.status()).isEqualTo(ExitStatus.FAILED);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("'" + section + "'").doesNotContain("template");
  }

  @Test
  void whatIsNoSettingProfileFileOrNameIsUsage() {
    assertThat(Run.of("install", "--set", "x").err()).contains("expected KEY=VALUE");
    assertThat(Run.of("install", "--profile", "huge").err())
        .contains("expected one of enforce, ha, minimal, observe");
    assertThat(Run.of("install", "-f", folder.resolve("none.yaml").toString()).err())
        .contains("cannot read");
    assertThat(Run.of("install", "-n", "Big").err()).contains("lower-case");
    assertThat(Run.of("install", "--kube-version", "new").err()).contains("1.32.0");
    for (String[] wrong :
        List.of(
            new String[] {"install", "--set", "x"},
            new String[] {"install", "--profile", "huge"},
            new String[] {"install", "-n", "Big"})) {
      assertThat(Run.of(wrong).status()).isEqualTo(2);
    }
  }
}
