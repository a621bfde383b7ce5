package dev.parlance.wire.bytes;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.List;

/**
 * Applies edits to a body in one pass, into memory of its own: from direct memory a socket takes it
 * as it is, while Netty copies a composite with inserted bytes of the heap twice more to write it.
 *
 * <p>Edits refer to the decoded body, so a body that came with a content coding is spliced in its
 * decoded form.
 */
public final class Splicer {
  private Splicer() {}

  /**
   * The edited body, which belongs to the caller.
   *
   * @throws IllegalArgumentException if the edits are unsorted, overlap or leave the body
   */
  public static ByteBuf apply(PlainBody original, List<Edit> edits, ByteBufAllocator allocator) {
    int length = checkedLength(original.length(), edits);
    ByteBuf spliced = allocator.ioBuffer(length, length);
    write(original.array(), original.length(), edits, spliced);
    return spliced;
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
    byte[] spliced = new byte[checkedLength(size, edits)];
    write(original, size, edits, Unpooled.wrappedBuffer(spliced).clear());
    return spliced;
  }

  private static void write(byte[] original, int size, List<Edit> edits, ByteBuf to) {
    int kept = 0;
    for (Edit edit : edits) {
      to.writeBytes(original, kept, edit.offset() - kept).writeBytes(edit.inserted());
      kept = edit.offset() + edit.removed();
    }
    to.writeBytes(original, kept, size - kept);
  }

  /** Length of the edited body. */
  private static int checkedLength(int size, List<Edit> edits) {
    int length = size;
    int free = 0;
    for (Edit edit : edits) {
      if (edit.offset() < free || edit.removed() < 0 || edit.removed() > size - edit.offset()) {
        throw new IllegalArgumentException(
            "edit of "
                + edit.removed()
                + " bytes at "
                + edit.offset()
                + " in a body of "
                + size
                + "; expected sorted edits from "
                + free);
      }
      free = edit.offset() + edit.removed();
      length += edit.inserted().length - edit.removed();
    }
    return length;
  }
}
