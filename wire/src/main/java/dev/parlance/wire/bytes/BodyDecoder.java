package dev.parlance.wire.bytes;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Takes the content coding off a whole body, within bounds.
 *
 * <p>Accepts none, {@code identity}, {@code gzip} (also {@code x-gzip}; of several members, whose
 * texts are one, RFC 1952 section 2.2) and {@code deflate} (zlib format as RFC 9110 has it, or
 * without its header and check sum, as old servers send it). Everything that two receivers could
 * decode differently is refused: more than one coding, bytes behind the end that are no member,
 * preset dictionaries, a zlib header before something else.
 */
public final class BodyDecoder {
  /**
   * Output up to this size is never held against the ratio: short texts that repeat themselves
   * compress well past 100 and harm nobody.
   */
  private static final int RATIO_FREE_BYTES = 64 * 1024;

  private static final int GZIP_TRAILER_BYTES = 8;
  private static final byte[] NOTHING = new byte[0];

  /** The one method of compression that gzip and zlib have. */
  private static final int DEFLATED = 8;

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
   * Decodes a body.
   *
   * @param codings all values of {@code Content-Encoding}, in order; each may be a list
   * @param maxBytes most bytes of the decoded body
   * @param maxRatio largest ratio of decoded to encoded size
   */
  public static Decoding decode(List<String> codings, byte[] body, int maxBytes, int maxRatio) {
    String coding = "";
    for (String value : codings) {
      for (String element : value.split(",", -1)) {
        String name = element.strip().toLowerCase(Locale.ROOT);
        boolean none = name.isEmpty() || name.equals("identity");
        if (!none && !coding.isEmpty()) {
          return bad("more than one content coding; expected at most one");
        }
        coding = none ? coding : name;
      }
    }
    if (coding.isEmpty()) {
      return new Decoding.Decoded(body, false);
    }
    long ratioLimit = Math.max(RATIO_FREE_BYTES, (long) maxRatio * body.length);
    int most = (int) Math.min(maxBytes, ratioLimit);
    return switch (coding) {
      case "gzip", "x-gzip" -> new Inflation(body, most, /* raw= */ true).gzip();
      case "deflate" -> new Inflation(body, most, !hasZlibHeader(body)).deflate();
      default ->
          bad(
              "content coding "
                  + Texts.printable(coding, 40)
                  + "; expected identity, gzip or deflate");
    };
  }

  /** True if the first bytes are a header of zlib (RFC 1950, section 2.2). */
  private static boolean hasZlibHeader(byte[] body) {
    return body.length >= 2
        && (body[0] & 0x0f) == DEFLATED
        && ((body[0] & 0xff) << 8 | (body[1] & 0xff)) % 31 == 0;
  }

  /** Where the header of a gzip member ends, or -1 if there is none that we accept. */
  private static int afterGzipHeader(byte[] body, int from) {
    boolean magic =
        body.length - from >= 10
            && body[from] == 0x1f
            && body[from + 1] == (byte) 0x8b
            && body[from + 2] == DEFLATED;
    if (!magic || (body[from + 3] & 0xe0) != 0) {
      return -1;
    }
    int flags = body[from + 3];
    int at = from + 10;
    if ((flags & 0x04) != 0) {
      if (at + 2 > body.length) {
        return -1;
      }
      at += 2 + ((body[at] & 0xff) | ((body[at + 1] & 0xff) << 8));
    }
    if ((flags & 0x08) != 0) {
      at = afterZero(body, at);
    }
    if ((flags & 0x10) != 0) {
      at = afterZero(body, at);
    }
    if ((flags & 0x02) != 0) {
      if (at + 2 > body.length) {
        return -1;
      }
      CRC32 crc = new CRC32();
      crc.update(body, from, at - from);
      int expected = (body[at] & 0xff) | ((body[at + 1] & 0xff) << 8);
      if ((crc.getValue() & 0xffff) != expected) {
        return -1;
      }
      at += 2;
    }
    return at <= body.length ? at : -1;
  }

  private static int afterZero(byte[] body, int from) {
    int at = from;
    while (at < body.length && body[at] != 0) {
      at++;
    }
    return at + 1;
  }

  /** The decoding of one body, member by member, into one array. */
  private static final class Inflation {
    private final byte[] body;
    private final int most;
    private final Inflater inflater;
    private byte[] out;
    private int length;
    private int at;

    /**
     * A decoding that has not begun.
     *
     * @param most most bytes of the decoded body
     * @param raw true if the compressed data has no header of zlib
     */
    Inflation(byte[] body, int most, boolean raw) {
      this.body = body;
      this.most = most;
      this.inflater = new Inflater(raw);
      this.out = new byte[(int) Math.min(most, Math.max(512L, 4L * body.length))];
    }

    Decoding deflate() {
      Optional<Decoding> refused = inflate();
      if (refused.isEmpty() && at < body.length) {
        refused = Optional.of(bad("bytes behind the end of the compressed data"));
      }
      return end(refused);
    }

    Decoding gzip() {
      Optional<Decoding> refused = member();
      while (refused.isEmpty() && at < body.length) {
        refused = member();
      }
      return end(refused);
    }

    private Optional<Decoding> member() {
      int header = afterGzipHeader(body, at);
      if (header < 0) {
        return Optional.of(
            bad("bad gzip header, or bytes behind the end; expected gzip members (RFC 1952)"));
      }
      at = header;
      int from = length;
      Optional<Decoding> refused = inflate();
      if (refused.isPresent()) {
        return refused;
      }
      CRC32 crc = new CRC32();
      crc.update(out, from, length - from);
      if (body.length - at < GZIP_TRAILER_BYTES
          || (int) crc.getValue() != int32(body, at)
          || length - from != int32(body, at + 4)) {
        return Optional.of(bad("gzip check sum or size is wrong"));
      }
      at += GZIP_TRAILER_BYTES;
      return Optional.empty();
    }

    private Decoding end(Optional<Decoding> refused) {
      inflater.end();
      return refused.orElseGet(
          () -> new Decoding.Decoded(length == 0 ? NOTHING : Arrays.copyOf(out, length), true));
    }

    /** Inflates the data that begins here, up to its end; or why that cannot be done. */
    private Optional<Decoding> inflate() {
      inflater.reset();
      inflater.setInput(body, at, body.length - at);
      try {
        while (!inflater.finished()) {
          if (length == out.length) {
            // One byte more than allowed tells a body of exactly the limit from one past it.
            out = Arrays.copyOf(out, (int) Math.min(most + 1L, Math.max(512L, 2L * length)));
          }
          int count = inflater.inflate(out, length, out.length - length);
          length += count;
          if (length > most) {
            return Optional.of(
                new Decoding.Refused(
                    WireFault.INFLATION_LIMIT, "decodes to more than " + most + " bytes"));
          }
          boolean stuck = inflater.needsInput() || inflater.needsDictionary();
          if (count == 0 && stuck && !inflater.finished()) {
            return Optional.of(bad("compressed data ends early or needs a dictionary"));
          }
        }
      } catch (DataFormatException e) {
        return Optional.of(bad("compressed data is malformed"));
      }
      at = body.length - inflater.getRemaining();
      return Optional.empty();
    }
  }

  private static int int32(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | ((bytes[at + 1] & 0xff) << 8)
        | ((bytes[at + 2] & 0xff) << 16)
        | ((bytes[at + 3] & 0xff) << 24);
  }

  private static Decoding bad(String detail) {
    return new Decoding.Refused(WireFault.BAD_CODING, detail);
  }
}
