package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A Java runtime of only the modules that Parlance uses, made by {@code jlink} of the JDK that runs
 * this build step. It takes half a minute, so the result is kept between builds, by what went in.
 */
record JavaRuntime(Path cache, Program program) {
  /**
   * What {@code jdeps} names for all jars, without java.desktop, which libraries look for and do
   * without, and with jdk.crypto.ec for JDKs that have elliptic curves there.
   */
  static final List<String> MODULES =
      List.of(
          "java.base",
          "java.logging",
          "java.management",
          "java.naming",
          "java.net.http",
          "java.security.jgss",
          "java.sql",
          "jdk.crypto.ec",
          "jdk.httpserver",
          "jdk.jfr",
          "jdk.management",
          "jdk.unsupported");

  private static final List<String> OPTIONS =
      List.of(
          "--no-header-files",
          "--no-man-pages",
          "--compress",
          "zip-6",
          "--vm",
          "server",
          "--generate-cds-archive");

  /** To be raised when something else about the result changes. */
  private static final int LAYOUT = 2;

  /** The only program that stays; what starts {@code nft} lies in lib. */
  private static final Set<String> PROGRAMS = Set.of("java");

  /** Puts the runtime into the folder, which does not exist yet. */
  void writeTo(Path folder) throws IOException, InterruptedException {
    Path jdk = Path.of(System.getProperty("java.home"));
    String release = Files.readString(jdk.resolve("release"));
    String key = Hashes.of((release + MODULES + OPTIONS + LAYOUT).getBytes(UTF_8));
    Path kept = cache.resolve("java-" + key.substring(0, 16));
    if (!Files.isDirectory(kept)) {
      Path draft =
          Files.createDirectories(cache).resolve("java-draft-" + ProcessHandle.current().pid());
      Trees.remove(draft);
      link(jdk, draft);
      Files.move(draft, kept);
    }
    Trees.copy(kept, folder);
  }

  private void link(Path jdk, Path folder) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(
            List.of(
                jdk.resolve("bin/jlink").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "--add-modules",
                String.join(",", MODULES),
                "--output",
                folder.toString()));
    command.addAll(OPTIONS);
    program.mustRun(cache, Map.of(), command);
    try (Stream<Path> programs = Files.list(folder.resolve("bin"))) {
      for (Path one : programs.toList()) {
        if (!PROGRAMS.contains(String.valueOf(one.getFileName()))) {
          Files.delete(one);
        }
      }
    }
    // starts jars as programs, for kernels that are told to
    Files.deleteIfExists(folder.resolve("lib/jexec"));
    // for heaps above 32 GiB
    Files.deleteIfExists(folder.resolve("lib/server/classes_nocoops.jsa"));
  }
}
