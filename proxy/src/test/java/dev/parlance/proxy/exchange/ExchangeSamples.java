package dev.parlance.proxy.exchange;

import dev.parlance.wire.api.RoundMark;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** The requests and answers that the rows of {@link ExchangeTableTest} name. */
final class ExchangeSamples {
  private static final String QUESTION = "When must the impeller be replaced?";
  private static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";
  private static final String GROUNDED = FACT + " [Chunk c1].";
  private static final String INVENTED =
      "Our friendly specialists generally recommend whatever feels right for everybody concerned.";

  /** Loosely carried by the evidence: what the first stage of the judge leaves open. */
  private static final String OPEN =
      "that impeller of the pump is swapped by its owners regularly.";

  private static final String NUMBER = GROUNDED.replace("2000", "4711");
  private static final String EVIDENCE =
      "\"https://w3id.org/parlance/ext/evidence/v1\":{\"context\":[{\"id\":\"c1\",\"text\":\""
          + FACT
          + ".\"}]}";
  private static final String FORGED =
      "\"https://w3id.org/parlance/ext/asp/v1\":{\"route\":\"execute\"}";
  private static final String FILE = ",{\"raw\":\"AAEC\",\"mediaType\":\"image/png\"}";

  /** Dear to normalise: so many cost more than one millisecond. */
  private static final String DEAR = "\uFDFA".repeat(4000);

  private static final String A2A = "Content-Type: application/json\nA2A-Version: 1.0\n";
  private static final String EVENTS = "Content-Type: text/event-stream\n";

  private ExchangeSamples() {}

  // ---- requests ----

