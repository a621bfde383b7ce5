package dev.parlance.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.parlance.relay.api.Destination;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An origin that says exactly the bytes it is told to, and remembers what it was asked. */
public final class FakeOrigin implements AutoCloseable {
  /** What to do with a connection; returning closes it. */
  @FunctionalInterface
  public interface Script {
    void run(FakeOrigin origin, Socket socket) throws IOException;
  }

  private final ServerSocket server;
  private final Script script;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();

  public FakeOrigin(Script script) throws IOException {
    this.script = script;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Answers every request on a connection with these bytes and keeps it. */
  public static FakeOrigin always(String response) throws IOException {
    return new FakeOrigin((origin, socket) -> {
      while (!origin.read(socket).isEmpty()) {
        say(socket, response);
      }
    });
  }

  public static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  public static void say(Socket socket, String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
    socket.getOutputStream().flush();
  }

  public static void reset(Socket socket) throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        sockets.add(socket);
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      script.run(this, socket);
    } catch (IOException e) {
      // The other side cut the connection; the tests look at what they got.
      sockets.remove(socket);
    }
  }

  /** One request with its Content-Length body; empty at the end of the connection. */
  public String read(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!bytes.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        return "";
      }
      bytes.write(b);
    }
    String head = bytes.toString(ISO_8859_1);
    int at = head.toLowerCase(Locale.ROOT).indexOf("content-length: ");
    int length = at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf("\r\n", at)));
    String request = head + new String(in.readNBytes(length), ISO_8859_1);
    requests.add(request);
    return request;
  }

  public List<String> requests() {
    return requests;
  }

  public int connections() {
    return connections.get();
  }

  /** The connections that are open now. */
  List<Socket> sockets() {
    return List.copyOf(sockets);
  }

  public int port() {
    return server.getLocalPort();
  }

  public Destination destination() {
    return new Destination("127.0.0.1", port());
  }

  /** Closes the connections that are open now; goes on accepting. */
  public void dropConnections() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    dropConnections();
  }
}
