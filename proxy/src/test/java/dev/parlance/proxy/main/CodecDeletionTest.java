package dev.parlance.proxy.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.Codecs;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * A protocol is a package of {@code wire} and one line: without these two the rest compiles, and a
 * sidecar judges all other protocols.
 */
class CodecDeletionTest {
  private static final Path ROOT = Path.of("..");
  private static final String WIRE = "dev/parlance/wire/";
  private static final List<String> PROTOCOLS = List.of("a2a", "mcp", "openai");

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @FieldSource("PROTOCOLS")
  void withoutAPackageAndItsLine_allOtherProtocolsAreJudged(String gone) throws Exception {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    copyClassesWithout(gone, classes);
    assertThat(compile(sourceWithout(gone), classes)).isEmpty();
    Class<?> judged = new Without(classes).loadClass(JudgedProtocols.class.getName());
    Path data = Files.createDirectory(folder.resolve("data"));
    assertThat(((Callable<?>) judged.getConstructor(Path.class).newInstance(data)).call())
        .isEqualTo(PROTOCOLS.stream().filter(one -> !one.equals(gone)).toList());
  }

  /** The one file that names the package, in whichever module, without the line that does. */
  private Path sourceWithout(String gone) throws IOException {
    List<Path> knowing = new ArrayList<>();
    for (Path file : sources()) {
      boolean itself = file.toString().contains(WIRE + gone + "/");
      if (!itself && Files.readString(file).contains("wire." + gone + ".")) {
        knowing.add(file);
      }
    }
    assertThat(knowing).hasSize(1);
    List<String> lines = new ArrayList<>(Files.readAllLines(knowing.getFirst()));
    int before = lines.size();
    lines.removeIf(line -> line.contains("wire." + gone + "."));
    assertThat(lines).hasSize(before - 1);
    return Files.write(folder.resolve(knowing.getFirst().getFileName()), lines);
  }

  private static List<Path> sources() throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(ROOT)) {
      for (Path module : modules) {
        Path main = module.resolve("src/main/java");
        if (Files.isDirectory(main)) {
          try (Stream<Path> files = Files.walk(main)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
          }
        }
      }
    }
    return found;
  }

  /** The classes of wire without the package and without those that name it. */
  private static void copyClassesWithout(String gone, Path target) throws IOException {
    Path place = placeOf(Codecs.class);
    if (Files.isDirectory(place)) {
      copyWithout(WIRE + gone + "/", place, target);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(place)) {
        copyWithout(WIRE + gone + "/", jar.getPath("/"), target);
      }
    }
  }

  private static void copyWithout(String gone, Path from, Path target) throws IOException {
    try (Stream<Path> files = Files.walk(from.resolve(WIRE))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = from.relativize(file).toString();
        byte[] bytes = Files.readAllBytes(file);
        if (!name.startsWith(gone)
            && !new String(bytes, StandardCharsets.ISO_8859_1).contains(gone)) {
          Path copy = target.resolve(name);
          Files.createDirectories(copy.getParent());
          Files.write(copy, bytes);
        }
      }
    }
  }

  /** What the compiler has to say of a source beside the classes that it needs. */
  private static String compile(Path source, Path classes) throws IOException {
    String libraries =
        Stream.of(classes, placeOf(Utf8Span.class), placeOf(NullMarked.class))
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int _ =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                said,
                said,
                "-nowarn",
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                libraries,
                source.toString());
    return said.toString(StandardCharsets.UTF_8);
  }

  private static Path placeOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** Loads all that is ours anew, with wire from a folder and from nowhere else. */
  private static final class Without extends ClassLoader {
    private final Path wire;

    Without(Path wire) {
      super(CodecDeletionTest.class.getClassLoader());
      this.wire = wire;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        return name.startsWith("dev.parlance.") ? findClass(name) : super.loadClass(name, resolve);
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      Path built = wire.resolve(file);
      boolean ours = file.startsWith(WIRE);
      try (InputStream in =
          ours && Files.exists(built)
              ? Files.newInputStream(built)
              : ours ? InputStream.nullInputStream() : getParent().getResourceAsStream(file)) {
        byte[] bytes = in == null ? new byte[0] : in.readAllBytes();
        if (bytes.length == 0) {
          throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** Which protocols a sidecar judges. */
  public static final class JudgedProtocols extends SidecarFixture implements Callable<Object> {
    private static final String QUESTION = "When must the impeller be replaced?";
    private static final String TOOL_RESULT =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}}";
    private static final String TOOL_CALL =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",\"arguments\":{}}}";
    private static final String COMPLETION =
        "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%s\"},\"finish_reason\":\"stop\"}]}";
    private static final String CHAT =
        "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}";

    /** One that keeps its data there. */
    public JudgedProtocols(Path folder) {
      this.folder = folder;
    }

    @Override
    public Object call() throws Exception {
      startAgent();
      start("onUnjudged: block");
      try {
        List<String> judged = new ArrayList<>();
        add(judged, "a2a", message(GROUNDED, "1"), () -> ask(QUESTION, "1").body());
        add(judged, "mcp", TOOL_RESULT.formatted(GROUNDED), () -> post("/mcp", TOOL_CALL).body());
        add(
            judged,
            "openai",
            COMPLETION.formatted(GROUNDED),
            () -> post("/v1/chat/completions", CHAT.formatted(QUESTION)).body());
        return judged;
      } finally {
        stop();
      }
    }

    private void add(List<String> judged, String protocol, String answer, Callable<String> asked)
        throws Exception {
      script = _ -> ScriptedAgent.Reply.json(answer);
      String got = asked.call();
      if (got.contains(FACT) && got.contains("\"route\":")) {
        judged.add(protocol);
      }
    }
  }
}
