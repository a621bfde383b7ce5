package dev.parlance.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Requests and answers of each protocol, for {@link OddRows} to make odd. */
final class OddMessages {
  static final String SAID = "The lid is held by four screws";
  private static final String EVIDENCE =
      "\"https://w3id.org/parlance/ext/evidence/v1\":{\"context\":[{\"id\":\"c1\",\"text\":\""
          + SAID
          + ".\"}]}";
  static final String ESSAY =
      "The walrus of the north hall was sold to the topaz, and nobody may tell the candle. ";
  private static final Random RANDOM = new Random(20_261_126);

  private OddMessages() {}

  // ---- requests ----

  static byte[] post(String path, String fields, byte[] body) {
    byte[] trace = new byte[24];
    RANDOM.nextBytes(trace);
    String hex = HexFormat.of().formatHex(trace);
    String head =
        "POST %s HTTP/1.1\r\nHost: a\r\ntraceparent: 00-%s-%s-01\r\n%s"
            .formatted(path, hex.substring(0, 32), hex.substring(32), fields);
    head += "Content-Length: " + body.length + "\r\nConnection: close\r\n\r\n";
    return join(head.getBytes(ISO_8859_1), body);
  }

  static String question() {
    return "What holds the lid " + RANDOM.nextInt(1 << 30) + "?";
  }

  static String a2aCall(String method, String id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{\"message\":{\"role\":\"ROLE_USER\",\"messageId\":\"m-1\",\"parts\":[{\"text\":\"%s\"}]}}}"
        .formatted(id, method, question());
  }

  static final String A2A = "Content-Type: application/json\r\nA2A-Version: 1.0\r\n";

  static byte[] a2a() {
    return post("/", A2A, utf8(a2aCall("SendMessage", "1")));
  }

  static byte[] a2aStream() {
    return post(
        "/", A2A + "Accept: text/event-stream\r\n", utf8(a2aCall("SendStreamingMessage", "1")));
  }

  static byte[] rest(String path) {
    String body =
        "{\"message\":{\"role\":\"ROLE_USER\",\"messageId\":\"m-1\",\"parts\":[{\"text\":\"%s\"}]}}"
            .formatted(question());
    return post(path, "Content-Type: application/a2a+json\r\nA2A-Version: 1.0\r\n", utf8(body));
  }

  static final String MCP =
      "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
          + "MCP-Protocol-Version: 2025-11-25\r\n";

  static byte[] mcp() {
    return post(
        "/mcp",
        MCP,
        utf8(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",\"arguments\":{\"question\":\"%s\"}}}"
                .formatted(question())));
  }

  static byte[] chat(boolean stream) {
    return post(
        "/v1/chat/completions",
        "Content-Type: application/json\r\n",
        utf8(
            "{\"model\":\"m\",\"stream\":%s,\"messages\":[{\"role\":\"system\",\"content\":\"Answer from this:\\n[c1] %s.\"},{\"role\":\"user\",\"content\":\"%s\"}]}"
                .formatted(stream, SAID, question())));
  }

  // ---- answers ----

  static byte[] answer(String fields, byte[] body) {
    return join(
        ("HTTP/1.1 200 OK\r\n"
                + fields
                + "Content-Length: "
                + body.length
                + "\r\nConnection: close\r\n\r\n")
            .getBytes(ISO_8859_1),
        body);
  }

  static byte[] json(String body) {
    return answer("Content-Type: application/json\r\n", utf8(body));
  }

  static byte[] events(String body) {
    return answer("Content-Type: text/event-stream\r\n", utf8(body));
  }

  static String message(String parts) {
    return "{\"message\":{\"role\":\"ROLE_AGENT\",\"messageId\":\"a-1\",\"parts\":["
        + parts
        + "],\"metadata\":{"
        + EVIDENCE
        + "}}}";
  }

  static String good() {
    return message("{\"text\":\"" + SAID + " [Chunk c1].\"}");
  }

  static String rpc(String id, String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
  }

  static String toolResult(String more) {
    return "{\"content\":[{\"type\":\"text\",\"text\":\""
        + SAID
        + " [Chunk c1].\"}]"
        + more
        + ",\"_meta\":{\"org.w3id.parlance/evidence\":{\"context\":[{\"id\":\"c1\",\"text\":\""
        + SAID
        + ".\"}]}}}";
  }

  static String completion(String more) {
    return "{\"id\":\"c-1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\""
        + SAID
        + " [Chunk c1].\"},\"finish_reason\":\"stop\"}]"
        + more
        + "}";
  }

  static String chunk(String delta, String end) {
    return "data:"
               + " {\"id\":\"c-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":"
        + delta
        + ",\"finish_reason\":"
        + end
        + "}]}\n\n";
  }

  static String chunks() {
    return chunk("{\"role\":\"assistant\",\"content\":\"" + SAID + "\"}", "null")
        + chunk("{\"content\":\" [Chunk c1].\"}", "\"stop\"");
  }

  static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }

  static byte[] join(byte[]... pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      all.writeBytes(piece);
    }
    return all.toByteArray();
  }

  static byte[] gzip(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(utf8(text));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return out.toByteArray();
  }

  static byte[] deflate(String text, boolean raw) {
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

  static byte[] coded(String coding, byte[] body) {
    return answer("Content-Type: application/json\r\nContent-Encoding: " + coding + "\r\n", body);
  }

  static String rpcCall(String id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",\"arguments\":{\"question\":\"%s\"}}}"
        .formatted(id, question());
  }
}
