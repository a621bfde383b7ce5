package dev.parlance.proxy.control;

import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.text.Sha256;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The folder of the signed cores: one file each, the note as it came. A file is replaced whole and
 * durably; its time of change says when the control plane last confirmed the core.
 */
public class CoreFiles {
  static final String SUFFIX = ".core";
  static final String HIGH_WATER = "highwater.json";
  private static final int NAME_BYTES = 16;

  private final Path folder;

  private CoreFiles(Path folder) {
    this.folder = folder;
  }

  /** Opens the folder; makes it if need be, and clears what a crash left half written. */
  public static CoreFiles open(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (DirectoryStream<Path> drafts = Files.newDirectoryStream(folder, "*" + SafeFile.DRAFT)) {
      for (Path draft : drafts) {
        Files.delete(draft);
      }
    }
    return new CoreFiles(folder);
  }

  /** The files of cores, sorted by name. */
  List<Path> cores() throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      files.forEach(found::add);
    }
    found.sort(Path::compareTo);
    return found;
  }

  /** The file of a core, whether it is there or not. */
  Path of(CoreId id) {
    return folder.resolve(name(id) + SUFFIX);
  }

  Path highWater() {
    return folder.resolve(HIGH_WATER);
  }

  /** The name says nothing but which core: ids may hold slashes. */
  private static String name(CoreId id) {
    String text = String.join("\n", id.agents()) + "\n\n" + id.domain();
    return HexFormat.of().formatHex(Sha256.of(text), 0, NAME_BYTES);
  }

  /** The content, but no more than one byte past the limit. */
  static byte[] read(Path file, int maxBytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(maxBytes + 1);
    }
  }

  static long changedEpochMs(Path file) throws IOException {
    return Files.getLastModifiedTime(file).toMillis();
  }

  /** Notes that the control plane confirmed the core at this time. */
  void confirm(CoreId id, long epochMs) throws IOException {
    Files.setLastModifiedTime(of(id), FileTime.fromMillis(epochMs));
  }
}
