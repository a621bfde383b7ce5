package dev.parlance.wire.proto;

import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;

/**
 * Extracts the texts of a protobuf message whose type nobody knows: whatever is printable where a
 * length says bytes follow, looked for in what could be nested messages too. Where the bytes are no
 * message at all, long printable runs count.
 */
public final class ProtoStrings {
  private static final int MAX_DEPTH = 8;

  /** Names of types, in front of every {@code Any}; no words of the agent. */
  private static final String TYPE_URL = "type.googleapis.com/";

  private final byte[] body;

  public ProtoStrings(byte[] body) {
    this.body = body;
  }

  /** Adds the texts, in order. */
  public void collect(List<String> texts) {
    if (!message(0, body.length, 0, texts)) {
      runs(0, body.length, texts);
    }
  }

  /** True if the bytes can be read as a message; only then texts are added. */
  private boolean message(int from, int to, int depth, List<String> texts) {
    List<String> found = new ArrayList<>();
    int at = from;
    while (at < to) {
      int tagEnd = varintEnd(at, to);
      int wireType = body[at] & 7;
      if (tagEnd < 0 || body[at] >>> 3 == 0) {
        return false;
      }
      at = tagEnd;
      switch (wireType) {
        case 0 -> at = varintEnd(at, to);
        case 1 -> at += Long.BYTES;
        case 5 -> at += Integer.BYTES;
        case 2 -> {
          int start = varintEnd(at, to);
          long length = start < 0 ? -1 : varint(at, start);
          if (length < 0 || length > to - start) {
            return false;
          }
          at = start + (int) length;
          content(start, at, depth, found);
        }
        default -> at = -1;
      }
      if (at < 0 || at > to) {
        return false;
      }
    }
    texts.addAll(found);
    return true;
  }

  private void content(int from, int to, int depth, List<String> texts) {
    if (from == to) {
      return;
    }
    if (isPrintable(from, to)) {
      String text = Utf8Span.of(body, from, to - from).toString();
      if (!text.startsWith(TYPE_URL)) {
        texts.add(text);
      }
    } else if (depth == MAX_DEPTH || !message(from, to, depth + 1, texts)) {
      runs(from, to, texts);
    }
  }

  private boolean isPrintable(int from, int to) {
    return ProtoSideText.printableEnd(body, from, to) == to;
  }

  private void runs(int from, int to, List<String> texts) {
    int at = from;
    while (at < to) {
      int end = ProtoSideText.printableEnd(body, at, to);
      if (end - at >= Long.BYTES) {
        texts.add(Utf8Span.of(body, at, end - at).toString());
      }
      at = Math.max(end, at + 1);
    }
  }

  /** Where a number ends, or -1. */
  private int varintEnd(int from, int to) {
    for (int at = from; at < Math.min(to, from + 10); at++) {
      if (body[at] >= 0) {
        return at + 1;
      }
    }
    return -1;
  }

  private long varint(int from, int end) {
    long value = 0;
    for (int at = end - 1; at >= from; at--) {
      value = value << 7 | (body[at] & 0x7f);
    }
    return value;
  }
}
