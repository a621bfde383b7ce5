package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parlance.image.ImageBuild.Jars;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes {@code parlance-VERSION-linux-x64.tar.gz}, which runs where there is no JDK: a Java runtime
 * by {@code jlink}, all jars, native libraries and {@code bin/parlance}; beside it a bill of
 * materials and {@code SHA256SUMS}. Equal inputs give equal bytes.
 */
public final class ArchiveBuild {
  /** Memory that the flags of a sidecar are made for; more does not make it faster. */
  private static final String LIMIT = "256m";

  private static final String LAUNCHER = "launcher.sh";
  private static final String PROXY_FLAGS = "@PROXY_FLAGS@";

  private final Path repository;
  private final Path target;
  private final Instant created;
  private final Path build;
  private final Optional<Path> models;
  private final Program program;

  private ArchiveBuild(
      Path repository, Path target, Instant created, Path build, Optional<Path> models) {
    this.repository = repository;
    this.target = target;
    this.created = created;
    this.build = build;
    this.models = models;
    this.program = new Program(target.resolve("archive.log"));
  }

  /**
   * Makes the archive.
   *
   * @param arguments the repository's folder, the folder for what is made, the time that everything
   *     in the archive has (ISO 8601), and the folder of the build of {@code cli} that is packed:
   *     one with a file {@code classpath}; and, for one with the encoder all-MiniLM-L6-v2, the
   *     folder of encoders
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length != 4 && arguments.length != 5) {
      throw new IllegalArgumentException("expected: REPOSITORY TARGET TIME BUILD [MODELS]");
    }
    Path target = Files.createDirectories(Path.of(arguments[1])).toRealPath();
    Path archive =
        new ArchiveBuild(
                Path.of(arguments[0]).toRealPath(),
                target,
                Instant.parse(arguments[2]),
                Path.of(arguments[3]).toRealPath(),
                arguments.length == 5 ? Optional.of(Path.of(arguments[4])) : Optional.empty())
            .make();
    System.out.printf("archive: %d MiB, %s%n", Files.size(archive) >> 20, archive);
  }

  private Path make() throws IOException, InterruptedException {
    Platform platform =
        Platform.current()
            .orElseThrow(() -> new IOException("archives are made on Linux (amd64, arm64) only"));
    String version = version();
    String name = "parlance-" + version;
    String file = name + "-" + platform.archive();
    Path root = target.resolve("archive");
    Trees.remove(root);
    Path home = Files.createDirectories(root.resolve(name));
    new JavaRuntime(repository.resolve("build/image"), program).writeTo(home.resolve("java"));
    copyJars(platform, home, version);
    copyTexts(home);
    launcher(home);
    if (models.isPresent()) {
      ModelFolder.copy(models.get(), home);
    }
    Path bill = target.resolve(file + ".cdx.json");
    Sbom.write(mavenBill(), home.resolve("lib"), List.of(), bill);
    Files.copy(bill, home.resolve("sbom.cdx.json"));
    Path archive = target.resolve(file + ".tar.gz");
    pack(root, archive);
    Files.writeString(target.resolve("SHA256SUMS"), sum(archive) + sum(bill));
    Trees.remove(root);
    return archive;
  }

  /** Of the build that is packed. */
  private String version() throws IOException {
    Properties properties = new Properties();
    try (var reader =
        Files.newBufferedReader(build.resolve("classes/dev/parlance/cli/build.properties"))) {
      properties.load(reader);
    }
    return Objects.requireNonNull(properties.getProperty("version"), "no version");
  }

