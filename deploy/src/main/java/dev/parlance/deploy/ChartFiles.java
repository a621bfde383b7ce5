package dev.parlance.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The chart as a folder, which Helm needs; unpacked from our own jar where we are in one. */
public final class ChartFiles implements AutoCloseable {
  private static final String INSIDE = "dev/parlance/deploy/chart/";

  private final Path folder;
  private final boolean isOurs;

  private ChartFiles(Path folder, boolean isOurs) {
    this.folder = folder;
    this.isOurs = isOurs;
  }

  /**
   * Finds the chart that belongs to this code.
   *
   * @throws IOException if it cannot be unpacked, or is nowhere
   */
  public static ChartFiles open() throws IOException {
    Path code = code();
    if (Files.isRegularFile(code)) {
      return unpack(code);
    }
    // Classes that are in no jar yet: packed by Maven's resources, or beside the module's sources.
    for (Path place :
        List.of(code.resolve(INSIDE), code.resolve("../../helm/parlance").normalize())) {
      if (Files.exists(place.resolve("Chart.yaml"))) {
        return new ChartFiles(place, false);
      }
    }
    throw new IOException("the chart is not beside " + code);
  }

  private static Path code() throws IOException {
    try {
      return Path.of(ChartFiles.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static ChartFiles unpack(Path jar) throws IOException {
    // Helm takes the folder's name for the chart's in what it says.
    Path folder = Files.createTempDirectory("parlance-chart").resolve("parlance");
    ChartFiles files = new ChartFiles(folder, true);
    boolean isWhole = false;
    try (JarFile archive = new JarFile(jar.toFile())) {
      Enumeration<JarEntry> entries = archive.entries();
      while (entries.hasMoreElements()) {
        JarEntry entry = entries.nextElement();
        if (entry.getName().startsWith(INSIDE) && !entry.isDirectory()) {
          Path target = folder.resolve(entry.getName().substring(INSIDE.length())).normalize();
          if (!target.startsWith(folder)) {
            throw new IOException("the jar has a path that leaves its folder: " + entry.getName());
          }
          Files.createDirectories(target.resolveSibling("."));
          try (InputStream in = archive.getInputStream(entry)) {
            Files.copy(in, target);
          }
        }
      }
      if (!Files.exists(folder.resolve("Chart.yaml"))) {
        throw new IOException("the chart is not in " + jar);
      }
      isWhole = true;
      return files;
    } finally {
      if (!isWhole) {
        files.close();
      }
    }
  }

  /** The chart. */
  public HelmChart chart() {
    return new HelmChart(folder);
  }

  /** Deletes what was unpacked. */
  @Override
  public void close() {
    if (!isOurs) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder.resolveSibling("."))) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path.normalize());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
