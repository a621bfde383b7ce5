package dev.parlance.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArgFilesTest {
  private static final List<String> FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xmx48m",
          "-XX:MaxDirectMemorySize=32m",
          "-Dio.netty.processId=4711",
          "-Xss512k");

  @TempDir private Path home;

  /** In the argument file they would win over what the injector says in JDK_JAVA_OPTIONS. */
  @Test
  void sizesOfMemoryStandBesideTheArgumentFileAndNotInIt() throws Exception {
    new ArgFiles(home).write(FLAGS, List.of("parlance-cli.jar", "lib/a.jar", "lib/b.jar"));
    List<String> lines = Files.readAllLines(home.resolve("proxy.args"));
    assertThat(lines)
        .contains("\"-XX:+UseSerialGC\"", "\"-Xss512k\"", "\"-XX:Flags=/opt/parlance/proxy.flags\"")
        .noneMatch(line -> line.contains("-Xmx") || line.contains("MaxDirectMemorySize"))
        .noneMatch(line -> line.contains("4711"));
    assertThat(Files.readAllLines(home.resolve("proxy.flags")))
        .containsExactly("MaxHeapSize=" + (48 << 20), "MaxDirectMemorySize=" + (32 << 20));
  }

  @Test
  void theClassPathOfASidecarIsThatOfItsCacheAtItsPlaceInTheImage() throws Exception {
    new ArgFiles(home).write(FLAGS, List.of("parlance-cli.jar", "lib/a.jar", "lib/b.jar"));
    assertThat(Files.readAllLines(home.resolve("proxy.args")))
        .endsWith(
            "\"-cp\"",
            "\"/opt/parlance/parlance-cli.jar:/opt/parlance/lib/a.jar:/opt/parlance/lib/b.jar\"",
            "\"dev.parlance.cli.run.ProxyMain\"");
  }

  @Test
  void flagsWithoutSizesAreRefusedForTheyWouldLeaveASidecarWithoutBounds() {
    assertThatThrownBy(() -> new ArgFiles(home).write(List.of("-Xmx48m"), List.of("lib/a.jar")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
