package dev.parlance.policy.claim;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A table that is part of the program: a file beside a class in its jar. */
public final class TableFile {
  private TableFile() {}

  /** All of the file of this name that stands beside a class. */
  public static byte[] bytes(Class<?> beside, String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing: the build puts it there");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }
}
