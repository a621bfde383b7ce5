package dev.parlance.wire.bytes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;

/**
 * Applies edits to a body without copying what stays: the result is a composite of slices of the
 * original with the inserted bytes between them.
 *
 * <p>Edits refer to the decoded body, so a body that came with a content coding is spliced in its
 * decoded form.
 */
public final class Splicer {
  private Splicer() {}

  /**
   * The edited body. Takes ownership of {@code original}, also if it throws; the result belongs to
   * the caller.
   *
   * @throws IllegalArgumentException if the edits are unsorted, overlap or leave the body
   */
  public static ByteBuf apply(ByteBuf original, List<Edit> edits, ByteBufAllocator allocator) {
    if (edits.isEmpty()) {
      return original;
    }
    try {
      check(edits, original.readableBytes());
      CompositeByteBuf spliced = allocator.compositeBuffer(2 * edits.size() + 1);
      int base = original.readerIndex();
      int kept = 0;
      for (Edit edit : edits) {
        addKept(spliced, original, base, kept, edit.offset());
        spliced.addComponent(true, Unpooled.wrappedBuffer(edit.inserted()));
        kept = edit.offset() + edit.removed();
      }
      addKept(spliced, original, base, kept, original.readableBytes());
      return spliced;
    } finally {
      original.release();
    }
  }

  private static void addKept(
      CompositeByteBuf spliced, ByteBuf original, int base, int from, int to) {
    if (to > from) {
      spliced.addComponent(true, original.retainedSlice(base + from, to - from));
    }
  }

  /**
   * The edited body as a new array.
   *
   * @throws IllegalArgumentException if the edits are unsorted, overlap or leave the body
   */
  public static byte[] applyToBytes(byte[] original, List<Edit> edits) {
    return applyToBytes(original, original.length, edits);
  }

  /** As above, of the first bytes of an array. */
  public static byte[] applyToBytes(byte[] original, int size, List<Edit> edits) {
    check(edits, size);
    int length = size;
    for (Edit edit : edits) {
      length += edit.inserted().length - edit.removed();
    }
    byte[] spliced = new byte[length];
    int kept = 0;
    int at = 0;
    for (Edit edit : edits) {
      System.arraycopy(original, kept, spliced, at, edit.offset() - kept);
      at += edit.offset() - kept;
      System.arraycopy(edit.inserted(), 0, spliced, at, edit.inserted().length);
      at += edit.inserted().length;
      kept = edit.offset() + edit.removed();
    }
    System.arraycopy(original, kept, spliced, at, size - kept);
    return spliced;
  }

  private static void check(List<Edit> edits, int length) {
    int free = 0;
    for (Edit edit : edits) {
      if (edit.offset() < free || edit.removed() < 0 || edit.removed() > length - edit.offset()) {
        throw new IllegalArgumentException(
            "edit of "
                + edit.removed()
                + " bytes at "
                + edit.offset()
                + " in a body of "
                + length
                + "; expected sorted edits from "
                + free);
      }
      free = edit.offset() + edit.removed();
    }
  }
}
