package dev.parlance.proxy.exchange;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Every event of a stream from its first, without forged verdicts: what the review queue keeps, so
 * that a release delivers a whole valid stream although its beginning went out long ago. Given up
 * when it grows over what may wait, or over a small bound once judged parts have gone out.
 */
final class Transcript {
  /** How much is kept of a stream that flows. */
  static final int FLOWING_BYTES = 64 * 1024;

  private final int maxBytes;
  private Optional<List<byte[]>> events = Optional.of(new ArrayList<>());
  private int bytes;

  Transcript(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  void add(byte[] event) {
    events.ifPresent(list -> list.add(event));
    bytes += event.length;
    if (events.isEmpty() || bytes > maxBytes) {
      giveUp();
    }
  }

  /** A judged part has gone out. */
  void released() {
    if (bytes > FLOWING_BYTES) {
      giveUp();
    }
  }

  void giveUp() {
    events = Optional.empty();
    bytes = 0;
  }

  /** What it keeps, 0 if it was given up. */
  int bytes() {
    return bytes;
  }

  /** The stream so far; empty if it was given up. */
  Optional<byte[]> body() {
    return events.map(list -> {
      ByteArrayOutputStream all = new ByteArrayOutputStream(bytes);
      list.forEach(all::writeBytes);
      return all.toByteArray();
    });
  }
}
