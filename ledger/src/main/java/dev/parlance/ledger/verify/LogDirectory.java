package dev.parlance.ledger.verify;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.tile.EntryBundles;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.tree.Hashing;
import dev.parlance.ledger.verify.VerifyReport.Finding;
import dev.parlance.ledger.verify.VerifyReport.Findings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the files of a log; what cannot be read becomes a finding and is then simply not there. */
record LogDirectory(Path directory) {
  private static final int MAX_FILE_BYTES = EntryBundles.MAX_BUNDLE_BYTES;

  /** Paths of all files, sorted, with slashes between their elements. */
  List<String> list() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> !Files.isDirectory(file))
          .map(file -> directory.relativize(file).toString().replace('\\', '/'))
          .sorted()
          .toList();
    }
  }

  /** The bytes of a file that must be there. */
  Optional<byte[]> required(String path, Findings findings) {
    Optional<byte[]> bytes = optional(path, findings);
    if (bytes.isEmpty() && !findings.names(path)) {
      findings.add(Finding.Kind.MISSING, path, "a file", "none");
    }
    return bytes;
  }

  /** The bytes of a file, if it is there. */
  Optional<byte[]> optional(String path, Findings findings) {
    int maxBytes = path.equals("checkpoint") ? Note.MAX_BYTES : MAX_FILE_BYTES;
    try (InputStream in = Files.newInputStream(directory.resolve(path))) {
      byte[] bytes = in.readNBytes(maxBytes);
      if (in.read() >= 0) {
        findings.add(Finding.Kind.MALFORMED, path, "at most " + maxBytes + " bytes", "more");
        return Optional.empty();
      }
      return Optional.of(bytes);
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    } catch (IOException e) {
      findings.add(Finding.Kind.MALFORMED, path, "a readable file", String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  /**
   * The hashes of a tile as a tree of this size has it, each empty where it cannot be had. A tile
   * that is partial at this size may have grown full since.
   */
  List<Optional<Hash>> tile(int level, long index, long size, Findings findings) {
    int width = Tiles.width(level, index, size);
    String path = new TlogPath.HashTile(level, index, width).path();
    Optional<byte[]> bytes = Optional.empty();
    if (width < Tiles.WIDTH) {
      bytes = optional(path, findings);
      if (bytes.isEmpty()) {
        String full = new TlogPath.HashTile(level, index, Tiles.WIDTH).path();
        bytes =
            optional(full, findings)
                .filter(all -> all.length == Tiles.WIDTH * Hash.BYTES)
                .map(all -> Arrays.copyOf(all, width * Hash.BYTES));
      }
    }
    if (bytes.isEmpty()) {
      bytes = required(path, findings);
    }
    return bytes
        .map(present -> hashes(path, present, width, findings))
        .orElseGet(() -> none(width));
  }

  /** The hashes in a tile's bytes, each empty where the bytes end before it. */
  static List<Optional<Hash>> hashes(String path, byte[] bytes, int width, Findings findings) {
    if (bytes.length != width * Hash.BYTES) {
      findings.add(
          Finding.Kind.MALFORMED, path, width * Hash.BYTES + " bytes", bytes.length + " bytes");
    }
    List<Optional<Hash>> hashes = none(width);
    for (int i = 0; i < Math.min(width, bytes.length / Hash.BYTES); i++) {
      hashes.set(i, Optional.of(Hash.at(bytes, i * Hash.BYTES)));
    }
    return hashes;
  }

  /** The leaf hashes of a bundle's entries, each empty where the entry cannot be read. */
  List<Optional<Hash>> leaves(long index, long size, Findings findings) {
    int width = Tiles.width(0, index, size);
    TlogPath.EntryBundle bundle = new TlogPath.EntryBundle(index, width);
    if (width < Tiles.WIDTH && optional(bundle.path(), findings).isEmpty()) {
      TlogPath.EntryBundle full = new TlogPath.EntryBundle(index, Tiles.WIDTH);
      Optional<byte[]> grown = optional(full.path(), findings);
      if (grown.isPresent()) {
        return leaves(full, grown.get(), findings).subList(0, width);
      }
    }
    return required(bundle.path(), findings)
        .map(bytes -> leaves(bundle, bytes, findings))
        .orElseGet(() -> none(width));
  }

  /** The leaf hashes of the entries in a bundle's bytes, each empty where it cannot be read. */
  static List<Optional<Hash>> leaves(TlogPath.EntryBundle bundle, byte[] bytes, Findings findings) {
    String path = bundle.path();
    int width = bundle.width();
    List<byte[]> entries =
        switch (EntryBundles.decode(bytes)) {
          case EntryBundles.Decoded.Entries(List<byte[]> all) -> all;
          case EntryBundles.Decoded.Malformed(List<byte[]> before, int offset) -> {
            findings.add(
                Finding.Kind.MALFORMED,
                path,
                bundle.index() * Tiles.WIDTH + before.size(),
                "an entry at byte " + offset,
                "a length that leads out of the file");
            yield before;
          }
        };
    if (entries.size() != width && !findings.names(path)) {
      findings.add(Finding.Kind.MALFORMED, path, width + " entries", entries.size() + " entries");
    }
    List<Optional<Hash>> leaves = none(width);
    for (int i = 0; i < Math.min(width, entries.size()); i++) {
      leaves.set(i, Optional.of(Hashing.leaf(entries.get(i))));
    }
    return leaves;
  }

  private static List<Optional<Hash>> none(int width) {
    return new ArrayList<>(Collections.nCopies(width, Optional.<Hash>empty()));
  }
}
