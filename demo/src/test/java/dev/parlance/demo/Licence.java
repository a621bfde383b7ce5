package dev.parlance.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The licence text of this repository, for tests. */
public final class Licence {
  /** Where it lies. */
  public static final Path FILE = Path.of("..", "LICENSE").toAbsolutePath().normalize();

  private Licence() {}

  /** What it says. */
  public static String text() {
    try {
      return Files.readString(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
