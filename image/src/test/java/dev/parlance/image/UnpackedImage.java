package dev.parlance.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The image of this build, unpacked by the system's {@code tar}, layer over layer. */
final class UnpackedImage implements AutoCloseable {
  private static final Path ARCHIVE = Path.of("target/parlance-image.tar").toAbsolutePath();

  private final Path folder;

  private UnpackedImage(Path folder) {
    this.folder = folder;
  }

  /** Why it cannot be run here; empty if it can. */
  static Optional<String> obstacle() throws IOException, InterruptedException {
    Path skipped = Path.of("target/image-skipped.txt");
    if (Files.exists(skipped)) {
      return Optional.of("the build made no image: " + Files.readString(skipped).strip());
    }
    if (!Files.exists(ARCHIVE)) {
      return Optional.of("the build made no image");
    }
    for (String program : List.of("unshare", "capsh", "tar", "bash", "mount")) {
      if (!Program.isThere(program)) {
        return Optional.of("there is no " + program);
      }
    }
    Process namespaces =
        new ProcessBuilder(
                "unshare", "--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "t", "/mnt")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return namespaces.waitFor() == 0
        ? Optional.empty()
        : Optional.of("namespaces and mounts need root");
  }

  static UnpackedImage unpack() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "unpacked");
    var image = new UnpackedImage(folder);
    Path parts = Files.createDirectory(folder.resolve("parts"));
    Files.createDirectory(image.root());
    tar(ARCHIVE, parts);
    JsonNode manifest =
        JsonMapper.shared().readTree(Files.readAllBytes(parts.resolve("manifest.json")));
    for (JsonNode layer : manifest.path(0).path("Layers")) {
      tar(parts.resolve(layer.asString()), image.root());
    }
    Trees.remove(parts);
    // An engine makes the places of mounts; this one is not in the image.
    Files.createDirectories(image.root().resolve("etc/parlance"));
    return image;
  }

  private static void tar(Path archive, Path folder) throws IOException, InterruptedException {
    Path log = folder.resolveSibling("tar.log");
    new Program(log)
        .mustRun(folder, Map.of(), List.of("tar", "--numeric-owner", "-xpf", archive.toString()));
  }

  Path root() {
    return folder.resolve("root");
  }

  @Override
  public void close() throws IOException {
    Trees.remove(folder);
  }
}
