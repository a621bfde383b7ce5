package dev.parlance.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * An image layout of the Open Container Initiative in one archive, with the file that {@code docker
 * load} of older engines asks for beside it: {@code podman load}, {@code skopeo copy oci-archive:},
 * {@code ctr image import} and {@code docker load} take it.
 *
 * @param platform what it is for
 * @param created the time that everything in it has
 * @param name of the image, with its tag
 * @param version of Parlance
 * @param revision of its source, or {@code unknown}
 */
record OciArchive(
    Platform platform, Instant created, String name, String version, String revision) {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String OCI = "application/vnd.oci.image.";

  /** A blob that lies in a file. */
  record Blob(String digest, long size, Path file) {}

  /**
   * A layer.
   *
   * @param diffId digest of what the blob is when unpacked
   */
  record Packed(Layer layer, Blob blob, String diffId) {}

  /**
   * The layers of everything below the root.
   *
   * @param work a folder for what is made on the way, until the image is written
   */
  List<Packed> layers(Path root, Path work) throws IOException {
    List<Packed> layers = new ArrayList<>();
    for (Map.Entry<Layer, List<Path>> entry : Layer.divide(root).entrySet()) {
      if (!entry.getValue().isEmpty()) {
        layers.add(pack(root, entry.getKey(), entry.getValue(), work));
      }
    }
    return layers;
  }

  /** The same by another name. */
  OciArchive named(String other) {
    return new OciArchive(platform, created, other, version, revision);
  }

  /** Writes the image of these layers. */
  void write(List<Packed> layers, Path work, Path archive) throws IOException {
    Map<String, Blob> blobs = new TreeMap<>();
    layers.forEach(layer -> blobs.put(layer.blob().digest(), layer.blob()));
    Blob config = blob(work, "config.json", config(layers));
    Blob manifest = blob(work, "manifest.json", manifest(config, layers));
    blobs.put(config.digest(), config);
    blobs.put(manifest.digest(), manifest);

    Path draft = work.resolve("archive");
    try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(draft));
        TarWriter tar = new TarWriter(file, created.getEpochSecond())) {
      tar.add("oci-layout", json(Map.of("imageLayoutVersion", "1.0.0")));
      tar.add("index.json", json(index(manifest)));
      tar.add("manifest.json", json(forDocker(config, layers)));
      for (Blob blob : blobs.values()) {
        tar.add(blobPath(blob), Files.readAllBytes(blob.file()));
      }
    }
    Files.move(draft, archive, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private Packed pack(Path root, Layer layer, List<Path> paths, Path work) throws IOException {
    Path file = work.resolve(layer.name());
    MessageDigest unpacked = Hashes.sha256();
    MessageDigest packed = Hashes.sha256();
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
        OutputStream digested = new DigestOutputStream(out, packed);
        OutputStream gzip = new GZIPOutputStream(digested, 1 << 16);
        OutputStream plain =
            new DigestOutputStream(new BufferedOutputStream(gzip, 1 << 16), unpacked);
        TarWriter tar = new TarWriter(plain, created.getEpochSecond())) {
      for (Path path : paths) {
        tar.add(root, path, ownerOf(path));
      }
    }
    return new Packed(
        layer,
        new Blob(Hashes.hex(packed), Files.size(file), file),
        "sha256:" + Hashes.hex(unpacked));
  }

  private static TarWriter.Owner ownerOf(Path path) {
    return switch (path.toString()) {
      case "tmp", "var/lib/parlance" -> TarWriter.Owner.PARLANCE;
      default -> TarWriter.Owner.ROOT;
    };
  }

  private Map<String, Object> config(List<Packed> layers) {
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("User", BaseFiles.UID + ":" + BaseFiles.UID);
    run.put(
        "Env",
        List.of(
            "PATH=/opt/java/bin:/usr/sbin",
            "LANG=C.UTF-8",
            // one arena of the C library is enough and keeps the footprint small
            "MALLOC_ARENA_MAX=1",
            // the encoder's runtime must not call anybody; the version that is used cannot anyway
            "ORT_DISABLE_TELEMETRY=1",
            "PARLANCE_HOME=" + ArgFiles.HOME));
    run.put("Entrypoint", List.of("/opt/java/bin/java"));
    run.put("Cmd", List.of("@" + ArgFiles.HOME + "/cli.args", "--help"));
    run.put("WorkingDir", "/var/lib/parlance");
    run.put("StopSignal", "SIGTERM");
    run.put("Labels", labels());
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("created", created.toString());
    config.put("architecture", platform.debian());
    config.put("os", "linux");
    config.put("config", run);
    config.put(
        "rootfs",
        Map.of("type", "layers", "diff_ids", layers.stream().map(Packed::diffId).toList()));
    config.put(
        "history",
        layers.stream()
            .map(layer -> {
              Map<String, Object> line = new TreeMap<>();
              line.put("created", created.toString());
              line.put("created_by", "parlance image build");
              line.put("comment", layer.layer().name().toLowerCase(java.util.Locale.ROOT));
              return line;
            })
            .toList());
    return config;
  }

  private Map<String, String> labels() {
    return new TreeMap<>(
        Map.of(
            "org.opencontainers.image.title",
            "Parlance",
            "org.opencontainers.image.version",
            version,
            "org.opencontainers.image.revision",
            revision,
            "org.opencontainers.image.created",
            created.toString(),
            "org.opencontainers.image.licenses",
            "Apache-2.0"));
  }

  private Map<String, Object> manifest(Blob config, List<Packed> layers) {
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("schemaVersion", 2);
    manifest.put("mediaType", OCI + "manifest.v1+json");
    manifest.put("config", descriptor(OCI + "config.v1+json", config));
    manifest.put(
        "layers",
        layers.stream().map(l -> descriptor(OCI + "layer.v1.tar+gzip", l.blob())).toList());
    manifest.put("annotations", labels());
    return manifest;
  }

  private Map<String, Object> index(Blob manifest) {
    Map<String, Object> descriptor = descriptor(OCI + "manifest.v1+json", manifest);
    descriptor.put(
        "platform", new TreeMap<>(Map.of("architecture", platform.debian(), "os", "linux")));
    descriptor.put(
        "annotations",
        new TreeMap<>(
            Map.of(
                "org.opencontainers.image.ref.name",
                name.substring(name.indexOf(':') + 1),
                "io.containerd.image.name",
                name)));
    Map<String, Object> index = new LinkedHashMap<>();
    index.put("schemaVersion", 2);
    index.put("mediaType", OCI + "index.v1+json");
    index.put("manifests", List.of(descriptor));
    return index;
  }

  private List<Map<String, Object>> forDocker(Blob config, List<Packed> layers) {
    Map<String, Object> image = new LinkedHashMap<>();
    image.put("Config", blobPath(config));
    image.put("RepoTags", List.of(name));
    image.put("Layers", layers.stream().map(layer -> blobPath(layer.blob())).toList());
    return List.of(image);
  }

  private static Map<String, Object> descriptor(String type, Blob blob) {
    Map<String, Object> descriptor = new LinkedHashMap<>();
    descriptor.put("mediaType", type);
    descriptor.put("digest", "sha256:" + blob.digest());
    descriptor.put("size", blob.size());
    return descriptor;
  }

  private static String blobPath(Blob blob) {
    return "blobs/sha256/" + blob.digest();
  }

  private static Blob blob(Path work, String name, Object value) throws IOException {
    byte[] bytes = json(value);
    Path file = Files.write(work.resolve(name), bytes);
    return new Blob(Hashes.of(bytes), bytes.length, file);
  }

  private static byte[] json(Object value) {
    return JSON.writeValueAsString(value).getBytes(UTF_8);
  }

  /** The layers of the image, those that change most seldom first. */
  enum Layer {
    /** Libraries and files of Debian. */
    BASE,
    /** The Java runtime. */
    JAVA,
    /** Libraries that Parlance uses. */
    LIBRARIES,
    /** Parlance itself. */
    PARLANCE,
    /** An encoder beside the built-in one. */
    MODEL,
    /** The start-up cache, the only part that differs from build to build. */
    CACHE;

    /** Which layer a file is in. */
    static Layer of(Path fromRoot) {
      String path = fromRoot.toString();
      if (path.equals("opt/parlance/proxy.aot")) {
        return CACHE;
      }
      if (path.startsWith("opt/parlance/models/")) {
        return MODEL;
      }
      if (path.startsWith("opt/parlance/lib/parlance-")) {
        return PARLANCE;
      }
      if (path.startsWith("opt/parlance/lib/") || path.startsWith("opt/parlance/native/")) {
        return LIBRARIES;
      }
      if (path.startsWith("opt/parlance/")) {
        return PARLANCE;
      }
      return path.startsWith("opt/java/") ? JAVA : BASE;
    }

    /**
     * Everything below the root, by layer and from the root. A layer names the folders above its
     * files too, so that none of them depends on what another layer or tool makes of them.
     */
    static Map<Layer, List<Path>> divide(Path root) throws IOException {
      Map<Layer, List<Path>> layers = new EnumMap<>(Layer.class);
      for (Layer layer : values()) {
        layers.put(layer, new ArrayList<>());
      }
      Map<Path, Boolean> hasFiles = new java.util.HashMap<>();
      for (Path path : Trees.inOrder(root)) {
        Path relative = root.relativize(path);
        boolean isFolder = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
        if (!isFolder) {
          List<Path> mine = layers.getOrDefault(of(relative), List.of());
          for (Path above = relative.getParent(); above != null; above = above.getParent()) {
            hasFiles.put(above, true);
            if (!mine.contains(above)) {
              mine.add(above);
            }
          }
          mine.add(relative);
        }
      }
      for (Path path : Trees.inOrder(root)) {
        Path relative = root.relativize(path);
        boolean isEmptyFolder =
            Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                && !hasFiles.containsKey(relative)
                && !relative.toString().isEmpty();
        if (isEmptyFolder) {
          List<Path> base = layers.getOrDefault(BASE, List.of());
          for (Path folder = relative; folder != null; folder = folder.getParent()) {
            if (!base.contains(folder)) {
              base.add(folder);
            }
          }
        }
      }
      layers.values().forEach(paths -> paths.sort((a, b) -> a.toString().compareTo(b.toString())));
      return layers;
    }
  }
}
