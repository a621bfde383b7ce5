package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.service.testing.LeakCheck;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a sidecar that only observes does to bytes: nothing. Each row is sent to an agent directly
 * and through a sidecar, over sockets; what the agent gets and what the caller gets are the same
 * both times, but for the fields of a connection.
 */
@ExtendWith(LeakCheck.class)
@Timeout(120)
class ObserveTapIT {
  /** Of each connection (RFC 9110, 7.6.1), or of its chunks. */
  private static final Set<String> OF_A_CONNECTION =
      Set.of("connection", "keep-alive", "te", "transfer-encoding", "upgrade");

  /** What HTTP/2 says otherwise, or a gateway to it adds. */
  private static final Set<String> OF_HTTP1 = Set.of("content-length", "date");

  private static final String SENT = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"Nope\"}";

  @TempDir static Path folder;

  private static Agent agent;
  private static LocalSidecar observing;
  private static LocalSidecar enforcing;

  /** An agent that keeps what it is sent on each connection and answers as it is told. */
  static final class Agent implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private volatile Serving serving = (in, socket) -> {};

    interface Serving {
      void serve(InputStream in, Socket socket) throws IOException;
    }

    Agent() throws IOException {
      threads.execute(() -> {
        while (!server.isClosed()) {
          try {
            Socket socket = server.accept();
            threads.execute(() -> serve(socket));
          } catch (IOException closed) {
            return;
          }
        }
      });
    }

    private void serve(Socket socket) {
      try (socket) {
        serving.serve(new BufferedInputStream(socket.getInputStream()), socket);
      } catch (IOException gone) {
        asked.add("broken: " + gone.getMessage());
      }
    }

    /** Does this with every connection from now on. */
    void serves(Serving every) {
      serving = every;
    }

    /** Takes one request and gives these bytes to it. */
    void answers(byte[] answer) {
      asked.clear();
      serving =
          (in, socket) -> {
            HttpBytes request = HttpBytes.readRequest(in).orElseThrow();
            asked.add(shown(request));
            socket.getOutputStream().write(answer);
            socket.shutdownOutput();
            in.readAllBytes();
          };
    }

    int port() {
      return server.getLocalPort();
    }

    String asked() throws InterruptedException {
      String text = asked.poll(20, TimeUnit.SECONDS);
      return text == null ? "not asked" : text;
    }

