package dev.parlance.proxy.main;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The agent of a warm-up: answers each request on loopback with the next of its answers. */
final class WarmUpAgent implements AutoCloseable {
  private static final int BACKLOG = 16;
  private static final int STACK_BYTES = 128 * 1024;

  private final ServerSocket server;
  private final Collection<Socket> connections = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answers = new AtomicInteger();

  private WarmUpAgent(ServerSocket server) {
    this.server = server;
  }

  static WarmUpAgent start() throws IOException {
    WarmUpAgent agent =
        new WarmUpAgent(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
    thread(agent::accept);
    return agent;
  }

  int port() {
    return server.getLocalPort();
  }

  private static void thread(Runnable work) {
    Thread thread = new Thread(null, work, "warm-up-agent", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = server.accept();
        connections.add(connection);
        thread(() -> serve(connection));
      }
    } catch (IOException e) {
      // closed: the warm-up is over
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      InputStream in = connection.getInputStream();
      HttpPiece request = new HttpPiece();
      while (request.read(in)) {
        connection.getOutputStream().write(WarmUpTexts.answer(answers.getAndIncrement()));
      }
    } catch (IOException e) {
      // the caller sees that its connection has ended
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket connection : connections) {
      connection.close();
    }
  }
}
