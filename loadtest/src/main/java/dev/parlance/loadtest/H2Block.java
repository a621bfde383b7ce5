package dev.parlance.loadtest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;

/**
 * Header blocks (RFC 7541) of messages that have the same fields but for their length. Like usual
 * clients and servers, the first one on a connection enters its fields into the peer's table and
 * the later ones only point there.
 *
 * @param first for the first message on a connection
 * @param later for every further one
 * @param plainFirst for the first message to a peer that keeps no table: says that none is used
 * @param plain for every further one to such a peer
 */
record H2Block(ByteBuf first, ByteBuf later, ByteBuf plainFirst, ByteBuf plain) {
  /** A block lives as long as who sends it, and nobody releases it: no leak to be reported. */
  private static final UnpooledByteBufAllocator UNTRACKED =
      new UnpooledByteBufAllocator(true, true);

  private static final int CONTENT_LENGTH = 28;
  private static final int STATIC_ENTRIES = 61;
  private static final int INDEXED = 0x80;
  private static final int ENTERED = 0x40;

  /** RFC 7541, 6.3: a smaller table has to be acknowledged in the next block. */
  private static final int TABLE_OF_NOTHING = 0x20;

  /**
   * A field of a block.
   *
   * @param index of its name in the static table (RFC 7541, appendix A); 0: the name is written
   * @param name as it is written with index 0
   * @param value written as it is, without Huffman coding; empty: the whole field is in the table
   */
  record Field(int index, String name, String value) {}

  /** Blocks with these fields, to which {@link #withLength} adds the last one. */
  static H2Block of(List<Field> fields) {
    ByteBuf first = UNTRACKED.directBuffer(256);
    ByteBuf later = UNTRACKED.directBuffer(256);
    ByteBuf plain = UNTRACKED.directBuffer(256);
    int entered = (int) fields.stream().filter(field -> !field.value().isEmpty()).count();
    int newest = STATIC_ENTRIES + entered;
    for (Field field : fields) {
      if (field.value().isEmpty()) {
        number(first, INDEXED, 7, field.index());
        number(later, INDEXED, 7, field.index());
        number(plain, INDEXED, 7, field.index());
        continue;
      }
      literal(first, ENTERED, 6, field);
      literal(plain, 0, 4, field);
      number(later, INDEXED, 7, newest--); // what was entered last has the lowest number
    }
    ByteBuf plainFirst =
        UNTRACKED
            .directBuffer(256)
            .writeByte(TABLE_OF_NOTHING)
            .writeBytes(plain, 0, plain.readableBytes());
    return new H2Block(
        Unpooled.unreleasableBuffer(first),
        Unpooled.unreleasableBuffer(later),
        Unpooled.unreleasableBuffer(plainFirst),
        Unpooled.unreleasableBuffer(plain));
  }

  /**
   * The one to send.
   *
   * @param hasTable whether the peer keeps a table
   * @param isFirst whether nothing was sent on this connection before
   */
  ByteBuf choose(boolean hasTable, boolean isFirst) {
    if (hasTable) {
      return isFirst ? first : later;
    }
    return isFirst ? plainFirst : plain;
  }

  /** Adds {@code content-length}, which is never entered: it is different every time. */
  static void withLength(ByteBuf out, int length) {
    literal(out, 0, 4, new Field(CONTENT_LENGTH, "", Integer.toString(length)));
  }

  /** Most bytes that {@link #withLength} adds. */
  static final int LENGTH_BYTES = 16;

  private static void literal(ByteBuf out, int pattern, int prefix, Field field) {
    number(out, pattern, prefix, field.index());
    if (field.index() == 0) {
      text(out, field.name());
    }
    text(out, field.value());
  }

  private static void text(ByteBuf out, String text) {
    number(out, 0, 7, text.length());
    out.writeBytes(MessageFramer.ascii(text));
  }

  /** RFC 7541, 5.1. */
  private static void number(ByteBuf out, int pattern, int prefix, int value) {
    int most = (1 << prefix) - 1;
    if (value < most) {
      out.writeByte(pattern | value);
      return;
    }
    out.writeByte(pattern | most);
    int rest = value - most;
    for (; rest >= 0x80; rest >>>= 7) {
      out.writeByte((rest & 0x7f) | 0x80);
    }
    out.writeByte(rest);
  }
}
