package dev.parlance.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A Debian package of exactly one content, a line {@code name version architecture sha256} of the
 * lock file.
 *
 * @param name of the binary package
 * @param version with epoch and revision
 * @param architecture {@code amd64}, {@code all}, ...
 * @param sha256 of the package file, 64 lower-case hex digits
 */
record LockedPackage(String name, String version, String architecture, String sha256) {
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.+~:-]*");

  LockedPackage {
    for (String word : List.of(name, version, architecture)) {
      if (!WORD.matcher(word).matches()) {
        throw new IllegalArgumentException("no word of a package lock: '" + word + "'");
      }
    }
    if (!HEX.matcher(sha256).matches()) {
      throw new IllegalArgumentException(name + ": no SHA-256: '" + sha256 + "'");
    }
  }

  /** Reads a lock file: one package a line, {@code #} begins a comment. */
  static List<LockedPackage> read(Path lock) throws IOException {
    List<LockedPackage> packages = new ArrayList<>();
    for (String line : Files.readAllLines(lock)) {
      String text = line.replaceFirst("#.*", "").strip();
      if (text.isEmpty()) {
        continue;
      }
      String[] words = text.split("\\s+", -1);
      if (words.length != 4) {
        throw new IllegalArgumentException(lock + ": not four words: '" + line + "'");
      }
      packages.add(new LockedPackage(words[0], words[1], words[2], words[3]));
    }
    return List.copyOf(packages);
  }

  /** The name that apt gives the file; it writes the colon of an epoch otherwise. */
  String fileName() {
    return "%s_%s_%s.deb".formatted(name, version.replace(":", "%3a"), architecture);
  }

  /** The package URL, as in a CycloneDX document. */
  String url() {
    return "pkg:deb/debian/%s@%s?arch=%s"
        .formatted(
            name.replace("+", "%2B"),
            version.replace("+", "%2B").replace(":", "%3A"),
            architecture);
  }
}
