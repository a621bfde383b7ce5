package dev.parlance.loadtest;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * The bytes of A2A v1.0 streams over JSON-RPC, as server-sent events in HTTP chunks, one chunk per
 * event. A short stream says one answer of the corpus in pieces, with its evidence in the first; a
 * long one goes on saying real sentences for as long as it is asked to.
 */
final class StreamBytes {
  /** What the client looks for: the first event that has text of the answer in it. */
  static final String TEXT_EVENT = "artifactUpdate";

  /** What ends a stream that went well. */
  static final String COMPLETED = "TASK_STATE_COMPLETED";

  static final String HEAD =
      String.join(
          "\r\n",
          "HTTP/1.1 200 OK",
          "Content-Type: text/event-stream",
          "Cache-Control: no-cache",
          "Transfer-Encoding: chunked",
          "",
          "");

  /** The last chunk. */
  static final String LAST_CHUNK = "0\r\n\r\n";

  private static final String EVIDENCE = "https://w3id.org/parlance/ext/evidence/v1";
  private static final int PIECE_CHARS = 60;
  private static final int BLOCK_BYTES = 64 * 1024;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private StreamBytes() {}

  /** The events of a short stream, each as it is written, without the head. */
  static List<byte[]> answer(Exchange exchange) {
    List<byte[]> events = new ArrayList<>(opening());
    String text = exchange.answer();
    for (int from = 0; from < text.length(); from += PIECE_CHARS) {
      Map<String, Object> artifact = artifact(text, from);
      if (from == 0) {
        artifact.put("metadata", Map.of(EVIDENCE, evidence(exchange)));
        artifact.put("extensions", List.of(EVIDENCE));
      }
      events.add(piece(artifact, from > 0, from + PIECE_CHARS >= text.length()));
    }
    events.add(closing());
    return List.copyOf(events);
  }

  /** What stands before the text. */
  static List<byte[]> opening() {
    return List.of(
        event(
            Map.of(
                "task",
                Map.of(
                    "id",
                    "t1",
                    "contextId",
                    "x1",
                    "status",
                    Map.of("state", "TASK_STATE_WORKING")))),
        event(status("TASK_STATE_WORKING")));
  }

  /** The first piece of a long stream. */
  static byte[] firstPiece() {
    return piece(artifact("Here it comes. ", 0), false, false);
  }

  /** Events to be sent over and over: further pieces of one artifact, about 64 KiB. */
  static byte[] block() {
    ByteArrayOutputStream block = new ByteArrayOutputStream(BLOCK_BYTES + 4096);
    List<String> sentences = LicenseText.sentences();
    for (int i = 0; block.size() < BLOCK_BYTES; i++) {
      String sentence = sentences.get(i % sentences.size()) + " ";
      Map<String, Object> artifact = new LinkedHashMap<>();
      artifact.put("artifactId", "a1");
      artifact.put("parts", List.of(Map.of("text", sentence)));
      block.writeBytes(piece(artifact, true, false));
    }
    return block.toByteArray();
  }

  /** The end of a stream, without the last chunk. */
  static byte[] closing() {
    return event(status(COMPLETED));
  }

  /** The request for a stream; the path says which. */
  static byte[] request(String path, String question) {
    String body =
        JSON.writeValueAsString(
            Map.of(
                "jsonrpc",
                "2.0",
                "id",
                1,
                "method",
                "SendStreamingMessage",
                "params",
                Map.of(
                    "message",
                    Map.of(
                        "messageId",
                        "m1",
                        "role",
                        "ROLE_USER",
                        "parts",
                        List.of(Map.of("text", question))))));
    return ("POST "
            + path
            + " HTTP/1.1\r\nHost: agent\r\nContent-Type: application/json\r\n"
            + "Accept: text/event-stream\r\nA2A-Version: 1.0\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static Map<String, Object> artifact(String text, int from) {
    Map<String, Object> artifact = new LinkedHashMap<>();
    artifact.put("artifactId", "a1");
    String piece = text.substring(from, Math.min(text.length(), from + PIECE_CHARS));
    artifact.put("parts", List.of(Map.of("text", piece)));
    return artifact;
  }

  private static byte[] piece(Map<String, Object> artifact, boolean append, boolean last) {
    Map<String, Object> update = new LinkedHashMap<>();
    update.put("taskId", "t1");
    update.put("contextId", "x1");
    update.put("artifact", artifact);
    update.put("append", append);
    update.put("lastChunk", last);
    return event(Map.of(TEXT_EVENT, update));
  }

  private static Map<String, Object> status(String state) {
    return Map.of(
        "statusUpdate",
        Map.of("taskId", "t1", "contextId", "x1", "status", Map.of("state", state)));
  }

  private static Map<String, Object> evidence(Exchange exchange) {
    List<Map<String, Object>> context = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < exchange.context().size(); i++) {
      String id = "c" + (i + 1);
      context.add(Map.of("id", id, "text", exchange.context().get(i)));
      if (exchange.answer().contains("[Chunk " + id + "]")) {
        ids.add(id);
      }
    }
    return Map.of("question", exchange.question(), "context", context, "citations", ids);
  }

  private static byte[] event(Map<String, Object> result) {
    Map<String, Object> response = new LinkedHashMap<>();
    response.put("jsonrpc", "2.0");
    response.put("id", 1);
    response.put("result", result);
    String event = "data: " + JSON.writeValueAsString(response) + "\n\n";
    String size = Integer.toHexString(event.length()).toUpperCase(Locale.ROOT);
    return (size + "\r\n" + event + "\r\n").getBytes(StandardCharsets.US_ASCII);
  }
}
