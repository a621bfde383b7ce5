package dev.parlance.relay.http2;

import dev.parlance.relay.http1.HeadScratch;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Writes header blocks (RFC 7541) with the static table alone: no value is remembered for the
 * blocks behind it. A block is a few hundred bytes longer than with a dynamic table, but writing it
 * looks nothing up in one, no connection holds one, and what one caller's message holds cannot be
 * guessed from the length of another's. Used on one event loop.
 */
final class H2HeadersEncoder implements Http2HeadersEncoder, Http2HeadersEncoder.Configuration {
  /** What RFC 7541 section 4.1 counts for a field beside its name and value. */
  private static final int ENTRY_OVERHEAD = 32;

  private static final int INDEXED = 0x80;
  private static final int TABLE_SIZE_ZERO = 0x20;
  private static final int NEVER_INDEXED = 0x10;
  private static final int LITERAL = 0;
  private static final int INDEXED_BITS = 7;
  private static final int NAME_BITS = 4;
  private static final int LENGTH_BITS = 7;

  /** An integer of HPACK takes at most this many bytes. */
  private static final int INTEGER_BYTES = 6;

  /** Values that whoever passes a block on must not put into a table either. */
  private static final Set<String> SECRET =
      Set.of("authorization", "proxy-authorization", "cookie", "set-cookie");

  /** RFC 7541 appendix A: the first entry of each name. */
  private static final Map<String, Integer> STATIC_NAMES = new HashMap<>();

  private static final Map<String, Integer> STATIC_STATUSES =
      Map.of("200", 8, "204", 9, "206", 10, "304", 11, "400", 12, "404", 13, "500", 14);

  static {
    // In the order of the table; "-" stands for a further value of the name before it.
    String[] names =
        """
        :authority :method - :path - :scheme - :status - - - - - - accept-charset
        accept-encoding accept-language accept-ranges accept access-control-allow-origin age
        allow authorization cache-control content-disposition content-encoding
        content-language content-length content-location content-range content-type cookie
        date etag expect expires from host if-match if-modified-since if-none-match if-range
        if-unmodified-since last-modified link location max-forwards proxy-authenticate
        proxy-authorization range referer refresh retry-after server set-cookie
        strict-transport-security transfer-encoding user-agent vary via www-authenticate
        """
            .strip()
            .split("\\s+", -1);
    for (int i = 0; i < names.length; i++) {
      if (!names[i].equals("-")) {
        STATIC_NAMES.put(names[i], i + 1);
      }
    }
  }

  private HeadScratch scratch = HeadScratch.get();
  private byte[] out = scratch.bytes(0);
  private int at;
  private boolean begun;
  private long tableSize = Http2CodecUtil.DEFAULT_HEADER_TABLE_SIZE;
  private long listSize = Http2CodecUtil.MAX_HEADER_LIST_SIZE;

  @Override
  public void encodeHeaders(int streamId, Http2Headers headers, ByteBuf buffer)
      throws Http2Exception {
    scratch = HeadScratch.get();
    out = scratch.bytes(0);
    at = 0;
    if (!begun) {
      // Whatever the peer allows or comes to allow: there is no dynamic table (section 4.2).
      put(TABLE_SIZE_ZERO);
      begun = true;
    }
    long size = 0;
    if (headers instanceof H2Fields fields) {
      for (int i = 0; i < fields.size(); i++) {
        size += field(fields.nameAt(i), fields.valueAt(i));
      }
    } else {
      for (Map.Entry<CharSequence, CharSequence> field : headers) {
        size += field(field.getKey(), field.getValue());
      }
    }
    if (size > listSize) {
      repeatable();
      Http2CodecUtil.headerListSizeExceeded(streamId, listSize, false);
    }
    buffer.writeBytes(out, 0, at);
  }

  /** What was written last goes nowhere; it is written again. */
  void repeatable() {
    begun = false;
  }

  /** Writes one field, and says what it counts. */
  private int field(CharSequence given, CharSequence content) {
    String name = given.toString().toLowerCase(Locale.ROOT);
    String value = content.toString();
    int index = STATIC_NAMES.getOrDefault(name, 0);
    int whole = wholeEntry(index, value);
    if (whole > 0) {
      integer(INDEXED, INDEXED_BITS, whole);
    } else {
      integer(SECRET.contains(name) ? NEVER_INDEXED : LITERAL, NAME_BITS, index);
      if (index == 0) {
        text(name);
      }
      text(value);
    }
    return name.length() + value.length() + ENTRY_OVERHEAD;
  }

  /** The entry of the static table with this name and value; 0 if there is none. */
  private static int wholeEntry(int nameIndex, String value) {
    return switch (nameIndex) {
      case 2 -> value.equals("GET") ? 2 : value.equals("POST") ? 3 : 0;
      case 4 -> value.equals("/") ? 4 : 0;
      case 6 -> value.equals("http") ? 6 : value.equals("https") ? 7 : 0;
      case 8 -> STATIC_STATUSES.getOrDefault(value, 0);
      default -> 0;
    };
  }

  /** A string as it is: Huffman's code is a fifth shorter and costs both sides more than that. */
  @SuppressWarnings("deprecation") // The only copy of a string's bytes into an array of ours.
  private void text(String text) {
    int length = text.length();
    integer(0, LENGTH_BITS, length);
    room(length);
    text.getBytes(0, length, out, at);
    at += length;
  }

  /** RFC 7541 section 5.1. */
  private void integer(int mark, int bits, int value) {
    room(INTEGER_BYTES);
    int most = (1 << bits) - 1;
    if (value < most) {
      put(mark | value);
      return;
    }
    put(mark | most);
    int rest = value - most;
    while (rest >= 0x80) {
      put((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    put(rest);
  }

  private void put(int octet) {
    room(1);
    out[at] = (byte) octet;
    at++;
  }

  private void room(int more) {
    if (out.length - at < more) {
      out = scratch.bytes(at + more);
    }
  }

  @Override
  public Configuration configuration() {
    return this;
  }

  @Override
  public void maxHeaderTableSize(long max) {
    tableSize = max;
  }

  @Override
  public long maxHeaderTableSize() {
    return tableSize;
  }

  @Override
  public void maxHeaderListSize(long max) {
    listSize = max;
  }

  @Override
  public long maxHeaderListSize() {
    return listSize;
  }
}
