package dev.parlance.proxy.gate;

import dev.parlance.policy.text.Sha256;
import dev.parlance.policy.text.Utf8Span;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A SHA-256 over length-prefixed parts, so that no two lists of parts share a digest by accident.
 * One that is begun is either finished with {@link #hex} or thrown away; then it is used no more.
 */
public final class Digests {
  private static final int SCRATCH_BYTES = 256;

  /** To look up the algorithm costs as much as to hash a short text, so each thread keeps one. */
  private static final FastThreadLocal<Optional<Engine>> IDLE =
      new FastThreadLocal<>() {
        @Override
        protected Optional<Engine> initialValue() {
          return Optional.empty();
        }
      };

  /** What a digest is worked out with. */
  private static final class Engine {
    private final MessageDigest digest = sha256();

    /** For the bytes of short texts. */
    private final byte[] scratch = new byte[SCRATCH_BYTES];

    private final Optional<Engine> idle = Optional.of(this);
  }

  private final Engine engine;
  private final MessageDigest digest;

  private Digests() {
    // Taken out while it is in use: a second one that is begun meanwhile gets another.
    this.engine = IDLE.get().orElseGet(Engine::new);
    this.digest = engine.digest;
    IDLE.set(Optional.empty());
  }

  /** A digest under a purpose, which keeps digests for different uses apart. */
  public static Digests of(String purpose) {
    return new Digests().add(purpose);
  }

  /** Hex SHA-256 of plain bytes. */
  public static String sha256(byte[] bytes) {
    return sha256(bytes, bytes.length);
  }

  /** Hex SHA-256 of the first bytes of an array. */
  public static String sha256(byte[] bytes, int length) {
    Digests all = new Digests();
    all.digest.update(bytes, 0, length);
    return HexFormat.of().formatHex(all.finish());
  }

  /** The SHA-256 of bytes, which stay where they are. */
  public static byte[] sha256(ByteBuf bytes) {
    Digests all = new Digests();
    add(all.digest, bytes);
    return all.finish();
  }

  /** Adds bytes to a digest; they stay where they are. */
  public static void add(MessageDigest digest, ByteBuf bytes) {
    int length = bytes.readableBytes();
    if (bytes.hasArray()) {
      digest.update(bytes.array(), bytes.arrayOffset() + bytes.readerIndex(), length);
    } else if (bytes.nioBufferCount() == 1) {
      digest.update(bytes.internalNioBuffer(bytes.readerIndex(), length));
    } else {
      for (ByteBuffer part : bytes.nioBuffers()) {
        digest.update(part);
      }
    }
  }

  /** A new SHA-256. */
  public static MessageDigest sha256() {
    return Sha256.digest();
  }

  /** Adds a text. */
  public Digests add(String part) {
    int length = part.length();
    if (length <= SCRATCH_BYTES && isAscii(part, length)) {
      return add(engine.scratch, 0, length);
    }
    byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
    return add(bytes, 0, bytes.length);
  }

  /** Writes a text to the scratch; false if it has other bytes in UTF-8. */
  private boolean isAscii(String part, int length) {
    byte[] scratch = engine.scratch;
    for (int i = 0; i < length; i++) {
      char c = part.charAt(i);
      if (c >= 0x80) {
        return false;
      }
      scratch[i] = (byte) c;
    }
    return true;
  }

  /** Adds a view. */
  public Digests add(Utf8Span part) {
    return add(part.array(), part.arrayOffset(), part.length());
  }

  /** Adds bytes, which stay where they are. */
  public Digests add(ByteBuf part) {
    length(part.readableBytes());
    add(digest, part);
    return this;
  }

  private Digests add(byte[] bytes, int offset, int length) {
    length(length);
    digest.update(bytes, offset, length);
    return this;
  }

  private void length(int length) {
    digest.update((byte) (length >>> 24));
    digest.update((byte) (length >>> 16));
    digest.update((byte) (length >>> 8));
    digest.update((byte) length);
  }

  /** All 32 bytes. */
  public byte[] bytes() {
    return finish();
  }

  /** The first 32 hex digits (128 bits). */
  public String hex() {
    return HexFormat.of().formatHex(finish(), 0, 16);
  }

  private byte[] finish() {
    byte[] found = digest.digest(); // which also makes it ready for the next
    IDLE.set(engine.idle);
    return found;
  }
}
