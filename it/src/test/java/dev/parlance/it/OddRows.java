package dev.parlance.it;

import static dev.parlance.it.OddMessages.A2A;
import static dev.parlance.it.OddMessages.ESSAY;
import static dev.parlance.it.OddMessages.MCP;
import static dev.parlance.it.OddMessages.SAID;
import static dev.parlance.it.OddMessages.a2a;
import static dev.parlance.it.OddMessages.a2aCall;
import static dev.parlance.it.OddMessages.a2aStream;
import static dev.parlance.it.OddMessages.answer;
import static dev.parlance.it.OddMessages.chat;
import static dev.parlance.it.OddMessages.chunks;
import static dev.parlance.it.OddMessages.coded;
import static dev.parlance.it.OddMessages.completion;
import static dev.parlance.it.OddMessages.deflate;
import static dev.parlance.it.OddMessages.events;
import static dev.parlance.it.OddMessages.good;
import static dev.parlance.it.OddMessages.gzip;
import static dev.parlance.it.OddMessages.join;
import static dev.parlance.it.OddMessages.json;
import static dev.parlance.it.OddMessages.mcp;
import static dev.parlance.it.OddMessages.message;
import static dev.parlance.it.OddMessages.post;
import static dev.parlance.it.OddMessages.rest;
import static dev.parlance.it.OddMessages.rpc;
import static dev.parlance.it.OddMessages.rpcCall;
import static dev.parlance.it.OddMessages.toolResult;
import static dev.parlance.it.OddMessages.utf8;

import java.util.stream.Stream;

/** Exchanges with an oddity each: such as harm nobody, and such as bring words along. */
final class OddRows {
  private OddRows() {}

  /** A request and the answer to it, as bytes. */
  record Row(String id, byte[] request, byte[] answer) {
    @Override
    public String toString() {
      return id;
    }
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
                    "request json-rpc",
                    post(
                        "/",
                        "Content-Type: application/json-rpc\r\nA2A-Version: 1.0\r\n",
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
                new Row(
                    "W04 chat foreign",
                    chat(true),
                    events(
                        "event: connected\ndata: {\"connectionId\": \"6f1e\"}\n\n"
                            + chunks()
                            + "data: [DONE]\n\n")),
                new Row(
                    "W04 chat null",
                    chat(true),
                    events("data: null\n\n" + chunks() + "data: [DONE]\n\n")),
                new Row("W04 a2a null", a2aStream(), events("data: null\n\n" + event)),
                new Row("W04 mcp null", mcp(), events("data: null\n\n" + mcpEvent)),
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
        new Row(
            "K11 push",
            post(
                "/webhook",
                A2A,
                utf8(
                    "{\"task\":{\"id\":\"t1\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}}")),
            answer("Content-Type: text/plain\r\n", utf8(ESSAY))),
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
        new Row(
            "K04 foreign chat object",
            chat(true),
            events(
                "event: note\ndata: {\"note\": \""
                    + ESSAY
                    + "\"}\n\n"
                    + chunks()
                    + "data: [DONE]\n\n")),
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
}