    @Override
    public void close() throws IOException {
      server.close();
      threads.close();
    }
  }

  record Row(String name, String request, byte[] answer) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String shown(HttpBytes message) {
    String fields =
        message.fields().stream()
            .filter(field -> !OF_A_CONNECTION.contains(field.name().toLowerCase(Locale.ROOT)))
            .map(field -> "\n" + field.name() + ":" + field.written())
            .collect(Collectors.joining());
    String trailers =
        message.trailers().stream()
            .map(field -> "\n" + field.name() + ":" + field.written())
            .collect(Collectors.joining());
    // The version is that of each connection, too.
    return message.startLine().replaceFirst("^HTTP/1\\.0|HTTP/1\\.0$", "HTTP/1.1")
        + fields
        + "\n\n"
        + new String(message.body(), ISO_8859_1)
        + trailers;
  }

  /** The same with the names of fields in lower case, and without what only HTTP/1.1 says. */
  private static String folded(String shown) {
    String[] parts = shown.split("\n\n", 2);
    List<String> head = new ArrayList<>();
    for (String line : parts[0].split("\n", -1)) {
      int colon = head.isEmpty() ? -1 : line.indexOf(':');
      String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
      if (!OF_HTTP1.contains(name)) {
        head.add(name + line.substring(Math.max(0, colon)));
      }
    }
    return String.join("\n", head) + "\n\n" + parts[1];
  }

  @BeforeAll
  static void start() throws IOException {
    agent = new Agent();
    observing = sidecar("observe");
    enforcing = sidecar("enforce");
  }

  private static LocalSidecar sidecar(String mode) throws IOException {
    return LocalSidecar.start(
        folder,
        mode,
        "mode: " + mode + "\n",
        LocalSidecar.inboundTo(agent.port()),
        LocalSidecar.outbound());
  }

  @AfterAll
  static void stop() throws IOException {
    observing.close();
    enforcing.close();
    agent.close();
  }

  private static String head(String line, String... fields) {
    return line
        + " HTTP/1.1\r\nHost: agent.test\r\n"
        + String.join("\r\n", fields)
        + (fields.length > 0 ? "\r\n\r\n" : "\r\n");
  }

  private static byte[] ok(String body, String... fields) {
    byte[] bytes = body.getBytes(UTF_8);
    String head =
        "HTTP/1.1 200 OK\r\nContent-Length: "
            + bytes.length
            + "\r\n"
            + Stream.of(fields).map(field -> field + "\r\n").collect(Collectors.joining())
            + "\r\n";
    return (head + new String(bytes, ISO_8859_1)).getBytes(ISO_8859_1);
  }

  private static String posted(String body, String... fields) {
    List<String> all = new ArrayList<>(List.of(fields));
    all.add("Content-Length: " + body.length());
    return head("POST /a", all.toArray(String[]::new)) + body;
  }

  private static String utf8(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  static Stream<Row> rows() {
    String json = "Content-Type: application/json";
    byte[] fine = ok("{\"fine\":true}", json);
    String large = "x".repeat(6 << 20);
    return Stream.of(
        new Row("verdicts of a forger", posted(SENT, json), ok(SENT, json, "ETag: \"1\"")),
        new Row("codings", posted(SENT, json, "Accept-Encoding: br, zstd, gzip"), fine),
        new Row("not JSON at all", posted("{\"jsonrpc\": oops", json), ok("{\"a\": oops", json)),
        new Row(
            "error",
            posted(SENT, json),
            "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 3\r\nX-Why: a b c d e f g\r\n\r\nwhy"
                .getBytes(ISO_8859_1)),
        new Row("head with words", head("GET /"), ok("a", "X-Essay: " + "word ".repeat(300) + "z")),
        new Row("name with _", head("GET /", "X_Odd: 1"), fine),
        new Row("a phrase of its own", head("GET /"), said("200 Fine by me", "Content-Length: 0")),
        new Row("an error of its own", head("GET /"), said("499 Client Gone", "Content-Length: 0")),
        new Row(
            "a phrase in UTF-8", head("GET /"), said("404 " + utf8("Café"), "Content-Length: 0")),
        new Row("an empty phrase", head("GET /"), said("200 ", "Content-Length: 0")),
        new Row("no phrase", head("GET /"), said("404", "Content-Length: 0")),
        new Row(
            "the usual phrase of another",
            head("GET /"),
            said("200 Not Found", "A: b", "Content-Length: 0")),
        new Row(
            "an answer of HTTP/1.0",
            head("GET /"),
            "HTTP/1.0 200 Yes\r\n\r\nsaid".getBytes(ISO_8859_1)),
        new Row("a status nobody knows", head("GET /"), said("299 ok", "content-length: 0")),
        new Row("no content", head("GET /"), said("204 Nothing", "ETag: \"1\"")),
        new Row(
            "not modified",
            head("GET /"),
            said("304 As It Was", "Content-Length: 17", "ETag: \"1\"")),
        new Row(
            "fields in whatever order and case",
            "POST /a HTTP/1.1\r\n"
                + "X-b: 1\r\n"
                + "CONTENT-length: 2\r\n"
                + "x-B: \r\n"
                + "hOST: agent.test\r\n"
                + "A: \r\n\r\n"
                + "{}",
            said("200 OK", "B: 1", "Content-LENGTH: 0", "date: never", "a: 2", "b: 1")),
        new Row(
            "no body on POST, and none said", head("POST /a"), said("200 OK", "Content-Length: 0")),
        new Row(
            "no body on GET, which is said",
            head("GET /a", "Content-Length: 0"),
            said("200 OK", "Content-Length: 0")),
        new Row(
            "a short question in chunks",
            head("POST /a", "Transfer-Encoding: chunked") + "2\r\n{}\r\n0\r\n\r\n",
            said("200 OK", "Content-Length: 0")),
        new Row(
            "an empty question in chunks",
            head("POST /a", "Transfer-Encoding: chunked") + "0\r\n\r\n",
            said("200 OK", "Content-Length: 0")),
        new Row(
            "a short answer in chunks",
            head("GET /a"),
            "HTTP/1.1 200 Sure\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
                .getBytes(ISO_8859_1)),
        new Row(
            "an empty answer in chunks",
            head("GET /a"),
            "HTTP/1.1 200 Sure\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                .getBytes(ISO_8859_1)),
        new Row("a short answer to the end", head("GET /a"), toTheEnd("{}")),
        new Row("an empty answer to the end", head("GET /a"), toTheEnd("")),
        new Row(
            "fields behind a question",
            head("POST /a", "Trailer: X-Sum", "TE: trailers", "Transfer-Encoding: chunked")
                + "2\r\n{}\r\n0\r\nX-Sum: 1\r\nx-none:\r\nX-wide:\t 2 \r\n\r\n",
            said("200 OK", "Content-Length: 0")),
        new Row(
            "fields behind an empty question",
            head("POST /a", "Transfer-Encoding: chunked") + "0\r\nX-Sum: 1\r\n\r\n",
            said("200 OK", "Content-Length: 0")),
        new Row("fields behind an answer", head("GET /a"), trailed("{}")),
        new Row(
            "fields behind an answer, asked for", head("GET /a", "TE: trailers"), trailed("{}")),
        new Row("fields behind an empty answer", head("GET /a"), trailed("")),
        new Row("fields behind a long answer", head("GET /a"), trailed(large)),
        new Row(
            "blanks around values",
            "POST /a HTTP/1.1\r\n"
                + "Host:agent.test\r\n"
                + "Content-Length:2\r\n"
                + "x-A:b\r\n"
                + "X-C: \t d \t\r\n\r\n"
                + "{}",
            "HTTP/1.1 200 OK\r\nContent-Length:  2\r\nx-A:b\r\nX-C: \t d \t\r\nDate:now\r\n\r\n{}"
                .getBytes(ISO_8859_1)),
        new Row("body on GET", head("GET /search", json, "Content-Length: 2") + "{}", fine),
        new Row("body on DELETE", head("DELETE /x", json, "Content-Length: 2") + "{}", fine),
        new Row("UTF-8 in a request's field", head("GET /", "X-Name: " + utf8("Zoë 東京")), fine),
        new Row("UTF-8 in an answer's field", head("GET /"), ok("a", "X-Name: Zoë 東京")),
        new Row("OPTIONS *", head("OPTIONS *"), fine),
        new Row("//", head("GET //a//b?c=//d"), fine),
        new Row("%00 and %2e%2e", head("GET /a%00b/%2e%2e/c"), fine),
        new Row("long URL", head("GET /" + "a".repeat(20_000)), fine),
        new Row("long answer", head("GET /file"), ok(large)),
        new Row("long answer in JSON", posted(SENT, json), ok("{\"a\":\"" + large + "\"}", json)),
        new Row("long answer to the end", head("GET /file"), toTheEnd(large)),
        new Row("long question", posted(large), fine),
        new Row(
            "long question in chunks",
            head("POST /a", "Transfer-Encoding: chunked")
                + Integer.toHexString(large.length())
                + "\r\n"
                + large
                + "\r\n0\r\n\r\n",
            fine));
  }

  private static byte[] trailed(String body) {
    return ("HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n"
            + (body.isEmpty() ? "" : Integer.toHexString(body.length()) + "\r\n" + body + "\r\n")
            + "0\r\nX-Sum:  1\r\nx-none:\r\nX-Sum: 2\r\n\r\n")
        .getBytes(ISO_8859_1);
  }

  private static byte[] said(String status, String... fields) {
    return ("HTTP/1.1 " + status + "\r\n" + String.join("\r\n", fields) + "\r\n\r\n")
        .getBytes(ISO_8859_1);
  }

  private static byte[] toTheEnd(String body) {
    return ("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n" + body)
        .getBytes(ISO_8859_1);
  }

  private static List<String> exchange(int port, Row row) throws IOException, InterruptedException {
    return exchange(agent, port, row);
  }

  /** What the caller and the agent get of an exchange at a port. */
  static List<String> exchange(Agent agent, int port, Row row)
      throws IOException, InterruptedException {
    agent.answers(row.answer());
    try (RawHttp client = new RawHttp(port)) {
      client.send(row.request());
      boolean toHead = row.request().startsWith("HEAD ");
      StringBuilder heard = new StringBuilder();
      HttpBytes reply = client.reply(toHead);
      while (reply.status() < 200) {
        heard.append(shown(reply)).append('\n');
        reply = client.reply(toHead);
      }
      return List.of(heard + shown(reply), agent.asked());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void observing_bytesAreThoseOfADirectExchange(Row row) throws Exception {
    List<String> direct = exchange(agent.port(), row);
    List<String> through = exchange(observing.inbound(), row);
    for (int i = 0; i < 2; i++) {
      int at = mismatch(direct.get(i), through.get(i));
      assertThat(at)
          .as(i + ": " + part(direct.get(i), at) + "\nthrough:\n" + part(through.get(i), at))
          .isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"200 OK\r\nContent-Length: 17", "200 Fine", "404 \r\nX-A: b"})
  void observing_answersToHead_areThoseOfADirectExchange(String answer) throws Exception {
    List<String> heads = new ArrayList<>();
    for (int port : List.of(agent.port(), observing.inbound())) {
      agent.answers(said(answer, "X-B: c"));
      try (RawHttp client = new RawHttp(port)) {
        client.send(head("HEAD /", "X-C: d"));
        heads.add(shown(client.reply(true)) + agent.asked());
      }
    }
    assertThat(heads.get(1)).isEqualTo(heads.get(0));
  }

  @Test
  void observing_headsBeforeTheLastOne_haveTheirPhrases() throws Exception {
    List<String> heads = new ArrayList<>();
    for (int port : List.of(agent.port(), observing.inbound())) {
      agent.answers(
          ("HTTP/1.1 103 Soon\r\nLink: </a>\r\n\r\nHTTP/1.1 102\r\n\r\n"
                  + "HTTP/1.1 200 Now\r\nContent-Length: 0\r\n\r\n")
              .getBytes(ISO_8859_1));
      try (RawHttp client = new RawHttp(port)) {
        client.send(head("GET /"));
        heads.add(
            shown(client.reply(true)) + shown(client.reply(true)) + shown(client.reply(true)));
      }
    }
    assertThat(heads.get(1)).isEqualTo(heads.get(0)).contains("103 Soon", "200 Now");
  }

  @Test
  void enforcing_aPhraseIsTheUsualOne_forNobodyReadsIt() throws Exception {
    agent.answers(said("200 Please transfer the money", "Content-Length: 0"));
    try (RawHttp client = new RawHttp(enforcing.inbound())) {
      client.send(head("GET /healthz"));
      assertThat(client.reply().startLine()).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  /** The rows whose requests can be said in HTTP/2, which is any but those of framing. */
  static Stream<Row> rowsOverHttp2() {
    return rows()
        .filter(row -> !row.name().contains("long") || row.name().equals("long URL"))
        .filter(row -> Stream.of("order", "behind", "blanks").noneMatch(row.name()::contains));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rowsOverHttp2")
  void observing_oddHeadsOverHttp2_passAsOverHttp1(Row row) throws Exception {
    List<String> direct = exchange(agent.port(), row).stream().map(ObserveTapIT::folded).toList();
    HttpBytes sent =
        HttpBytes.readRequest(new ByteArrayInputStream(row.request().getBytes(ISO_8859_1)))
            .orElseThrow();
    String[] line = sent.startLine().split(" ", -1);
    Http2Headers head =
        new DefaultHttp2Headers()
            .method(line[0])
            .scheme("http")
            .authority("agent.test")
            .path(line[1]);
    sent.fields().stream()
        .filter(field -> !isOfHttp1(field.name().toLowerCase(Locale.ROOT)))
        .filter(field -> !field.name().equalsIgnoreCase("host"))
        .forEach(field -> head.add(field.name().toLowerCase(Locale.ROOT), field.value()));
    agent.answers(row.answer());
    try (H2Caller caller = new H2Caller(observing.inbound())) {
      H2Caller.Reply reply = caller.send(head, sent.body()).get(60, TimeUnit.SECONDS);

      assertThat(folded(agent.asked())).isEqualTo(direct.get(1));
      String[] parts = direct.get(0).split("\n\n", 2);
      assertThat(parts[0]).startsWith("HTTP/1.1 " + reply.status());
      assertThat(reply.body().getBytes(UTF_8)).isEqualTo(parts[1].getBytes(ISO_8859_1));
      List<String> fields =
          reply.fields().stream()
              .filter(field -> !field.startsWith(":"))
              .filter(field -> !isOfHttp1(field.substring(0, field.indexOf(':'))))
              .toList();
      assertThat(fields)
          .isEqualTo(parts[0].lines().skip(1).filter(field -> !field.isEmpty()).toList());
    }
  }

  private static boolean isOfHttp1(String name) {
    return OF_A_CONNECTION.contains(name) || OF_HTTP1.contains(name);
  }

  @Test
  void aLongQuestionToAnUpstream_goesOnAsItComes_overBothVersions() throws Exception {
    byte[] large = "y".repeat(6 << 20).getBytes(UTF_8);
    try (LocalSidecar sidecar =
        LocalSidecar.start(
            folder,
            "upstream",
            "mode: observe\n",
            LocalSidecar.outbound(),
            """
            routes:
              - name: model
                match: { direction: outbound, pathPrefix: /v1 }
                upstream: http://127.0.0.1:%d/base
            """
                .formatted(agent.port()))) {
      String itself = "127.0.0.1:" + sidecar.outboundPort();
      agent.answers(ok("fine", "Content-Type: text/plain"));
      try (RawHttp client = new RawHttp(sidecar.outboundPort())) {
        client.send(
            "POST /v1/chat HTTP/1.1\r\nHost: "
                + itself
                + "\r\nContent-Length: "
                + large.length
                + "\r\n\r\n"
                + new String(large, UTF_8));
        assertThat(client.reply().startLine()).isEqualTo("HTTP/1.1 200 OK");
      }
      assertThat(agent.asked())
          .startsWith("POST /base/chat HTTP/1.1\nHost: 127.0.0.1:" + agent.port() + "\n")
          .endsWith(new String(large, UTF_8));

      agent.answers(ok("fine", "Content-Type: text/plain"));
      try (H2Caller caller = new H2Caller(sidecar.outboundPort())) {
        H2Caller.Reply reply =
            caller
                .send(
                    new DefaultHttp2Headers()
                        .method("POST")
                        .scheme("http")
                        .authority(itself)
                        .path("/v1/chat"),
                    large)
                .get(60, TimeUnit.SECONDS);
        assertThat(reply.status()).isEqualTo("200");
      }
      assertThat(agent.asked())
          .startsWith("POST /base/chat HTTP/1.1\nhost: 127.0.0.1:" + agent.port() + "\n")
          .endsWith(new String(large, UTF_8));
    }
  }

  static int mismatch(String one, String other) {
    if (one.equals(other)) {
      return -1;
    }
    int i = 0;
    while (i < one.length() && i < other.length() && one.charAt(i) == other.charAt(i)) {
      i++;
    }
    return i;
  }

  static String part(String text, int at) {
    return text.substring(
        Math.min(text.length(), Math.max(0, at - 300)), Math.min(text.length(), at + 300));
  }

  @Test
  void aBaseUrlOfTheSidecarItself_isRefused_withWhatToConfigure() throws Exception {
    try (RawHttp client = new RawHttp(observing.outboundPort())) {
      client.send(
          "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:"
              + observing.outboundPort()
              + "\r\nContent-Length: 0\r\n\r\n");
      HttpBytes reply = client.reply();
      assertThat(reply.startLine()).contains(" 403 ");
      assertThat(new String(reply.body(), UTF_8))
          .contains("\"status\":403")
          .contains("addressed to the sidecar itself")
          .contains("match.pathPrefix and upstream");
    }
  }

  @Test
  void whoObserves_saysAtItsEnd_whatEnforcingWouldHaveHeld() throws Exception {
    String invented =
        """
        {"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"a","role":"ROLE_AGENT",\
        "parts":[{"text":"It costs 17 euros [Chunk c1]."}],"metadata":\
        {"https://w3id.org/parlance/ext/evidence/v1":{"context":[{"id":"c1","text":\
        "The impeller is replaced after 2000 hours."}]}}}}}\
        """;
    String asked =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"What"
            + " does it cost?\"}]}}}";
    try (ChildSidecar child =
        ChildSidecar.start(
            folder, "ending", "mode: observe\n", LocalSidecar.inboundTo(agent.port()))) {
      agent.answers(ok(invented, "Content-Type: application/json"));
      try (RawHttp client = new RawHttp(child.inbound())) {
        client.send(posted(asked, "Content-Type: application/json", "A2A-Version: 1.0"));
        assertThat(new String(client.reply().body(), UTF_8)).isEqualTo(invented);
      }
      child.terminate();
      assertThat(child.awaitEnd()).isZero();
      assertThat(child.output())
          .contains("enforcing would have held 1 of 2 messages: default number_unsupported 1");
    }
  }

  @Test
  void anAnswerThatComesSlowly_isHeardAsItComes() throws Exception {
    agent.asked.clear();
    agent.serving =
        (in, socket) -> {
          HttpBytes.readRequest(in).orElseThrow();
          socket
              .getOutputStream()
              .write(
                  "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n{\"a\":1}\n"
                      .getBytes(ISO_8859_1));
          agent.asked.add("half");
          in.read(); // nothing, until the caller goes
        };
    try (RawHttp client = new RawHttp(observing.inbound())) {
      client.send(posted(SENT, "Content-Type: application/json"));
      assertThat(agent.asked()).isEqualTo("half");
      StringBuilder heard = new StringBuilder();
      long untilNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (heard.indexOf("{\"a\":1}\n") < 0 && System.nanoTime() < untilNs) {
        heard.append(client.some());
      }
      assertThat(heard.toString()).contains("{\"a\":1}\n");
    }
  }

  @Test
  void anotherProtocol_isATunnel_whereNothingIsHeldBack() throws Exception {
    agent.asked.clear();
    agent.serving =
        (in, socket) -> {
          agent.asked.add(HttpBytes.readRequest(in).orElseThrow().field("upgrade").orElse(""));
          socket
              .getOutputStream()
              .write(
                  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
                      .getBytes(ISO_8859_1));
          socket.getOutputStream().write(in.readNBytes(4));
          in.readAllBytes();
        };
    String asked =
        head("GET /chat", "Connection: keep-alive, Upgrade", "Upgrade: websocket", "X-Key: 1");
    try (RawHttp client = new RawHttp(observing.inbound())) {
      client.send(asked);
      assertThat(client.reply().startLine()).startsWith("HTTP/1.1 101");
      client.send("\u0081\u0002hi").finish();
      assertThat(client.rest()).isEqualTo("\u0081\u0002hi");
      assertThat(agent.asked()).isEqualTo("websocket");
    }
    try (RawHttp client = new RawHttp(enforcing.inbound())) {
      client.send(asked);
      assertThat(client.rest()).startsWith("HTTP/1.1 403").contains("upgrade_denied");
    }
  }

  @Test
  void aLongQuestionOverHttp2_goesOnAsItComes() throws Exception {
    byte[] large = "y".repeat(6 << 20).getBytes(UTF_8);
    agent.answers(ok("fine", "Content-Type: text/plain"));
    try (H2Caller caller = new H2Caller(observing.inbound())) {
      H2Caller.Reply reply = caller.post("/a", "text/plain", large).get(60, TimeUnit.SECONDS);
      assertThat(reply.status()).isEqualTo("200");
      assertThat(reply.body()).isEqualTo("fine");
      assertThat(agent.asked()).endsWith("\n\n" + new String(large, UTF_8));
      assertThat(observing.admin().get("/metrics").body())
          .contains("parlance_unjudged_total{policy=\"allow\",what=\"body_too_large\"}");
    }
    try (H2Caller caller = new H2Caller(enforcing.inbound())) {
      H2Caller.Reply reply = caller.post("/a", "text/plain", large).get(60, TimeUnit.SECONDS);
      assertThat(reply.status()).isEqualTo("413");
    }
  }

  @Test
  void earlyHints_reachTheCaller() throws Exception {
    byte[] hinted =
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            .getBytes(ISO_8859_1);
    agent.answers(hinted);
    try (RawHttp client = new RawHttp(observing.inbound())) {
      client.send(head("GET /"));
      HttpBytes early = client.reply(true);
      assertThat(early.startLine()).isEqualTo("HTTP/1.1 103 Early Hints");
      assertThat(early.field("link")).contains("</a.css>; rel=preload");
      assertThat(new String(client.reply().body(), ISO_8859_1)).isEqualTo("ok");
    }
  }

  /** Its length is told, and the connection takes the next request. */
  @Test
  void aLongAnswer_keepsItsLength_alsoForHttp10() throws Exception {
    for (String version : List.of("HTTP/1.1", "HTTP/1.0")) {
      try (RawHttp client = new RawHttp(observing.inbound())) {
        for (int i = 0; i < 2; i++) {
          agent.answers(ok("z".repeat(5 << 20), "Content-Type: application/octet-stream"));
          client.send("GET /f " + version + "\r\nHost: a\r\nConnection: keep-alive\r\n\r\n");
          HttpBytes reply = client.reply();
          assertThat(reply.field("content-length")).contains(Integer.toString(5 << 20));
          assertThat(reply.field("transfer-encoding")).isEmpty();
          assertThat(reply.body()).hasSize(5 << 20);
        }
      }
    }
  }

  /** As load balancers do that check whether a server is there. */
  @Test
  void http10WithoutHost_reachesTheAgent_whereAllIsObserved() throws Exception {
    for (String method : List.of("GET", "OPTIONS")) {
      agent.answers(ok("fine", "Content-Type: text/plain"));
      try (RawHttp client = new RawHttp(observing.inbound())) {
        client.send(method + " /healthz HTTP/1.0\r\n\r\n");
        assertThat(client.rest()).startsWith("HTTP/1.1 200").endsWith("fine");
      }
    }
  }

  /** RFC 9110, 9.3.7: a question about the server as a whole, as some load balancers ask it. */
  @Test
  void optionsOfTheServer_reachTheAgent_whereItEnforces() throws Exception {
    agent.answers(ok("", "Allow: GET, POST"));
    try (RawHttp client = new RawHttp(enforcing.inbound())) {
      client.send(head("OPTIONS *"));
      assertThat(client.reply().field("Allow")).contains("GET, POST");
    }
    assertThat(agent.asked()).contains("OPTIONS * HTTP/1.1");
  }

  @Test
  void aCallerThatHasEndedItsSending_getsItsAnswer() throws Exception {
    for (LocalSidecar sidecar : List.of(observing)) {
      agent.answers(ok("fine", "Content-Type: text/plain"));
      try (RawHttp client = new RawHttp(sidecar.inbound())) {
        client.send(head("GET /healthz")).finish();
        assertThat(client.rest()).startsWith("HTTP/1.1 200").endsWith("fine");
      }
    }
  }

  @Test
  void aLongQuestion_isRefusedWhereSomethingIsHeldBack() throws Exception {
    try (RawHttp client = new RawHttp(enforcing.inbound())) {
      client.send(head("POST /a", "Content-Length: 5000000"));
      assertThat(client.rest()).startsWith("HTTP/1.1 413").contains("body_too_large");
    }
  }

  @Test
  void connect_isATunnel_whereTheConfigurationAllowsIt() throws Exception {
    agent.serving =
        (in, socket) -> {
          socket.getOutputStream().write("HELLO".getBytes(UTF_8));
          byte[] said = in.readNBytes(4);
          socket.getOutputStream().write(said);
          in.readAllBytes();
          socket.getOutputStream().write("BYE".getBytes(UTF_8));
        };
    String to = "127.0.0.1:" + agent.port();
    String asked = "CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\n\r\n";
    try (RawHttp client = new RawHttp(observing.outboundPort())) {
      client.send(asked + "\u0016\u0003\u0001ping".substring(0, 4)).finish();
      assertThat(client.rest())
          .isEqualTo("HTTP/1.1 200 Connection established\r\n\r\nHELLO\u0016\u0003\u0001pBYE");
    }
    try (RawHttp client = new RawHttp(enforcing.outboundPort())) {
      client.send(asked);
      assertThat(client.rest())
          .startsWith("HTTP/1.1 405")
          .contains("connect_denied", "outbound.tunnels");
    }
    try (RawHttp client = new RawHttp(observing.inbound())) {
      client.send(asked);
      assertThat(client.rest()).startsWith("HTTP/1.1 405");
    }
    assertThat(observing.admin().get("/metrics").body())
        .contains("parlance_opaque_connections_total{reason=\"connect\"} 1.0");
  }
}
