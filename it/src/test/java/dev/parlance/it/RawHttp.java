package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/** A client that sends exactly the bytes it is told to. */
final class RawHttp implements AutoCloseable {
  private static final int PATIENCE_MS = 30_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  RawHttp(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** Each character is one byte. */
  RawHttp send(String latin1) throws IOException {
    return send(latin1.getBytes(ISO_8859_1));
  }

  RawHttp send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
    return this;
  }

  /** Says that nothing more comes. */
  RawHttp finish() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** Closes with a reset. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  HttpBytes reply() throws IOException {
    return reply(false);
  }

  HttpBytes reply(boolean toHead) throws IOException {
    return HttpBytes.readResponse(in, toHead)
        .orElseThrow(() -> new IOException("closed before a response"));
  }

  /** What has come, at least one byte; empty at the end. */
  String some() throws IOException {
    byte[] read = new byte[8192];
    int length = in.read(read);
    return length < 0 ? "" : new String(read, 0, length, ISO_8859_1);
  }

  /** Everything up to the end of the connection. */
  String rest() throws IOException {
    return new String(in.readAllBytes(), ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** True if a port takes no connection, or ends it without a word. */
  static boolean isTurnedAway(int port) {
    try (RawHttp client = new RawHttp(port)) {
      return client.rest().isEmpty();
    } catch (IOException refused) {
      return true;
    }
  }
}
