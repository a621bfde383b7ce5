package dev.parlance.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A network that is slow and now and then breaks: passes bytes on unchanged, each piece later by a
 * time of its own.
 */
final class SlowRelay implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final int mostMs;
  private final int piecesToCut;
  private final Random random;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Begins to listen.
   *
   * @param mostMs longest delay of a piece
   * @param piecesToCut after about so many pieces a connection breaks; 0: none does
   */
  SlowRelay(int target, int mostMs, int piecesToCut, long seed) throws IOException {
    this.target = target;
    this.mostMs = mostMs;
    this.piecesToCut = piecesToCut;
    this.random = new Random(seed);
    server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    threads.execute(this::acceptAll);
  }

  int port() {
    return server.getLocalPort();
  }

  private void acceptAll() {
    while (!server.isClosed()) {
      try {
        Socket near = server.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        open.add(near);
        open.add(far);
        threads.execute(() -> pump(near, far));
        threads.execute(() -> pump(far, near));
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new IllegalStateException("the relay cannot connect", e);
        }
      }
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int read = in.read(buffer);
      while (read >= 0) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(1_000 * mostMs + 1)));
        if (piecesToCut > 0 && random.nextInt(piecesToCut) == 0) {
          break;
        }
        out.write(buffer, 0, read);
        out.flush();
        read = in.read(buffer);
      }
    } catch (IOException e) {
      // Either side may leave first, and nobody needs to know which.
      open.remove(from);
    }
    open.remove(from);
    open.remove(to);
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
    threads.close();
  }
}
