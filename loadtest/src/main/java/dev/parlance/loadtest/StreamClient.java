package dev.parlance.loadtest;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client with one connection that asks for one stream after the other and reads each whole. */
final class StreamClient implements AutoCloseable {
  private static final int READ_BYTES = 256 * 1024;
  private static final int TIMEOUT_MS = 120_000;
  private static final byte[] TEXT = ascii(StreamBytes.TEXT_EVENT);
  private static final byte[] COMPLETED = ascii(StreamBytes.COMPLETED);

  /**
   * When things came, from the moment the request was written.
   *
   * @param firstByteNs the first byte of the answer
   * @param firstTextNs the first event with text of the answer; -1 if there was none
   * @param wholeNs the end of the body
   * @param bytes of the body, without its chunk framing
   * @param completed true if the stream said that the task is complete
   */
  record Timing(long firstByteNs, long firstTextNs, long wholeNs, long bytes, boolean completed) {}

  private final Socket socket;
  private final byte[] buffer = new byte[READ_BYTES];

  StreamClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MS);
  }

  /** Asks and reads to the end; an answer that is no stream, or breaks off, is an exception. */
  Timing ask(byte[] request) throws IOException {
    InputStream in = socket.getInputStream();
    long start = System.nanoTime();
    socket.getOutputStream().write(request);
    ChunkedEnd end = new ChunkedEnd();
    Needle text = new Needle(TEXT);
    Needle completed = new Needle(COMPLETED);
    StringBuilder head = new StringBuilder(512);
    long firstByteNs = -1;
    long firstTextNs = -1;
    while (!end.reached()) {
      int read = in.read(buffer);
      long nowNs = System.nanoTime() - start;
      if (read < 0) {
        throw new IOException("the stream broke off after " + end.dataBytes() + " bytes");
      }
      firstByteNs = firstByteNs < 0 ? nowNs : firstByteNs;
      int from = 0;
      while (from < read && !isHead(head)) {
        head.append((char) buffer[from++]);
        if (isHead(head)) {
          check(head.toString());
        }
      }
      end.take(buffer, from, read);
      if (text.find(buffer, from, read) && firstTextNs < 0) {
        firstTextNs = nowNs;
      }
      completed.find(buffer, from, read);
    }
    return new Timing(
        firstByteNs, firstTextNs, System.nanoTime() - start, end.dataBytes(), completed.found());
  }

  private static boolean isHead(StringBuilder head) {
    return head.length() >= 4 && head.indexOf("\r\n\r\n", head.length() - 4) >= 0;
  }

  private static void check(String head) throws IOException {
    String lower = head.toLowerCase(Locale.ROOT);
    if (!head.startsWith("HTTP/1.1 200 ") || !lower.contains("transfer-encoding: chunked")) {
      throw new IOException("no stream came back: " + head.lines().findFirst().orElse(""));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Finds a text in bytes that come in pieces; none of the texts here overlaps itself. */
  private static final class Needle {
    private final byte[] wanted;
    private int matched;
    private boolean found;

    Needle(byte[] wanted) {
      this.wanted = wanted;
    }

    boolean find(byte[] bytes, int from, int to) {
      for (int i = from; i < to && !found; i++) {
        matched = bytes[i] == wanted[matched] ? matched + 1 : bytes[i] == wanted[0] ? 1 : 0;
        found = matched == wanted.length;
      }
      return found;
    }

    boolean found() {
      return found;
    }
  }
}
