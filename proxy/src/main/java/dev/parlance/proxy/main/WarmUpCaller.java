package dev.parlance.proxy.main;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** The caller of a warm-up: one connection, one request at a time. */
final class WarmUpCaller implements AutoCloseable {
  private static final long NS_PER_MS = 1_000_000;
  private static final String OK = "HTTP/1.1 200 ";

  private final Socket socket;
  private final HttpPiece answer = new HttpPiece();

  WarmUpCaller(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
  }

  /**
   * Sends a request and waits for the answer.
   *
   * @param number of the request
   * @param deadlineNs on the clock of {@link System#nanoTime}
   * @return false if the time was up
   * @throws IOException if the answer is not the agent's
   */
  boolean ask(int number, long deadlineNs) throws IOException {
    long leftMs = (deadlineNs - System.nanoTime()) / NS_PER_MS;
    if (leftMs < 1) {
      return false;
    }
    socket.setSoTimeout((int) Math.min(leftMs, Integer.MAX_VALUE));
    socket.getOutputStream().write(WarmUpTexts.request(number));
    try {
      if (!answer.read(socket.getInputStream())) {
        throw new IOException("the connection ended without an answer");
      }
    } catch (SocketTimeoutException e) {
      return false;
    }
    if (!answer.head().startsWith(OK)) {
      throw new IOException("expected 200, got " + answer.head().lines().findFirst().orElse(""));
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
