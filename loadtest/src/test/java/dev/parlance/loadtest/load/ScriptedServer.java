package dev.parlance.loadtest.load;

import io.netty.buffer.Unpooled;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An upstream that misbehaves as a test wants; one virtual thread per connection. */
public final class ScriptedServer implements AutoCloseable {
  private static final Pattern LENGTH =
      Pattern.compile("content-length: *([0-9]+)", Pattern.CASE_INSENSITIVE);

  /** What the server does with one request. */
  interface Script {
    /**
     * FakeUpstream.UpstreamAnswers request number {@code n} (from 1, over all connections) as it
     * likes.
     *
     * @return false to close the connection
     */
    boolean answer(int n, long id, OutputStream out) throws IOException, InterruptedException;
  }

  private final ServerSocket listener;
  private final Script script;
  private final AtomicInteger requests = new AtomicInteger();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Thread acceptor = Thread.ofVirtual().unstarted(this::accept);

  ScriptedServer(Script script) throws IOException {
    this.script = script;
    listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    acceptor.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  int requests() {
    return requests.get();
  }

  /** A whole response with this status and body. */
  static byte[] response(int status, String body) {
    return ("HTTP/1.1 "
            + status
            + " Whatever\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** An answer to this id that is at least {@code bytes} long. */
  static byte[] result(long id, int bytes) {
    return response(
        200, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":\"" + "x".repeat(bytes) + "\"}");
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      assertClosed();
    }
  }

  private void assertClosed() {
    if (!listener.isClosed()) {
      throw new IllegalStateException("the test server stopped accepting");
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      boolean keep = true;
      while (keep) {
        byte[] body = request(in);
        if (body.length == 0) {
          return;
        }
        long id = JsonRpcHead.read(Unpooled.wrappedBuffer(body), 0, body.length).id();
        keep = script.answer(requests.incrementAndGet(), id, socket.getOutputStream());
      }
    } catch (IOException e) {
      sockets.remove(socket); // the load generator went away
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The body of the next request; empty at the end of the connection. */
  static byte[] request(InputStream in) throws IOException {
    String head = head(in);
    Matcher length = LENGTH.matcher(head);
    return length.find() ? in.readNBytes(Integer.parseInt(length.group(1))) : new byte[0];
  }

  /** Bytes up to and with the empty line; shorter at the end of the connection. */
  public static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int last = 0;
    for (int b = in.read(); b >= 0; b = in.read()) {
      head.write(b);
      last = last << 8 | b;
      if (last == 0x0D0A0D0A) {
        break;
      }
    }
    return head.toString(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
