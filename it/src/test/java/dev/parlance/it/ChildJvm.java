package dev.parlance.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * JVMs that tests start. Most of what a short one does is to read, verify and link the same
 * classes, so those of all jars lie in an archive that is made once for them ({@link Rehearsal}).
 */
final class ChildJvm {
  private static final Pattern NEEDED =
      Pattern.compile(
          "/(grpc|bc(prov|pkix|util)|guava|failureaccess|perfmark|netty|picocli|jackson|snakeyaml"
              + "|slf4j|java-diff|json-schema|itu|caffeine|micrometer|prometheus|proto|Hdr|gson"
              + "|jspecify|onnx|parlance|sqlite|postgresql|HikariCP|flyway|jdbi|geantyref|re2j)[^/]*$");
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /** An archive is for one module graph and one collector. */
  private static final List<String> FLAGS =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xmx256m",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private static final Path FOLDER = Path.of("target", "archive").toAbsolutePath();
  private static final long MAKE_S = 300;

  private static Optional<List<String>> archived = Optional.empty();

  private ChildJvm() {}

  /** The command line of a JVM up to its main class. */
  static List<String> command(String... flags) {
    List<String> command = new ArrayList<>(List.of(JAVA));
    command.addAll(FLAGS);
    command.addAll(archive());
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", classPath()));
    return command;
  }

  /**
   * The class path of this JVM without the jars that only tests need, in the order of the archive:
   * jars come first.
   */
  private static String classPath() {
    return Stream.concat(jars(), folders()).collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * The same for a JVM that may have few files open and has no archive: each jar in which it looks
   * is an open file.
   */
  static String foldersFirst() {
    return Stream.concat(folders(), jars()).collect(Collectors.joining(File.pathSeparator));
  }

  private static Stream<String> folders() {
    return entries().filter(entry -> !entry.endsWith(".jar"));
  }

  private static Stream<String> jars() {
    return entries().filter(entry -> entry.endsWith(".jar") && NEEDED.matcher(entry).find());
  }

  private static Stream<String> entries() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  /**
   * The flags of the archive, which is made if it is not there. Tests run in several processes: one
   * makes it, the others wait for it.
   */
  private static synchronized List<String> archive() {
    if (archived.isEmpty()) {
      archived = Optional.of(flags());
    }
    return archived.get();
  }

  /** None where no archive can be made: it saves time and nothing else. */
  private static List<String> flags() {
    try {
      return flagsOf(ready());
    } catch (IOException e) {
      System.err.println("JVMs of tests start without an archive: " + e.getMessage());
      return List.of();
    }
  }

  private static Path ready() throws IOException {
    Files.createDirectories(FOLDER);
    Path file = FOLDER.resolve(name());
    try (FileChannel only =
        FileChannel.open(
            FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      FileLock held = only.lock();
      if (!Files.exists(file)) {
        make(file);
      }
      held.release();
    }
    return file;
  }

  /** It is left aside in silence where it does not fit. */
  private static List<String> flagsOf(Path archive) {
    return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:aot=off");
  }

  /** Other jars, another archive; one is kept of those with our own jars, and one without. */
  private static String name() throws IOException {
    StringBuilder all = new StringBuilder(System.getProperty("java.vm.version"));
    for (String jar : jars().toList()) {
      Path file = Path.of(jar);
      all.append('\n').append(jar).append(' ').append(Files.size(file));
      all.append(' ').append(Files.getLastModifiedTime(file).toMillis());
    }
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(all.toString().getBytes(UTF_8));
      return kind() + HexFormat.of().formatHex(digest, 0, 12) + ".jsa";
    } catch (NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
  }

  private static String kind() {
    return jars().anyMatch(jar -> jar.contains("/target/")) ? "packed-" : "libraries-";
  }

  private static void make(Path file) throws IOException {
    try (Stream<Path> old = Files.list(FOLDER)) {
      for (Path one : old.filter(o -> o.getFileName().toString().startsWith(kind())).toList()) {
        Files.delete(one);
      }
    }
    Path work = Files.createTempDirectory(FOLDER, "work");
    Path classes = work.resolve("classes");
    run(
        work,
        "-XX:DumpLoadedClassList=" + classes,
        "-cp",
        System.getProperty("java.class.path"),
        Rehearsal.class.getName(),
        work.toString());
    Path made = FOLDER.resolve("made");
    run(
        work,
        "-Xshare:dump",
        "-XX:+AOTClassLinking",
        "-XX:SharedClassListFile=" + classes,
        "-XX:SharedArchiveFile=" + made,
        "-cp",
        jars().collect(Collectors.joining(File.pathSeparator)));
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void run(Path work, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(JAVA));
    command.addAll(FLAGS);
    command.addAll(List.of(arguments));
    Path output = work.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(MAKE_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("no archive: " + Files.readString(output));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      process.destroyForcibly();
    }
  }
}
