package dev.parlance.proxy.control;

import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file of public keys, one a line; empty lines and lines that begin with # do not count. */
public final class KeysFile {
  private static final int MAX_BYTES = 65_536;

  private KeysFile() {}

  /**
   * The keys.
   *
   * @throws IOException if the file cannot be read, holds no key, or a line is none
   */
  public static List<VerifierKey> read(Path file) throws IOException {
    byte[] bytes = CoreFiles.read(file, MAX_BYTES);
    if (bytes.length > MAX_BYTES) {
      throw new IOException(file + " has more than " + MAX_BYTES + " bytes");
    }
    List<VerifierKey> keys = new ArrayList<>();
    List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        keys.add(key(file, i + 1, line));
      }
    }
    if (keys.isEmpty()) {
      throw new IOException(file + " holds no key");
    }
    return keys;
  }

  private static VerifierKey key(Path file, int line, String text) throws IOException {
    return switch (VerifierKey.parse(text)) {
      case Parsed.Bad<VerifierKey>(NoteFault _, String detail) ->
          throw new IOException(file + " line " + line + ": expected a public key: " + detail);
      case Parsed.Ok<VerifierKey>(VerifierKey key) -> {
        if (key.type() != KeyType.ED25519) {
          throw new IOException(file + " line " + line + ": a witness's key signs no cores");
        }
        yield key;
      }
    };
  }
}
