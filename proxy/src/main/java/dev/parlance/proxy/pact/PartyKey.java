package dev.parlance.proxy.pact;

import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.service.file.SafeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Ed25519 key with which the sidecar signs for its agent, kept in a file of mode 0600. A file
 * that is replaced by another key of the same name is a rotation.
 */
final class PartyKey {
  /** Name of the file in the data folder, where nothing else is configured. */
  static final String FILE_NAME = "party.key";

  private static final Logger log = LoggerFactory.getLogger(PartyKey.class);

  private final CompletableFuture<Boolean> offered = new CompletableFuture<>();
  private final Path file;
  private final String party;

  /** All that were in use since the start, the current one first. */
  private volatile List<SignerKey> all;

  private PartyKey(Path file, String party, SignerKey current) {
    this.file = file;
    this.party = party;
    this.all = List.of(current);
  }

  /**
   * The key in this file; made, durably, where there is no file.
   *
   * @throws IOException if the file cannot be used, or holds no Ed25519 key of this party
   */
  static PartyKey open(Path file, String party) throws IOException {
    if (!Files.exists(file)) {
      SafeFile.create(file, SignerKey.generate(party, KeyType.ED25519).toFile());
    }
    return new PartyKey(file, party, read(file, party));
  }

  private static SignerKey read(Path file, String party) throws IOException {
    return switch (SignerKey.load(file)) {
      case Parsed.Bad<SignerKey>(NoteFault fault, String detail) ->
          throw new IOException(file + ": " + fault.code() + ": " + detail);
      case Parsed.Ok<SignerKey>(SignerKey key) -> {
        if (!key.name().equals(party) || key.verifier().type() != KeyType.ED25519) {
          throw new IOException(file + " holds the key of " + key.verifier() + ", not of " + party);
        }
        yield key;
      }
    };
  }

  /** Completes when the control plane was asked to take the key, whatever came of it. */
  CompletableFuture<Boolean> offered() {
    return offered;
  }

  /** The key to sign with. */
  SignerKey current() {
    return all.getFirst();
  }

  /** The key that the file holds now, if it is another one than the one in use. */
  Optional<SignerKey> replacement() {
    try {
      SignerKey read = read(file, party);
      return read.verifier().equals(current().verifier()) ? Optional.empty() : Optional.of(read);
    } catch (IOException e) {
      log.atWarn().addKeyValue("problem", e.getMessage()).log("the party key stays as it was");
      return Optional.empty();
    }
  }

  /** Signs with this one from now on; others must know it already. */
  void adopt(SignerKey key) {
    all = Stream.concat(Stream.of(key), all.stream()).toList();
  }

  /** The key and those before it: pacts that were signed with one of them go on with it. */
  List<SignerKey> all() {
    return all;
  }
}
