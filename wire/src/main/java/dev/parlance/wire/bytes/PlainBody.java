package dev.parlance.wire.bytes;

import dev.parlance.policy.text.Utf8Span;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * A whole body without content coding: the first bytes of an array that may be longer, and the
 * memory for what is made of it. The bytes are valid as long as that memory is; see {@link Arena}.
 */
public final class PlainBody {
  private final byte[] array;
  private final int length;
  private final Arena memory;

  private PlainBody(byte[] array, int length, Arena memory) {
    this.array = array;
    this.length = length;
    this.memory = memory;
  }

  /** All bytes of an array that nobody else writes to, and that lives as long as it is needed. */
  public static PlainBody of(byte[] bytes) {
    return of(bytes, Arena.unpooled());
  }

  /** As above; what is made of the bytes goes to the memory given. */
  public static PlainBody of(byte[] bytes, Arena memory) {
    return new PlainBody(bytes, bytes.length, memory);
  }

  /** The first bytes of an array, whatever is behind them. */
  public static PlainBody of(byte[] array, int length, Arena memory) {
    return new PlainBody(array, length, memory);
  }

  /** No bytes. */
  public static PlainBody none() {
    return of(new byte[0]);
  }

  /** A copy of what a buffer holds, in the memory given; the buffer stays as it is. */
  public static PlainBody copyOf(ByteBuf body, Arena memory) {
    int length = body.readableBytes();
    byte[] array = memory.fresh(length);
    body.getBytes(body.readerIndex(), array, 0, length);
    return new PlainBody(array, length, memory);
  }

  /** Number of bytes. */
  public int length() {
    return length;
  }

  /** True if there are none. */
  public boolean isEmpty() {
    return length == 0;
  }

  /** The bytes, and behind the first {@link #length()} others; never to be written to. */
  public byte[] array() {
    return array;
  }

  /** The bytes as a text, which the caller knows them to be, without a byte order mark. */
  public Utf8Span text() {
    int mark = Utf8.markBytes(array, length);
    return Utf8Span.of(array, mark, length - mark);
  }

  /** The bytes in an array that nobody writes to, for callers that keep them. */
  public byte[] toBytes() {
    return Arrays.copyOf(array, length);
  }

  /** For what is made of the bytes. */
  public Arena memory() {
    return memory;
  }
}
