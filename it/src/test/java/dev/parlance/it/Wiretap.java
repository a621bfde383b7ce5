package dev.parlance.it;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Passes bytes on unchanged, both ways, and keeps a copy of what it passed. */
final class Wiretap implements AutoCloseable {
  /** One request and its response as they stood on the wire. */
  record Exchange(HttpBytes request, HttpBytes response) {}

  /** Both directions of one connection, and when each piece on the way up came. */
  private record Line(
      ByteArrayOutputStream up, ByteArrayOutputStream down, NavigableMap<Integer, Integer> pieces) {
    int orderOf(int offset) {
      return pieces.floorEntry(offset).getValue();
    }
  }

  private final ServerSocket server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<Line> lines = new CopyOnWriteArrayList<>();
  private final AtomicInteger pieces = new AtomicInteger();
  private volatile int target;

  /** Takes a port; {@link #to} says where it leads before anybody connects. */
  Wiretap() throws IOException {
    server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    threads.execute(this::acceptAll);
  }

  Wiretap to(int port) {
    target = port;
    return this;
  }

  int port() {
    return server.getLocalPort();
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  private void acceptAll() {
    while (!server.isClosed()) {
      try {
        Socket near = server.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(near);
        open.add(far);
        Line line =
            new Line(
                new ByteArrayOutputStream(),
                new ByteArrayOutputStream(),
                new ConcurrentSkipListMap<>());
        lines.add(line);
        threads.execute(() ->
            pump(near, far, line.up, offset -> line.pieces.put(offset, pieces.incrementAndGet())));
        threads.execute(() -> pump(far, near, line.down, offset -> {}));
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new IllegalStateException("the tap cannot connect", e);
        }
      }
    }
  }

  private static void pump(Socket from, Socket to, ByteArrayOutputStream copy, IntConsumer begun) {
    byte[] buffer = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int read = in.read(buffer);
      while (read >= 0) {
        begun.accept(copy.size());
        copy.write(buffer, 0, read);
        out.write(buffer, 0, read);
        out.flush();
        read = in.read(buffer);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // Either side may leave first; what passed until then is in the copy.
      copy.size();
    }
  }

  /** Every stream of HTTP/2 by prior knowledge that has passed. */
  List<H2Bytes> streams() throws IOException {
    List<H2Bytes> all = new ArrayList<>();
    for (Line line : lines) {
      byte[] sent = line.up.toByteArray();
      if (H2Bytes.isPreface(sent)) {
        all.addAll(H2Bytes.streams(sent, line.down.toByteArray()));
      }
    }
    return all;
  }

  /** Every whole exchange of HTTP/1.1 that has passed, in the order in which they began. */
  List<Exchange> exchanges() throws IOException {
    NavigableMap<Integer, Exchange> all = new TreeMap<>();
    for (Line line : lines) {
      byte[] sent = line.up.toByteArray();
      if (H2Bytes.isPreface(sent)) {
        continue;
      }
      InputStream up = new ByteArrayInputStream(sent);
      InputStream down = new ByteArrayInputStream(line.down.toByteArray());
      int begins = 0;
      Optional<HttpBytes> request = HttpBytes.readRequest(up);
      while (request.isPresent()) {
        Optional<HttpBytes> response = HttpBytes.readCopied(down);
        if (response.isEmpty()) {
          break;
        }
        all.put(line.orderOf(begins), new Exchange(request.get(), response.get()));
        begins = sent.length - up.available();
        request = HttpBytes.readRequest(up);
      }
    }
    return List.copyOf(all.values());
  }

  /** The exchanges that carried a message. */
  List<Exchange> messages() throws IOException {
    return exchanges().stream()
        .filter(exchange -> exchange.request().startLine().startsWith("POST "))
        .toList();
  }

  /** The body of the agent card that passed. */
  byte[] card() throws IOException {
    return exchanges().stream()
        .filter(exchange -> exchange.request().startLine().contains("/.well-known/agent-card.json"))
        .findFirst()
        .orElseThrow()
        .response()
        .body();
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
