package dev.parlance.ledger.note;

import dev.parlance.ledger.tree.Hashing;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * HMAC-SHA-256 (RFC 2104) under one key, for any thread; makes codes of 128 bits. What a code is
 * over is put together in scratch of the thread ({@link Input}), so that checking one leaves no
 * garbage.
 */
public final class Hmac {
  /** Length of a code, in bytes. */
  public static final int TAG_BYTES = 16;

  private static final int BLOCK = 64;
  private static final int HASH_BYTES = 32;
  private static final byte INNER = 0x36;
  private static final byte OUTER = 0x5c;
  private static final String HEX = "0123456789abcdef";

  private final byte[] inner;
  private final byte[] outer;

  private Hmac(byte[] key) {
    this.inner = pad(key, INNER);
    this.outer = pad(key, OUTER);
  }

  /**
   * Under a key that the owners of two key pairs find, and nobody else: HMAC of what it is for,
   * under their X25519 secret.
   *
   * @param purpose keeps keys for different uses apart
   * @return empty if the other key is none that anybody may agree with
   */
  public static Optional<Hmac> between(SignerKey own, VerifierKey peer, String purpose) {
    return own.agree(peer)
        .map(secret -> new Hmac(new Hmac(secret).hash(Input.begin().put(purpose)).clone()));
  }

  /** What a code is over; one for each thread, which is in use until the code is made. */
  public static final class Input {
    private static final int USUAL_BYTES = 1_024;
    private static final ThreadLocal<Input> SCRATCH = ThreadLocal.withInitial(Input::new);

    private final MessageDigest sha256 = Hashing.sha256();
    private final byte[] hash = new byte[HASH_BYTES];
    private byte[] bytes = new byte[USUAL_BYTES];
    private int length;

    private Input() {}

    /** Nothing yet. */
    public static Input begin() {
      Input input = SCRATCH.get();
      input.length = 0;
      return input;
    }

    /** Adds the last bytes of a number, the highest first. */
    public Input put(long value, int count) {
      room(count);
      for (int i = count - 1; i >= 0; i--) {
        bytes[length++] = (byte) (value >>> (Byte.SIZE * i));
      }
      return this;
    }

    /** Adds bytes. */
    public Input put(byte[] more) {
      room(more.length);
      System.arraycopy(more, 0, bytes, length, more.length);
      length += more.length;
      return this;
    }

    /** Adds a text, in UTF-8. */
    public Input put(String text) {
      return put(text, text.length());
    }

    /** Adds the beginning of a text. */
    public Input put(CharSequence text, int end) {
      room(end);
      for (int i = 0; i < end; i++) {
        char c = text.charAt(i);
        if (c >= 0x80) {
          return put(text.subSequence(i, end).toString().getBytes(StandardCharsets.UTF_8));
        }
        bytes[length++] = (byte) c;
      }
      return this;
    }

    /** A copy of all that was added. */
    public byte[] bytes() {
      return Arrays.copyOf(bytes, length);
    }

    private void room(int more) {
      if (length + more > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
      }
    }
  }

  /** The code, as hex digits. */
  public String tag(Input input) {
    return HexFormat.of().formatHex(hash(input), 0, TAG_BYTES);
  }

  /** True if a part of a text is the code; takes as long wherever they differ. */
  public boolean isTag(Input input, String text, int begin, int end) {
    byte[] hash = hash(input);
    if (end - begin != 2 * TAG_BYTES) {
      return false;
    }
    int different = 0;
    for (int i = 0; i < TAG_BYTES; i++) {
      different |= text.charAt(begin + 2 * i) ^ HEX.charAt((hash[i] >> 4) & 0xf);
      different |= text.charAt(begin + 2 * i + 1) ^ HEX.charAt(hash[i] & 0xf);
    }
    return different == 0;
  }

  private byte[] hash(Input input) {
    MessageDigest sha256 = input.sha256;
    try {
      sha256.update(inner);
      sha256.update(input.bytes, 0, input.length);
      sha256.digest(input.hash, 0, HASH_BYTES);
      sha256.update(outer);
      sha256.update(input.hash);
      sha256.digest(input.hash, 0, HASH_BYTES);
      return input.hash;
    } catch (DigestException e) {
      throw new IllegalStateException("a hash has 32 bytes", e);
    }
  }

  private static byte[] pad(byte[] key, byte with) {
    byte[] block = Arrays.copyOf(key, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
      block[i] ^= with;
    }
    return block;
  }
}
