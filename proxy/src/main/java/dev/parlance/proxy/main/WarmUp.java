package dev.parlance.proxy.main;

import dev.parlance.proxy.config.Inbound;
import dev.parlance.proxy.config.Outbound;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.config.TlsMode;
import dev.parlance.proxy.config.file.ConfigLoader;
import dev.parlance.proxy.identity.MeshIdentity;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.IoWords;
import dev.parlance.service.config.ConfigResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Real messages through a real pipeline before the sidecar says that it is ready, so that its first
 * callers do not pay for loading and compiling: a listener, a gate and an origin of their own on
 * the sidecar's own event loops, over loopback, to an agent in this process.
 *
 * <p>Where connections between sidecars are encrypted, the second half goes through a pair of
 * sidecars with the identity in force, over TLS and with signed verdicts.
 *
 * <p>The pipeline has its own metrics, budgets, decision log and review queue in a folder {@value
 * #FOLDER} below the data folder that is gone afterwards, so nothing of it is seen in those of the
 * sidecar. It ends after {@code startup.warmUpMessages} messages or {@code startup.warmUpMs},
 * whichever is later, but not later than four times that; whatever goes wrong, the sidecar starts.
 *
 * @param loops the sidecar's own
 * @param identity the sidecar's, if it has one
 */
record WarmUp(SidecarConfig config, EventLoops loops, Optional<MeshIdentity> identity) {
  static final String FOLDER = ".warm-up";

  private static final Logger log = LoggerFactory.getLogger(WarmUp.class);
  private static final long NS_PER_MS = 1_000_000;
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  /** What came of a warm-up. */
  sealed interface Outcome {
    /** Nothing was asked for. */
    record Off() implements Outcome {}

    /**
     * Another sidecar of this process has done it: what is loaded and compiled is the process's.
     */
    record Before() implements Outcome {}

    /**
     * As many messages were answered as were wanted, for as long as was wanted.
     *
     * @param messages how many
     * @param ms how long it took
     */
    record Done(int messages, long ms) implements Outcome {}

    /**
     * Even the longest time was up before.
     *
     * @param messages how many were answered
     * @param ms how long it took
     */
    record Late(int messages, long ms) implements Outcome {}

    /**
     * It could not be done, or not to its end.
     *
     * @param messages how many were answered
     * @param reason what went wrong
     */
    record Failed(int messages, String reason) implements Outcome {}
  }

  /** Runs it on this thread, once in a process, and logs the outcome. */
  Outcome run() {
    boolean wanted = config.startup().warmUpMessages() > 0;
    Outcome outcome =
        wanted && !STARTED.compareAndSet(false, true) ? new Outcome.Before() : attempt();
    switch (outcome) {
      case Outcome.Off(), Outcome.Before() -> log.atDebug().log("no warm-up");
      case Outcome.Done(int messages, long ms) ->
          log.atInfo().addKeyValue("messages", messages).addKeyValue("ms", ms).log("warm");
      case Outcome.Late(int messages, long ms) ->
          log.atInfo()
              .addKeyValue("messages", messages)
              .addKeyValue("ms", ms)
              .log("warm-up ended by its time");
      case Outcome.Failed(int messages, String reason) ->
          log.atWarn()
              .addKeyValue("messages", messages)
              .addKeyValue("reason", reason)
              .log("warm-up failed; the first messages will be slow");
    }
    return outcome;
  }

  /** As {@link #run}, whatever was before, and without a word. */
  Outcome attempt() {
    int messages = config.startup().warmUpMessages();
    if (messages == 0) {
      return new Outcome.Off();
    }
    long began = System.nanoTime();
    long leastNs = config.startup().warmUpMs() * NS_PER_MS;
    long deadlineNs = began + config.startup().mostMs() * NS_PER_MS;
    Path folder = config.storage().dataDir().resolve(FOLDER);
    int answered = 0;
    try {
      empty(folder);
      Files.createDirectories(folder);
      try (WarmUpAgent agent = WarmUpAgent.start()) {
        Optional<MeshIdentity> mesh = mesh();
        int parts = mesh.isPresent() ? 2 : 1;
        Optional<SidecarConfig> own = configuration(folder, agent.port());
        if (own.isEmpty()) {
          return new Outcome.Failed(0, "its own configuration is refused");
        }
        Sidecar rehearsal = Sidecar.rehearsal(own.get(), loops, Optional.empty());
        try (WarmUpCaller caller = new WarmUpCaller(rehearsal.inboundPort().orElseThrow())) {
          answered =
              caller.askAll(0, messages / parts, began + leastNs / parts, deadlineNs, agent.port());
        } finally {
          rehearsal.cut();
        }
        if (mesh.isPresent()) {
          try (WarmUpMesh pair = WarmUpMesh.open(folder, loops, mesh.get(), agent.port());
              WarmUpCaller caller = new WarmUpCaller(pair.port())) {
            answered =
                caller.askAll(answered, messages, began + leastNs, deadlineNs, pair.agentPort());
          }
        }
      }
      long ms = (System.nanoTime() - began) / NS_PER_MS;
      return answered >= messages ? new Outcome.Done(answered, ms) : new Outcome.Late(answered, ms);
    } catch (IOException | RuntimeException e) {
      return new Outcome.Failed(answered, IoWords.why(e));
    } finally {
      emptyQuietly(folder);
    }
  }

  /** The identity in force, where connections between sidecars are encrypted with it. */
  private Optional<MeshIdentity> mesh() {
    boolean encrypts =
        config.listeners().inbound().map(Inbound::tls).filter(TlsMode::encrypts).isPresent()
            || config
                .listeners()
                .outbound()
                .map(Outbound::tls)
                .filter(TlsMode::encrypts)
                .isPresent();
    return identity.filter(known -> encrypts && known.failure().isEmpty());
  }

  /** What an ordinary sidecar in front of one A2A agent has. */
  static Optional<SidecarConfig> configuration(Path folder, int agentPort) {
    String yaml =
        """
        node: warm-up
        mode: enforce
        inbound: { listen: "127.0.0.1:0", agent: "127.0.0.1:%d" }
        admin: { listen: "127.0.0.1:0" }
        dataDir: .
        limits: { flows: 1000 }
        routes:
          - { name: warm-up, match: { pathPrefix: %s }, codec: a2a, grounding: optional }
        """
            .formatted(agentPort, WarmUpTexts.PATH);
    return switch (ConfigLoader.parse(yaml, folder)) {
      case ConfigResult.Loaded(SidecarConfig loaded) -> Optional.of(loaded);
      case ConfigResult.Refused<SidecarConfig> _ -> Optional.empty();
    };
  }

  private static void emptyQuietly(Path folder) {
    try {
      empty(folder);
    } catch (IOException e) {
      log.atWarn().addKeyValue("folder", folder).setCause(e).log("warm-up left files");
    }
  }

  private static void empty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> inside;
    try (Stream<Path> files = Files.walk(folder)) {
      inside = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : inside) {
      Files.deleteIfExists(file);
    }
  }

  /** The agent of a warm-up: answers each request on loopback with the next of its answers. */
  static final class WarmUpAgent implements AutoCloseable {
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

  /** The caller of a warm-up: one connection, one request at a time. */
  static final class WarmUpCaller implements AutoCloseable {
    private static final long NS_PER_MS = 1_000_000;
    private static final String OK = "HTTP/1.1 200 ";

    private final Socket socket;
    private final HttpPiece answer = new HttpPiece();

    WarmUpCaller(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
    }

    /**
     * Asks one after the other.
     *
     * @param from number of the first
     * @param fewest so many in all, those before counted
     * @param untilNs not less long than this
     * @param deadlineNs not longer
     * @param agentPort of the agent on loopback that they are for
     * @return so many have been answered, those before counted
     * @throws IOException if an answer is not the agent's
     */
    int askAll(int from, int fewest, long untilNs, long deadlineNs, int agentPort)
        throws IOException {
      int answered = from;
      while ((answered < fewest || System.nanoTime() < untilNs)
          && ask(answered, deadlineNs, agentPort)) {
        answered++;
      }
      return answered;
    }

    /**
     * Sends a request and waits for the answer.
     *
     * @param number of the request
     * @param agentPort of the agent on loopback that it is for
     * @param deadlineNs on the clock of {@link System#nanoTime}
     * @return false if the time was up
     * @throws IOException if the answer is not the agent's
     */
    boolean ask(int number, long deadlineNs, int agentPort) throws IOException {
      long leftMs = (deadlineNs - System.nanoTime()) / NS_PER_MS;
      if (leftMs < 1) {
        return false;
      }
      socket.setSoTimeout((int) Math.min(leftMs, Integer.MAX_VALUE));
      socket.getOutputStream().write(WarmUpTexts.request(number, agentPort));
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

  /** Finds the ends of the HTTP/1.1 messages of a warm-up: heads with {@code Content-Length}. */
  static final class HttpPiece {
    private static final int MAX_BYTES = 1 << 16;
    private static final String LENGTH = "\r\ncontent-length:";
    private static final String END = "\r\n\r\n";

    private final byte[] buffer = new byte[MAX_BYTES];
    private String head = "";

    /** The head of the last message. */
    String head() {
      return head;
    }

    /**
     * Reads one message; nothing may follow it before it is answered.
     *
     * @return false at the end of the stream
     * @throws IOException if the message has no length, ends early or is too large
     */
    boolean read(InputStream in) throws IOException {
      int have = 0;
      int wanted = MAX_BYTES;
      boolean headRead = false;
      while (have < wanted) {
        int got = in.read(buffer, have, buffer.length - have);
        if (got < 0) {
          if (have == 0) {
            return false;
          }
          throw new IOException("a message ended early");
        }
        have += got;
        if (!headRead) {
          int end = headEnd(have);
          if (end >= 0) {
            head = new String(Arrays.copyOf(buffer, end), StandardCharsets.ISO_8859_1);
            wanted = end + END.length() + length();
            headRead = true;
          }
        }
      }
      if (have > wanted || !headRead) {
        throw new IOException("a message of more than was announced");
      }
      return true;
    }

    private int headEnd(int have) {
      for (int i = 0; i + END.length() <= have; i++) {
        if (buffer[i] == '\r'
            && buffer[i + 1] == '\n'
            && buffer[i + 2] == '\r'
            && buffer[i + 3] == '\n') {
          return i;
        }
      }
      return -1;
    }

    private int length() throws IOException {
      String lower = head.toLowerCase(Locale.ROOT) + "\r\n";
      int at = lower.indexOf(LENGTH);
      if (at < 0) {
        throw new IOException("a message without a length");
      }
      int from = at + LENGTH.length();
      try {
        return Integer.parseInt(lower.substring(from, lower.indexOf('\r', from)).strip());
      } catch (NumberFormatException e) {
        throw new IOException("a length that is no number", e);
      }
    }
  }
}
