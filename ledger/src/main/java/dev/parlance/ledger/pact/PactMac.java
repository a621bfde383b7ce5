package dev.parlance.ledger.pact;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The authentication code of a pact's messages: the first half of an HMAC-SHA-256 under a key that
 * both parties work out from the keys with which they have signed the note, and nobody else can.
 *
 * <pre>
 * key  HMAC(X25519 of the two party keys, "parlance-pact-mac-1\n" and the hash of the note)
 * code HMAC(key, ...)
 *        1 byte    part: q request, a answer, s head of a stream, e end of a stream, r refusal
 *        1 byte    who says it: i initiator, r responder
 *        8 bytes   epoch \  of the request, of an answer of the request it answers
 *        8 bytes   number/
 *        4 bytes   HTTP status of an answer
 *       32 bytes   SHA-256 of the body as it is on the wire
 *        the rest  of a request METHOD?QUERY, line feed, media type; of others the media type
 * </pre>
 */
public final class PactMac {
  private static final String PURPOSE = "parlance-pact-mac-1\n";
  private static final int BLOCK = 64;
  private static final int TAG_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final int FIXED = 1 + 1 + Long.BYTES + Long.BYTES + Integer.BYTES + HASH_BYTES;
  private static final byte INNER = 0x36;
  private static final byte OUTER = 0x5c;

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  /** What one computation needs, for each thread. */
  private static final class Scratch {
    private final MessageDigest sha256 = newSha256();
    private final byte[] fixed = new byte[FIXED];
  }

  /**
   * Where a request stands among those of its party.
   *
   * @param epoch drawn by the receiver when it takes a pact up again, 0 before that: what it had
   *     before a restart is never taken again
   * @param number from 1
   */
  public record Stamp(long epoch, long number) {
    /** Of no request. */
    public static final Stamp NONE = new Stamp(0, 0);
  }

  /** What of an exchange is proven. */
  public enum Part {
    /** A request. */
    REQUEST('q'),
    /** An answer that goes out whole. */
    ANSWER('a'),
    /** The head of a stream. */
    STREAM('s'),
    /** All that a stream has said. */
    STREAM_END('e'),
    /** That a request was refused because of its stamp. */
    REFUSAL('r');

    private final char code;

    Part(char code) {
      this.code = code;
    }

    /** Stands for it in what is authenticated. */
    byte code() {
      return (byte) code;
    }
  }

  private final byte[] inner;
  private final byte[] outer;
  private final boolean initiator;

  private PactMac(byte[] key, boolean initiator) {
    this.inner = pad(key, INNER);
    this.outer = pad(key, OUTER);
    this.initiator = initiator;
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static byte[] pad(byte[] key, byte with) {
    byte[] block = Arrays.copyOf(key, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
      block[i] ^= with;
    }
    return block;
  }

  /**
   * Of a pact that these two keys have signed.
   *
   * @param noteSha256 hex SHA-256 of its note
   * @param initiator true if the own agent has asked for it
   * @return empty if the other key is none that anybody may agree with
   */
  public static Optional<PactMac> of(
      SignerKey own, VerifierKey peer, String noteSha256, boolean initiator) {
    return own.agree(peer)
        .map(secret -> {
          MessageDigest sha256 = newSha256();
          sha256.update(pad(secret, INNER));
          byte[] inside = sha256.digest((PURPOSE + noteSha256).getBytes(StandardCharsets.US_ASCII));
          sha256.update(pad(secret, OUTER));
          return new PactMac(sha256.digest(inside), initiator);
        });
  }

  /** The code of a part, as hex digits. */
  public String tag(
      boolean own, Part part, Stamp request, int status, byte[] bodySha256, String head) {
    Scratch scratch = SCRATCH.get();
    byte[] fixed = scratch.fixed;
    fixed[0] = part.code();
    fixed[1] = (byte) (own == initiator ? 'i' : 'r');
    int at = put(fixed, 2, request.epoch(), Long.BYTES);
    at = put(fixed, at, request.number(), Long.BYTES);
    at = put(fixed, at, status, Integer.BYTES);
    System.arraycopy(bodySha256, 0, fixed, at, HASH_BYTES);
    MessageDigest sha256 = scratch.sha256;
    sha256.update(inner);
    sha256.update(fixed);
    byte[] inside = sha256.digest(head.getBytes(StandardCharsets.UTF_8));
    sha256.update(outer);
    return HexFormat.of().formatHex(sha256.digest(inside), 0, TAG_BYTES);
  }

  private static int put(byte[] into, int at, long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      into[at + i] = (byte) (value >>> (Byte.SIZE * (bytes - 1 - i)));
    }
    return at + bytes;
  }
}
