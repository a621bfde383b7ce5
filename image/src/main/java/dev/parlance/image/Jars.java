package dev.parlance.image;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * The class path of the image. Native libraries are taken out of their jars: those for this machine
 * go into one folder, from which they are loaded where they are, so that nothing has to be unpacked
 * into a folder that can be written to and executed from; those for other machines stay away. Every
 * other entry keeps its bytes.
 */
final class Jars {
  /** Helm's own library, 28 MB for each kind of machine: charts are rendered elsewhere. */
  private static final Pattern LEFT_OUT =
      Pattern.compile("(linux|darwin|windows)-(amd64|arm64)-.*\\.jar");

  private final Platform platform;
  private final Path natives;

  Jars(Platform platform, Path natives) {
    this.platform = platform;
    this.natives = natives;
  }

  /** Copies every jar of the folder. */
  void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    Files.createDirectories(natives);
    try (Stream<Path> jars = Files.list(from)) {
      for (Path jar : jars.sorted().toList()) {
        String name = String.valueOf(jar.getFileName());
        if (!LEFT_OUT.matcher(name).matches()) {
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
