package dev.parlance.ledger.verify;

import dev.parlance.ledger.note.Checkpoint;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tile.Tiles;
import dev.parlance.ledger.tile.TlogPath;
import dev.parlance.ledger.tree.CompactRange;
import dev.parlance.ledger.tree.Hash;
import dev.parlance.ledger.verify.VerifyReport.Finding;
import dev.parlance.ledger.verify.VerifyReport.Findings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks a log's directory from the outside: the checkpoint's signature, every entry, every tile of
 * every level, the root, the cosignatures of known witnesses, and that the log begins with the log
 * of an older checkpoint. It shares no code with the writer but hashes and file formats, and goes
 * on after what it finds.
 */
public final class LedgerVerifier {
  private static final String CHECKPOINT = "checkpoint";
  private static final String KEY_FILE = "log.vkey";

  /** No part of the log: what its writer keeps beside it. */
  private static final Set<String> WRITERS_OWN = Set.of("log.lock", "log.journal");

  /** A checkpoint may outrun its files by this much before the gap is one finding, not many. */
  private static final long MAX_MISSING_ENTRIES = 1 << 16;

  private final LogDirectory files;
  private final VerifierKey key;
  private final List<VerifierKey> witnesses;
  private final Findings findings = new Findings();

  private LedgerVerifier(Path directory, VerifierKey key, List<VerifierKey> witnesses) {
    this.files = new LogDirectory(directory);
    this.key = key;
    this.witnesses = List.copyOf(witnesses);
  }

  /**
   * Verifies a log.
   *
   * @param directory where the log lies, in the layout of tlog-tiles
   * @param key the log's key, best not taken from the directory itself
   * @param witnesses keys of witnesses whose cosignatures must hold where they are there
   * @param olderCheckpoint bytes of a checkpoint of this log that was held elsewhere
   * @throws IOException where the directory cannot be listed
   */
  public static VerifyReport verify(
      Path directory,
      VerifierKey key,
      List<VerifierKey> witnesses,
      Optional<byte[]> olderCheckpoint)
      throws IOException {
    return new LedgerVerifier(directory, key, witnesses).run(olderCheckpoint);
  }

  private VerifyReport run(Optional<byte[]> olderCheckpoint) throws IOException {
    List<String> paths = files.list();
    checkKeyFile();
    Optional<byte[]> bytes = files.required(CHECKPOINT, findings);
    Optional<SignedCheckpoint> checkpoint = bytes.flatMap(this::openCheckpoint);
    long stored = entriesStored(paths);
    // Without a signed head the files are compared with each other as they lie.
    long size = checkpoint.map(SignedCheckpoint::size).orElse(stored);
    Optional<Hash> root = checkpoint.map(signed -> signed.checkpoint().root());
    if (size - stored > MAX_MISSING_ENTRIES) {
      long first = stored / Tiles.WIDTH;
      findings.add(
          Finding.Kind.MISSING,
          new TlogPath.EntryBundle(first, Tiles.width(0, first, size)).path(),
          "entries up to " + size,
          "none from " + stored + " on");
      size = stored;
      root = Optional.empty();
    }
    TreeCheck tree = new TreeCheck(files, size, findings);
    tree.run(root);
    List<String> beyond = checkOthers(paths, size, tree);
    List<String> cosigned = checkpoint.map(this::checkCosignatures).orElse(List.of());
    if (olderCheckpoint.isPresent()) {
      checkHistory(olderCheckpoint.get(), size, tree);
    }
    return new VerifyReport(
        key.name(),
        checkpoint.map(SignedCheckpoint::size),
        key.format(),
        cosigned,
        findings.list(),
        beyond);
  }

  private void checkKeyFile() {
    Optional<byte[]> bytes = files.optional(KEY_FILE, findings);
    if (bytes.isPresent()) {
      String found = new String(bytes.get(), StandardCharsets.UTF_8);
      if (!found.equals(key.format() + "\n")) {
        findings.add(Finding.Kind.KEY, KEY_FILE, key.format(), printable(found));
      }
    }
  }

