package dev.parlance.loadtest.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of the machine: where they are and what they print. */
public final class InstalledPrograms {
  /** Where servers live that are not on everybody's path. */
  private static final List<String> FURTHER_FOLDERS =
      List.of("/usr/sbin", "/usr/local/sbin", "/sbin");

  private InstalledPrograms() {}

  /** The program's file on the path or in a system folder. */
  public static Optional<Path> find(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(
            Stream.of(path.split(File.pathSeparator, -1)).filter(folder -> !folder.isEmpty()),
            FURTHER_FOLDERS.stream())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The first line that a short command prints on either stream; empty if it cannot run. */
  public static Optional<String> firstLine(String... command) {
    return output(command).flatMap(text -> text.lines().findFirst()).map(String::strip);
  }

  /** Everything that a short command prints on either stream; empty if it cannot run. */
  static Optional<String> output(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Optional.empty();
      }
      return Optional.of(text);
    } catch (IOException e) {
      return Optional.empty(); // not installed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
