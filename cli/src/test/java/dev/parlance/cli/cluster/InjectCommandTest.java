package dev.parlance.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.ExitStatus;
import dev.parlance.cli.Run;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InjectCommandTest {
  private static final String IMAGE = "registry.example/parlance:1";

  private static final String POD =
      """
      kind: Pod
      metadata:
        name: alice # an agent
      spec:
        containers:
        - name: agent
          image: registry.example/alice:1
          securityContext: { runAsNonRoot: true }
      """;

  @TempDir Path dir = Path.of("");

  private static Run with(String input, String... args) {
    return Run.withInput(input.getBytes(StandardCharsets.UTF_8), args);
  }

  @Test
  void aManifestGoesInAndComesOutWithASidecarAndBackAgain() {
    Run injected = with(POD, "inject", "--image", IMAGE);
    assertThat(injected.status()).isZero();
    assertThat(injected.out())
        .contains("name: alice # an agent")
        .contains("- name: parlance-sidecar")
        .contains("image: " + IMAGE);
    Run again = with(injected.out(), "inject", "--image", IMAGE);
    assertThat(again.out()).isEqualTo(injected.out());
    assertThat(again.err()).contains("already_injected");
    assertThat(with(injected.out(), "uninject").out()).isEqualTo(POD);
  }

  @Test
  void theDifferenceIsPrintedInsteadWhereItIsAskedFor() throws Exception {
    Path file = Files.writeString(dir.resolve("alice.yaml"), POD);
    Run diff = with("", "inject", "--image", IMAGE, "--diff", file.toString());
    assertThat(diff.status()).isZero();
    assertThat(diff.out())
        .startsWith("--- a/" + file + "\n+++ b/" + file + "\n@@ -1,")
        .contains("\n+  - name: parlance-sidecar\n")
        .doesNotContain("\n-  ");
  }

  @Test
  void aRefusalPrintsNothingThatKubectlCouldApply() {
    Run refused = with(POD + "---\n" + POD + "  hostNetwork: true\n", "inject", "--image", IMAGE);
    assertThat(refused.status()).isEqualTo(ExitStatus.FAILED);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("standard input: Pod alice: refused: host_network: ");
  }

  @Test
  void aKindThatIsNotKnownEndsWithItsName() {
    String rollout =
        """
        apiVersion: deploy.example/v1
        kind: Rollout
        metadata: {name: shop}
        spec:
          template:
            spec: {containers: [{name: a, image: "a:1", ports: [{containerPort: 8080}]}]}
        """;
    Run refused = with(POD + "---\n" + rollout, "inject", "--image", IMAGE);
    assertThat(refused.status()).isEqualTo(ExitStatus.FAILED);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("refused: kind_unknown: Rollout of deploy.example/v1 shop");
    assertThat(with(rollout, "uninject").status()).isZero();
  }

  @Test
  void theModeIsObserveUntilSomebodySaysEnforce() {
    assertThat(with(POD, "inject", "--image", IMAGE).out()).contains("mode: observe");
    assertThat(with(POD, "inject", "--image", IMAGE, "--mode", "enforce").out())
        .contains("mode: enforce");
  }

  @Test
  void portsThatAreNotInterceptedAreSaid() {
    Run injected =
        with(
            POD.replace(
                    "  name: alice # an agent\n",
                    """
                      name: alice # an agent
                      annotations: { prometheus.io/port: "9090" }
                    """)
                + "    ports: [{ containerPort: 8080 }]\n",
            "inject",
            "--image",
            IMAGE);
    assertThat(injected.status()).isZero();
    assertThat(injected.err())
        .contains("warning: ports_excluded: ")
        .contains("port 9090 (prometheus.io/port)");
  }

  @Test
  void wrongUseIsSaid() throws Exception {
    assertThat(with(POD, "inject").status()).isEqualTo(ExitStatus.USAGE);
    assertThat(with(POD, "inject", "--image", IMAGE, "--mode", "on").status())
        .isEqualTo(ExitStatus.USAGE);
    assertThat(with(POD, "inject", "--image", "two words").status()).isEqualTo(ExitStatus.USAGE);
    assertThat(with(POD, "inject", "--image", IMAGE, "/none.yaml").status())
        .isEqualTo(ExitStatus.USAGE);
    Path bad = Files.writeString(dir.resolve("injector.yaml"), "image: {referense: x}\n");
    Run settings = with(POD, "inject", "--settings", bad.toString());
    assertThat(settings.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(settings.err()).contains("did you mean \"reference\"?");
    Run unreadable = with("a: [\n", "uninject");
    assertThat(unreadable.status()).isEqualTo(ExitStatus.FAILED);
    assertThat(unreadable.err()).startsWith("standard input:2:1 ");
    assertThat(with("", "injector", "--config", bad.toString()).status())
        .isEqualTo(ExitStatus.USAGE);
  }
}