  /** Libraries under their own names, modules of ours under theirs, whatever the version. */
  private void copyJars(Platform platform, Path home, String version) throws IOException {
    Path lib = Files.createDirectories(home.resolve("lib"));
    Jars jars = new Jars(platform, Files.createDirectories(home.resolve("native")));
    List<Path> entries = new ArrayList<>();
    entries.add(
        Files.exists(build.resolve("parlance-cli.jar"))
            ? build.resolve("parlance-cli.jar")
            : build.resolve("classes"));
    for (String entry : Files.readString(build.resolve("classpath")).strip().split(":", -1)) {
      entries.add(Path.of(entry));
    }
    for (Path entry : entries) {
      String name = String.valueOf(entry.getFileName());
      Path jar =
          entry.startsWith(repository)
              ? lib.resolve("parlance-" + repository.relativize(entry).getName(0) + ".jar")
              : lib.resolve(name);
      if (Files.isDirectory(entry)) {
        jar(entry, jar, version);
      } else if (!Jars.isLeftOut(name)) {
        jars.copyJar(entry, jar);
      }
    }
  }

  /** A jar of a folder of classes. */
  private void jar(Path classes, Path jar, String version) throws IOException {
    LocalDateTime time = LocalDateTime.ofInstant(created, ZoneOffset.UTC);
    try (ZipOutputStream out =
        new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(jar)))) {
      put(
          out,
          "META-INF/MANIFEST.MF",
          time,
          "Manifest-Version: 1.0\r\nImplementation-Version: %s\r\n\r\n"
              .formatted(version)
              .getBytes(UTF_8));
      for (Path file : Trees.inOrder(classes)) {
        String name = classes.relativize(file).toString();
        if (Files.isDirectory(file) && !name.isEmpty()) {
          put(out, name + "/", time, new byte[0]); // who looks into folders of a jar needs them
        } else if (Files.isRegularFile(file) && !name.equals("META-INF/MANIFEST.MF")) {
          put(out, name, time, Files.readAllBytes(file));
        }
      }
    }
  }

  private static void put(ZipOutputStream out, String name, LocalDateTime time, byte[] bytes)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(time);
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }

  /** What somebody who has only the archive reads and tries. */
  private void copyTexts(Path home) throws IOException {
    Trees.copyFile(repository.resolve("LICENSE"), home.resolve("LICENSE"));
    Trees.copyFile(repository.resolve("CHANGELOG.md"), home.resolve("CHANGELOG.md"));
    for (String folder : List.of("docs/quickstart.md", "examples")) {
      Path from = repository.resolve(folder);
      if (Files.exists(from)) {
        Trees.copy(from, home.resolve(folder));
      }
    }
  }

  private void launcher(Path home) throws IOException, InterruptedException {
    String text;
    try (InputStream in = ArchiveBuild.class.getResourceAsStream(LAUNCHER)) {
      text = new String(Objects.requireNonNull(in, LAUNCHER).readAllBytes(), UTF_8);
    }
    Path file = Files.createDirectories(home.resolve("bin")).resolve("parlance");
    Files.writeString(file, text.replace(PROXY_FLAGS, proxyFlags()));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String proxyFlags() throws IOException, InterruptedException {
    List<String> flags =
        ProxyFlags.of(program, repository, target, "archive-proxy-flags.txt", LIMIT).stream()
            // the process that makes the archive is not the one that runs
            .map(
                flag -> flag.startsWith("-Dio.netty.processId=") ? "-Dio.netty.processId=$$" : flag)
            .toList();
    return String.join(" ", flags);
  }

  /** The plugin's document, if this is Maven's build. */
  private Optional<Path> mavenBill() {
    Path document = repository.resolve("image/target/bom.json");
    boolean isPackaged = Files.exists(build.resolve("parlance-cli.jar"));
    return isPackaged && Files.exists(document) ? Optional.of(document) : Optional.empty();
  }

  private void pack(Path root, Path archive) throws IOException {
    Trees.stamp(root, FileTime.from(created));
    try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(archive));
        GZIPOutputStream packed = new GZIPOutputStream(file, 1 << 16);
        TarWriter tar = new TarWriter(packed, created.getEpochSecond())) {
      for (Path path : Trees.inOrder(root)) {
        if (!path.equals(root)) {
          tar.add(root, root.relativize(path), TarWriter.Owner.ROOT);
        }
      }
    }
  }

  private static String sum(Path file) throws IOException {
    return Hashes.of(file) + "  " + file.getFileName() + "\n";
  }
}
