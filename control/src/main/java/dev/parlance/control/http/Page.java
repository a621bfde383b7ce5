package dev.parlance.control.http;

import java.nio.charset.StandardCharsets;

/** What a path answers with. */
@SuppressWarnings("ArrayRecordComponent") // handed through, never compared
record Page(int status, String type, String caching, byte[] body) {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String NO_CACHE = "no-cache";

  /** Never changes under its name. */
  static Page forEver(byte[] body) {
    return new Page(200, "application/octet-stream", "public, max-age=31536000, immutable", body);
  }

  /** As it is now. */
  static Page now(String type, byte[] body) {
    return new Page(200, type, NO_CACHE, body);
  }

  /** A line of text. */
  static Page text(int status, String line) {
    return new Page(status, TEXT, NO_CACHE, (line + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
