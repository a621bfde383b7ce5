package dev.parlance.ledger.note;

import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A private Ed25519 key with a name, as {@code PRIVATE+KEY+name+id+base64(type || seed)}: the text
 * form of Go's sumdb notes. Its {@link #toString} shows the public half only.
 */
public final class SignerKey {
  private static final String PREFIX = "PRIVATE+KEY+";
  private static final int MAX_FILE_BYTES = 4096;

  private final byte[] seed;
  private final VerifierKey verifier;

  private SignerKey(String name, KeyType type, byte[] seed) {
    this.seed = seed.clone();
    this.verifier = new VerifierKey(name, type, Ed25519.publicKey(seed));
  }

  /** A new random key; the name is non-empty, without spaces and plus. */
  public static SignerKey generate(String name, KeyType type) {
    return new SignerKey(name, type, Ed25519.newSeed());
  }

  /** The key of a seed of 32 bytes; the same seed gives the same key. */
  public static SignerKey fromSeed(String name, KeyType type, byte[] seed) {
    if (seed.length != Ed25519.KEY_BYTES) {
      throw new IllegalArgumentException("a seed has 32 bytes");
    }
    return new SignerKey(name, type, seed);
  }

  /** Reads the text form; the id must be the id of the public half. */
  public static Parsed<SignerKey> parse(String text) {
    if (!text.startsWith(PREFIX)) {
      return Parsed.bad(NoteFault.BAD_KEY, "a private key begins with " + PREFIX);
    }
    return switch (KeyName.parse(text.substring(PREFIX.length()))) {
      case Parsed.Bad<KeyName.Parts>(NoteFault fault, String detail) -> Parsed.bad(fault, detail);
      case Parsed.Ok<KeyName.Parts>(KeyName.Parts parts) -> {
        SignerKey key = new SignerKey(parts.name(), parts.type(), parts.key().bytes());
        yield key.verifier.keyId() == parts.id()
            ? Parsed.ok(key)
            : Parsed.bad(
                NoteFault.KEY_ID_MISMATCH,
                "the text says "
                    + KeyName.hex(parts.id())
                    + ", the key is "
                    + key.verifier.idHex());
      }
    };
  }

  /**
   * Reads a key from a file that only its owner may read, one line. A file of somebody else may
   * also be readable by a group, for that is how Kubernetes mounts a Secret: it belongs to root,
   * and the pod's group reads it.
   *
   * @throws IOException where the file cannot be read
   */
  public static Parsed<SignerKey> load(Path file) throws IOException {
    if (Files.getFileAttributeView(file, PosixFileAttributeView.class) != null) {
      Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(file));
      others.remove(PosixFilePermission.OWNER_READ);
      others.remove(PosixFilePermission.OWNER_WRITE);
      if (!Files.getOwner(file).getName().equals(System.getProperty("user.name"))) {
        others.remove(PosixFilePermission.GROUP_READ);
      }
      if (!others.isEmpty()) {
        return Parsed.bad(
            NoteFault.KEY_FILE_READABLE, file + " must have mode 0600, has " + others);
      }
    }
    if (Files.size(file) > MAX_FILE_BYTES) {
      return Parsed.bad(NoteFault.BAD_KEY, file + " is too large for a key");
    }
    return parse(Files.readString(file, StandardCharsets.UTF_8).strip());
  }

  /** What a file holds that {@link #load} reads. */
  public byte[] toFile() {
    return (format() + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** The text form, which is secret. */
  public String format() {
    return PREFIX + KeyName.format(verifier.name(), verifier.keyId(), verifier.type(), seed);
  }

  /** The public half. */
  public VerifierKey verifier() {
    return verifier;
  }

  /** Name of the key. */
  public String name() {
    return verifier.name();
  }

  /** Signs a note text; only for keys of type {@link KeyType#ED25519}. */
  NoteSignature sign(String text) {
    if (verifier.type() != KeyType.ED25519) {
      throw new IllegalArgumentException("a " + verifier.type() + " key needs a time to sign");
    }
    return new NoteSignature(
        name(), verifier.keyId(), Ed25519.sign(seed, text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * A secret of 32 bytes that the owner of the other key finds, too, and nobody else: X25519
   * between both keys as RFC 7748 has them. Empty if the other one is no point of the prime order.
   */
  public Optional<byte[]> agree(VerifierKey other) {
    return Ed25519.agree(seed, other.publicKey());
  }

  /** The bare signature over some bytes, which begin in a way that no note does. */
  public byte[] signBytes(byte[] message) {
    return Ed25519.sign(seed, message);
  }

  @Override
  public String toString() {
    return "signer of " + verifier;
  }
}
