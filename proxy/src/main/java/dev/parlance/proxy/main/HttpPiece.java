package dev.parlance.proxy.main;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Finds the ends of the HTTP/1.1 messages of a warm-up: heads with {@code Content-Length}. */
final class HttpPiece {
  private static final int MAX_BYTES = 1 << 16;
  private static final String LENGTH = "\r\ncontent-length:";
  private static final String END = "\r\n\r\n";

  private final byte[] buffer = new byte[MAX_BYTES];
  private String head = "";

  /** The head of the last message. */
  String head() {
    return head;
  }

  /**
   * Reads one message; nothing may follow it before it is answered.
   *
   * @return false at the end of the stream
   * @throws IOException if the message has no length, ends early or is too large
   */
  boolean read(InputStream in) throws IOException {
    int have = 0;
    int wanted = MAX_BYTES;
    boolean headRead = false;
    while (have < wanted) {
      int got = in.read(buffer, have, buffer.length - have);
      if (got < 0) {
        if (have == 0) {
          return false;
        }
        throw new IOException("a message ended early");
      }
      have += got;
      if (!headRead) {
        int end = headEnd(have);
        if (end >= 0) {
          head = new String(Arrays.copyOf(buffer, end), StandardCharsets.ISO_8859_1);
          wanted = end + END.length() + length();
          headRead = true;
        }
      }
    }
    if (have > wanted || !headRead) {
      throw new IOException("a message of more than was announced");
    }
    return true;
  }

  private int headEnd(int have) {
    for (int i = 0; i + END.length() <= have; i++) {
      if (buffer[i] == '\r'
          && buffer[i + 1] == '\n'
          && buffer[i + 2] == '\r'
          && buffer[i + 3] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private int length() throws IOException {
    String lower = head.toLowerCase(Locale.ROOT) + "\r\n";
    int at = lower.indexOf(LENGTH);
    if (at < 0) {
      throw new IOException("a message without a length");
    }
    int from = at + LENGTH.length();
    try {
      return Integer.parseInt(lower.substring(from, lower.indexOf('\r', from)).strip());
    } catch (NumberFormatException e) {
      throw new IOException("a length that is no number", e);
    }
  }
}
