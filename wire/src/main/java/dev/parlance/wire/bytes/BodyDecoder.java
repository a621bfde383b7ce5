package dev.parlance.wire.bytes;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Takes the content coding off a whole body, within bounds.
 *
 * <p>Accepts none, {@code identity}, {@code gzip} (also {@code x-gzip}) and {@code deflate} (zlib
 * format, RFC 9110). Everything that two receivers could decode differently is refused: more than
 * one coding, concatenated gzip members, bytes behind the end, raw deflate, preset dictionaries.
 */
public final class BodyDecoder {
  /**
   * Output up to this size is never held against the ratio: short texts that repeat themselves
   * compress well past 100 and harm nobody.
   */
  private static final int RATIO_FREE_BYTES = 64 * 1024;

  private static final int GZIP_TRAILER_BYTES = 8;
  private static final byte[] NOTHING = new byte[0];

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
        if (!name.isEmpty() && !coding.isEmpty()) {
          return bad("more than one content coding; expected at most one");
        }
        coding = coding + name;
      }
    }
    return switch (coding) {
      case "", "identity" -> new Decoding.Decoded(body, false);
      case "gzip", "x-gzip" -> gzip(body, maxBytes, maxRatio);
      case "deflate" -> inflate(body, 0, body.length, false, maxBytes, maxRatio);
      default ->
          bad(
              "content coding "
                  + Texts.printable(coding, 40)
                  + "; expected identity, gzip or deflate");
    };
  }

  private static Decoding gzip(byte[] body, int maxBytes, int maxRatio) {
    int header = gzipHeaderLength(body);
    if (header < 0 || body.length - header < GZIP_TRAILER_BYTES) {
      return bad("bad gzip header; expected one whole gzip member (RFC 1952)");
    }
    int trailer = body.length - GZIP_TRAILER_BYTES;
    Decoding decoding = inflate(body, header, trailer, true, maxBytes, maxRatio);
    if (decoding instanceof Decoding.Decoded decoded) {
      CRC32 crc = new CRC32();
      crc.update(decoded.body());
      if ((int) crc.getValue() != int32(body, trailer)
          || decoded.body().length != int32(body, trailer + 4)) {
        return bad("gzip check sum or size is wrong, or bytes stand behind the end");
      }
    }
    return decoding;
  }

  /** Length of the gzip header, or -1 if there is none that we accept. */
  private static int gzipHeaderLength(byte[] body) {
    boolean magic = body.length >= 10 && body[0] == 0x1f && body[1] == (byte) 0x8b && body[2] == 8;
    if (!magic || (body[3] & 0xe0) != 0) {
      return -1;
    }
    int flags = body[3];
    int at = 10;
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
      crc.update(body, 0, at);
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

  private static Decoding inflate(
      byte[] body, int from, int to, boolean raw, int maxBytes, int maxRatio) {
    Inflater inflater = new Inflater(raw);
    try {
      inflater.setInput(body, from, to - from);
      byte[] out = new byte[(int) Math.min(maxBytes, Math.max(512L, 4L * (to - from)))];
      int length = 0;
      long ratioLimit = Math.max(RATIO_FREE_BYTES, (long) maxRatio * body.length);
      while (!inflater.finished()) {
        if (length == out.length) {
          // One byte more than allowed tells a body of exactly the limit from one past it.
          out = Arrays.copyOf(out, (int) Math.min(maxBytes + 1L, Math.max(512L, 2L * length)));
        }
        int count = inflater.inflate(out, length, out.length - length);
        length += count;
        if (length > maxBytes || length > ratioLimit) {
          return new Decoding.Refused(
              WireFault.INFLATION_LIMIT,
              "decodes to more than " + Math.min(maxBytes, ratioLimit) + " bytes");
        }
        boolean stuck = inflater.needsInput() || inflater.needsDictionary();
        if (count == 0 && stuck && !inflater.finished()) {
          return bad("compressed data ends early or needs a dictionary");
        }
      }
      if (inflater.getRemaining() != 0) {
        return bad("bytes behind the end of the compressed data");
      }
      return new Decoding.Decoded(length == 0 ? NOTHING : Arrays.copyOf(out, length), true);
    } catch (DataFormatException e) {
      return bad("compressed data is malformed");
    } finally {
      inflater.end();
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
