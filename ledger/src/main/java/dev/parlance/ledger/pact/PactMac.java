package dev.parlance.ledger.pact;

import dev.parlance.ledger.note.Hmac;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import java.util.Optional;

/**
 * The authentication code of a pact's messages: the first half of an HMAC-SHA-256 under a key that
 * both parties work out from the keys with which they have signed the note, and nobody else can.
 *
 * <pre>
 * key  HMAC(X25519 of the two party keys, "parlance-pact-mac-1\n" and the hash of the note)
 * code HMAC(key, ...)
 *        1 byte    part: q request, a answer, s head of a stream, e end of a stream, r refusal,
 *                  c answer to a challenge
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
    REFUSAL('r'),
    /** That who answers a challenge holds the key. */
    CHALLENGE('c');

    private final char code;

    Part(char code) {
      this.code = code;
    }

    /** Stands for it in what is authenticated. */
    byte code() {
      return (byte) code;
    }
  }

  private final Hmac hmac;
  private final boolean initiator;

  private PactMac(Hmac hmac, boolean initiator) {
    this.hmac = hmac;
    this.initiator = initiator;
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
    return Hmac.between(own, peer, PURPOSE + noteSha256).map(hmac -> new PactMac(hmac, initiator));
  }

  /**
   * The code of a part that the own agent says, as hex digits.
   *
   * @param line of a request: METHOD?QUERY; else empty
   * @param type media type, or what else there is to say
   */
  public String tag(
      Part part, Stamp request, int status, byte[] bodySha256, String line, String type) {
    return hmac.tag(input(true, part, request, status, bodySha256, line, type));
  }

  /** True if the end of a text is the code of a part that the other party says. */
  public boolean isPeers(
      String text,
      int from,
      Part part,
      Stamp request,
      int status,
      byte[] bodySha256,
      String line,
      String type) {
    return hmac.isTag(
        input(false, part, request, status, bodySha256, line, type), text, from, text.length());
  }

  private Hmac.Input input(
      boolean own,
      Part part,
      Stamp request,
      int status,
      byte[] bodySha256,
      String line,
      String type) {
    Hmac.Input input =
        Hmac.Input.begin()
            .put(part.code(), 1)
            .put(own == initiator ? 'i' : 'r', 1)
            .put(request.epoch(), Long.BYTES)
            .put(request.number(), Long.BYTES)
            .put(status, Integer.BYTES)
            .put(bodySha256);
    return line.isEmpty() ? input.put(type) : input.put(line).put('\n', 1).put(type);
  }
}
