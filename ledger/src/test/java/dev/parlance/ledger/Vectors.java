package dev.parlance.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Finds vectors of other projects, which lie beside this one and are not part of it. */
public final class Vectors {
  private Vectors() {}

  /** A directory below {@code shared/vectors}; the test is skipped with a message without it. */
  public static Path directory(String name) {
    for (Path up = Path.of("").toAbsolutePath(); up != null; up = up.getParent()) {
      Path found = up.resolve("shared/vectors").resolve(name);
      if (Files.exists(found)) {
        return found;
      }
    }
    String message =
        "SKIPPED: no shared/vectors/" + name + " above " + Path.of("").toAbsolutePath();
    System.err.println(message);
    Assumptions.abort(message);
    throw new IllegalStateException(message);
  }

  /**
   * Files below a directory with this ending; at least the expected number, so nothing passes idle.
   */
  public static Stream<Path> files(Path directory, String ending, int atLeast) throws Exception {
    try (Stream<Path> walk = Files.walk(directory)) {
      var files = walk.filter(file -> file.toString().endsWith(ending)).sorted().toList();
      assertThat(files).hasSizeGreaterThanOrEqualTo(atLeast);
      return files.stream();
    }
  }
}
