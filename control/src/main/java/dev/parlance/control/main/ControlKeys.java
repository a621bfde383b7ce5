package dev.parlance.control.main;

import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The two keys of a control plane. All replicas have the same: a sidecar trusts cores by the core
 * key, whoever recomputes trusts checkpoints by the ledger's.
 *
 * @param ledger signs checkpoints; its name is the ledger's origin
 * @param core signs cores
 */
record ControlKeys(SignerKey ledger, SignerKey core) {
  private static final String LEDGER_FILE = "ledger.key";
  private static final String CORE_FILE = "core.key";

  /**
   * Reads the keys; makes them at first start.
   *
   * @param mayMake false where other replicas must have the same keys, so that making some here
   *     would be a mistake
   * @throws IOException if they cannot be read, are of another origin, or are not there
   */
  static ControlKeys open(Path folder, String origin, boolean mayMake) throws IOException {
    return new ControlKeys(
        key(folder.resolve(LEDGER_FILE), origin, mayMake),
        key(folder.resolve(CORE_FILE), origin + "/core", mayMake));
  }

  private static SignerKey key(Path file, String name, boolean mayMake) throws IOException {
    if (!Files.exists(file)) {
      if (!mayMake) {
        throw new IOException(
            "there is no "
                + file
                + ". Replicas that share a PostgreSQL store must share their signing keys: make"
                + " them once (parlance control keys DIR), give the folder to every replica and"
                + " name it as keys.dir");
      }
      SafeFile.create(file, SignerKey.generate(name, KeyType.ED25519).toFile());
    }
    return switch (SignerKey.load(file)) {
      case Parsed.Bad<SignerKey> bad -> throw new IOException(file + ": " + bad.detail());
      case Parsed.Ok<SignerKey>(SignerKey key) -> {
        if (!key.name().equals(name)) {
          throw new IOException(
              file
                  + " is a key named "
                  + key.name()
                  + ", expected "
                  + name
                  + " because of ledger.origin");
        }
        yield key;
      }
    };
  }
}
