package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Oddities of framing, coding and naming in every protocol, whole and streamed. Harmless ones cost
 * nothing: a sidecar that observes passes them as they came, and one that enforces delivers the
 * answer. Words of the agent that nobody reads do not get through the same doors.
 */
class OddityIT {
  private static final String SAID = "The lid is held by four screws";
  private static final String EVIDENCE =
      "\"https://w3id.org/parlance/ext/evidence/v1\":{\"context\":[{\"id\":\"c1\",\"text\":\""
          + SAID
          + ".\"}]}";
  private static final String SECRET = "walrus";
  private static final String ESSAY =
      "The walrus of the north hall was sold to the topaz, and nobody may tell the candle. ";
  private static final Random RANDOM = new Random(20_261_126);

  private static WireCasesIT.RawOrigin origin;
  private static LocalSidecar observing;
  private static LocalSidecar enforcing;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    origin = new WireCasesIT.RawOrigin();
    observing = sidecar(folder, "observe");
    enforcing = sidecar(folder, "enforce");
  }

  @AfterAll
  static void stop() throws IOException {
    observing.close();
    enforcing.close();
    origin.close();
  }

  private static LocalSidecar sidecar(Path folder, String mode) throws IOException {
    return LocalSidecar.start(
        folder,
        mode,
        "mode: " + mode + "\n",
        LocalSidecar.inboundTo(origin.port()),
        LocalSidecar.outbound());
  }

  /** A request and the answer to it, as bytes. */
  record Row(String id, byte[] request, byte[] answer) {
    @Override
    public String toString() {
      return id;
    }
  }

  // ---- requests ----

  private static byte[] post(String path, String fields, byte[] body) {
    byte[] trace = new byte[24];
    RANDOM.nextBytes(trace);
    String hex = HexFormat.of().formatHex(trace);
    String head =
        "POST %s HTTP/1.1\r\nHost: a\r\ntraceparent: 00-%s-%s-01\r\n%s"
            .formatted(path, hex.substring(0, 32), hex.substring(32), fields);
    head += "Content-Length: " + body.length + "\r\nConnection: close\r\n\r\n";
    return join(head.getBytes(ISO_8859_1), body);
  }

  private static String question() {
    return "What holds the lid " + RANDOM.nextInt(1 << 30) + "?";
  }

  private static String a2aCall(String method, String id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{\"message\":{\"role\":\"ROLE_USER\",\"messageId\":\"m-1\",\"parts\":[{\"text\":\"%s\"}]}}}"
        .formatted(id, method, question());
  }

  private static final String A2A = "Content-Type: application/json\r\nA2A-Version: 1.0\r\n";

  private static byte[] a2a() {
    return post("/", A2A, utf8(a2aCall("SendMessage", "1")));
  }

  private static byte[] a2aStream() {
    return post(
        "/", A2A + "Accept: text/event-stream\r\n", utf8(a2aCall("SendStreamingMessage", "1")));
  }

  private static byte[] rest(String path) {
    String body =
        "{\"message\":{\"role\":\"ROLE_USER\",\"messageId\":\"m-1\",\"parts\":[{\"text\":\"%s\"}]}}"
            .formatted(question());
    return post(path, "Content-Type: application/a2a+json\r\nA2A-Version: 1.0\r\n", utf8(body));
  }

  private static final String MCP =
      "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
          + "MCP-Protocol-Version: 2025-11-25\r\n";

  private static byte[] mcp() {
    return post(
        "/mcp",
        MCP,
        utf8(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",\"arguments\":{\"question\":\"%s\"}}}"
                .formatted(question())));
  }

  private static byte[] chat(boolean stream) {
    return post(
        "/v1/chat/completions",
        "Content-Type: application/json\r\n",
        utf8(
            "{\"model\":\"m\",\"stream\":%s,\"messages\":[{\"role\":\"system\",\"content\":\"Answer from this:\\n[c1] %s.\"},{\"role\":\"user\",\"content\":\"%s\"}]}"
                .formatted(stream, SAID, question())));
  }

  // ---- answers ----

  private static byte[] answer(String fields, byte[] body) {
    return join(
        ("HTTP/1.1 200 OK\r\n"
                + fields
                + "Content-Length: "
                + body.length
                + "\r\nConnection: close\r\n\r\n")
            .getBytes(ISO_8859_1),
        body);
  }

  private static byte[] json(String body) {
    return answer("Content-Type: application/json\r\n", utf8(body));
  }

  private static byte[] events(String body) {
    return answer("Content-Type: text/event-stream\r\n", utf8(body));
  }

  private static String message(String parts) {
    return "{\"message\":{\"role\":\"ROLE_AGENT\",\"messageId\":\"a-1\",\"parts\":["
        + parts
        + "],\"metadata\":{"
        + EVIDENCE
        + "}}}";
  }

  private static String good() {
    return message("{\"text\":\"" + SAID + " [Chunk c1].\"}");
  }

  private static String rpc(String id, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
  }

  private static String toolResult(String more) {
    return "{\"content\":[{\"type\":\"text\",\"text\":\""
        + SAID
        + " [Chunk c1].\"}]"
        + more
        + ",\"_meta\":{\"org.w3id.parlance/evidence\":{\"context\":[{\"id\":\"c1\",\"text\":\""
        + SAID
        + ".\"}]}}}";
  }

  private static String completion(String more) {
    return "{\"id\":\"c-1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\""
        + SAID
        + " [Chunk c1].\"},\"finish_reason\":\"stop\"}]"
        + more
        + "}";
  }

  private static String chunk(String delta, String end) {
    return "data:"
               + " {\"id\":\"c-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":"
        + delta
        + ",\"finish_reason\":"
        + end
        + "}]}\n\n";
  }

  private static String chunks() {
    return chunk("{\"role\":\"assistant\",\"content\":\"" + SAID + "\"}", "null")
        + chunk("{\"content\":\" [Chunk c1].\"}", "\"stop\"");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  private static byte[] join(byte[]... pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      all.writeBytes(piece);
    }
    return all.toByteArray();
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(utf8(text));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return out.toByteArray();
  }

  private static byte[] deflate(String text, boolean raw) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(6, raw);
    try (DeflaterOutputStream stream = new DeflaterOutputStream(out, deflater)) {
      stream.write(utf8(text));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      deflater.end();
    }
    return out.toByteArray();
  }

  private static byte[] coded(String coding, byte[] body) {
    return answer("Content-Type: application/json\r\nContent-Encoding: " + coding + "\r\n", body);
  }

  // ---- what is harmless ----

  static Stream<Row> harmless() {
    String rpc = rpc("1", good());
    String event = "data: " + rpc + "\n\n";
    String ping = "event: ping\ndata: {\"type\": \"ping\"}\n\n";
    String mcpEvent = "event: message\ndata: " + rpc("1", toolResult("")) + "\n\n";
    return Stream.of(
            Stream.of(
                new Row(
                    "W10 members",
                    a2a(),
                    coded("gzip", join(gzip(rpc.substring(0, 99)), gzip(rpc.substring(99))))),
                new Row("W10 raw deflate", a2a(), coded("deflate", deflate(rpc, true))),
                new Row("W10 deflate", a2a(), coded("deflate", deflate(rpc, false))),
                new Row("W10 x-gzip", a2a(), coded("x-gzip", gzip(rpc))),
                new Row("W10 identity", a2a(), coded("identity", utf8(rpc))),
                new Row("W10 identity, gzip", a2a(), coded("identity, gzip", gzip(rpc))),
                new Row("B18 mark a2a", a2a(), json("\uFEFF" + rpc)),
                new Row("B18 mark mcp", mcp(), json("\uFEFF" + rpc("1", toolResult("")))),
                new Row("B18 mark chat", chat(false), json("\uFEFF" + completion(""))),
                new Row("B18 mark rest", rest("/message:send"), json("\uFEFF" + good())),
                new Row("blanks around", a2a(), json("\r\n \t" + rpc + "\n\n ")),
                new Row("W12 1.0 mcp", mcp(), json(rpc("1.0", toolResult("")))),
                new Row("W12 string mcp", mcp(), json(rpc("\"1\"", toolResult("")))),
                new Row("W12 string a2a", a2a(), json(rpc("\"1\"", good()))),
                new Row(
                    "W12 zero",
                    post("/", A2A, utf8(a2aCall("SendMessage", "0"))),
                    json(rpc("\"0\"", good()))),
                new Row(
                    "W12 minus zero",
                    post("/", A2A, utf8(a2aCall("SendMessage", "0"))),
                    json(rpc("-0.0", good()))),
                new Row(
                    "B17 data a2a",
                    a2a(),
                    json(
                        rpc(
                            "1",
                            message(
                                "{\"text\":\""
                                    + SAID
                                    + " [Chunk c1].\"},{\"data\":{\"Co\":\"four"
                                    + " screws\",\"CO\":\"four screws\"}}")))),
                new Row(
                    "type octet",
                    a2a(),
                    answer("Content-Type: application/octet-stream\r\n", utf8(rpc))),
                new Row(
                    "type text",
                    a2a(),
                    answer("Content-Type: text/plain; charset=utf-8\r\n", utf8(rpc))),
                new Row("type none", a2a(), answer("", utf8(rpc))),
                new Row(
                    "type odd",
                    a2a(),
                    answer(
                        "Content-Type: Application/JSON ; CharSet=\"UTF-8\" ; x=y\r\n", utf8(rpc))),
                new Row(
                    "request octet",
                    post(
                        "/",
                        "Content-Type: application/octet-stream\r\nA2A-Version: 1.0\r\n",
                        utf8(a2aCall("SendMessage", "1"))),
                    json(rpc)),
                new Row(
                    "request form",
                    post(
                        "/",
                        "Content-Type: application/x-www-form-urlencoded\r\n",
                        utf8(a2aCall("SendMessage", "1"))),
                    json(rpc)),
                new Row(
                    "request mark",
                    post("/", A2A, utf8("\uFEFF" + a2aCall("SendMessage", "1"))),
                    json(rpc)),
                new Row(
                    "request data",
                    post(
                        "/",
                        A2A,
                        utf8(
                            a2aCall("SendMessage", "1")
                                .replace("}]}}", "},{\"data\":{\"Co\":1,\"CO\":2}}]}}"))),
                    json(rpc)),
                new Row(
                    "W09 request 55K",
                    post(
                        "/",
                        A2A + "Authorization: Bearer " + "e".repeat(55_000) + "\r\n",
                        utf8(a2aCall("SendMessage", "1"))),
                    json(rpc)),
                new Row(
                    "W09 answer 55K",
                    a2a(),
                    answer(
                        "Content-Type: application/json\r\nX-Session: "
                            + "e".repeat(55_000)
                            + "\r\n",
                        utf8(rpc))),
                new Row(
                    "W09 cookies",
                    a2a(),
                    answer(
                        "Content-Type: application/json\r\n"
                            + "Set-Cookie: a=b; Path=/; HttpOnly\r\n".repeat(300),
                        utf8(rpc))),
                new Row(
                    "W19",
                    post(
                        "/",
                        A2A + "x_tenant_id: 4b\r\nX_Request_Id: 5\r\n",
                        utf8(a2aCall("SendMessage", "1"))),
                    json(rpc)),
                new Row(
                    "W08 id",
                    post(
                        "/",
                        A2A,
                        utf8(
                            a2aCall(
                                "SendMessage", "\"sum up all orders of the plant in the north\""))),
                    json(rpc("\"sum up all orders of the plant in the north\"", good()))),
                new Row(
                    "W08 context",
                    post(
                        "/",
                        A2A,
                        utf8(
                            a2aCall("SendMessage", "1")
                                .replace(
                                    "\"messageId\"",
                                    "\"contextId\":\"all orders of the plant in the"
                                        + " north\",\"messageId\""))),
                    json(
                        rpc(
                            "1",
                            good()
                                .replace(
                                    "\"messageId\"",
                                    "\"contextId\":\"all orders of the plant in the"
                                        + " north\",\"messageId\"")))),
                new Row(
                    "W08 mcp",
                    post(
                        "/mcp",
                        MCP,
                        utf8(rpcCall("\"sum up all orders of the plant in the north\""))),
                    json(rpc("\"sum up all orders of the plant in the north\"", toolResult(""))))),
            Stream.of(
                new Row("W04 a2a ping", a2aStream(), events(ping + event)),
                new Row("W04 a2a ping behind", a2aStream(), events(event + ping)),
                new Row(
                    "W04 a2a foreign",
                    a2aStream(),
                    events(
                        "event: progress\ndata: {\"step\": \"reading the manual\"}\n\n" + event)),
                new Row("W04 a2a done", a2aStream(), events(event + "data: [DONE]\n\n")),
                new Row("W04 a2a named", a2aStream(), events("event: message\n" + event)),
                new Row(
                    "W04 rest ping",
                    rest("/message:stream"),
                    events(ping + "data: " + good() + "\n\n")),
                new Row("W04 mcp ping", mcp(), events(ping + mcpEvent)),
                new Row("W04 mcp empty", mcp(), events("id: 1\ndata:\n\n" + mcpEvent)),
                new Row(
                    "W04 mcp words",
                    mcp(),
                    events("event: progress\ndata: working\n\n" + mcpEvent)),
                new Row("W04 chat ping", chat(true), events(ping + chunks() + "data: [DONE]\n\n")),
                new Row(
                    "W04 chat words",
                    chat(true),
                    events("event: ping\ndata: ping\n\n" + chunks() + "data: [DONE]\n\n")),
                new Row("chat DONE variants", chat(true), events(chunks() + "data:[DONE]\n")),
                new Row("chat DONE quoted", chat(true), events(chunks() + "data: \"[DONE]\"\n\n")),
                new Row("chat no DONE", chat(true), events(chunks())),
                new Row("W13 a2a", a2aStream(), events(":" + " ".repeat(2048) + "\n\n" + event)),
                new Row("W13 mcp", mcp(), events(":" + ".".repeat(4096) + "\n" + mcpEvent)),
                new Row(
                    "W13 chat",
                    chat(true),
                    events(
                        ": OPENROUTER PROCESSING\n\n".repeat(9) + chunks() + "data: [DONE]\n\n")),
                new Row("B18 mark a2a stream", a2aStream(), events("\uFEFF" + event)),
                new Row(
                    "B18 mark chat stream",
                    chat(true),
                    events("\uFEFF" + chunks() + "data: [DONE]\n\n")),
                new Row("CR", a2aStream(), events(event.replace('\n', '\r'))),
                new Row("CRLF", a2aStream(), events(event.replace("\n", "\r\n"))),
                new Row("no blank line", a2aStream(), events(event.stripTrailing())),
                new Row(
                    "retry, id, field",
                    a2aStream(),
                    events("retry: 3000\nid: first one\nfoo: bar\n" + event)),
                new Row("empty data", a2aStream(), events("data:\n\ndata\n\n" + event)),
                new Row(
                    "W12 stream", a2aStream(), events("data: " + rpc("\"1\"", good()) + "\n\n"))))
        .flatMap(rows -> rows);
  }

  private static String rpcCall(String id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",\"arguments\":{\"question\":\"%s\"}}}"
        .formatted(id, question());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("harmless")
  void harmlessOddity_costsNothing(Row row) throws IOException {
    for (LocalSidecar sidecar : new LocalSidecar[] {observing, enforcing}) {
      String got = exchange(sidecar, row);
      assertThat(got).startsWith("HTTP/1.1 200").contains(SAID);
      assertThat(got).doesNotContain("\"error\"", "content_filter", "REJECTED");
      assertThat(origin.asked()).hasSize(1);
    }
  }

  // ---- what is not ----

  static Stream<Row> words() {
    String rpc = rpc("1", good());
    String event = "data: " + rpc + "\n\n";
    String mcpEvent = "event: message\ndata: " + rpc("1", toolResult("")) + "\n\n";
    String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    StringBuilder wordByWord = new StringBuilder();
    StringBuilder commentByComment = new StringBuilder();
    StringBuilder names = new StringBuilder();
    int number = 0;
    for (String word : ESSAY.repeat(9).split(" ", -1)) {
      wordByWord.append("event: ").append(word).append("\ndata: {}\n\n");
      commentByComment.append(": ").append(word).append('\n');
    }
    for (String sentence : ESSAY.repeat(4).split("(?<=\\G.{40})", -1)) {
      names
          .append(number == 0 ? "" : ",")
          .append('"')
          .append(number++)
          .append(sentence)
          .append("\":1");
    }
    return Stream.of(
        new Row("K13 comment a2a", a2aStream(), events(": " + ESSAY.repeat(20) + "\n\n" + event)),
        new Row("K13 comment mcp", mcp(), events(": " + ESSAY + "\n\n" + mcpEvent)),
        new Row(
            "K13 comment chat",
            chat(true),
            events(": " + ESSAY + "\n\n" + chunks() + "data: [DONE]\n\n")),
        new Row("K13 comment inside", a2aStream(), events("id: 1\n: " + ESSAY + "\n" + event)),
        new Row("K13 comments by word", a2aStream(), events(commentByComment + "\n" + event)),
        new Row("K13 id", a2aStream(), events("id: " + ESSAY + "\n" + event)),
        new Row("K13 retry", a2aStream(), events("retry: " + ESSAY + "\n" + event)),
        new Row(
            "K13 field",
            chat(true),
            events("note: " + ESSAY + "\n" + chunks() + "data: [DONE]\n\n")),
        new Row(
            "K13 name",
            chat(true),
            events("event: " + ESSAY + "\n" + chunks() + "data: [DONE]\n\n")),
        new Row(
            "K13 response name",
            chat(true),
            events("event: response." + ESSAY.replace(' ', '_') + "\n" + chunks())),
        new Row(
            "K04 names by word",
            a2aStream(),
            events(
                "event: a\ndata: {}\n\n".repeat(3)
                    + "event: abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl\n"
                    + "data: {}\n\n"
                    + wordByWord
                    + event)),
        new Row(
            "K04 foreign a2a",
            a2aStream(),
            events("event: note\ndata: {\"text\":\"" + ESSAY + "\"}\n\n" + event)),
        new Row(
            "K04 foreign text",
            a2aStream(),
            events("event: note\ndata: " + ESSAY + "\n\n" + event)),
        new Row(
            "K04 foreign mcp", mcp(), events("event: note\ndata: " + ESSAY + "\n\n" + mcpEvent)),
        new Row(
            "K04 foreign chat",
            chat(true),
            events("event: note\ndata: " + ESSAY + "\n\n" + chunks() + "data: [DONE]\n\n")),
        new Row("K04 done chat", chat(true), events(chunks() + "data: [DONE] " + ESSAY + "\n\n")),
        new Row(
            "K11 text",
            post("/mcp", MCP, utf8(notification)),
            answer("Content-Type: text/plain\r\n", utf8(ESSAY))),
        new Row(
            "K11 json",
            post("/mcp", MCP, utf8(notification)),
            json("{\"note\":\"" + ESSAY + "\"}")),
        new Row(
            "K11 html",
            post("/mcp", MCP, utf8(notification)),
            answer("Content-Type: text/html\r\n", utf8(ESSAY.repeat(9)))),
        new Row(
            "K11 a2a",
            post("/", A2A, utf8(a2aCall("SendMessage", "1").replace("\"id\":1,", ""))),
            answer("Content-Type: text/plain\r\n", utf8(ESSAY))),
        new Row("K08 a2a", a2a(), json(rpc("\"" + ESSAY + "\"", good()))),
        new Row("K08 mcp", mcp(), json(rpc("\"" + ESSAY + "\"", toolResult("")))),
        new Row(
            "K08 stream",
            a2aStream(),
            events("data: " + rpc("\"" + ESSAY + "\"", good()) + "\n\n")),
        new Row(
            "K14 mcp",
            mcp(),
            json(rpc("1", toolResult(",\"structuredContent\":{\"" + ESSAY + "\":1}")))),
        new Row(
            "K14 mcp only",
            mcp(),
            json(rpc("1", "{\"content\":[],\"structuredContent\":{" + names + "}}"))),
        new Row(
            "K14 a2a pieces",
            a2a(),
            json(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":{\"role\":\"ROLE_AGENT\",\"messageId\":\"a-1\",\"parts\":[{\"data\":{"
                    + names
                    + "}}]}}}")),
        new Row(
            "K14 a2a stream",
            a2aStream(),
            events(
                "data:"
                    + " {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":{\"role\":\"ROLE_AGENT\",\"messageId\":\"a-1\",\"parts\":[{\"data\":{"
                    + names
                    + "}}]}}}\n\n")),
        new Row(
            "K14 metadata",
            a2a(),
            json(
                rpc(
                    "1",
                    good().replace("\"metadata\":{", "\"metadata\":{\"x\":{" + names + "},")))),
        new Row("K14 chat", chat(false), json(completion(",\"note\":{" + names + "}"))),
        new Row(
            "K09 field",
            a2a(),
            answer(
                "Content-Type: application/json\r\nX-Note: " + ESSAY.repeat(20) + "\r\n",
                utf8(rpc))),
        new Row(
            "K09 fields",
            a2aStream(),
            answer(
                "Content-Type: text/event-stream\r\n"
                    + ("X-Note: "
                            + "The topaz of the hall was sold to no candle. ".repeat(12)
                            + "\r\n")
                        .repeat(3),
                utf8(event))),
        new Row("K10 member behind", a2a(), coded("gzip", join(gzip(rpc), gzip(ESSAY)))),
        new Row("K10 bytes behind", a2a(), coded("gzip", join(gzip(rpc), utf8(ESSAY)))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("words")
  void wordsThatNobodyReads_doNotPass(Row row) throws IOException {
    assertThat(exchange(enforcing, row)).doesNotContain(SECRET, "topaz", "candle");
  }

  private static String exchange(LocalSidecar sidecar, Row row) throws IOException {
    origin.answer(row.answer());
    try (RawHttp client = new RawHttp(sidecar.inbound())) {
      client.send(row.request());
      String all = client.rest();
      HttpBytes reply =
          HttpBytes.readResponse(new ByteArrayInputStream(all.getBytes(ISO_8859_1)), false)
              .orElseThrow(() -> new IOException("broken: " + all));
      byte[] body = reply.body();
      boolean zipped =
          reply.field("content-encoding").filter(it -> it.contains("gzip")).isPresent();
      return all.substring(0, all.indexOf("\r\n\r\n"))
          + "\r\n\r\n"
          + (zipped
              ? new String(
                  new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes(), UTF_8)
              : new String(body, UTF_8));
    }
  }
}
