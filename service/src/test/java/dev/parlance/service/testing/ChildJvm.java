package dev.parlance.service.testing;

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
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command lines of JVMs that tests start. Most of what a short one does is to read, verify and
 * link the same classes, so those of all jars lie in an archive that is made once for the tests of
 * all modules: of the class path of the module {@code it}, which has every jar, by what its class
 * {@code Rehearsal} does. Where that module is not compiled there is none.
 */
public final class ChildJvm {
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
          "--sun-misc-unsafe-memory-access=allow",
          // as in a sidecar's launcher: a fifth of the start
          "-XX:-UsePerfData",
          "-Djdk.reflect.useNativeAccessorOnly=true",
          "-Dio.netty.jfr.enabled=false",
          "-Dio.netty.processId=1",
          "-Dio.netty.machineId=02:00:00:00:00:00");

  private static final long MAKE_S = 300;

  private static Optional<Archive> archive = Optional.empty();

  /**
   * What children start with.
   *
   * @param jars which come first in their class path
   * @param flags none where no archive could be made: it saves time and nothing else
   */
  private record Archive(List<String> jars, List<String> flags) {}

  private ChildJvm() {}

  /** The command line of a JVM with this one's class path, up to its main class. */
  public static List<String> command(String... flags) {
    List<String> command = new ArrayList<>(List.of(JAVA));
    command.addAll(FLAGS);
    command.addAll(archive().flags());
    command.addAll(List.of(flags));
    Stream<String> own = Stream.concat(jars(entries()), folders());
    command.addAll(List.of("-cp", path(Stream.concat(archive().jars().stream(), own).distinct())));
    return command;
  }

  /**
   * The class path of this JVM without the jars that only tests need, for one that may have few
   * files open and has no archive: each jar in which it looks is an open file.
   */
  public static String foldersFirst() {
    return path(Stream.concat(folders(), jars(entries())));
  }

  private static Stream<String> folders() {
    return entries().stream().filter(entry -> !entry.endsWith(".jar"));
  }

  private static Stream<String> jars(List<String> entries) {
    return entries.stream().filter(entry -> entry.endsWith(".jar") && NEEDED.matcher(entry).find());
  }

  private static List<String> entries() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
  }

  private static String path(Stream<String> entries) {
    return entries.collect(Collectors.joining(File.pathSeparator));
  }

  private static synchronized Archive archive() {
    if (archive.isEmpty()) {
      archive = Optional.of(found());
    }
    return archive.get();
  }

  /** The archive of the build that this JVM is of, which is made if it is not there. */
  private static Archive found() {
    Path module = Path.of("").toAbsolutePath();
    Path target =
        folders()
            .map(Path::of)
            .filter(folder -> folder.startsWith(module) && folder.endsWith("test-classes"))
            .map(folder -> module.relativize(folder.resolveSibling("")))
            .findFirst()
            .orElse(Path.of("target"));
    Path all = module.resolveSibling("it").resolve(target);
    Path rehearsal = all.resolve("test-classes/dev/parlance/it/Rehearsal.class");
    try {
      return Files.exists(rehearsal)
          ? ready(module.resolveSibling("it/target/archive"), all)
          : new Archive(List.of(), List.of());
    } catch (IOException e) {
      System.err.println("JVMs of tests start without an archive: " + e.getMessage());
      return new Archive(List.of(), List.of());
    }
  }

  /** Tests run in several processes: one makes the archive, the others wait for it. */
  private static Archive ready(Path folder, Path all) throws IOException {
    List<String> classPath =
        List.of(
            Files.readString(all.resolve("classpath.test")).strip().split(File.pathSeparator, -1));
    List<String> jars = jars(classPath).toList();
    Files.createDirectories(folder);
    Path file = folder.resolve(name(jars));
    try (FileChannel only =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      FileLock held = only.lock();
      if (!Files.exists(file)) {
        make(
            file,
            jars,
            all.resolve("test-classes") + File.pathSeparator + path(classPath.stream()));
      }
      held.release();
    }
    // it is left aside in silence where it does not fit
    return new Archive(
        jars, List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off", "-Xlog:aot=off"));
  }

  /** Other jars, another archive; one is kept of those with our own jars, and one without. */
  private static String name(List<String> jars) throws IOException {
    StringBuilder all = new StringBuilder(System.getProperty("java.vm.version"));
    for (String jar : jars) {
      Path file = Path.of(jar);
      all.append('\n').append(jar).append(' ').append(Files.size(file));
      all.append(' ').append(Files.getLastModifiedTime(file).toMillis());
    }
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(all.toString().getBytes(UTF_8));
      return kind(jars) + HexFormat.of().formatHex(digest, 0, 12) + ".jsa";
    } catch (NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
  }

  private static String kind(List<String> jars) {
    return jars.stream().anyMatch(jar -> jar.contains("/target/")) ? "packed-" : "libraries-";
  }

  private static void make(Path file, List<String> jars, String classPath) throws IOException {
    Path folder = file.resolveSibling("");
    try (Stream<Path> old = Files.list(folder)) {
      for (Path one : old.filter(o -> o.getFileName().toString().startsWith(kind(jars))).toList()) {
        Files.delete(one);
      }
    }
    Path work = Files.createTempDirectory(folder, "work");
    Path classes = work.resolve("classes");
    run(
        work,
        "-XX:DumpLoadedClassList=" + classes,
        "-cp",
        classPath,
        "dev.parlance.it.Rehearsal",
        work.toString());
    Path made = folder.resolve("made");
    run(
        work,
        "-Xshare:dump",
        "-XX:+AOTClassLinking",
        "-XX:SharedClassListFile=" + classes,
        "-XX:SharedArchiveFile=" + made,
        "-cp",
        path(jars.stream()));
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