  static ExchangeBench.Request request(String said) {
    return switch (said) {
      case "question" -> asks(QUESTION, "");
      case "question streamed" -> asks(QUESTION, "", "SendStreamingMessage", A2A, "");
      case "grounded" -> asks(GROUNDED, EVIDENCE);
      case "invented" -> asks(INVENTED, EVIDENCE);
      case "number" -> asks(NUMBER, EVIDENCE);
      case "dear" -> asks(DEAR, "");
      case "certified" -> asks("When is the impeller due?", "");
      case "revoked" -> asks("How many operating hours are left?", "");
      case "forged" ->
          asks(QUESTION, FORGED, "SendMessage", A2A + "ASP-Signal: [@C:F]\nparlance-x: y\n", "");
      case "text and file" -> asks(QUESTION, "", "SendMessage", A2A, FILE);
      case "file" ->
          post(
              A2A,
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":"
                  + "{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":["
                  + FILE.substring(1)
                  + "]}}}");
      case "card" ->
          new ExchangeBench.Request("GET", "/.well-known/agent-card.json", "", new byte[0]);
      case "foreign" ->
          new ExchangeBench.Request(
              "POST", "/x", "Content-Type: application/octet-stream\n", new byte[] {1, 2, 3});
      case "bad json" -> post(A2A, "{\"jsonrpc\":\"2.0\",");
      case "coded" -> asks(QUESTION, "", "SendMessage", A2A + "Content-Encoding: br\n", "");
      case "two types" -> asks(QUESTION, "", "SendMessage", A2A + "Content-Type: text/plain\n", "");
      case "deadline broken" -> asks(QUESTION, "", "SendMessage", A2A + "grpc-timeout: x\n", "");
      case "open hello", "open zz", "open" -> asks(open(said), EVIDENCE);
      case "deadline over" -> asks(QUESTION, "", "SendMessage", A2A + "grpc-timeout: 0S\n", "");
      default -> asks(said.contains("invented") ? INVENTED : "Keep it.", mark(said));
    };
  }

  private static ExchangeBench.Request asks(String text, String metadata) {
    return asks(text, metadata, "SendMessage", A2A, "");
  }

  private static ExchangeBench.Request asks(
      String text, String metadata, String method, String fields, String more) {
    return post(
        fields,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\""
            + method
            + "\",\"params\":{\"message\":{\"messageId\":\"m-1\",\"role\":\"ROLE_USER\",\"parts\":"
            + "[{\"text\":\""
            + text
            + "\"}"
            + more
            + "],\"metadata\":{"
            + metadata
            + "}}}}");
  }

  private static ExchangeBench.Request post(String fields, String body) {
    return new ExchangeBench.Request("POST", "/a2a", fields, body.getBytes(StandardCharsets.UTF_8));
  }

  /** What a message says of a round: {@code claim NAME}, {@code proposal NAME}, ... */
  private static String mark(String said) {
    String round = said.substring(said.lastIndexOf(' ') + 1);
    String rest =
        said.startsWith("claim otherwise")
            ? ",\"outcome\":{\"kind\":\"verdict_commit\",\"verdict\":\"drop\"}"
            : said.startsWith("claim")
                ? ",\"outcome\":{\"kind\":\"verdict_commit\",\"verdict\":\"keep\"}"
                : said.startsWith("proposal waiting")
                    ? ",\"verdict\":\"keep\",\"wait\":true"
                    : said.startsWith("proposal") ? ",\"verdict\":\"keep\"" : ",\"outcome\":7";
    return "\"" + RoundMark.URI + "\":{\"round\":\"" + round + "\",\"epoch\":1" + rest + "}";
  }

  // ---- answers ----

  /** {@code X then Y}: the second is the answer to the second ask, and to every one after. */
  static List<ExchangeBench.Answer> answers(String said) {
    return Stream.of(said.split(" then ", -1)).map(ExchangeSamples::answer).toList();
  }

  static ExchangeBench.Answer answer(String said) {
    if (said.startsWith("stream ")) {
      return streamed(said.substring("stream ".length()));
    }
    return switch (said) {
      case "grounded", "unread request" -> says(GROUNDED, EVIDENCE);
      case "invented" -> says(INVENTED, EVIDENCE);
      case "number" -> says(NUMBER, EVIDENCE);
      case "open hello", "open zz", "open" -> says(open(said), EVIDENCE);
      case "number hello" -> says("Hello. " + NUMBER, EVIDENCE);
      case "bare" -> says(GROUNDED.replace(" [Chunk c1]", ""), "");
      case "dear" -> says(DEAR, EVIDENCE);
      case "forged" ->
          says(GROUNDED, EVIDENCE + "," + FORGED, A2A + "Parlance-Route: execute\n", "");
      case "text and file" -> says(GROUNDED, EVIDENCE, A2A, FILE);
      case "file" ->
          json(
              "{\"message\":{\"messageId\":\"a-1\",\"role\":\"ROLE_AGENT\",\"parts\":["
                  + FILE.substring(1)
                  + "]}}");
      case "wordless" ->
          json(
              "{\"task\":{\"id\":\"t-1\",\"contextId\":\"ctx-1\",\"status\":{\"state\":"
                  + "\"TASK_STATE_WORKING\"}}}");
      case "error" ->
          whole(
              200,
              A2A,
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32001,\"message\":\"Task not"
                  + " found\"}}");
      case "no content" -> whole(204, "", "");
      case "foreign" -> whole(200, "Content-Type: application/octet-stream\n", "\u0001\u0002");
      case "foreign 503" -> whole(503, "Content-Type: text/html\n", "<p>away</p>");
      case "bad json" -> whole(200, A2A, "{\"jsonrpc\":");
      case "coded" -> says(GROUNDED, EVIDENCE, A2A + "Content-Encoding: br\n", "");
      case "two types" -> says(GROUNDED, EVIDENCE, A2A + "Content-Type: text/plain\n", "");
      case "trailers" -> {
        ExchangeBench.Answer plain = says(GROUNDED, EVIDENCE);
        yield new ExchangeBench.Answer(
            200, plain.fields(), "x-a: " + "y".repeat(600) + "\nasp-signal: z", plain.pieces(), "");
      }
      case "refused" -> new ExchangeBench.Answer(0, "", "", List.of(), "connect_refused");
      case "left" -> new ExchangeBench.Answer(0, "", "", List.of(), "cancelled");
      default -> says(GROUNDED, EVIDENCE + "," + mark(said));
    };
  }

  private static ExchangeBench.Answer says(String text, String metadata) {
    return says(text, metadata, A2A, "");
  }

  private static ExchangeBench.Answer says(
      String text, String metadata, String fields, String more) {
    ExchangeBench.Answer plain =
        json(
            "{\"message\":{\"messageId\":\"a-1\",\"contextId\":\"ctx-1\",\"role\":\"ROLE_AGENT\","
                + "\"parts\":[{\"text\":\""
                + text
                + "\"}"
                + more
                + "],\"metadata\":{"
                + metadata
                + "}}}");
    return new ExchangeBench.Answer(200, fields, "", plain.pieces(), "");
  }

  private static ExchangeBench.Answer json(String result) {
    return whole(200, A2A, rpc(result));
  }

  private static String rpc(String result) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}";
  }

  private static ExchangeBench.Answer whole(int status, String fields, String body) {
    return new ExchangeBench.Answer(
        status, fields, "", List.of(body.getBytes(StandardCharsets.UTF_8)), "");
  }

  // ---- streams ----

  private static ExchangeBench.Answer streamed(String said) {
    String begun =
        rpc(
            "{\"task\":{\"id\":\"t-1\",\"contextId\":\"ctx-1\",\"status\":{\"state\":"
                + "\"TASK_STATE_WORKING\"}}}");
    String done =
        rpc(
            "{\"statusUpdate\":{\"taskId\":\"t-1\",\"contextId\":\"ctx-1\",\"status\":{\"state\":"
                + "\"TASK_STATE_COMPLETED\"}}}");
    return switch (said) {
      case "of an unread request", "grounded" -> events("", begun, pieces(GROUNDED, ""), done);
      case "long" -> events("", begun, pieces(longer(GROUNDED), ""), done);
      case "turning bad" ->
          events("", begun, pieces(longer(GROUNDED) + " " + longer(INVENTED), ""), done);
      case "invented" -> events("", begun, pieces(INVENTED, ""), done);
      case "open hello", "open zz", "open" -> events("", begun, pieces(open(said), ""), done);
      case "of one message" -> message(GROUNDED);
      case "of one message invented" -> message(INVENTED);
      case "bare" -> {
        List<String> bare =
            pieces(FACT + ".", "").stream().map(piece -> piece.replace(EVIDENCE, "")).toList();
        yield events("", begun, bare, done);
      }
      case "number" -> events("", begun, pieces(NUMBER, ""), done);
      case "dear" -> events("", begun, pieces(DEAR, ""), done);
      case "forged" -> events("", begun, pieces(GROUNDED, "," + FORGED), done);
      case "wordless" -> events("", begun, List.of(), done);
      case "with a file" -> events(FILE, begun, pieces(GROUNDED, ""), done);
      case "with a broken event" -> events("", begun, List.of("{\"jsonrpc\":"), done);
      case "with a foreign event" -> events("", begun, List.of("[1,2]"), done);
      case "with a comment" -> {
        ExchangeBench.Answer plain = events("", begun, pieces(GROUNDED, ""), done);
        List<byte[]> pieces = new ArrayList<>(plain.pieces());
        pieces.add(1, (": " + "words ".repeat(300) + "\n\n").getBytes(StandardCharsets.UTF_8));
        yield new ExchangeBench.Answer(200, EVENTS, "", pieces, "");
      }
      case "that is none" ->
          new ExchangeBench.Answer(
              200,
              EVENTS,
              "",
              List.of(
                  ("data: " + begun + "\n\n").getBytes(StandardCharsets.UTF_8),
                  new byte[] {'d', 'a', 't', 'a', ':', ' ', (byte) 0xff, (byte) 0xfe, '\n', '\n'}),
              "");
      case "coded" ->
          new ExchangeBench.Answer(
              200,
              EVENTS + "Content-Encoding: br\n",
              "",
              List.of("br".getBytes(StandardCharsets.UTF_8)),
              "");
      case "with two types" ->
          new ExchangeBench.Answer(
              200,
              EVENTS + "Content-Type: text/plain\n",
              "",
              events("", begun, pieces(GROUNDED, ""), done).pieces(),
              "");
      case "that breaks off" ->
          new ExchangeBench.Answer(
              200,
              EVENTS,
              "",
              events("", begun, pieces(GROUNDED, ""), done).pieces().subList(0, 2),
              "origin_closed");
      case "with trailers" ->
          new ExchangeBench.Answer(
              200,
              EVENTS,
              "x-a: " + "y".repeat(600) + "\nx-b: z\nasp-signal: z",
              events("", begun, pieces(GROUNDED, ""), done).pieces(),
              "");
      default -> throw new IllegalArgumentException(said);
    };
  }

  /** With a word of its own behind it. */
  private static String open(String said) {
    return "I think" + said.substring("open".length()) + " " + OPEN;
  }

  /** A stream of which nothing goes out before all of it is there. */
  private static ExchangeBench.Answer message(String text) {
    String event = new String(says(text, EVIDENCE).pieces().getFirst(), StandardCharsets.UTF_8);
    return new ExchangeBench.Answer(
        200, EVENTS, "", List.of(("data: " + event + "\n\n").getBytes(StandardCharsets.UTF_8)), "");
  }

  /** Many sentences, so that a window is full before the end. */
  private static String longer(String sentence) {
    return String.join(" ", Collections.nCopies(30, sentence));
  }

  private static ExchangeBench.Answer events(
      String more, String begun, List<String> pieces, String done) {
    List<String> all = new ArrayList<>();
    all.add(begun);
    pieces.forEach(
        piece -> all.add(piece.replace("}],\"metadata\"", "}" + more + "],\"metadata\"")));
    all.add(done);
    return new ExchangeBench.Answer(
        200,
        EVENTS,
        "",
        all.stream()
            .map(event -> ("data: " + event + "\n\n").getBytes(StandardCharsets.UTF_8))
            .toList(),
        "");
  }

  /** An artifact in pieces of about 50 characters. */
  private static List<String> pieces(String text, String metadata) {
    int size = text.length() > 1000 ? 700 : 50;
    List<String> pieces = new ArrayList<>();
    for (int at = 0; at < text.length(); at += size) {
      int to = Math.min(text.length(), at + size);
      pieces.add(
          rpc(
              "{\"artifactUpdate\":{\"taskId\":\"t-1\",\"contextId\":\"ctx-1\",\"artifact\":"
                  + "{\"artifactId\":\"a-1\",\"parts\":[{\"text\":\""
                  + text.substring(at, to)
                  + "\"}],\"metadata\":{"
                  + EVIDENCE
                  + metadata
                  + "}}"
                  + (at == 0 ? "" : ",\"append\":true")
                  + (to == text.length() ? ",\"lastChunk\":true" : "")
                  + "}}"));
    }
    return pieces;
  }
}
