package dev.parlance.ledger.note;

import dev.parlance.ledger.note.VerifierKey.KeyType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The cosignature of a witness, version 1, over Ed25519: the statement that at a time the
 * checkpoint was the largest consistent one that the witness had seen of this log.
 *
 * <pre>
 * signed:    cosignature/v1\n  time N\n  text of the checkpoint
 * signature: N as uint64 big-endian (8 bytes) | Ed25519 signature (64 bytes)
 * </pre>
 */
public final class Cosignature {
  private static final int TIME_BYTES = 8;

  private Cosignature() {}

  /**
   * Cosigns a checkpoint.
   *
   * @param key a key of type {@link KeyType#COSIGNATURE}
   * @param timeSeconds seconds since 1970, from 0
   */
  public static NoteSignature sign(SignerKey key, Checkpoint checkpoint, long timeSeconds) {
    if (key.verifier().type() != KeyType.COSIGNATURE) {
      throw new IllegalArgumentException("a " + key.verifier().type() + " key does not cosign");
    }
    if (timeSeconds < 0) {
      throw new IllegalArgumentException("time " + timeSeconds);
    }
    byte[] signature = key.signBytes(message(checkpoint.format(), timeSeconds));
    byte[] timed =
        ByteBuffer.allocate(TIME_BYTES + signature.length)
            .putLong(timeSeconds)
            .put(signature)
            .array();
    return new NoteSignature(key.name(), key.verifier().keyId(), timed);
  }

  /** The time that a cosignature states in seconds since 1970, if it has the form of one. */
  public static OptionalLong timeSeconds(NoteSignature signature) {
    return time(signature.signature());
  }

  static boolean verify(byte[] publicKey, String text, byte[] timed) {
    OptionalLong timeSeconds = time(timed);
    return timeSeconds.isPresent()
        && Ed25519.verify(
            publicKey,
            message(text, timeSeconds.getAsLong()),
            Arrays.copyOfRange(timed, TIME_BYTES, timed.length));
  }

  private static OptionalLong time(byte[] timed) {
    if (timed.length != TIME_BYTES + Ed25519.SIGNATURE_BYTES) {
      return OptionalLong.empty();
    }
    long timeSeconds = ByteBuffer.wrap(timed).getLong();
    return timeSeconds < 0 ? OptionalLong.empty() : OptionalLong.of(timeSeconds);
  }

  private static byte[] message(String text, long timeSeconds) {
    return ("cosignature/v1\ntime " + timeSeconds + "\n" + text).getBytes(StandardCharsets.UTF_8);
  }
}
