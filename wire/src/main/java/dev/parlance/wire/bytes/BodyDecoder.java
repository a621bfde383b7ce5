package dev.parlance.wire.bytes;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Takes the content coding off a body, within bounds: of a whole one, or piece by piece.
 *
 * <p>Accepts none, {@code identity}, {@code gzip} (also {@code x-gzip}; of several members, whose
 * texts are one, RFC 1952 section 2.2) and {@code deflate} (zlib format as RFC 9110 has it, or
 * without its header and check sum, as old servers send it). Everything that two receivers could
 * decode differently is refused: more than one coding, bytes behind the end that are no member,
 * preset dictionaries, a zlib header before something else.
 */
public final class BodyDecoder {
  /** What came of decoding. */
  @SuppressWarnings("ArrayRecordComponent") // the body is handed on, never compared
  public sealed interface Decoding {
    /**
     * Decoded.
     *
     * @param body the plain body; the array that was passed in where there was no coding
     * @param coded true if a coding was taken off
     */
    record Decoded(byte[] body, boolean coded) implements Decoding {}

    /**
     * Not decodable within the bounds, or declared to be several things.
     *
     * @param fault {@code BAD_CODING}, {@code INFLATION_LIMIT} or {@code BAD_MESSAGE}
     * @param detail for the peer
     */
    record Refused(WireFault fault, String detail) implements Decoding {}
  }

  private BodyDecoder() {}

  /**
   * Decodes a whole body.
   *
   * @param codings all values of {@code Content-Encoding}, in order; each may be a list
   * @param maxBytes most bytes of the decoded body
   * @param maxRatio largest ratio of decoded to encoded size
   */
  public static Decoding decode(List<String> codings, byte[] body, int maxBytes, int maxRatio) {
    Optional<String> coding = one(codings);
    if (coding.isEmpty()) {
      return bad("more than one content coding; expected at most one");
    }
    if (coding.get().isEmpty()) {
      return new Decoding.Decoded(body, false);
    }
    Optional<Inflation> known = pieces(codings, maxBytes, maxRatio);
    if (known.isEmpty()) {
      return bad(
          "content coding "
              + Texts.printable(coding.get(), 40)
              + "; expected identity, gzip or deflate");
    }
    if (body.length == 0) {
      return bad("no data; expected compressed data");
    }
    try (Inflation inflation = known.get()) {
      Decoding decoded = inflation.piece(body);
      return decoded instanceof Decoding.Decoded ? inflation.end().orElse(decoded) : decoded;
    }
  }

  /**
   * The decoding of a body that comes piece by piece; empty if it has no coding, several, or one
   * that is not known.
   *
   * @param maxBytes most bytes that one piece may decode to
   * @param maxRatio largest ratio of decoded to encoded size, of all pieces together
   */
  public static Optional<Inflation> pieces(List<String> codings, int maxBytes, int maxRatio) {
    return switch (one(codings).orElse("")) {
      case "gzip", "x-gzip" -> Optional.of(new Inflation(/* gzip= */ true, maxBytes, maxRatio));
      case "deflate" -> Optional.of(new Inflation(/* gzip= */ false, maxBytes, maxRatio));
      default -> Optional.empty();
    };
  }

  /** The one coding, in small letters; an empty name for none, nothing for several. */
  private static Optional<String> one(List<String> codings) {
    String coding = "";
    for (String value : codings) {
      for (String element : value.split(",", -1)) {
        String name = element.strip().toLowerCase(Locale.ROOT);
        boolean none = name.isEmpty() || name.equals("identity");
        if (!none && !coding.isEmpty()) {
          return Optional.empty();
        }
        coding = none ? coding : name;
      }
    }
    return Optional.of(coding);
  }

  static Decoding.Refused bad(String detail) {
    return new Decoding.Refused(WireFault.BAD_CODING, detail);
  }
}
