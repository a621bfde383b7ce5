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
    Properties build = properties("/dev/parlance/cli/build.properties");
    return new BuildInfo(
        build.getProperty("version", "unknown"), build.getProperty("revision", "unknown"));
  }

  /** The version of Netty, from its jar: asking Netty itself would start its logging. */
  static String netty() {
    return properties("/META-INF/maven/io.netty/netty-common/pom.properties")
        .getProperty("version", "unknown");
  }

  private static Properties properties(String resource) {
    var properties = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream(resource)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(resource + " in the jar cannot be read", e);
    }
    return properties;
  }
}
