package dev.parlance.proxy.main;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An agent that answers with streams, byte by byte if a test likes. */
final class StreamingAgent implements AutoCloseable {
  /** What it does with one request. */
  interface Script {
    void answer(Reply reply) throws IOException, InterruptedException;
  }

  /** One request and the way back. */
  static final class Reply {
    final String head;
    final String body;
    final int number;
    private final OutputStream out;
    private final Socket socket;

    Reply(String head, String body, int number, Socket socket) throws IOException {
      this.head = head;
      this.body = body;
      this.number = number;
      this.socket = socket;
      this.out = socket.getOutputStream();
    }

    void begin(String... fields) throws IOException {
      StringBuilder text = new StringBuilder("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n");
      for (String field : fields) {
        text.append(field).append("\r\n");
      }
      raw(text.append("\r\n").toString());
    }

    void events() throws IOException {
      begin(
          "Content-Type: text/event-stream", "ETag: \"x\"", "ASP-Signal: [@C:F; @G:F; @S:0; A:[]]");
    }

    /** One chunk. */
    void send(String bytes) throws IOException {
      byte[] chunk = bytes.getBytes(StandardCharsets.UTF_8);
      raw(Integer.toHexString(chunk.length) + "\r\n");
      out.write(chunk);
      raw("\r\n");
    }

    /** One chunk out of an array. */
    void sendBytes(byte[] bytes, int from, int to) throws IOException {
      raw(Integer.toHexString(to - from) + "\r\n");
      out.write(bytes, from, to - from);
      raw("\r\n");
    }

    void event(String json) throws IOException {
      send("data: " + json + "\n\n");
    }

    void end(String... trailers) throws IOException {
      StringBuilder text = new StringBuilder("0\r\n");
      for (String trailer : trailers) {
        text.append(trailer).append("\r\n");
      }
      raw(text.append("\r\n").toString());
    }

    void whole(String type, String json) throws IOException {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      raw(
          "HTTP/1.1 200 OK\r\nContent-Type: "
              + type
              + "\r\nContent-Length: "
              + bytes.length
              + "\r\n\r\n");
      out.write(bytes);
      out.flush();
    }

    void raw(String bytes) throws IOException {
      out.write(bytes.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }

    /** Breaks the connection off. */
    void die() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }

    /** Waits until the other side has closed. */
    void awaitClose() throws IOException {
      socket.setSoTimeout(60_000);
      try {
        while (socket.getInputStream().read() >= 0) {
          // Pipelined bytes do not matter.
        }
      } catch (SocketException e) {
        // Closed in another way.
      }
    }
  }

  private final ServerSocket server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();

  StreamingAgent(Script script) throws IOException {
    server = new ServerSocket(0, 2048, InetAddress.getLoopbackAddress());
    threads.execute(() -> {
      try {
        while (true) {
          Socket socket = server.accept();
          // Else each of the many small pieces waits 40 ms for the acknowledgement of the one
          // before.
          socket.setTcpNoDelay(true);
          sockets.add(socket);
          threads.execute(() -> serve(socket, script));
        }
      } catch (IOException e) {
        faults.add("closed: " + e.getMessage());
      }
    });
  }

  private void serve(Socket socket, Script script) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (String head = head(in); !head.isEmpty(); head = head(in)) {
        int length = 0;
        for (String line : head.split("\r\n", -1)) {
          if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
            length = Integer.parseInt(line.substring(15).strip());
          }
        }
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        requests.add(head + body);
        script.answer(new Reply(head, body, requests.size(), socket));
      }
    } catch (IOException e) {
      faults.add(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      if (b < 0) {
        return "";
      }
      head.append((char) b);
    }
    return head.toString();
  }

  int port() {
    return server.getLocalPort();
  }

  /** Head and body of what it was asked. */
  List<String> requests() {
    return requests;
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    threads.shutdownNow();
    threads.close();
  }
}
