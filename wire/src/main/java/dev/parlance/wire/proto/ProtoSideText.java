package dev.parlance.wire.proto;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Utf8;
import java.util.ArrayList;
import java.util.List;

/**
 * Text in fields that the schema does not know. No client shows them, but a receiver with a newer
 * schema, or one that prints what it got, could. A run of more than {@value #FREE_BYTES} printable
 * bytes counts as text wherever it stands in such a field; shorter fields count once they hold more
 * than that together, so that cutting a text into many fields gains nothing.
 */
final class ProtoSideText {
  static final int FREE_BYTES = 64;

  private final byte[] body;
  private final List<Utf8Span> texts = new ArrayList<>();
  private final List<Utf8Span> fragments = new ArrayList<>();
  private int fragmentBytes;

  ProtoSideText(byte[] body) {
    this.body = body;
  }

  /** The content of an unknown field. */
  void add(int from, int to) {
    int end = printableEnd(body, from, to);
    if (end == to && to - from <= FREE_BYTES) {
      if (to > from) {
        fragments.add(Utf8Span.of(body, from, to - from));
        fragmentBytes += to - from;
      }
      return;
    }
    int at = from;
    while (at < to) {
      end = printableEnd(body, at, to);
      run(at, end);
      at = Math.max(end, at + 1);
    }
  }

  /** Where printable UTF-8 that begins at {@code from} ends. */
  static int printableEnd(byte[] body, int from, int to) {
    int at = from;
    while (at < to) {
      int length = Utf8.sequenceLength(body, at, to);
      if (length < 0 || !isPrintable(body, at)) {
        return at;
      }
      at += length;
    }
    return at;
  }

  private void run(int from, int to) {
    if (to - from > FREE_BYTES) {
      texts.add(Utf8Span.of(body, from, to - from));
    }
  }

  /** Any character but a control one. */
  private static boolean isPrintable(byte[] body, int at) {
    byte b = body[at];
    boolean control = (b >= 0 && b < 0x20) || b == 0x7f;
    boolean space = b == '\t' || b == '\n' || b == '\r';
    // U+0080 to U+009F.
    boolean upperControl = b == (byte) 0xc2 && (body[at + 1] & 0xff) < 0xa0;
    return (!control || space) && !upperControl;
  }

  /** What counts as text. */
  List<Utf8Span> texts() {
    if (fragmentBytes > FREE_BYTES) {
      texts.addAll(fragments);
      fragments.clear();
      fragmentBytes = 0;
    }
    return texts;
  }
}
