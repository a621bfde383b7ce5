package dev.parlance.loadtest;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that ask for megabytes and then read a few bytes each second, each on a socket of its own
 * with a small receive buffer, so that nearly all that was asked for has to wait somewhere.
 */
final class SlowReaders implements AutoCloseable {
  private static final int RECEIVE_BUFFER_BYTES = 4096;
  private static final int BYTES_PER_SECOND = 8;

  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger reading = new AtomicInteger();
  private final AtomicInteger broken = new AtomicInteger();
  private final AtomicLong bytesRead = new AtomicLong();
  private volatile boolean closed;

  /** Opens all of them; each reads on until this closes. */
  SlowReaders(int count, int port, byte[] request) throws IOException {
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
      sockets.add(socket);
      socket.getOutputStream().write(request);
      Thread.ofVirtual().start(() -> read(socket));
    }
  }

  private void read(Socket socket) {
    byte[] buffer = new byte[BYTES_PER_SECOND];
    boolean first = true;
    try (socket) {
      InputStream in = socket.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        bytesRead.addAndGet(read);
        if (first) {
          first = false;
          reading.incrementAndGet();
        }
        Thread.sleep(1000);
      }
      lost();
    } catch (IOException e) {
      lost();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lost() {
    if (!closed) {
      broken.incrementAndGet();
    }
  }

  /** How many have had something to read. */
  int reading() {
    return reading.get();
  }

  /** How many lost their stream. */
  int broken() {
    return broken.get();
  }

  /** Bytes that all of them have read. */
  long bytesRead() {
    return bytesRead.get();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
