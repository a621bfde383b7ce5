package dev.parlance.proxy.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A client that sends exactly the bytes it is told to. */
final class RawClient implements AutoCloseable {
  /** A response as it came; header names in lower case. */
  record Reply(int status, Map<String, String> headers, String body) {
    boolean closes() {
      return "close".equals(headers.get("connection"));
    }
  }

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(10_000);
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  Socket socket() {
    return socket;
  }

  RawClient send(String text) throws IOException {
    out.write(text.getBytes(ISO_8859_1));
    out.flush();
    return this;
  }

  /** One write per byte. */
  RawClient trickle(String text) throws IOException {
    for (byte b : text.getBytes(ISO_8859_1)) {
      out.write(b);
      out.flush();
    }
    return this;
  }

  RawClient finish() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** Closes with a reset. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  Reply reply() throws IOException {
    return reply(false);
  }

  /** The next response; empty if the peer closed before its first byte. */
  Optional<Reply> replyOrEnd() throws IOException {
    int first = in.read();
    return first < 0 ? Optional.empty() : Optional.of(read(first, false));
  }

  Reply reply(boolean toHead) throws IOException {
    int first = in.read();
    if (first < 0) {
      throw new IOException("closed before a response");
    }
    return read(first, toHead);
  }

  private Reply read(int first, boolean toHead) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.write(first);
    while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("closed inside a head: " + head.toString(ISO_8859_1));
      }
      head.write(b);
    }
    String[] lines = head.toString(ISO_8859_1).split("\r\n", -1);
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = 1; i < lines.length - 2; i++) {
      int colon = lines[i].indexOf(':');
      String name = lines[i].substring(0, colon).toLowerCase(Locale.ROOT);
      if (headers.put(name, lines[i].substring(colon + 1).strip()) != null) {
        throw new IOException("twice: " + name);
      }
    }
    int status = Integer.parseInt(lines[0].substring(9, 12));
    boolean bodyless = toHead || status < 200 || status == 204 || status == 304;
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = in.readNBytes(bodyless ? 0 : length);
    if (!bodyless && body.length != length) {
      throw new IOException("closed inside a body");
    }
    return new Reply(status, headers, new String(body, ISO_8859_1));
  }

  /** Everything up to the end of the connection. */
  String rest() throws IOException {
    return new String(in.readAllBytes(), ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
