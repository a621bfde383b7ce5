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
   * @param folder where the script leaves its answer for a moment
   * @param name of the file there
   * @param memory the memory that the sidecar may use, as in {@code 160m}
   */
  static List<String> of(Program program, Path repository, Path folder, String name, String memory)
      throws IOException, InterruptedException {
    Path file = folder.resolve(name);
    program.mustRun(
        folder,
        Map.of("PARLANCE_MEMORY_LIMIT", memory),
        List.of(
            "bash",
            "-c",
            ". \"$0\"; proxy_flags; printf '%s\\n' \"${proxy_flags[@]}\" >\"$1\"",
            repository.resolve("bin/proxy-flags").toString(),
            file.toString()));
    List<String> flags = Files.readAllLines(file);
    Files.delete(file);
    return flags;
  }
}
