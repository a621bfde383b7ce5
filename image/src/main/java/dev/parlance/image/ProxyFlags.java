package dev.parlance.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The options of the Java machine that {@code bin/proxy-flags} gives a sidecar. */
final class ProxyFlags {
  private ProxyFlags() {}

  /**
   * Asks the script.
   *
   * @param repository folder of the sources
   * @param file where the script leaves its answer
   * @param memory the memory that the sidecar may use, as in {@code 160m}
   */
  static List<String> of(Program program, Path repository, Path file, String memory)
      throws IOException, InterruptedException {
    program.mustRun(
        file.getParent(),
        Map.of("PARLANCE_MEMORY_LIMIT", memory),
        List.of(
            "bash",
            "-c",
            ". \"$0\"; proxy_flags; printf '%s\\n' \"${proxy_flags[@]}\" >\"$1\"",
            repository.resolve("bin/proxy-flags").toString(),
            file.toString()));
    return Files.readAllLines(file);
  }
}
