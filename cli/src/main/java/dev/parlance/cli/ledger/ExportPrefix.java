package dev.parlance.cli.ledger;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineReader;
import dev.parlance.ledger.note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignedCheckpoint;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.tree.CompactRange;
import dev.parlance.ledger.tree.Hash;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Whether an export, already found sound, begins with what an older checkpoint says. */
final class ExportPrefix {
  private static final int LINE_BYTES_MAX = 1 << 20;

  private ExportPrefix() {}

  /**
   * What is wrong, if anything.
   *
   * @param older bytes of the older checkpoint
   * @param trusted the log's key; without one that of the export is used
   */
  static Optional<String> problem(Path export, byte[] older, Optional<VerifierKey> trusted)
      throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(export))) {
      var lines = new LineReader(in, LINE_BYTES_MAX, () -> {});
      String named = text(lines.next(), "vkey");
      Optional<VerifierKey> key = trusted.or(() -> VerifierKey.parse(named).value());
      if (key.isEmpty()) {
        return Optional.of("the export's key is none");
      }
      return switch (SignedCheckpoint.open(older, key.get())) {
        case Parsed.Bad<SignedCheckpoint>(NoteFault fault, String detail) ->
            Optional.of("the older checkpoint is refused: " + fault.code() + ", " + detail);
        case Parsed.Ok<SignedCheckpoint>(SignedCheckpoint checkpoint) -> compare(lines, checkpoint);
      };
    }
  }

  private static Optional<String> compare(LineReader lines, SignedCheckpoint checkpoint)
      throws IOException {
    var range = CompactRange.empty();
    while (range.size() < checkpoint.size()) {
      Optional<Hash> leaf = Hash.parseHex(text(lines.next(), "leaf"));
      if (leaf.isEmpty()) {
        return Optional.of(
            "the older checkpoint has "
                + checkpoint.size()
                + " entries, the export only "
                + range.size());
      }
      range.append(leaf.get(), (level, at, hash) -> {});
    }
    return range.root().equals(checkpoint.checkpoint().root())
        ? Optional.empty()
        : Optional.of(
            "the first "
                + checkpoint.size()
                + " entries are not those of the older checkpoint: root "
                + range.root().hex()
                + ", expected "
                + checkpoint.checkpoint().root().hex());
  }

  /** A member of the object in a line, or nothing. */
  private static String text(LineReader.Line line, String member) {
    return line instanceof LineReader.Line.Whole(byte[] bytes)
            && InputLine.read(bytes) instanceof InputLine.Members(ObjectNode members)
        ? members.path(member).asString("")
        : "";
  }
}
