package dev.parlance.wire.bytes;

import dev.parlance.wire.bytes.BodyDecoder.Decoding;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The decoding of one body in gzip or deflate, piece by piece. What a piece decodes to is bounded
 * by itself, and by the ratio of all pieces so far.
 *
 * <pre>
 * part      bytes that are whole          next
 * HEADER    of a gzip member              DATA
 * HEADER    the first two of deflate      DATA
 * DATA      to their end                  gzip: TRAILER, deflate: END
 * TRAILER   check sum and size            HEADER
 * END       any                           refused
 * </pre>
 */
public final class Inflation implements AutoCloseable {
  /**
   * Output up to this size is never held against the ratio: short texts that repeat themselves
   * compress well past 100 and harm nobody.
   */
  private static final int RATIO_FREE_BYTES = 64 * 1024;

  /** So much of a header is kept while its end has not come. */
  private static final int MAX_HEADER_BYTES = 4 * 1024;

  private static final int GZIP_TRAILER_BYTES = 8;

  /** The one method of compression that gzip and zlib have. */
  private static final int DEFLATED = 8;

  private static final byte[] NOTHING = new byte[0];

  private enum Part {
    HEADER,
    DATA,
    TRAILER,
    END
  }

  private final boolean gzip;
  private final int maxBytes;
  private final int maxRatio;
  private final CRC32 crc = new CRC32();
  private Inflater inflater = new Inflater(/* nowrap= */ true);
  private Part part = Part.HEADER;

  /** What has come and is not read up to {@code at}. */
  private byte[] in = NOTHING;

  private int at;

  /** What this piece has decoded to, up to {@code length}. */
  private byte[] out = NOTHING;

  private int length;
  private int most;

  private long codedBytes;
  private long decodedBytes;
  private long memberBytes;

  Inflation(boolean gzip, int maxBytes, int maxRatio) {
    this.gzip = gzip;
    this.maxBytes = maxBytes;
    this.maxRatio = maxRatio;
  }

  /** Decodes what comes next; after a refusal nothing more may come. */
  public Decoding piece(byte[] bytes) {
    codedBytes += bytes.length;
    if (at == in.length) {
      in = bytes;
    } else {
      byte[] joined = Arrays.copyOfRange(in, at, in.length + bytes.length);
      System.arraycopy(bytes, 0, joined, in.length - at, bytes.length);
      in = joined;
    }
    at = 0;
    long byRatio = Math.max(RATIO_FREE_BYTES, maxRatio * codedBytes) - decodedBytes;
    most = (int) Math.min(maxBytes, byRatio);
    out = new byte[(int) Math.min(most, Math.max(512L, 4L * bytes.length))];
    length = 0;
    Part before;
    do {
      before = part;
      Optional<Decoding> refused =
          switch (part) {
            case HEADER -> header();
            case DATA -> data();
            case TRAILER -> trailer();
            case END -> behindTheEnd();
          };
      if (refused.isPresent()) {
        return refused.get();
      }
    } while (part != before);
    decodedBytes += length;
    return new Decoding.Decoded(length == 0 ? NOTHING : Arrays.copyOf(out, length), true);
  }

  /** What is missing, if all pieces have come. */
  public Optional<Decoding> end() {
    return switch (part) {
      case HEADER ->
          at == in.length && (codedBytes == 0 || gzip)
              ? Optional.empty()
              : gzip ? badHeader() : endsEarly();
      case DATA -> endsEarly();
      case TRAILER -> badTrailer();
      case END -> Optional.empty();
    };
  }

  @Override
  public void close() {
    inflater.end();
  }

  private Optional<Decoding> header() {
    int left = in.length - at;
    if (gzip) {
      int end = left == 0 ? -1 : afterGzipHeader(in, at);
      if (end < 0) {
        boolean mayCome = left < 10 || (left < MAX_HEADER_BYTES && isGzip(in, at));
        return mayCome ? Optional.empty() : badHeader();
      }
      at = end;
      crc.reset();
      memberBytes = 0;
      inflater.reset();
    } else if (left < 2) {
      return Optional.empty();
    } else if (hasZlibHeader(in, at)) {
      inflater.end();
      inflater = new Inflater(/* nowrap= */ false);
    }
    part = Part.DATA;
    return Optional.empty();
  }

  private Optional<Decoding> data() {
    inflater.setInput(in, at, in.length - at);
    try {
      while (!inflater.finished()) {
        if (length == out.length) {
          // One byte more than allowed tells a body of exactly the limit from one past it.
          out = Arrays.copyOf(out, (int) Math.min(most + 1L, Math.max(512L, 2L * length)));
        }
        int count = inflater.inflate(out, length, out.length - length);
        crc.update(out, length, count);
        length += count;
        memberBytes += count;
        if (length > most) {
          return Optional.of(
              new Decoding.Refused(
                  WireFault.INFLATION_LIMIT, "decodes to more than " + most + " bytes"));
        }
        if (inflater.needsDictionary()) {
          return endsEarly();
        }
        if (count == 0 && inflater.needsInput() && !inflater.finished()) {
          at = in.length;
          return Optional.empty();
        }
      }
    } catch (DataFormatException e) {
      return Optional.of(BodyDecoder.bad("compressed data is malformed"));
    }
    at = in.length - inflater.getRemaining();
    part = gzip ? Part.TRAILER : Part.END;
    return Optional.empty();
  }

  private Optional<Decoding> trailer() {
    if (in.length - at < GZIP_TRAILER_BYTES) {
      return Optional.empty();
    }
    if ((int) crc.getValue() != int32(in, at) || (int) memberBytes != int32(in, at + 4)) {
      return badTrailer();
    }
    at += GZIP_TRAILER_BYTES;
    part = Part.HEADER;
    return Optional.empty();
  }

  private Optional<Decoding> behindTheEnd() {
    return at < in.length
        ? Optional.of(BodyDecoder.bad("bytes behind the end of the compressed data"))
        : Optional.empty();
  }

  private static Optional<Decoding> badHeader() {
    return Optional.of(
        BodyDecoder.bad(
            "bad gzip header, or bytes behind the end; expected gzip members (RFC 1952)"));
  }

  private static Optional<Decoding> badTrailer() {
    return Optional.of(BodyDecoder.bad("gzip check sum or size is wrong"));
  }

  private static Optional<Decoding> endsEarly() {
    return Optional.of(BodyDecoder.bad("compressed data ends early or needs a dictionary"));
  }

  /** True if a header of zlib begins here (RFC 1950, section 2.2). */
  private static boolean hasZlibHeader(byte[] body, int from) {
    return (body[from] & 0x0f) == DEFLATED
        && ((body[from] & 0xff) << 8 | (body[from + 1] & 0xff)) % 31 == 0;
  }

  /** True if ten bytes are there that a gzip member may begin with. */
  private static boolean isGzip(byte[] body, int from) {
    return body.length - from >= 10
        && body[from] == 0x1f
        && body[from + 1] == (byte) 0x8b
        && body[from + 2] == DEFLATED
        && (body[from + 3] & 0xe0) == 0;
  }

  /** Where the header of a gzip member ends, or -1 if there is none that we accept. */
  private static int afterGzipHeader(byte[] body, int from) {
    if (!isGzip(body, from)) {
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

  private static int int32(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | ((bytes[at + 1] & 0xff) << 8)
        | ((bytes[at + 2] & 0xff) << 16)
        | ((bytes[at + 3] & 0xff) << 24);
  }
}
