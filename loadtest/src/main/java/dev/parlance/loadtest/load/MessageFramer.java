package dev.parlance.loadtest.load;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Cuts a connection's bytes into whole HTTP/1.1 messages: Content-Length and chunked. Lean on
 * purpose, because load generator and fake upstream share a core and must not be what is measured;
 * it checks framing, and of the header fields only those it needs. Not for use against hostile
 * peers.
 */
// Failed writes and closes show as channelInactive and exceptionCaught, never in their futures
// alone.
@SuppressWarnings("FutureReturnValueIgnored")
abstract class MessageFramer extends ByteToMessageDecoder {
  private static final int HEAD_BYTES_MAX = 64 * 1024;
  private static final int BODY_BYTES_MAX = 64 * 1024 * 1024;
  private static final byte[] CONTENT_LENGTH = ascii("content-length");
  private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
  private static final byte[] CONNECTION = ascii("connection");
  private static final byte[] CHUNKED = ascii("chunked");
  private static final byte[] CLOSE = ascii("close");

  private byte[] head = new byte[1024];
  private int headLength = -1;
  private int bodyLength;
  private boolean chunked;
  private boolean closing;

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * A whole message has come in.
   *
   * @param body holds the body, without chunk framing, from {@code offset}; borrowed for the call
   */
  abstract void onMessage(ChannelHandlerContext ctx, ByteBuf body, int offset, int length);

  /** The bytes make no message; the connection is closed afterwards. */
  abstract void onMalformed(ChannelHandlerContext ctx, String what);

  /** Looks at the start line and fields of a message. The array is valid during the call only. */
  abstract void onHead(byte[] bytes, int length);

  /** True if a message without Content-Length and chunked coding has no body. */
  abstract boolean bodyIsOptional();

  /** True if the sender of the message just delivered closes the connection after it. */
  final boolean isClosing() {
    return closing;
  }

  @Override
  protected final void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (headLength < 0 && !readHead(ctx, in)) {
      return;
    }
    int bodyStart = in.readerIndex() + headLength;
    if (chunked) {
      deliverChunked(ctx, in, bodyStart);
    } else if (in.writerIndex() - bodyStart >= bodyLength) {
      int length = bodyLength;
      in.readerIndex(bodyStart + length);
      headLength = -1;
      onMessage(ctx, in, bodyStart, length);
    }
  }

  private boolean readHead(ChannelHandlerContext ctx, ByteBuf in) {
    int length = headEnd(in) - in.readerIndex();
    if (length < 0) {
      if (in.readableBytes() > HEAD_BYTES_MAX) {
        fail(ctx, in, "header block over " + HEAD_BYTES_MAX + " bytes");
      }
      return false;
    }
    if (head.length < length) {
      head = new byte[length];
    }
    in.getBytes(in.readerIndex(), head, 0, length);
    bodyLength = -1;
    chunked = false;
    closing = false;
    if (!readFields(length) || (bodyLength < 0 && !chunked && !bodyIsOptional())) {
      fail(ctx, in, "no usable Content-Length or Transfer-Encoding");
      return false;
    }
    bodyLength = Math.max(0, bodyLength);
    headLength = length;
    onHead(head, length);
    return true;
  }

  private static int headEnd(ByteBuf in) {
    int end = in.writerIndex();
    int at = in.readerIndex();
    while (at < end) {
      int lf = in.indexOf(at, end, (byte) '\n');
      if (lf < 0) {
        return -1;
      }
      if (lf + 2 < end && in.getByte(lf + 1) == '\r' && in.getByte(lf + 2) == '\n') {
        return lf + 3;
      }
      at = lf + 1;
    }
    return -1;
  }

  private boolean readFields(int length) {
    int at = lineEnd(head, 0, length) + 2;
    while (at < length - 2) {
      int end = lineEnd(head, at, length);
      if (startsWith(head, at, end, CONTENT_LENGTH)) {
        bodyLength = number(head, at + CONTENT_LENGTH.length + 1, end);
        if (bodyLength < 0 || bodyLength > BODY_BYTES_MAX) {
          return false;
        }
      } else if (startsWith(head, at, end, TRANSFER_ENCODING)) {
        chunked = contains(head, at, end, CHUNKED);
      } else if (startsWith(head, at, end, CONNECTION)) {
        closing = contains(head, at, end, CLOSE);
      }
      at = end + 2;
    }
    return true;
  }

  /**
   * Delivers a chunked message once its last chunk is there; until then looks again from its start.
   */
  private void deliverChunked(ChannelHandlerContext ctx, ByteBuf in, int bodyStart) {
    ByteBuf body = ctx.alloc().buffer();
    try {
      int at = bodyStart;
      while (true) {
        int lf = in.indexOf(at, in.writerIndex(), (byte) '\n');
        if (lf < 0) {
          return;
        }
        int size = chunkSize(in, at, lf);
        if (size < 0 || body.readableBytes() + size > BODY_BYTES_MAX) {
          fail(ctx, in, "bad chunk size");
          return;
        }
        if (in.writerIndex() < lf + 1 + size + 2) {
          return;
        }
        at = lf + 1 + size + 2;
        if (in.getByte(at - 2) != '\r' || in.getByte(at - 1) != '\n') {
          fail(ctx, in, size == 0 ? "trailers are not read here" : "chunk without line end");
          return;
        }
        if (size == 0) {
          break;
        }
        body.writeBytes(in, lf + 1, size);
      }
      in.readerIndex(at);
      headLength = -1;
      onMessage(ctx, body, 0, body.readableBytes());
    } finally {
      body.release();
    }
  }

  private static int chunkSize(ByteBuf in, int from, int lf) {
    int size = 0;
    int i = from;
    for (; i < lf && i - from < 7; i++) {
      int digit = Character.digit(in.getByte(i), 16);
      if (digit < 0) {
        break;
      }
      size = size * 16 + digit;
    }
    return i > from && i == lf - 1 && in.getByte(i) == '\r' ? size : -1;
  }

  private void fail(ChannelHandlerContext ctx, ByteBuf in, String what) {
    in.readerIndex(in.writerIndex());
    headLength = -1;
    onMalformed(ctx, what);
    ctx.close();
  }

  private static int lineEnd(byte[] bytes, int from, int length) {
    int i = from;
    while (i < length && bytes[i] != '\r') {
      i++;
    }
    return i;
  }

  /** True if the field at {@code from} has this name, given in lower case. */
  static boolean startsWith(byte[] bytes, int from, int end, byte[] name) {
    if (end - from <= name.length || bytes[from + name.length] != ':') {
      return false;
    }
    for (int i = 0; i < name.length; i++) {
      if (lower(bytes[from + i]) != name[i]) {
        return false;
      }
    }
    return true;
  }

  /** True if {@code what}, given in lower case, stands somewhere in the range. */
  static boolean contains(byte[] bytes, int from, int end, byte[] what) {
    for (int at = from; at <= end - what.length; at++) {
      int i = 0;
      while (i < what.length && lower(bytes[at + i]) == what[i]) {
        i++;
      }
      if (i == what.length) {
        return true;
      }
    }
    return false;
  }

  private static int number(byte[] bytes, int from, int end) {
    long value = -1;
    for (int i = from; i < end; i++) {
      if (bytes[i] == ' ' || bytes[i] == '\t') {
        continue;
      }
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9 || value > BODY_BYTES_MAX) {
        return -1;
      }
      value = Math.max(0, value) * 10 + digit;
    }
    return (int) Math.min(value, Integer.MAX_VALUE);
  }

  private static int lower(byte b) {
    return b >= 'A' && b <= 'Z' ? b + 32 : b;
  }
}
