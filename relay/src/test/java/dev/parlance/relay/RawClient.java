package dev.parlance.relay;

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
public final class RawClient implements AutoCloseable {
  /** A response as it came; header names in lower case. */
  public record Reply(int status, Map<String, String> headers, String body) {
    boolean closes() {
      return "close".equals(headers.get("connection"));
    }
  }

  /** A chunked response as it came, with its trailers. */
  record Streamed(
      int status, Map<String, String> headers, String body, Map<String, String> trailers) {}

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  public RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  Socket socket() {
    return socket;
  }

  public RawClient send(String text) throws IOException {
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

  public Reply reply() throws IOException {
    return reply(false);
  }

  /** The next response; empty if the peer closed before its first byte. */
  Optional<Reply> replyOrEnd() throws IOException {
    int first = in.read();
    return first < 0 ? Optional.empty() : Optional.of(read(first, false));
  }

  public Reply reply(boolean toHead) throws IOException {
    int first = in.read();
    if (first < 0) {
      throw new IOException("closed before a response");
    }
    return read(first, toHead);
  }

  /** Reads up to and including this text. */
  String until(String text) throws IOException {
    return until("", text);
  }

  private String until(String before, String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(before.getBytes(ISO_8859_1));
    byte last = (byte) text.charAt(text.length() - 1);
    while (true) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("closed before " + text + ": " + bytes.toString(ISO_8859_1));
      }
      bytes.write(b);
      if (b == last && bytes.toString(ISO_8859_1).endsWith(text)) {
        return bytes.toString(ISO_8859_1);
      }
    }
  }

  /** A chunked response up to its end; one that breaks off is an exception. */
  Streamed streamed() throws IOException {
    String head = until("\r\n\r\n");
    Map<String, String> headers = fields(head);
    if (!"chunked".equals(headers.get("transfer-encoding"))) {
      throw new IOException("not chunked: " + head);
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int length;
    do {
      String line = until("\r\n");
      length = Integer.parseInt(line.substring(0, line.length() - 2), 16);
      byte[] piece = in.readNBytes(length);
      if (piece.length != length) {
        throw new IOException("closed inside a chunk");
      }
      body.writeBytes(piece);
      if (length > 0 && !until("\r\n").equals("\r\n")) {
        throw new IOException("no line end behind a chunk");
      }
    } while (length > 0);
    StringBuilder trailers = new StringBuilder("\r\n");
    for (String line = until("\r\n"); !line.equals("\r\n"); line = until("\r\n")) {
      trailers.append(line);
    }
    return new Streamed(
        status(head), headers, body.toString(ISO_8859_1), fields(trailers + "\r\n"));
  }

  private static int status(String head) {
    return Integer.parseInt(head.substring(9, 12));
  }

  private static Map<String, String> fields(String head) throws IOException {
    String[] lines = head.split("\r\n", -1);
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = 1; i < lines.length - 2; i++) {
      int colon = lines[i].indexOf(':');
      String name = lines[i].substring(0, colon).toLowerCase(Locale.ROOT);
      if (headers.put(name, lines[i].substring(colon + 1).strip()) != null) {
        throw new IOException("twice: " + name);
      }
    }
    return headers;
  }

  private Reply read(int first, boolean toHead) throws IOException {
    String head = until(Character.toString(first), "\r\n\r\n");
    Map<String, String> headers = fields(head);
    int status = status(head);
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
