package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Both ends of a recorded exchange: an agent and a caller that write and read raw HTTP/1.1. */
final class RecordedWire {
  private static final int PATIENCE_MS = 60_000;

  /** Most characters of a body that are written down; of a longer one its digest is. */
  private static final int SHOWN = 1_500;

  private RecordedWire() {}

  /** What an agent does with its connection when it has answered. */
  enum End {
    KEEP,
    CLOSE,
    RESET,
    SILENT
  }

  /** An agent's answer: its bytes as they are, how late they come, and what happens then. */
  @SuppressWarnings("ArrayRecordComponent") // read only
  record Reply(byte[] bytes, int lateMs, End end) {
    static Reply of(String latin1) {
      return new Reply(latin1.getBytes(ISO_8859_1), 0, End.KEEP);
    }

    Reply late(int ms) {
      return new Reply(bytes, ms, end);
    }

    Reply then(End otherEnd) {
      return new Reply(bytes, lateMs, otherEnd);
    }

    /** All but the last of its bytes. */
    Reply without(int last) {
      return new Reply(java.util.Arrays.copyOf(bytes, bytes.length - last), lateMs, end);
    }
  }

  /** The agent behind the sidecars: the same replies for everybody until it gets other ones. */
  static final class Agent implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<HttpBytes> asked = new ArrayList<>();
    private List<Reply> replies = List.of();

    Agent() throws IOException {
      threads.execute(() -> {
        try {
          while (true) {
            Socket socket = server.accept();
            open.add(socket);
            threads.execute(() -> serve(socket));
          }
        } catch (IOException closed) {
          threads.shutdown();
        }
      });
    }

    private void serve(Socket socket) {
      try (socket) {
        socket.setTcpNoDelay(true);
        InputStream in = new BufferedInputStream(socket.getInputStream());
        for (Optional<HttpBytes> request = HttpBytes.readRequest(in);
            request.isPresent();
            request = HttpBytes.readRequest(in)) {
          Reply reply = reply(request.get());
          Thread.sleep(reply.lateMs());
          socket.getOutputStream().write(reply.bytes());
          switch (reply.end()) {
            case KEEP -> {}
            case CLOSE -> {
              return;
            }
            case RESET -> {
              socket.setSoLinger(true, 0);
              return;
            }
            case SILENT -> in.transferTo(ByteArrayOutputStream.nullOutputStream());
          }
        }
      } catch (IOException left) {
        open.remove(socket); // a sidecar may leave whenever it likes
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        open.remove(socket);
      }
    }

    private synchronized Reply reply(HttpBytes request) {
      asked.add(request);
      return replies.get(Math.min(asked.size(), replies.size()) - 1);
    }

    /** Answers so from now on, and forgets what it was asked. */
    synchronized void answer(List<Reply> otherReplies) {
      replies = otherReplies;
      asked.clear();
    }

    synchronized List<HttpBytes> asked() {
      return List.copyOf(asked);
    }

