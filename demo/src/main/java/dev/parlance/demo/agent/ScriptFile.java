package dev.parlance.demo.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Reads scripts of the demonstration: a JSON array beside the class that plays it. */
public final class ScriptFile {
  private ScriptFile() {}

  /** The entries of a file. */
  public static <T> List<T> read(Class<?> beside, String name, Class<T[]> entries) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no script " + name);
      }
      return List.of(JsonMapper.shared().readValue(in, entries));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
