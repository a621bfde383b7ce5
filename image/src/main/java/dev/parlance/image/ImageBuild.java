package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parlance.image.DebianPackages.Fetched;
import dev.parlance.image.OciArchive.Packed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes {@code target/parlance-image.tar}, and {@code parlance-minilm-image.tar} where {@code
 * build/models} has the encoder all-MiniLM-L6-v2. Needs no container engine and no root; needs a
 * JDK and Debian's package tools, and is left out with a warning where those are missing.
 */
public final class ImageBuild {
  /** The memory limit that argument files are made for; the injector's default. */
  private static final String LIMIT = "160m";

  private final Path repository;
  private final Path target;
  private final Instant created;
  private final Program program;

  private ImageBuild(Path repository, Path target, Instant created) throws IOException {
    this.repository = repository;
    this.target = target;
    this.created = created;
    this.program = new Program(target.resolve("image.log"));
    Files.deleteIfExists(target.resolve("image.log"));
  }

  /**
   * Makes the image, or says why there is none.
   *
   * @param arguments the repository's folder, the folder for what is made, the time that everything
   *     in the image has (ISO 8601)
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length != 3) {
      throw new IllegalArgumentException("expected: REPOSITORY TARGET TIME");
    }
    Path target = Files.createDirectories(Path.of(arguments[1])).toRealPath();
    new ImageBuild(Path.of(arguments[0]).toRealPath(), target, Instant.parse(arguments[2])).run();
  }

  private void run() throws IOException, InterruptedException {
    Path archive = target.resolve("parlance-image.tar");
    Path reason = target.resolve("image-skipped.txt");
    Files.deleteIfExists(archive);
    Files.deleteIfExists(withModel());
    Files.deleteIfExists(reason);
    Instant began = Instant.now();
    Optional<String> missing = build(archive);
    if (missing.isPresent()) {
      Files.write(reason, (missing.get() + "\n").getBytes(UTF_8));
      System.out.println("[WARNING] no image: " + missing.get());
      return;
    }
    System.out.printf(
        "image: %d MiB in %d s, %s%n",
        Files.size(archive) >> 20, Duration.between(began, Instant.now()).toSeconds(), archive);
  }

  /** The same with all-MiniLM-L6-v2 in a layer of its own, where its files are. */
  private Path withModel() {
    return target.resolve("parlance-minilm-image.tar");
  }

  /** Why there is none. */
  private Optional<String> build(Path archive) throws IOException, InterruptedException {
    Optional<Platform> platform = Platform.current();
    if (platform.isEmpty()) {
      return Optional.of("images are made on Linux (amd64, arm64) only");
    }
    if (!Program.isThere("bash")) {
      return Optional.of("there is no bash");
    }
    Path cache = repository.resolve("build/image");
    Path lock = repository.resolve("image").resolve("debian-" + platform.get().debian() + ".lock");
    Fetched fetched =
        new DebianPackages(cache.resolve("debian"), program)
            .fetch(lock, target.resolve("packages"));
    return switch (fetched) {
      case Fetched.Missing none -> Optional.of(none.why());
      case Fetched.Unpacked found -> {
        assemble(platform.get(), found, cache, archive);
        yield Optional.empty();
      }
    };
  }

  private void assemble(Platform platform, Fetched.Unpacked found, Path cache, Path archive)
      throws IOException, InterruptedException {
    Path root = target.resolve("root");
    Trees.remove(root);
    Files.createDirectories(root);
    new BaseFiles(found.folder(), platform).writeTo(root);
    new JavaRuntime(cache, program).writeTo(root.resolve("opt/java"));
    Path home = Files.createDirectories(root.resolve("opt/parlance"));
    Path cli = repository.resolve("cli/target");
    var jars = new Jars(platform, home.resolve("native"));
    jars.copy(cli.resolve("lib"), home.resolve("lib"));
    jars.copyJar(cli.resolve("parlance-cli.jar"), home.resolve("parlance-cli.jar"));
    Files.copy(repository.resolve("LICENSE"), home.resolve("LICENSE"));
    Path bill = target.resolve("parlance-image.cdx.json");
    Sbom.write(mavenBill(cli), cli.resolve("lib"), found.packages(), bill);
    Files.copy(bill, home.resolve("sbom.cdx.json"));
    // The cache remembers the times of the jars, so they get the image's before it is made.
    Trees.stamp(home, FileTime.from(created));
    List<String> classPath = sidecarClassPath();
    train(root, home, classPath);
    new ArgFiles(home)
        .write(ProxyFlags.of(program, repository, target, "proxy-flags.txt", LIMIT), classPath);
    Files.deleteIfExists(home.resolve("proxy.classpath"));
    Trees.remove(home.resolve("work")); // left for people where the training failed

    Path work = target.resolve("layers");
    Trees.remove(work);
    Files.createDirectories(work);
    String version = version("version");
    String name = "parlance:" + version;
    var image = new OciArchive(platform, created, name, version, version("revision"));
    List<Packed> layers = new ArrayList<>(image.layers(root, work));
    image.write(layers, work, archive);
    Path models = repository.resolve("build").resolve(ModelFolder.NAME);
    if (ModelFolder.isThere(models)) {
      Path tree = target.resolve("minilm");
      Trees.remove(tree);
      ModelFolder.copy(models, tree.resolve("opt/parlance"));
      layers.addAll(image.layers(tree, work));
      image.named(name + "-minilm").write(layers, work, withModel());
    }
    Trees.remove(work);
    Trees.remove(found.folder());
  }

