package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An API server with one pod, {@code shop/buyer-1}: its port 15000 is a port of this machine, over
 * WebSockets with the channels of {@code v4.channel.k8s.io}, and what is run in it prints a line.
 */
final class FakePodApi implements AutoCloseable {
  static final String POD = "shop/buyer-1";

  private static final String PATH = "/api/v1/namespaces/shop/pods/buyer-1";
  private static final String WEB_SOCKET = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final Pattern FIELD =
      Pattern.compile("(?im)^sec-websocket-(key|protocol): *(\\S+)");
  private static final int BINARY = 0x82;

  /** What kubectl looks up before it runs something in a pod. */
  private static final Map<String, String> OBJECTS =
      Map.of(
          "/api",
          "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}",
          "/apis",
          "{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[]}",
          "/api/v1",
          """
          {"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods",\
          "singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get"]}]}\
          """,
          PATH,
          """
          {"kind":"Pod","apiVersion":"v1","metadata":{"name":"buyer-1","namespace":"shop"},\
          "spec":{"containers":[{"name":"agent"},{"name":"parlance-sidecar"}]},\
          "status":{"phase":"Running"}}\
          """);

  private static final String ABSENT =
      """
      {"kind":"Status","apiVersion":"v1","status":"Failure","code":404,"reason":"NotFound"}\
      """;
  private static final int CLOSE = 0x88;

  private final int port;
  private final String printed;
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  /**
   * One that listens.
   *
   * @param port where the pod's port leads to
   * @param printed what any program prints that is run in the pod
   */
  FakePodApi(int port, String printed) throws IOException {
    this.port = port;
    this.printed = printed;
    threads.execute(this::accept);
  }

  /** Method and target of what was asked for. */
  List<String> asked() {
    return asked;
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        open.add(socket);
        threads.execute(() -> serve(socket));
      }
    } catch (IOException closed) {
      // it is over
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      for (String head = head(in); !head.isEmpty(); head = head(in)) {
        String[] line = head.split(" ", 3);
        asked.add(line[0] + " " + line[1]);
        String path = line[1].split("\\?")[0];
        if (path.equals(PATH + "/portforward") && line[1].endsWith("?ports=15000")) {
          upgrade(head, out);
          forward(in, out);
          return;
        }
        if (path.equals(PATH + "/exec")) {
          upgrade(head, out);
          frame(out, BINARY, 1, (printed + "\n").getBytes(UTF_8));
          frame(out, BINARY, 3, "{\"metadata\":{},\"status\":\"Success\"}".getBytes(UTF_8));
          out.write(new byte[] {(byte) CLOSE, 2, 3, (byte) 0xe8});
          out.flush();
          return;
        }
        Optional<String> known = Optional.ofNullable(OBJECTS.get(path));
        String body = known.orElse(ABSENT);
        out.write(
            "HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(known.isPresent() ? "200 OK" : "404 Not Found", body.length(), body)
                .getBytes(UTF_8));
        out.flush();
      }
    } catch (IOException | GeneralSecurityException e) {
      // whoever asks sees it closed
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      head.append((char) c);
      if (head.toString().endsWith("\r\n\r\n")) {
        return head.toString();
      }
    }
    return "";
  }

  private static void upgrade(String head, OutputStream out)
      throws IOException, GeneralSecurityException {
    String key = "";
    String protocol = "";
    Matcher fields = FIELD.matcher(head);
    while (fields.find()) {
      if (fields.group(1).equalsIgnoreCase("key")) {
        key = fields.group(2);
      } else {
        protocol = fields.group(2).replace(",", "");
      }
    }
    byte[] accept =
        MessageDigest.getInstance("SHA-1").digest((key + WEB_SOCKET).getBytes(ISO_8859_1));
    out.write(
        """
        HTTP/1.1 101 Switching Protocols\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Accept: %s\r
        Sec-WebSocket-Protocol: %s\r
        \r
        """
            .formatted(Base64.getEncoder().encodeToString(accept), protocol)
            .getBytes(ISO_8859_1));
    out.flush();
  }

  /** Both channels begin with the port; then channel 0 is the connection. */
  private void forward(DataInputStream in, OutputStream out) throws IOException {
    byte[] number = {(byte) 15000, 15000 >> 8};
    frame(out, BINARY, 0, number);
    frame(out, BINARY, 1, number);
    try (Socket pod = new Socket(InetAddress.getLoopbackAddress(), port)) {
      threads.execute(() -> {
        try {
          byte[] piece = new byte[100];
          for (int read = pod.getInputStream().read(piece);
              read >= 0;
              read = pod.getInputStream().read(piece)) {
            frame(out, BINARY, 0, Arrays.copyOf(piece, read));
          }
        } catch (IOException e) {
          // the other direction ends it
        }
      });
      while (true) {
        int first = in.readUnsignedByte();
        if (first == CLOSE) {
          return;
        }
        int size = in.readUnsignedByte() & 0x7f;
        if (size == 126) {
          size = in.readUnsignedShort();
        }
        byte[] mask = in.readNBytes(4);
        byte[] bytes = in.readNBytes(size);
        for (int i = 0; i < size; i++) {
          bytes[i] ^= mask[i % 4];
        }
        pod.getOutputStream().write(bytes, 1, size - 1);
      }
    }
  }

  private static void frame(OutputStream out, int kind, int channel, byte[] bytes)
      throws IOException {
    byte[] frame = new byte[3 + bytes.length];
    frame[0] = (byte) kind;
    frame[1] = (byte) (1 + bytes.length);
    frame[2] = (byte) channel;
    System.arraycopy(bytes, 0, frame, 3, bytes.length);
    synchronized (out) {
      out.write(frame);
      out.flush();
    }
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