    int port() {
      return server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
      threads.shutdownNow();
      threads.close();
    }
  }

  /** One answer as the caller got it: head, body without its chunks, trailers, how it ended. */
  record Answer(String head, String body, String trailers, boolean isOpen) {}

  /** A caller on one connection, or on the next one when that was closed. */
  static final class Caller implements AutoCloseable {
    private final int port;
    private Optional<Socket> socket = Optional.empty();

    Caller(int port) {
      this.port = port;
    }

    Answer ask(byte[] request) throws IOException {
      if (socket.isEmpty()) {
        Socket fresh = new Socket(InetAddress.getLoopbackAddress(), port);
        fresh.setSoTimeout(PATIENCE_MS);
        fresh.setTcpNoDelay(true);
        socket = Optional.of(fresh);
      }
      socket.get().getOutputStream().write(request);
      StringBuilder head = new StringBuilder();
      StringBuilder body = new StringBuilder();
      StringBuilder trailers = new StringBuilder();
      boolean open = false;
      try {
        open = read(socket.get().getInputStream(), head, body, trailers);
      } catch (EOFException e) {
        trailers.append("<closed>");
      } catch (java.net.SocketException e) {
        trailers.append("<closed>"); // a reset is a close that was seen later
      }
      if (!open) {
        close();
      }
      return new Answer(head.toString(), body.toString(), trailers.toString(), open);
    }

    private static boolean read(
        InputStream in, StringBuilder head, StringBuilder body, StringBuilder trailers)
        throws IOException {
      lines(in, head);
      String fields = head.toString().toLowerCase(Locale.ROOT);
      boolean open = !fields.contains("connection: close");
      if (fields.contains("transfer-encoding: chunked")) {
        for (int size = Integer.parseInt(line(in), 16);
            size > 0;
            size = Integer.parseInt(line(in), 16)) {
          bytes(in, size, body);
          String _ = line(in);
        }
        lines(in, trailers);
        return open;
      }
      Matcher length = Pattern.compile("content-length: (\\d+)").matcher(fields);
      if (length.find()) {
        bytes(in, Integer.parseInt(length.group(1)), body);
        return open;
      }
      boolean bodyless = fields.startsWith("http/1.1 204") || fields.startsWith("http/1.1 304");
      if (!bodyless) {
        for (int b = in.read(); b >= 0; b = in.read()) {
          body.append((char) b);
        }
      }
      return bodyless && open;
    }

    private static void bytes(InputStream in, int count, StringBuilder to) throws IOException {
      byte[] all = in.readNBytes(count);
      to.append(new String(all, ISO_8859_1));
      if (all.length < count) {
        throw new EOFException();
      }
    }

    private static void lines(InputStream in, StringBuilder to) throws IOException {
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        to.append(line).append("|");
      }
    }

    private static String line(InputStream in) throws IOException {
      StringBuilder line = new StringBuilder();
      for (int b = in.read(); b != '\n'; b = in.read()) {
        if (b < 0) {
          throw new EOFException();
        }
        line.append((char) b);
      }
      return line.substring(0, Math.max(0, line.length() - 1));
    }

    @Override
    public void close() throws IOException {
      if (socket.isPresent()) {
        socket.get().close();
        socket = Optional.empty();
      }
    }
  }

  // ---- what is written down ----

  private static final Pattern MADE =
      Pattern.compile(
          "\\bd-[0-9a-z]{7}-[0-9a-z]+\\b|\\bq-[0-9a-f]{32}\\b|\\bp-[a-z2-7]{26}\\b|\\br-[0-9a-hjkmnp-tv-z]{15}\\b"
              + "|\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b");
  private static final Pattern TIME =
      Pattern.compile(
          "(\"(?:ts|configRevision)\":)\"[^\"]*\""
              + "|(\"(?:tTotalUs|tJudgeUs|tUpstreamUs|heldMs|leftMs|ageMs|t)\":)\\d+"
              + "|(\"(?:history|predicates_hash)\":)\"[^\"]*\"|(\"validity\":)\\[[^\\]]*\\]"
              + "|(?i:(\\|date: )[^|]*)"
              + "|(\\|Parlance-Pact: [^;|]*;)[0-9a-f]{64}");
  private static final Pattern PORT = Pattern.compile("\\b127\\.0\\.0\\.1:\\d+");

  /** A transcript in which ids are numbered as they appear, and times and ports are words. */
  static String normal(String transcript) {
    Map<String, String> ids = new HashMap<>();
    String timeless = TIME.matcher(transcript).replaceAll(RecordedWire::timeless);
    return MADE.matcher(PORT.matcher(timeless).replaceAll("127.0.0.1:PORT"))
        .replaceAll(id -> ids.computeIfAbsent(id.group(), _ -> "ID" + (ids.size() + 1)));
  }

  private static String timeless(MatchResult found) {
    for (int i = 1; i <= found.groupCount(); i++) {
      if (found.group(i) != null) {
        return Matcher.quoteReplacement(found.group(i) + "TIME");
      }
    }
    throw new IllegalStateException(found.group());
  }

  /** A message as one line: its head, and its body in full or by its digest. */
  static String shown(String head, String latin1Body) {
    String body = normalBody(latin1Body);
    return head
        + " "
        + (body.length() <= SHOWN
            ? body
            : body.substring(0, SHOWN / 2) + "... " + body.length() + " " + digest(body));
  }

  private static String normalBody(String body) {
    return normal(body).codePoints().allMatch(c -> c >= ' ' && c < 0x7f)
        ? body
        : body.chars()
            .mapToObj(c ->
                c == '\n'
                    ? "\\n"
                    : c < ' ' || c >= 0x7f
                        ? String.format(Locale.ROOT, "\\x%02x", c)
                        : Character.toString(c))
            .collect(java.util.stream.Collectors.joining());
  }

  private static String digest(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              java.security.MessageDigest.getInstance("SHA-256")
                  .digest(normal(text).getBytes(UTF_8)),
              0,
              8);
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
