package dev.parlance.ledger.note;

import dev.parlance.ledger.tree.StrictBase64;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/** One signature line of a note: a key's name, its id, and what it signed with. */
public final class NoteSignature {
  private static final String DASH = "\u2014 ";

  private final String name;
  private final int keyId;
  private final byte[] signature;

  NoteSignature(String name, int keyId, byte[] signature) {
    if (!KeyName.valid(name) || signature.length == 0) {
      throw new IllegalArgumentException("a signature has a key name and at least one byte");
    }
    this.name = name;
    this.keyId = keyId;
    this.signature = signature.clone();
  }

  /**
   * Puts a signature line together.
   *
   * @param name of the key
   * @param base64 of the key id and the signature, padded
   */
  public static Optional<NoteSignature> of(String name, String base64) {
    return parse(DASH + name + " " + base64);
  }

  /** Reads a line without its newline. */
  static Optional<NoteSignature> parse(String line) {
    if (!line.startsWith(DASH)) {
      return Optional.empty();
    }
    int space = line.indexOf(' ', DASH.length());
    if (space < 0) {
      return Optional.empty();
    }
    String name = line.substring(DASH.length(), space);
    Optional<byte[]> bytes = StrictBase64.decode(line.substring(space + 1));
    if (!KeyName.valid(name) || bytes.isEmpty() || bytes.get().length < 5) {
      return Optional.empty();
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes.get());
    int keyId = buffer.getInt();
    byte[] signature = new byte[buffer.remaining()];
    buffer.get(signature);
    return Optional.of(new NoteSignature(name, keyId, signature));
  }

  /** Whether it is as long as a signature of Ed25519 is. */
  public boolean isOfEd25519() {
    return signature.length == Ed25519.SIGNATURE_BYTES;
  }

  /** The line without its newline. */
  public String format() {
    return DASH + name + " " + base64();
  }

  /** Base64 of key id and signature, as it stands in the line. */
  public String base64() {
    return StrictBase64.encode(
        ByteBuffer.allocate(4 + signature.length).putInt(keyId).put(signature).array());
  }

  /** Name of the key. */
  public String name() {
    return name;
  }

  /** Id of the key; with the name it says which key it is. */
  public int keyId() {
    return keyId;
  }

  /** A copy of the bytes after the key id. */
  public byte[] signature() {
    return signature.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NoteSignature that
        && name.equals(that.name)
        && keyId == that.keyId
        && Arrays.equals(signature, that.signature);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, keyId, Arrays.hashCode(signature));
  }

  @Override
  public String toString() {
    return format();
  }
}
