package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** An agent whose answers a test writes down; remembers what it was asked. */
final class StubAgent implements AutoCloseable {
  /** What it answers. */
  @SuppressWarnings("ArrayRecordComponent") // read only
  record Reply(int status, String fields, byte[] body) {
    static Reply json(String body) {
      return new Reply(200, "Content-Type: application/json\r\n", body.getBytes(UTF_8));
    }
  }

  private final ServerSocket server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<HttpBytes> asked = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicReference<Function<HttpBytes, Reply>> script;

  StubAgent(Function<HttpBytes, Reply> script) throws IOException {
    this(new ServerSocket(0, 1024, InetAddress.getLoopbackAddress()), script);
  }

  /** One that listens where the socket does, which is closed with it. */
  StubAgent(ServerSocket server, Function<HttpBytes, Reply> script) {
    this.script = new AtomicReference<>(script);
    this.server = server;
    threads.execute(this::acceptAll);
  }

  /** Answers otherwise from now on. */
  void answer(Function<HttpBytes, Reply> otherwise) {
    script.set(otherwise);
  }

  private void acceptAll() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        connections.incrementAndGet();
        open.add(socket);
        threads.execute(() -> serve(socket));
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new IllegalStateException("the agent cannot accept", e);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      Optional<HttpBytes> request = HttpBytes.readRequest(in);
      while (request.isPresent()) {
        asked.add(request.get());
        Reply reply = script.get().apply(request.get());
        out.write(
            "HTTP/1.1 %d x\r\n%sContent-Length: %d\r\n\r\n"
                .formatted(reply.status(), reply.fields(), reply.body().length)
                .getBytes(ISO_8859_1));
        out.write(reply.body());
        out.flush();
        request = HttpBytes.readRequest(in);
      }
    } catch (IOException e) {
      // The sidecar went away, which several tests make it do; what counts is what it was told.
      connections.get();
    } finally {
      open.remove(socket);
    }
  }

  int port() {
    return server.getLocalPort();
  }

  /** What reached it whole, in order. */
  List<HttpBytes> asked() {
    return asked;
  }

  /** Connections it ever took. */
  int connections() {
    return connections.get();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
    threads.shutdownNow();
    threads.close();
  }
}
