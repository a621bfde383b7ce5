package dev.parlance.loadtest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An agent that streams: {@code /a2a/answer/N} says the N-th answer of the corpus, {@code
 * /a2a/flow/BYTES} says at least so many bytes. It writes as fast as it is read, event by event.
 */
final class StreamAgent implements AutoCloseable {
  private static final int HEAD_MAX = 16 * 1024;
  private static final Pattern TARGET = Pattern.compile("^POST /a2a/(answer|flow)/([0-9]{1,12}) ");
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: ?([0-9]{1,7})\r");

  private final ServerSocket server;
  private final List<List<byte[]>> answers;
  private final byte[] block = StreamBytes.block();
  private final long blockData = dataBytes(block);
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicLong flowBytes = new AtomicLong();

  StreamAgent(List<Exchange> exchanges) throws IOException {
    answers = exchanges.stream().map(StreamBytes::answer).toList();
    server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("stream-agent").start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Bytes of long streams that were taken from this agent so far. */
  long flowBytes() {
    return flowBytes.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new java.io.UncheckedIOException(e);
        }
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      for (Optional<String> head = head(in); head.isPresent(); head = head(in)) {
        answer(head.get(), out);
      }
    } catch (IOException e) {
      // A reader that leaves in mid-stream is what some of the measurements are about.
      sockets.remove(socket);
    } finally {
      sockets.remove(socket);
    }
  }

  private void answer(String head, OutputStream out) throws IOException {
    Matcher target = TARGET.matcher(head);
    if (!target.find()) {
      out.write(ascii("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"));
      return;
    }
    long number = Long.parseLong(target.group(2));
    out.write(ascii(StreamBytes.HEAD));
    if (target.group(1).equals("answer")) {
      for (byte[] event : answers.get((int) (number % answers.size()))) {
        out.write(event);
      }
    } else {
      flow(number, out);
    }
    out.write(ascii(StreamBytes.LAST_CHUNK));
  }

  private void flow(long bytes, OutputStream out) throws IOException {
    for (byte[] event : StreamBytes.opening()) {
      out.write(event);
    }
    out.write(StreamBytes.firstPiece());
    for (long sent = 0; sent < bytes; sent += blockData) {
      out.write(block);
      flowBytes.addAndGet(blockData);
    }
    out.write(StreamBytes.closing());
  }

  /** The head of the next request, its body read and dropped; empty at the end. */
  private static Optional<String> head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder(512);
    while (head.length() < 4 || head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
      int b = in.read();
      if (b < 0 || head.length() > HEAD_MAX) {
        return Optional.empty();
      }
      head.append((char) b);
    }
    Matcher length = LENGTH.matcher(head);
    in.skipNBytes(length.find() ? Long.parseLong(length.group(1).toLowerCase(Locale.ROOT)) : 0);
    return Optional.of(head.toString());
  }

  private static long dataBytes(byte[] chunks) throws IOException {
    ChunkedEnd end = new ChunkedEnd();
    end.take(chunks, 0, chunks.length);
    return end.dataBytes();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
