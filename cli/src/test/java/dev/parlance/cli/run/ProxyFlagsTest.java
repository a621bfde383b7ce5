package dev.parlance.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/proxy-flags}: the launcher's flags of a sidecar. */
class ProxyFlagsTest {
  private static final String MIB_160 = Long.toString(160L << 20);

  @TempDir Path cgroups = Path.of("");

  @BeforeAll
  static void needsBash() {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
  }

  private List<String> flags(Map<String, String> environment)
      throws IOException, InterruptedException {
    Path script = Path.of("..", "bin", "proxy-flags").toAbsolutePath().normalize();
    Path out = cgroups.resolve("flags");
    ProcessBuilder bash =
        new ProcessBuilder(
            "/bin/bash",
            "-euc",
            ". \"$0\"; proxy_flags; printf '%s\\n' \"${proxy_flags[@]}\"",
            script.toString());
    bash.environment().put("PARLANCE_CGROUP_ROOT", cgroups.toString());
    bash.environment().put("PARLANCE_CGROUP_OF", cgroups.resolve("self").toString());
    bash.environment().remove("PARLANCE_MEMORY_LIMIT");
    bash.environment().putAll(environment);
    Process process = bash.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as("%s", lines).isZero();
    return lines;
  }

  private void limit(String file, String value) throws IOException {
    Path at = cgroups.resolve(file);
    Files.createDirectories(cgroups.resolve(file).resolveSibling(""));
    Files.writeString(at, value + "\n");
  }

  private void self(String line) throws IOException {
    Files.writeString(cgroups.resolve("self"), line + "\n");
  }

  @Test
  void withoutALimit_theFlagsAreThoseOf256MiB() throws IOException, InterruptedException {
    assertThat(flags(Map.of()))
        .contains("-Xmx76m", "-XX:MaxDirectMemorySize=51m", "-XX:+UseSerialGC");
    limit("a/memory.max", "max");
    self("0::/a");
    assertThat(flags(Map.of())).contains("-Xmx76m");
  }

  @Test
  void theLeastLimitAround_counts_ofVersion2() throws IOException, InterruptedException {
    self("0::/a/b");
    limit("a/b/memory.max", Long.toString(1L << 30));
    limit("a/memory.max", MIB_160);
    assertThat(flags(Map.of())).contains("-Xmx48m", "-XX:MaxDirectMemorySize=32m");
  }

  @Test
  void version1_isRead_andItsNumberForNoLimitIsNone() throws IOException, InterruptedException {
    self("4:memory:/pod");
    limit("memory/pod/memory.limit_in_bytes", "9223372036854771712");
    assertThat(flags(Map.of())).contains("-Xmx76m");
    limit("memory/pod/memory.limit_in_bytes", MIB_160);
    assertThat(flags(Map.of())).contains("-Xmx48m");
  }

  /** A container sees the path of its host, and its own group at the top of the mount. */
  @Test
  void aPathThatIsNotThere_isTheTop() throws IOException, InterruptedException {
    self("0::/kubepods/of/the/host");
    limit("memory.max", MIB_160);
    assertThat(flags(Map.of())).contains("-Xmx48m");
  }

  @Test
  void theEnvironment_winsOverTheCgroup_andNonsenseIsIgnored()
      throws IOException, InterruptedException {
    self("0::/");
    limit("memory.max", MIB_160);
    assertThat(flags(Map.of("PARLANCE_MEMORY_LIMIT", "1g"))).contains("-Xmx307m");
    assertThat(flags(Map.of("PARLANCE_MEMORY_LIMIT", "64m"))).contains("-Xmx24m");
    assertThat(flags(Map.of("PARLANCE_MEMORY_LIMIT", "lots"))).contains("-Xmx48m");
  }
}
