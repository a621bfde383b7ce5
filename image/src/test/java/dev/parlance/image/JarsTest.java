package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarsTest {
  @TempDir private Path folder;

  @Test
  void nativeLibrariesOfThisMachineLieBesideTheJarsAndThoseOfOthersNowhere() throws Exception {
    Path from = Files.createDirectories(folder.resolve("from"));
    jar(
        from.resolve("a.jar"),
        "ai/onnxruntime/OrtEnvironment.class",
        "ai/onnxruntime/native/linux-x64/libonnxruntime.so",
        "ai/onnxruntime/native/linux-aarch64/libonnxruntime.so",
        "ai/onnxruntime/native/osx-aarch64/libonnxruntime.dylib.dSYM/Contents/Info.plist",
        "org/sqlite/native/Linux/x86_64/libsqlitejdbc.so",
        "org/sqlite/native/Linux-Musl/x86_64/libsqlitejdbc.so",
        "META-INF/native/libnetty_transport_native_epoll_x86_64.so",
        "META-INF/native/libnetty_transport_native_epoll_aarch_64.so");
    Path natives = folder.resolve("native");
    new ImageBuild.Jars(Platform.AMD64, natives).copy(from, folder.resolve("to"));
    assertThat(Trees.inOrder(natives).stream().map(path -> String.valueOf(path.getFileName())))
        .containsExactly(
            "native",
            "libnetty_transport_native_epoll_x86_64.so",
            "libonnxruntime.so",
            "libsqlitejdbc.so");
    assertThat(natives.resolve("libsqlitejdbc.so"))
        .hasContent("org/sqlite/native/Linux/x86_64/libsqlitejdbc.so");
    assertThat(entries(folder.resolve("to/a.jar")))
        .containsExactly("ai/onnxruntime/OrtEnvironment.class");
  }

  @Test
  void aJarWithoutThemKeepsItsBytesAndHelmsLibraryStaysAway() throws Exception {
    Path from = Files.createDirectories(folder.resolve("from"));
    jar(from.resolve("plain.jar"), "a/B.class");
    jar(from.resolve("linux-amd64-0.0.21.jar"), "helm.so");
    Path to = folder.resolve("to");
    new ImageBuild.Jars(Platform.AMD64, folder.resolve("native")).copy(from, to);
    assertThat(to.resolve("plain.jar")).hasSameBinaryContentAs(from.resolve("plain.jar"));
    assertThat(to.resolve("linux-amd64-0.0.21.jar")).doesNotExist();
  }

  private static void jar(Path file, String... names) throws Exception {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (String name : names) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(name.getBytes(UTF_8));
        zip.closeEntry();
      }
    }
  }

  private static List<String> entries(Path jar) throws Exception {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream().map(ZipEntry::getName).toList();
    }
  }
}
