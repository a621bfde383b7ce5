package dev.parlance.policy.claim;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A table that is part of the program: a file beside this class in its jar. */
final class TableFile {
  private TableFile() {}

  /** All of it. */
  static byte[] bytes(String name) {
    try (InputStream in = TableFile.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing: the build puts it there");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }
}
