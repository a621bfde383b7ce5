package dev.parlance.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** An HTTP/2 client that writes its frames by hand, also those that no library would write. */
final class H2RawClient implements AutoCloseable {
  static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
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

  /** One frame as it came. */
  @SuppressWarnings("ArrayRecordComponent") // frames are looked at, never compared
  record Frame(int type, int flags, int stream, byte[] payload) {
    /** The error of a RST_STREAM or GOAWAY. */
    Http2Error error() {
      return Http2Error.valueOf(ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0));
    }

    int lastStream() {
      return ByteBuffer.wrap(payload).getInt();
    }

    boolean ends() {
      return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
    }
  }

  /** A response put together; {@code reset} if it did not come to its end. */
  record Reply(
      int status,
      Map<String, String> headers,
      String body,
      Map<String, String> trailers,
      Optional<Http2Error> reset) {}

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final DefaultHttp2HeadersDecoder fields = new DefaultHttp2HeadersDecoder(false, 65_536);

  private boolean givesWindows = true;

  private H2RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** Gives no window for what it reads. */
  H2RawClient withholdWindows() {
    givesWindows = false;
    return this;
  }

  /** Connects and says nothing. */
  static H2RawClient silent(int port) throws IOException {
    return new H2RawClient(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** Connects, says preface and empty SETTINGS, and acknowledges those of the server. */
  static H2RawClient connect(int port) throws IOException {
    return connect(port, new byte[0]);
  }

  static H2RawClient connect(int port, byte[] settings) throws IOException {
    H2RawClient client = silent(port);
    client.raw(PREFACE.getBytes(US_ASCII));
    client.frame(SETTINGS, 0, 0, settings);
    client.await(frame -> frame.type() == SETTINGS && (frame.flags() & ACK) == 0);
    client.frame(SETTINGS, ACK, 0, new byte[0]);
    return client;
  }

  Socket socket() {
    return socket;
  }

  H2RawClient raw(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  H2RawClient frame(int type, int flags, int stream, byte[] payload) throws IOException {
    return raw(bytes(type, flags, stream, payload));
  }

  static byte[] bytes(int type, int flags, int stream, byte[] payload) {
    ByteBuffer buffer = ByteBuffer.allocate(9 + payload.length);
    buffer.putInt((payload.length << 8) | type).put((byte) flags).putInt(stream).put(payload);
    return buffer.array();
  }

  /** HPACK literals without indexing or Huffman: name, value, name, value. */
  static byte[] block(String... fields) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < fields.length; i += 2) {
      block.write(0);
      literal(block, fields[i]);
      literal(block, fields[i + 1]);
    }
    return block.toByteArray();
  }

  private static void literal(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    if (bytes.length < 127) {
      block.write(bytes.length);
    } else {
      block.write(127);
      int rest = bytes.length - 127;
      while (rest >= 128) {
        block.write((rest & 127) | 128);
        rest >>= 7;
      }
      block.write(rest);
    }
    block.writeBytes(bytes);
  }

  /** The fields of a request, with more behind them. */
  static String[] request(String method, String path, String... more) {
    String[] first = {
      ":method", method, ":scheme", "http", ":path", path, ":authority", "agent.test"
    };
    String[] all = Arrays.copyOf(first, first.length + more.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    return all;
  }

  H2RawClient headers(int stream, boolean end, String... fields) throws IOException {
    return frame(HEADERS, END_HEADERS | (end ? END_STREAM : 0), stream, block(fields));
  }

  H2RawClient get(int stream, String path) throws IOException {
    return headers(stream, true, request("GET", path));
  }

  H2RawClient post(int stream, String path, String body) throws IOException {
    headers(stream, false, request("POST", path));
    return data(stream, true, body);
  }

  /** A whole body, in frames of the largest size. */
  H2RawClient data(int stream, boolean end, String body) throws IOException {
    byte[] bytes = body.getBytes(ISO_8859_1);
    int at = 0;
    do {
      int length = Math.min(16_384, bytes.length - at);
      boolean last = at + length == bytes.length;
      frame(DATA, last && end ? END_STREAM : 0, stream, Arrays.copyOfRange(bytes, at, at + length));
      at += length;
    } while (at < bytes.length);
    return this;
  }

  static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  static byte[] setting(int id, int value) {
    return ByteBuffer.allocate(6).putShort((short) id).putInt(value).array();
  }

  H2RawClient reset(int stream, Http2Error error) throws IOException {
    return frame(RST_STREAM, 0, stream, number((int) error.code()));
  }

  H2RawClient window(int stream, int increment) throws IOException {
    return frame(WINDOW_UPDATE, 0, stream, number(increment));
  }

  H2RawClient ping() throws IOException {
    return frame(PING, 0, 0, new byte[8]);
  }

  /** The next frame; empty at the end of the connection, however it ended. */
  Optional<Frame> next() throws IOException {
    try {
      int head = in.readInt();
      int flags = in.readUnsignedByte();
      int stream = in.readInt() & Integer.MAX_VALUE;
      byte[] payload = in.readNBytes(head >>> 8);
      return Optional.of(new Frame(head & 0xff, flags, stream, payload));
    } catch (EOFException | SocketException e) {
      return Optional.empty();
    }
  }

  /** Reads on to the first frame of this kind. */
  Frame await(Predicate<Frame> wanted) throws IOException {
    while (true) {
      Frame frame = next().orElseThrow(() -> new IOException("ended before the awaited frame"));
      if (wanted.test(frame)) {
        return frame;
      }
    }
  }

  /** Everything that comes of this stream up to its end, other frames passed over. */
  Reply reply(int stream) throws IOException {
    Map<String, String> headers = new LinkedHashMap<>();
    Map<String, String> trailers = new LinkedHashMap<>();
    StringBuilder body = new StringBuilder();
    int status = 0;
    while (true) {
      Frame frame = next().orElseThrow(() -> new IOException("ended before the reply"));
      if (frame.type() == HEADERS) {
        Map<String, String> block = decode(frame);
        if (frame.stream() == stream) {
          String said = block.remove(":status");
          if (said == null) {
            trailers.putAll(block);
          } else if (!said.startsWith("1")) {
            status = Integer.parseInt(said);
            headers.putAll(block);
          }
        }
      }
      if (givesWindows && frame.type() == DATA && frame.payload().length > 0) {
        window(0, frame.payload().length);
        if (!frame.ends()) {
          window(frame.stream(), frame.payload().length);
        }
      }
      if (frame.stream() != stream) {
        continue;
      }
      if (frame.type() == DATA) {
        body.append(new String(frame.payload(), ISO_8859_1));
      }
      if (frame.type() == RST_STREAM) {
        return new Reply(status, headers, body.toString(), trailers, Optional.of(frame.error()));
      }
      if (frame.ends()) {
        return new Reply(status, headers, body.toString(), trailers, Optional.empty());
      }
    }
  }

  Map<String, String> decode(Frame frame) throws IOException {
    Map<String, String> block = new LinkedHashMap<>();
    try {
      Http2Headers decoded =
          fields.decodeHeaders(frame.stream(), Unpooled.wrappedBuffer(frame.payload()));
      decoded.forEach(field -> block.put(field.getKey().toString(), field.getValue().toString()));
    } catch (Http2Exception e) {
      throw new IOException(e);
    }
    return block;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
