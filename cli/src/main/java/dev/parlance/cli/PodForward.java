package dev.parlance.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A port of a pod as a port of this machine, for as long as it is open. {@code kubectl proxy} logs
 * in at the API server and lets nothing through but this pod's {@code portforward}; each connection
 * is a WebSocket of its own.
 *
 * <pre>
 * message   channel (1 byte) | bytes        0: what the pod's port says and is told, 1: an error
 * first     channel (1 byte) | port (2 bytes, little endian), once on each channel
 * </pre>
 */
final class PodForward implements AutoCloseable {
  private static final String PROTOCOL = "v4.channel.k8s.io";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern SERVES =
      Pattern.compile("Starting to serve on (127\\.0\\.0\\.1:\\d+)");
  private static final int PIECE_BYTES = 16 << 10;
  private static final int CHANNELS = 2;
  private static final int ERROR = 1;
  private static final int PORT_BYTES = 2;

  private final Process proxy;
  private final URI target;
  private final HttpClient http;
  private final ServerSocket server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** A command that is ended by a signal closes nothing. */
  private final Thread atExit;

  private PodForward(Process proxy, URI target) throws IOException {
    this.proxy = proxy;
    this.target = target;
    this.atExit = new Thread(() -> end(proxy));
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(PATIENCE)
            .build();
    this.server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  }

  /**
   * Forwards a port of a pod.
   *
   * @param kubectl the program and what it is always told
   * @throws CommandProblem if the API server does not, with its reason
   */
  static PodForward open(List<String> kubectl, String namespace, String pod, int port)
      throws IOException {
    String path = "/api/v1/namespaces/%s/pods/%s/portforward".formatted(namespace, pod);
    List<String> command = new ArrayList<>(kubectl);
    command.addAll(List.of("proxy", "--port=0", "--accept-paths=^" + Pattern.quote(path) + "$"));
    Process proxy = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      URI target = URI.create("ws://" + address(proxy) + path + "?ports=" + port);
      PodForward forward = new PodForward(proxy, target);
      forward.begin();
      return forward;
    } catch (IOException | RuntimeException e) {
      end(proxy);
      throw e;
    }
  }

  private static String address(Process proxy) throws IOException {
    BufferedReader said = proxy.inputReader(StandardCharsets.UTF_8);
    StringBuilder all = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      Matcher serves = SERVES.matcher(line);
      if (serves.find()) {
        return serves.group(1);
      }
      all.append(all.isEmpty() ? "" : "; ").append(line);
    }
    throw CommandProblem.failed("kubectl proxy ended: " + all);
  }

  /** One connection is made and given up, so that what stands against it is known. */
  private void begin() {
    try {
      connect(Ignored.INSTANCE).abort();
    } catch (CommandProblem refused) {
      close();
      throw refused;
    }
    Runtime.getRuntime().addShutdownHook(atExit);
    threads.execute(this::accept);
  }

  /** The port of this machine. */
  int port() {
    return server.getLocalPort();
  }

  private WebSocket connect(WebSocket.Listener listener) {
    try {
      return http.newWebSocketBuilder()
          .subprotocols(PROTOCOL)
          .connectTimeout(PATIENCE)
          .buildAsync(target, listener)
          .join();
    } catch (CompletionException e) {
      throw CommandProblem.failed(
          e.getCause() instanceof WebSocketHandshakeException refused
              ? "the API server does not forward to this pod: status "
                  + refused.getResponse().statusCode()
              : "the API server cannot be reached: " + e.getCause());
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket local = server.accept();
        threads.execute(() -> carry(local));
      }
    } catch (IOException closed) {
      // it is over
    }
  }

  private void carry(Socket local) {
    try (local) {
      WebSocket pod = connect(new Tunnel(local));
      byte[] message = new byte[1 + PIECE_BYTES];
      InputStream in = local.getInputStream();
      for (int read = in.read(message, 1, PIECE_BYTES);
          read >= 0;
          read = in.read(message, 1, PIECE_BYTES)) {
        pod.sendBinary(ByteBuffer.wrap(message, 0, 1 + read), true).join();
      }
      pod.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    } catch (IOException | CompletionException | CommandProblem over) {
      // whoever asks through here sees its connection closed
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // it ends with this process
    }
    http.shutdownNow();
    threads.shutdownNow();
    end(proxy);
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // it runs
    }
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      boolean _ = process.waitFor(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Nothing that comes matters. */
  private enum Ignored implements WebSocket.Listener {
    INSTANCE
  }

  /** Writes what the pod says to a connection of this machine. */
  private static final class Tunnel implements WebSocket.Listener {
    private final Socket local;
    private final int[] portBytes = new int[CHANNELS];
    private boolean begins = true;
    private int channel;

    Tunnel(Socket local) {
      this.local = local;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket pod, ByteBuffer data, boolean last) {
      try {
        if (begins && data.hasRemaining()) {
          channel = data.get() & 0xff;
        }
        begins = last;
        if (channel < CHANNELS) {
          while (portBytes[channel] < PORT_BYTES && data.hasRemaining()) {
            data.get();
            portBytes[channel]++;
          }
          if (channel == ERROR && data.hasRemaining()) {
            local.close();
          } else if (channel != ERROR) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            local.getOutputStream().write(bytes);
          }
        }
      } catch (IOException e) {
        pod.abort();
      }
      pod.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket pod, int status, String reason) {
      quit();
      return null;
    }

    @Override
    public void onError(WebSocket pod, Throwable error) {
      quit();
    }

    private void quit() {
      try {
        local.close();
      } catch (IOException e) {
        // it was over before
      }
    }
  }
}
