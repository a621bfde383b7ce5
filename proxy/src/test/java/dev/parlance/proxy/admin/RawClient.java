package dev.parlance.proxy.admin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** HTTP/1.1 by hand: a test has to be able to say things that no HTTP client says. */
final class RawClient implements AutoCloseable {
  /** What came back. */
  record Answer(int status, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  private final Socket socket;
  private final InputStream in;

  public RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    in = socket.getInputStream();
  }

  public void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  Answer read() throws IOException {
    return read(true);
  }

  /** The answer to a HEAD request: its length is said, its body is not sent. */
  Answer readHead() throws IOException {
    return read(false);
  }

  private Answer read(boolean withBody) throws IOException {
    String[] status = line().split(" ", 3);
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int length = withBody ? Integer.parseInt(headers.getOrDefault("content-length", "0")) : 0;
    byte[] body = in.readNBytes(length);
    return new Answer(
        Integer.parseInt(status[1]), headers, new String(body, StandardCharsets.ISO_8859_1));
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("closed");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** True once the other side has closed. */
  boolean isClosedByPeer() throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException e) {
      // A reset is a way to close, too.
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
