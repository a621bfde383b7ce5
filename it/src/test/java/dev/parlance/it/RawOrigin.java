package dev.parlance.it;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An origin that gives the same bytes to every request, then closes. */
final class RawOrigin implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile byte[] answer = {};

  RawOrigin() throws IOException {
    threads.execute(this::acceptAll);
  }

  int port() {
    return server.getLocalPort();
  }

  void answer(byte[] bytes) {
    asked.clear();
    answer = bytes;
  }

  List<String> asked() {
    return List.copyOf(asked);
  }

  private void acceptAll() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        threads.execute(() -> serve(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      Optional<HttpBytes> request =
          HttpBytes.readRequest(new BufferedInputStream(socket.getInputStream()));
      if (request.isPresent()) {
        asked.add(request.get().startLine() + "\n" + request.get().text());
        socket.getOutputStream().write(answer);
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      }
    } catch (IOException gone) {
      // the sidecar has closed the connection
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.close();
  }
}
