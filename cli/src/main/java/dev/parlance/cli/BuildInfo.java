package dev.parlance.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What was built.
 *
 * @param version version of the project
 * @param revision first 12 hex digits of the commit, or {@code unknown} outside a git checkout
 */
public record BuildInfo(String version, String revision) {
  /** Reads what the build wrote into the jar; {@code unknown} where it did not (a bare compile). */
  public static BuildInfo load() {
    var properties = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("build.properties in the jar cannot be read", e);
    }
    return new BuildInfo(
        properties.getProperty("version", "unknown"),
        properties.getProperty("revision", "unknown"));
  }
}
