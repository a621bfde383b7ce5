package dev.parlance.loadtest.compare;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.parlance.loadtest.load.ScriptedServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands in for the sidecar where only the comparison is under test: reads the same configuration,
 * writes the same ports file, forwards, puts a signal beside each answer, and counts messages as a
 * guard does.
 */
final class StandInProxy {
  private static final Pattern LENGTH =
      Pattern.compile("content-length: *([0-9]+)", Pattern.CASE_INSENSITIVE);

  private static final LongAdder MESSAGES = new LongAdder();

  private StandInProxy() {}

  public static void main(String[] args) throws IOException {
    String config = Files.readString(Path.of(args[0]));
    int upstream = Integer.parseInt(find("agent: 127\\.0\\.0\\.1:([0-9]+)", config));
    Path portsFile = Path.of(find("portsFile: (\\S+)", config));
    HttpServer admin =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    admin.createContext("/metrics", StandInProxy::metrics);
    admin.start();
    try (ServerSocket listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress())) {
      Path partial = portsFile.resolveSibling("ports.partial");
      Files.writeString(
          partial,
          "{\"inbound\":%d,\"admin\":%d,\"pid\":%d}"
              .formatted(
                  listener.getLocalPort(),
                  admin.getAddress().getPort(),
                  ProcessHandle.current().pid()));
      Files.move(partial, portsFile, StandardCopyOption.ATOMIC_MOVE);
      while (true) {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> relay(client, upstream));
      }
    }
  }

  private static void metrics(HttpExchange exchange) throws IOException {
    byte[] text =
        "parlance_core_guard_total{route=\"execute\"} %1$d\nparlance_core_terms_checked_total %1$d\n"
            .formatted(MESSAGES.sum())
            .getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(200, text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  private static String find(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.find()) {
      throw new IllegalArgumentException("no " + pattern + " in:\n" + text);
    }
    return matcher.group(1);
  }

  private static void relay(Socket client, int upstream) {
    try (client;
        Socket agent = new Socket(InetAddress.getLoopbackAddress(), upstream)) {
      client.setTcpNoDelay(true);
      agent.setTcpNoDelay(true);
      InputStream fromClient = new BufferedInputStream(client.getInputStream());
      InputStream fromAgent = new BufferedInputStream(agent.getInputStream());
      while (pass(fromClient, agent.getOutputStream(), "")
          && pass(
              fromAgent, client.getOutputStream(), "ASP-Signal: [@C:F; @G:F; @S:0; A:[]]\r\n")) {
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      System.err.println("a side closed: " + e.getMessage());
    }
  }

  /** Passes one message on, with a field more; false at the end of the connection. */
  private static boolean pass(InputStream in, OutputStream out, String field) throws IOException {
    String head = ScriptedServer.head(in);
    Matcher length = LENGTH.matcher(head);
    if (!length.find()) {
      return false;
    }
    MESSAGES.increment();
    byte[] body = in.readNBytes(Integer.parseInt(length.group(1)));
    byte[] start =
        (head.substring(0, head.length() - 2) + field + "\r\n").getBytes(StandardCharsets.US_ASCII);
    byte[] whole = new byte[start.length + body.length];
    System.arraycopy(start, 0, whole, 0, start.length);
    System.arraycopy(body, 0, whole, start.length, body.length);
    out.write(whole);
    out.flush();
    return true;
  }
}