  /** The plugin's document; one of an earlier build does not count. */
  private Optional<Path> mavenBill(Path cli) throws IOException {
    Path document = target.resolve("bom.json");
    boolean isOfThisBuild =
        Files.exists(document)
            && Files.getLastModifiedTime(document)
                    .compareTo(Files.getLastModifiedTime(cli.resolve("built")))
                >= 0;
    return isOfThisBuild ? Optional.of(document) : Optional.empty();
  }

  /** What bin/parlance starts a sidecar with, as names below the image's folder. */
  private List<String> sidecarClassPath() throws IOException, InterruptedException {
    Path file = target.resolve("proxy-classpath.txt");
    program.mustRun(
        target,
        Map.of(),
        List.of(
            "bash",
            "-c",
            "root=$0 module=cli; . \"$0/bin/quick-build\"; . \"$0/bin/proxy-flags\";"
                + " use_build \"$0/cli/target\"; proxy_classpath >\"$1\"",
            repository.toString(),
            file.toString()));
    List<String> names = new ArrayList<>();
    for (String jar : Files.readString(file).strip().split(":", -1)) {
      names.add((names.isEmpty() ? "" : "lib/") + Path.of(jar).getFileName());
    }
    return names;
  }

  /** As bin/parlance does it when a sidecar is first started, with the image's runtime and jars. */
  private void train(Path root, Path home, List<String> classPath)
      throws IOException, InterruptedException {
    program.mustRun(
        target,
        Map.of("PARLANCE_AOT_JAVA", root.resolve("opt/java").toString()),
        List.of(
            "bash",
            repository.resolve("bin/aot-cache").toString(),
            home.toString(),
            String.join(
                ":", classPath.stream().map(jar -> home.resolve(jar).toString()).toList())));
  }

  private String version(String key) throws IOException {
    Properties build = new Properties();
    Path file = repository.resolve("cli/target/classes/dev/parlance/cli/build.properties");
    try (var reader = Files.newBufferedReader(file)) {
      build.load(reader);
    }
    return build.getProperty(key, "unknown");
  }

  /**
   * The class path of the image. Native libraries are taken out of their jars: those for this
   * machine go into one folder, from which they are loaded where they are, so that nothing has to
   * be unpacked into a folder that can be written to and executed from; those for other machines
   * stay away. Every other entry keeps its bytes.
   */
  record Jars(Platform platform, Path natives) {
    /** Helm's own library, 28 MB for each kind of machine: charts are rendered elsewhere. */
    private static final Pattern LEFT_OUT =
        Pattern.compile("(linux|darwin|windows)-(amd64|arm64)-.*\\.jar");

    /** Whether this jar is not for where Parlance runs. */
    static boolean isLeftOut(String name) {
      return LEFT_OUT.matcher(name).matches();
    }

    /** Copies every jar of the folder. */
    void copy(Path from, Path to) throws IOException {
      Files.createDirectories(to);
      Files.createDirectories(natives);
      try (Stream<Path> jars = Files.list(from)) {
        for (Path jar : jars.sorted().toList()) {
          String name = String.valueOf(jar.getFileName());
          if (!isLeftOut(name)) {
            copyJar(jar, to.resolve(name));
          }
        }
      }
    }

    void copyJar(Path from, Path to) throws IOException {
      try (ZipFile jar = new ZipFile(from.toFile())) {
        if (jar.stream().noneMatch(entry -> Platform.isNative(entry.getName()))) {
          Files.copy(from, to);
          return;
        }
        try (OutputStream file = Files.newOutputStream(to);
            ZipOutputStream out = new ZipOutputStream(file)) {
          for (ZipEntry entry : jar.stream().toList()) {
            if (!Platform.isNative(entry.getName())) {
              copyEntry(jar, entry, out);
              continue;
            }
            Optional<String> name = platform.nativeName(entry.getName());
            if (name.isPresent()) {
              try (InputStream in = jar.getInputStream(entry)) {
                Files.copy(in, natives.resolve(name.get()));
              }
            }
          }
        }
      }
    }

    private static void copyEntry(ZipFile jar, ZipEntry entry, ZipOutputStream out)
        throws IOException {
      var copy = new ZipEntry(entry.getName());
      copy.setTimeLocal(entry.getTimeLocal());
      out.putNextEntry(copy);
      try (InputStream in = jar.getInputStream(entry)) {
        in.transferTo(out);
      }
      out.closeEntry();
    }
  }
}
