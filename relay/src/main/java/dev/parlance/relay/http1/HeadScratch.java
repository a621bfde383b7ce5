package dev.parlance.relay.http1;

import io.netty.util.concurrent.FastThreadLocal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The scratch space of one thread for reading and writing heads, shared by its connections: an
 * array to work on, and the names it has seen last, so that a name that comes again is not made
 * again.
 */
public final class HeadScratch {
  private static final int FIRST_BYTES = 2048;
  private static final int NAMES = 256;

  /** Longer names are not worth remembering. */
  private static final int MAX_NAME_BYTES = 40;

  private static final FastThreadLocal<HeadScratch> OF_THREAD =
      new FastThreadLocal<>() {
        @Override
        protected HeadScratch initialValue() {
          return new HeadScratch();
        }
      };

  private final @Nullable FieldName[] names = new FieldName[NAMES];
  private final @Nullable FieldName[] met = new FieldName[NAMES];
  private byte[] bytes = new byte[FIRST_BYTES];

  private HeadScratch() {}

  /** The one of the running thread. */
  public static HeadScratch get() {
    return OF_THREAD.get();
  }

  /** The array, with room for this many bytes; what was in it stays. */
  public byte[] bytes(int atLeast) {
    if (bytes.length < atLeast) {
      bytes = Arrays.copyOf(bytes, Math.max(atLeast, bytes.length * 2));
    }
    return bytes;
  }

  /** The name that these bytes spell. */
  FieldName name(byte[] in, int start, int length) {
    if (length > MAX_NAME_BYTES) {
      return FieldName.of(new String(in, start, length, StandardCharsets.ISO_8859_1));
    }
    int slot =
        (length * 31 + in[start] * 7 + in[start + length / 2] * 13 + in[start + length - 1] * 61)
            & (NAMES - 1);
    FieldName known = names[slot];
    if (known != null && spells(known.text(), in, start, length)) {
      return known;
    }
    FieldName fresh = FieldName.of(new String(in, start, length, StandardCharsets.ISO_8859_1));
    names[slot] = fresh;
    return fresh;
  }

  /** The name of this text, which is a token. */
  public FieldName checkedName(String text) {
    FieldName known = met(text);
    return known == null ? meet(FieldName.of(text)) : known;
  }

  /** The name of this text, if it has been met lately; it is a token then. */
  @Nullable FieldName met(String text) {
    FieldName known = met[text.hashCode() & (NAMES - 1)];
    return known != null && known.text().equals(text) ? known : null;
  }

  /** Remembers a name that is a token. */
  FieldName meet(FieldName name) {
    if (name.text().length() <= MAX_NAME_BYTES) {
      met[name.text().hashCode() & (NAMES - 1)] = name;
    }
    return name;
  }

  private static boolean spells(String text, byte[] in, int start, int length) {
    if (text.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) != (in[start + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }
}
