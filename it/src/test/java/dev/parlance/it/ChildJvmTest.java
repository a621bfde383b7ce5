package dev.parlance.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.cli.Main;
import dev.parlance.service.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {
  @TempDir Path folder = Path.of("");

  /** A JVM says nothing of an archive that does not fit, so only this shows that it does. */
  @Test
  void classesOfLibraries_comeFromTheArchive() throws Exception {
    Path loaded = folder.resolve("loaded");
    List<String> command = ChildJvm.command("-Xlog:class+load:file=" + loaded);
    command.addAll(List.of(Main.class.getName(), "proxy", "--help"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isZero();
    // it is loaded with the archive, whoever wants it
    assertThat(Files.readAllLines(loaded))
        .anyMatch(line -> line.contains(" io.netty.buffer.ByteBuf source: shared objects file"));
  }
}
