package dev.parlance.proxy.main;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/**
 * An agent that answers each connection with bytes that a test wrote down, and remembers what came.
 */
final class RawAgent implements AutoCloseable {
  /** Of an answer that does not say itself what becomes of its connection. */
  private static final Pattern STATUS_LINE =
      Pattern.compile(
          "\\AHTTP/1\\.1 [^\r\n]*\r\n(?!(?:[^\r\n]+\r\n)*connection *:)", Pattern.CASE_INSENSITIVE);

  private final ServerSocket server;
  private final AtomicReference<byte[]> reply = new AtomicReference<>(new byte[0]);
  private final ByteArrayOutputStream asked = new ByteArrayOutputStream();

  private RawAgent(ServerSocket server) {
    this.server = server;
  }

  static RawAgent start() {
    try {
      RawAgent agent = new RawAgent(new ServerSocket(0, 64, InetAddress.getLoopbackAddress()));
      Thread.ofVirtual().name("raw-agent").start(agent::accept);
      return agent;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return server.getLocalPort();
  }

  /**
   * What is answered from now on; what was asked is forgotten. That the connection ends is said in
   * it: the next request would be lost on one that a sidecar keeps and this agent is about to
   * close.
   */
  synchronized void script(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    reply.set(
        STATUS_LINE
            .matcher(text)
            .replaceFirst("$0Connection: close\r\n")
            .getBytes(StandardCharsets.ISO_8859_1));
    asked.reset();
  }

  /** Everything that came since the script was set. */
  synchronized byte[] asked() {
    return asked.toByteArray();
  }

  private synchronized void came(byte[] bytes) {
    asked.writeBytes(bytes);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> answer(socket));
      } catch (SocketException closed) {
        return;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void answer(Socket socket) {
    try (socket) {
      if (request(socket.getInputStream())) {
        socket.getOutputStream().write(reply.get());
      }
    } catch (IOException gone) {
      // The sidecar cuts connections whose bytes it refuses; what came before is recorded.
      assert gone.getMessage() != null;
    }
  }

  /** Reads one request; false if the connection was closed before. */
  private boolean request(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!endsWith(head, "\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      head.write(next);
    }
    came(head.toByteArray());
    String text = head.toString(StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    int at = text.indexOf("content-length:");
    if (at >= 0) {
      int length = Integer.parseInt(text.substring(at + 15, text.indexOf('\r', at)).strip());
      came(in.readNBytes(length));
    } else if (text.contains("transfer-encoding:")) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      while (!endsWith(body, "0\r\n\r\n")) {
        int next = in.read();
        if (next < 0) {
          break;
        }
        body.write(next);
      }
      came(body.toByteArray());
    }
    return true;
  }

  private static boolean endsWith(ByteArrayOutputStream bytes, String end) {
    String text = bytes.toString(StandardCharsets.ISO_8859_1);
    return text.endsWith(end);
  }

  /** All bytes until the peer closes or cuts the connection. */
  static byte[] readToEnd(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    try {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        all.write(buffer, 0, read);
      }
    } catch (SocketException cut) {
      // A stream that cannot be ended in its protocol is reset; what came before counts.
      return all.toByteArray();
    }
    return all.toByteArray();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
