package dev.parlance.loadtest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Frames of HTTP/2 (RFC 9113, 4.1) as bytes.
 *
 * <pre>
 *   | length 24 | type 8 | flags 8 | 0 and stream 31 | payload |
 * </pre>
 */
final class H2Frames {
  /** What a client says first. */
  static final byte[] PREFACE = MessageFramer.ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

  static final int FRAME_HEAD = 9;
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;
  static final int PADDED = 8;
  static final int PRIORITY = 0x20;

  private H2Frames() {}

  /** Appends what stands before a payload. */
  static void head(ByteBuf out, int length, int type, int flags, int stream) {
    out.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
  }

  /** A new buffer with the header block of a message, and room for a body of this size. */
  static ByteBuf headers(ByteBufAllocator alloc, int stream, ByteBuf fieldBlock, int size) {
    int most = fieldBlock.readableBytes() + H2Block.LENGTH_BYTES;
    ByteBuf out = alloc.directBuffer(2 * FRAME_HEAD + most + size);
    head(out, 0, HEADERS, END_HEADERS, stream);
    out.writeBytes(fieldBlock, fieldBlock.readerIndex(), fieldBlock.readableBytes());
    H2Block.withLength(out, size);
    return out.setMedium(0, out.readableBytes() - FRAME_HEAD);
  }

  /** A whole frame with one number for payload. */
  static ByteBuf frame(ByteBufAllocator alloc, int type, int stream, int value) {
    ByteBuf out = alloc.directBuffer(FRAME_HEAD + 4);
    head(out, 4, type, 0, stream);
    return out.writeInt(value);
  }
}