  private Optional<SignedCheckpoint> openCheckpoint(byte[] bytes) {
    return switch (SignedCheckpoint.open(bytes, key)) {
      case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint signed) -> Optional.of(signed);
      case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) -> {
        findings.add(
            Finding.Kind.CHECKPOINT,
            CHECKPOINT,
            "a checkpoint signed by " + key.format(),
            fault.code() + ", " + printable(detail));
        yield Optional.empty();
      }
    };
  }

  private static long entriesStored(List<String> paths) {
    return paths.stream()
        .flatMap(path -> TlogPath.parse(path).stream())
        .filter(path -> path instanceof TlogPath.EntryBundle)
        .mapToLong(Tiles::sizeNeeded)
        .max()
        .orElse(0);
  }

  /** Older partial files must be beginnings of the tiles that took their place. */
  private List<String> checkOthers(List<String> paths, long size, TreeCheck tree) {
    List<String> beyond = new ArrayList<>();
    for (String path : paths) {
      Optional<TlogPath> parsed = TlogPath.parse(path);
      if (parsed.isEmpty()) {
        if (!path.equals(KEY_FILE) && !WRITERS_OWN.contains(path)) {
          beyond.add(path);
        }
      } else if (Tiles.sizeNeeded(parsed.get()) > size) {
        beyond.add(path);
      } else {
        switch (parsed.get()) {
          case TlogPath.Head head -> {}
          case TlogPath.HashTile tile -> checkOlderTile(tile, size, tree);
          case TlogPath.EntryBundle bundle -> checkOlderBundle(bundle, size, tree);
        }
      }
    }
    return beyond;
  }

  private void checkOlderTile(TlogPath.HashTile tile, long size, TreeCheck tree) {
    if (tile.width() < Tiles.width(tile.level(), tile.index(), size)) {
      files
          .optional(tile.path(), findings)
          .map(bytes -> LogDirectory.hashes(tile.path(), bytes, tile.width(), findings))
          .ifPresent(found ->
              compareOlder(
                  Finding.Kind.TILE,
                  tile.path(),
                  tile.index(),
                  tree.certainTile(tile.level(), tile.index()),
                  found));
    }
  }

  private void checkOlderBundle(TlogPath.EntryBundle bundle, long size, TreeCheck tree) {
    if (bundle.width() < Tiles.width(0, bundle.index(), size)) {
      files
          .optional(bundle.path(), findings)
          .map(bytes -> LogDirectory.leaves(bundle, bytes, findings))
          .ifPresent(found ->
              compareOlder(
                  Finding.Kind.ENTRY,
                  bundle.path(),
                  bundle.index(),
                  tree.certainTile(0, bundle.index()),
                  found));
    }
  }

  private void compareOlder(
      Finding.Kind kind,
      String path,
      long tile,
      List<Optional<Hash>> certain,
      List<Optional<Hash>> found) {
    for (int i = 0; i < found.size(); i++) {
      if (certain.get(i).isPresent()
          && found.get(i).isPresent()
          && !certain.get(i).equals(found.get(i))) {
        findings.add(
            kind,
            path,
            tile * Tiles.WIDTH + i,
            "hash " + certain.get(i).get(),
            found.get(i).get().hex());
      }
    }
  }

  private List<String> checkCosignatures(SignedCheckpoint checkpoint) {
    List<String> holding = new ArrayList<>();
    Note note = checkpoint.note();
    for (VerifierKey witness : witnesses) {
      for (NoteSignature signature : note.signatures()) {
        if (!witness.claims(signature)) {
          continue;
        }
        if (!witness.verifies(note.text(), signature)) {
          findings.add(
              Finding.Kind.COSIGNATURE,
              CHECKPOINT,
              "a cosignature of " + witness.format(),
              "one that does not hold");
        } else if (!holding.contains(witness.name())) {
          holding.add(witness.name());
        }
      }
    }
    return holding;
  }

  private void checkHistory(byte[] olderBytes, long size, TreeCheck tree) {
    switch (SignedCheckpoint.open(olderBytes, key)) {
      case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) ->
          findings.add(
              Finding.Kind.HISTORY,
              CHECKPOINT,
              "an older checkpoint signed by " + key.format(),
              fault.code() + ", " + printable(detail));
      case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint older) ->
          checkHistory(older.checkpoint(), size, tree);
    }
  }

  private void checkHistory(Checkpoint older, long size, TreeCheck tree) {
    if (older.size() > size) {
      findings.add(
          Finding.Kind.HISTORY,
          CHECKPOINT,
          "at least the " + older.size() + " entries of the older checkpoint",
          size + " entries: the log was rolled back");
      return;
    }
    String found;
    try {
      Hash root =
          CompactRange.load(older.size(), (level, index) -> node(tree, level, index)).root();
      if (root.equals(older.root())) {
        return;
      }
      found = "root " + root + ": the history was rewritten";
    } catch (IOException unknown) {
      found = "a tree with parts that are not certain";
    }
    findings.add(
        Finding.Kind.HISTORY,
        CHECKPOINT,
        "root " + older.root() + " over the first " + older.size() + " entries",
        found);
  }

  private static Hash node(TreeCheck tree, int level, long index) throws IOException {
    int inner = level % Tiles.HEIGHT;
    long slot = index << inner;
    int from = (int) (slot % Tiles.WIDTH);
    List<Optional<Hash>> tile = tree.certainTile(level / Tiles.HEIGHT, slot / Tiles.WIDTH);
    return Slots.perfectRoot(tile.subList(from, from + (1 << inner)))
        .orElseThrow(() -> new IOException("node " + level + " " + index + " is not certain"));
  }

  /** Text of a file that somebody may have tampered with, fit for a terminal. */
  private static String printable(String text) {
    String shown = text.strip().replaceAll("[^\\x20-\\x7e]", "?");
    return shown.length() > 200 ? shown.substring(0, 200) + "..." : shown;
  }
}
