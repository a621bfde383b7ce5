package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OciArchiveTest {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Instant CREATED = Instant.parse("2026-11-21T00:00:00Z");
  private static final String LONG = "usr/share/" + "a".repeat(90) + "/" + "b".repeat(60);

  @TempDir private Path folder;

  /** An entry of an archive, as its header says. */
  @SuppressWarnings("ArrayRecordComponent") // read only
  private record Entry(char type, int mode, int owner, long mtime, String link, byte[] bytes) {}

  @Test
  void theSameFilesGiveTheSameBytesWheneverAndInWhateverOrderTheyWereMade() throws Exception {
    Path one = tree("one", List.of("opt/java/bin/java", "opt/parlance/lib/x.jar", "etc/passwd"));
    Path two = tree("two", List.of("etc/passwd", "opt/parlance/lib/x.jar", "opt/java/bin/java"));
    for (Path path : Trees.inOrder(two)) {
      Files.setLastModifiedTime(path, FileTime.fromMillis(1_000_000));
    }
    assertThat(write(one)).hasSameBinaryContentAs(write(two));
  }

  @Test
  void everyDigestIsThatOfItsBlobAndTheConfigurationSaysHowToRunIt() throws Exception {
    Path root = tree("root", List.of("opt/java/bin/java", "opt/parlance/lib/x.jar"));
    Map<String, Entry> archive = read(Files.readAllBytes(write(root)));
    JsonNode index = json(archive, "index.json");
    assertThat(json(archive, "oci-layout").path("imageLayoutVersion").asString())
        .isEqualTo("1.0.0");
    JsonNode manifest = json(archive, blob(archive, index.path("manifests").path(0)));
    JsonNode config = json(archive, blob(archive, manifest.path("config")));
    assertThat(config.path("config").path("User").asString()).isEqualTo("2717:2717");
    assertThat(config.path("config").path("Entrypoint").path(0).asString())
        .isEqualTo("/opt/java/bin/java");
    assertThat(manifest.path("layers").size()).isEqualTo(2);
    for (int i = 0; i < manifest.path("layers").size(); i++) {
      byte[] layer = unpacked(archive, manifest.path("layers").path(i));
      assertThat("sha256:" + Hashes.of(layer))
          .isEqualTo(config.path("rootfs").path("diff_ids").path(i).asString());
    }
    JsonNode docker = json(archive, "manifest.json").path(0);
    assertThat(docker.path("RepoTags").path(0).asString()).isEqualTo("parlance:1");
    assertThat(archive).containsKey(docker.path("Config").asString());
  }

  @Test
  void ownersModesTimesAndLinksAreWhatTheImageWantsAndNotWhatTheMachineHas() throws Exception {
    Path root = tree("root", List.of("opt/java/bin/java", "etc/passwd", LONG));
    assertThat(root.resolve("opt/java/bin/java").toFile().setExecutable(true)).isTrue();
    Files.createDirectories(root.resolve("var/lib/parlance"));
    Files.createSymbolicLink(root.resolve("lib"), Path.of("usr/lib"));
    Map<String, Entry> archive = read(Files.readAllBytes(write(root)));
    JsonNode manifest =
        json(archive, blob(archive, json(archive, "index.json").path("manifests").path(0)));
    Map<String, Entry> files = new LinkedHashMap<>();
    for (JsonNode layer : manifest.path("layers")) {
      files.putAll(read(unpacked(archive, layer)));
    }
    assertThat(files.values()).allMatch(entry -> entry.mtime() == CREATED.getEpochSecond());
    assertThat(entry(files, "opt/java/bin/java").mode()).isEqualTo(0755);
    assertThat(entry(files, "etc/passwd").mode()).isEqualTo(0644);
    assertThat(entry(files, "etc/passwd").owner()).isZero();
    assertThat(entry(files, "var/lib/parlance/").owner()).isEqualTo(2717);
    assertThat(entry(files, "var/lib/parlance/").mode()).isEqualTo(01777);
    assertThat(entry(files, "var/lib/").mode()).isEqualTo(0755);
    assertThat(entry(files, "lib").type()).isEqualTo('2');
    assertThat(entry(files, "lib").link()).isEqualTo("usr/lib");
    assertThat(entry(files, LONG).bytes()).isEqualTo(LONG.getBytes(UTF_8));
  }

  @Test
  void anEncoderIsALayerOnTop_andTheOthersAreTheSame() throws Exception {
    Path root = tree("root", List.of("opt/java/bin/java", "opt/parlance/lib/x.jar"));
    Path models = tree("models", List.of("models/all-minilm-l6-v2/model.onnx"));
    Path top = folder.resolve("top");
    assertThat(ModelFolder.isThere(models.resolve("models"))).isTrue();
    ModelFolder.copy(models.resolve("models"), top.resolve("opt/parlance"));
    var image = new OciArchive(Platform.AMD64, CREATED, "parlance:1", "1", "unknown");
    Path work = Files.createTempDirectory(folder, "work");
    List<OciArchive.Packed> plain = image.layers(root, work);
    List<OciArchive.Packed> both = new ArrayList<>(plain);
    both.addAll(image.layers(top, work));
    Path file = folder.resolve("minilm.tar");
    image.named("parlance:1-minilm").write(both, work, file);

    Map<String, Entry> archive = read(Files.readAllBytes(file));
    JsonNode descriptor = json(archive, "index.json").path("manifests").path(0);
    assertThat(descriptor.path("annotations").path("org.opencontainers.image.ref.name").asString())
        .isEqualTo("1-minilm");
    JsonNode layers = json(archive, blob(archive, descriptor)).path("layers");
    assertThat(layers.size()).isEqualTo(plain.size() + 1);
    for (int i = 0; i < plain.size(); i++) {
      assertThat(layers.path(i).path("digest").asString())
          .isEqualTo("sha256:" + plain.get(i).blob().digest());
    }
    assertThat(read(unpacked(archive, layers.path(plain.size()))))
        .containsKey("opt/parlance/models/all-minilm-l6-v2/model.onnx");
  }

  private Path tree(String name, List<String> files) throws IOException {
    Path root = folder.resolve(name);
    for (String file : files) {
      Path path = root.resolve(file);
      Files.createDirectories(path.resolveSibling("."));
      Files.writeString(path, file);
    }
    return root;
  }

  private Path write(Path root) throws IOException {
    Path work = Files.createTempDirectory(folder, "work");
    Path archive = Files.createTempFile(folder, "image", ".tar");
    var image = new OciArchive(Platform.AMD64, CREATED, "parlance:1", "1", "unknown");
    image.write(image.layers(root, work), work, archive);
    return archive;
  }

  private static byte[] unpacked(Map<String, Entry> archive, JsonNode descriptor)
      throws IOException {
    byte[] bytes = entry(archive, blob(archive, descriptor)).bytes();
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    }
  }

  /** The path of what a descriptor means, after a look whether it means it rightly. */
  private static String blob(Map<String, Entry> archive, JsonNode descriptor) {
    String digest = descriptor.path("digest").asString();
    String path = "blobs/sha256/" + digest.substring("sha256:".length());
    byte[] bytes = entry(archive, path).bytes();
    assertThat("sha256:" + Hashes.of(bytes)).isEqualTo(digest);
    assertThat(descriptor.path("size").asLong()).isEqualTo(bytes.length);
    return path;
  }

  private static JsonNode json(Map<String, Entry> archive, String path) {
    return JSON.readTree(entry(archive, path).bytes());
  }

  private static Entry entry(Map<String, Entry> archive, String path) {
    Entry entry = archive.get(path);
    if (entry == null) {
      throw new AssertionError(path + " is not in " + archive.keySet());
    }
    return entry;
  }

  /** Reads an archive by the format's description, not with the writer's own means. */
  private static Map<String, Entry> read(byte[] archive) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    int at = 0;
    while (archive[at] != 0) {
      String prefix = text(archive, at + 345, 155);
      String name = (prefix.isEmpty() ? "" : prefix + "/") + text(archive, at, 100);
      int size = (int) octal(archive, at + 124, 12);
      int sum = 0;
      for (int i = 0; i < 512; i++) {
        sum += i >= 148 && i < 156 ? ' ' : Byte.toUnsignedInt(archive[at + i]);
      }
      assertThat(octal(archive, at + 148, 8)).as("sum of %s", name).isEqualTo(sum);
      byte[] bytes = java.util.Arrays.copyOfRange(archive, at + 512, at + 512 + size);
      entries.put(
          name,
          new Entry(
              (char) archive[at + 156],
              (int) octal(archive, at + 100, 8),
              (int) octal(archive, at + 108, 8),
              octal(archive, at + 136, 12),
              text(archive, at + 157, 100),
              bytes));
      at += 512 + (size + 511) / 512 * 512;
    }
    assertThat(archive.length).isEqualTo(at + 1024);
    return entries;
  }

  private static String text(byte[] bytes, int at, int length) {
    int end = at;
    while (end < at + length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, at, end - at, UTF_8);
  }

  private static long octal(byte[] bytes, int at, int length) {
    return Long.parseLong(text(bytes, at, length).strip(), 8);
  }
}
