package dev.parlance.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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
  /** The start-up cache, the only part that differs from build to build. */
  CACHE;

  /** Which layer a file is in. */
  static Layer of(Path fromRoot) {
    String path = fromRoot.toString();
    if (path.equals("opt/parlance/proxy.aot")) {
      return CACHE;
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
