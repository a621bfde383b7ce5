package dev.parlance.ledger.note;

import dev.parlance.ledger.note.Note.NoteFault;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.bouncycastle.math.ec.rfc8032.Ed25519.PublicPoint;
import org.jspecify.annotations.Nullable;

/**
 * A public key with a name, as {@code name+id+base64(type || key)}. Two types are built in: Ed25519
 * over the text, and the Ed25519 cosignature of a witness.
 */
public final class VerifierKey {
  private final String name;
  private final KeyType type;
  private final byte[] publicKey;
  private final int keyId;

  /** The key as a point, once it was asked for. */
  private volatile @Nullable Point point;

  /** What held last: what a writer has checked, a reader of the same ledger checks right after. */
  private volatile @Nullable Held held;

  /** The key as a point, if it is one of prime order. */
  private record Point(Optional<PublicPoint> ofPrimeOrder) {}

  /** Bytes, and a signature that holds for them. */
  @SuppressWarnings("ArrayRecordComponent") // copies, compared by what is in them
  private record Held(byte[] message, byte[] signature) {
    boolean is(byte[] other, byte[] otherSignature) {
      return Arrays.equals(signature, otherSignature) && Arrays.equals(message, other);
    }
  }

  VerifierKey(String name, KeyType type, byte[] publicKey) {
    if (!KeyName.valid(name) || publicKey.length != Ed25519.KEY_BYTES) {
      throw new IllegalArgumentException("a key has a name without spaces or plus, and 32 bytes");
    }
    this.name = name;
    this.type = type;
    this.publicKey = publicKey.clone();
    this.keyId = KeyName.id(name, type, publicKey);
  }

  /** Reads the text form; the id must be the id of the key. */
  public static Parsed<VerifierKey> parse(String text) {
    return switch (KeyName.parse(text)) {
      case Parsed.Bad<KeyName.Parts>(NoteFault fault, String detail) -> Parsed.bad(fault, detail);
      case Parsed.Ok<KeyName.Parts>(KeyName.Parts parts) -> {
        VerifierKey key = new VerifierKey(parts.name(), parts.type(), parts.key().bytes());
        yield key.keyId == parts.id()
            ? Parsed.ok(key)
            : Parsed.bad(
                NoteFault.KEY_ID_MISMATCH,
                "the text says " + KeyName.hex(parts.id()) + ", the key is " + key.idHex());
      }
    };
  }

  /** The text form. */
  public String format() {
    return KeyName.format(name, keyId, type, publicKey);
  }

  /** Name of the key; for a log it is the origin of its checkpoints. */
  public String name() {
    return name;
  }

  /** What its signatures sign. */
  public KeyType type() {
    return type;
  }

  /** Id of the key. */
  public int keyId() {
    return keyId;
  }

  /** The id as 8 lower-case hex digits. */
  public String idHex() {
    return KeyName.hex(keyId);
  }

  /** Whether a signature line claims to be of this key. */
  public boolean claims(NoteSignature signature) {
    return signature.keyId() == keyId && signature.name().equals(name);
  }

  /** Whether the signature is of this key and holds for the note text. */
  public boolean verifies(String text, NoteSignature signature) {
    if (!claims(signature)) {
      return false;
    }
    return switch (type) {
      case ED25519 -> verifiesBytes(text.getBytes(StandardCharsets.UTF_8), signature.signature());
      case COSIGNATURE -> Cosignature.verify(publicKey, text, signature.signature());
    };
  }

  /** Whether a bare signature over some bytes is of this key. */
  public boolean verifiesBytes(byte[] message, byte[] signature) {
    Held last = held;
    if (last != null && last.is(message, signature)) {
      return true;
    }
    boolean holds = Ed25519.verify(publicKey, point(), message, signature);
    if (holds) {
      held = new Held(message.clone(), signature.clone());
    }
    return holds;
  }

  private Optional<PublicPoint> point() {
    Point known = point;
    if (known == null) {
      known = new Point(Ed25519.pointOf(publicKey));
      point = known;
    }
    return known.ofPrimeOrder;
  }

  /** The 32 bytes of the key, which are not to be changed. */
  byte[] publicKey() {
    return publicKey;
  }

  /** Whether both are one public key, whatever their names. */
  public boolean hasKeyOf(VerifierKey other) {
    return Arrays.equals(publicKey, other.publicKey);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VerifierKey that
        && name.equals(that.name)
        && type == that.type
        && Arrays.equals(publicKey, that.publicKey);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, type, Arrays.hashCode(publicKey));
  }

  @Override
  public String toString() {
    return format();
  }

  /** Signature types of signed notes that are built in; the byte goes into the key id. */
  public enum KeyType {
    /** Ed25519 over the note's text. */
    ED25519(0x01),
    /** Ed25519 over a time and the text of a checkpoint: the cosignature of a witness. */
    COSIGNATURE(0x04);

    private final int code;

    KeyType(int code) {
      this.code = code;
    }

    /** The type byte. */
    public byte code() {
      return (byte) code;
    }

    static Optional<KeyType> of(byte code) {
      for (KeyType type : values()) {
        if (type.code() == code) {
          return Optional.of(type);
        }
      }
      return Optional.empty();
    }
  }
}
