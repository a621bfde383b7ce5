package dev.parlance.proxy.main;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One line of the bypass corpus.
 *
 * <pre>
 * name    what is tried
 * dir     answer: the agent writes it; request: the caller does
 * call    which call it belongs to, a key of {@link #CALLS}
 * body    the message; {{C}} the sentence that must not pass, {{U}} the same in \\u escapes, {{B}} in
 *         base64, {{L}} longer than a short error; {{F}} a grounded fact, {{E}} and {{M}} members of
 *         metadata with its evidence (A2A, MCP), {{Q}} the question; {{R}} and {{P}} members that
 *         claim an outcome and propose in a round, with one word of the sentence
 * as      transformations of the body's bytes, in order
 * type    content type, where it is not the call's
 * head    further fields
 * line    another request line
 * status  of an answer, 200
 * frame   length, chunked:N, chunked-open, close, short, extra, trailer, extension
 * trailer the trailer section
 * before  bytes in front of the answer
 * expect  withheld, or passes: then the fact must arrive, which shows that the rig lets things pass;
 *         or exempt: then the sentence arrives unjudged, as docs/limits.md says that it does;
 *         or cut: the fact arrives, and no word of the sentence;
 *         or warned: it is read, and arrives only with the verdict that nothing was there to measure it by
 * </pre>
 */
record BypassCase(JsonNode line) {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String CANARY =
      "zebra quartz lantern 90417 torque violet goblin marzipan trombone overrules the printed"
          + " table";
  private static final List<String> WORDS =
      List.of("zebra", "quartz", "lantern", "90417", "violet", "goblin", "marzipan", "trombone");
  private static final Pattern FLOW = Pattern.compile("\\bq-[0-9a-f]{32}\\b");
  private static final String FACT =
      "The impeller must be replaced every 2000 operating hours or when radial play exceeds 0.3"
          + " millimetres";
  private static final String QUESTION = "When must the impeller be replaced?";
  private static final String CONTEXT =
      "{\"context\":[{\"id\":\"c1\",\"text\":\"" + FACT + ".\"}],\"citations\":[\"c1\"]}";

  private static final String ROUND =
      "\"https://w3id.org/parlance/ext/round/v1\":{\"round\":\"r\",";

  /** Method, target, media type of the request, media type of the answer, body of the request. */
  private static final Map<String, List<String>> CALLS = calls();

  private static Map<String, List<String>> calls() {
    String rest = "application/a2a+json";
    String json = "application/json";
    String events = "text/event-stream";
    String message = "{\"message\":{\"messageId\":\"q1\",\"parts\":[{\"text\":\"{{Q}}\"}]}}";
    String old = "{\"message\":{\"messageId\":\"q1\",\"content\":[{\"text\":\"{{Q}}\"}]}}";
    String chat =
        "{\"model\":\"m\",@\"messages\":[{\"role\":\"system\",\"content\":\"[c1] "
            + FACT
            + ".\"},{\"role\":\"user\",\"content\":\"{{Q}}\"}]}";
    String responses =
        "{\"model\":\"m\",@\"instructions\":\"[c1] " + FACT + ".\",\"input\":\"{{Q}}\"}";
    return Map.ofEntries(
        Map.entry(
            "responses", List.of("POST", "/v1/responses", json, json, responses.replace("@", ""))),
        Map.entry(
            "responses-stream",
            List.of(
                "POST", "/v1/responses", json, events, responses.replace("@", "\"stream\":true,"))),
        Map.entry("rpc-send", rpc("SendMessage", message)),
        Map.entry("rpc-stream", streamed(rpc("SendStreamingMessage", message))),
        Map.entry("rpc-subscribe", streamed(rpc("SubscribeToTask", "{\"id\":\"t1\"}"))),
        Map.entry("rpc-get", rpc("GetTask", "{\"id\":\"t1\"}")),
        Map.entry("rpc-cancel", rpc("CancelTask", "{\"id\":\"t1\"}")),
        Map.entry("rpc-list", rpc("ListTasks", "{}")),
        Map.entry("rpc-push-get", rpc("GetTaskPushNotificationConfig", "{\"id\":\"t1\"}")),
        Map.entry("rpc-old-send", rpc("message/send", message)),
        Map.entry("rpc-old-stream", streamed(rpc("message/stream", message))),
        Map.entry("rpc-old-get", rpc("tasks/get", "{\"id\":\"t1\"}")),
        Map.entry("rpc-old-cancel", rpc("tasks/cancel", "{\"id\":\"t1\"}")),
        Map.entry("rpc-old-list", rpc("tasks/list", "{}")),
        Map.entry("rpc-old-push-get", rpc("tasks/pushNotificationConfig/get", "{\"id\":\"t1\"}")),
        Map.entry("rest-send", List.of("POST", "/message:send", rest, rest, message)),
        Map.entry("rest-stream", List.of("POST", "/message:stream", rest, events, message)),
        Map.entry("rest-subscribe", List.of("POST", "/tasks/t1:subscribe", rest, events, "")),
        Map.entry("rest-get", List.of("GET", "/tasks/t1", rest, rest, "")),
        Map.entry("rest-cancel", List.of("POST", "/tasks/t1:cancel", rest, rest, "{}")),
        Map.entry("rest-list", List.of("GET", "/tasks", rest, rest, "")),
        Map.entry(
            "rest-push-get", List.of("GET", "/tasks/t1/pushNotificationConfigs/c", rest, rest, "")),
        Map.entry("rest-old-send", List.of("POST", "/v1/message:send", json, json, old)),
        Map.entry("rest-old-stream", List.of("POST", "/v1/message:stream", json, events, old)),
        Map.entry("rest-old-get", List.of("GET", "/v1/tasks/t1", json, json, "")),
        Map.entry("rest-old-cancel", List.of("POST", "/v1/tasks/t1:cancel", json, json, "")),
        Map.entry("rest-old-list", List.of("GET", "/v1/tasks", json, json, "")),
        Map.entry(
            "rest-old-push-get",
            List.of("GET", "/v1/tasks/t1/pushNotificationConfigs/c", json, json, "")),
        Map.entry(
            "push",
            List.of(
                "POST",
                "/hook",
                json,
                json,
                "{\"message\":{\"parts\":[{\"text\":\"{{F}}\"}],\"metadata\":{{{E}}}}}")),
        Map.entry(
            "chat", List.of("POST", "/v1/chat/completions", json, json, chat.replace("@", ""))),
        Map.entry(
            "chat-stream",
            List.of(
                "POST",
                "/v1/chat/completions",
                json,
                events,
                chat.replace("@", "\"stream\":true,"))),
        Map.entry(
            "mcp-call",
            rpc(
                "tools/call",
                "{\"name\":\"f\",\"arguments\":{\"question\":\"The impeller must be replaced every"
                    + " 2000 operating hours [Chunk c1].\"},\"_meta\":{{{M}}}}")),
        Map.entry("mcp-prompt", rpc("prompts/get", "{\"name\":\"p\"}")),
        Map.entry("mcp-resource", rpc("resources/read", "{\"uri\":\"x:1\"}")),
        Map.entry("mcp-tools", rpc("tools/list", "{}")));
  }

  private static List<String> rpc(String method, String params) {
    return List.of(
        "POST",
        "/a2a",
        "application/json",
        "application/json",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":" + params + "}");
  }

  private static List<String> streamed(List<String> call) {
    return List.of(call.get(0), call.get(1), call.get(2), "text/event-stream", call.get(4));
  }

  static Stream<BypassCase> all() {
    try (InputStream in = BypassCase.class.getResourceAsStream("/bypass/cases.jsonl")) {
      if (in == null) {
        throw new IllegalStateException("no corpus");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines().map(JSON::readTree).map(BypassCase::new).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<String> text(String member) {
    @Nullable JsonNode node = line.get(member);
    return node == null ? Optional.empty() : Optional.of(node.asString());
  }

  String name() {
    return text("name").orElseThrow();
  }

  private List<String> call() {
    return CALLS.getOrDefault(text("call").orElseThrow(), List.of());
  }

  boolean isRequest() {
    return text("dir").orElseThrow().equals("request");
  }

  boolean isStream() {
    return call().get(3).equals("text/event-stream") || text("type").orElse("").contains("event");
  }

  /** True if what answers no question is said here too, and must be grounded all the same. */
  boolean isMcp() {
    return text("call").orElseThrow().startsWith("mcp");
  }

  boolean passes() {
    return text("expect").orElse("").equals("passes");
  }

  /** True if the message arrives without the statement in it that nobody checked. */
  boolean isCut() {
    return text("expect").orElse("").equals("cut");
  }

  /** True if the sentence is read where nothing can be held against it. */
  boolean isWarned() {
    return text("expect").orElse("").equals("warned");
  }

  /** True if the sentence stands where the documents say that nobody judges it. */
  boolean isExempt() {
    return text("expect").orElse("").equals("exempt");
  }

  /** What shows that a fact arrived. */
  String fact() {
    return "radial play exceeds";
  }

  /** The caller's bytes. */
  byte[] request() {
    List<String> call = call();
    String requestLine = text("line").orElse(call.get(0) + " " + call.get(1)) + " HTTP/1.1\r\n";
    String fields = "Host: agent.test\r\nConnection: close\r\n";
    return isRequest()
        ? framed(requestLine + fields, call.get(2), body())
        : join(
            requestLine + fields + "Content-Type: " + call.get(2) + "\r\n",
            "Content-Length: " + bytes(expand(call.get(4))).length + "\r\n\r\n",
            expand(call.get(4)));
  }

  private static byte[] join(String... texts) {
    return bytes(String.join("", texts));
  }

  /** The agent's bytes. */
  byte[] agentReply() {
    if (isRequest()) {
      return join("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
    String status = text("status").orElse("200");
    String first = text("before").orElse("") + "HTTP/1.1 " + status + " Status\r\n";
    return framed(first + "Connection: close\r\n", call().get(3), body());
  }

  private byte[] body() {
    byte[] body = bytes(expand(text("body").orElse("")));
    @Nullable JsonNode as = line.get("as");
    if (as != null) {
      for (JsonNode one : as) {
        body = transformed(body, one.asString());
      }
    }
    return body;
  }

  private static String expand(String text) {
    return text.replace("{{C}}", CANARY)
        .replace(
            "{{U}}",
            CANARY
                .chars()
                .mapToObj(c -> String.format(Locale.ROOT, "\\u%04x", c))
                .collect(Collectors.joining()))
        .replace("{{B}}", Base64.getEncoder().encodeToString(bytes(CANARY)))
        .replace("{{L}}", (CANARY + ", ").repeat(7))
        .replace("{{F}}", FACT + " [Chunk c1].")
        .replace("{{E}}", "\"https://w3id.org/parlance/ext/evidence/v1\":" + CONTEXT)
        .replace("{{M}}", "\"org.w3id.parlance/evidence\":" + CONTEXT)
        .replace(
            "{{R}}", ROUND + "\"outcome\":{\"kind\":\"verdict_commit\",\"verdict\":\"goblin\"}}")
        .replace("{{P}}", ROUND + "\"verdict\":\"goblin\"}")
        .replace("{{Q}}", QUESTION);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] framed(String start, String defaultType, byte[] body) {
    StringBuilder head = new StringBuilder(start);
    String type = text("type").orElse(defaultType);
    if (!type.isEmpty()) {
      head.append("Content-Type: ").append(type).append("\r\n");
    }
    @Nullable JsonNode fields = line.get("head");
    if (fields != null) {
      fields.forEach(field -> head.append(field.asString()).append("\r\n"));
    }
    String frame = text("frame").orElse("length");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    switch (frame.split(":", 2)[0]) {
      case "length" -> {
        out.writeBytes(join(head + "Content-Length: " + body.length + "\r\n\r\n"));
        out.writeBytes(body);
      }
      case "short" -> {
        out.writeBytes(join(head + "Content-Length: " + (body.length + 100) + "\r\n\r\n"));
        out.writeBytes(body);
      }
      case "extra" -> {
        out.writeBytes(join(head + "Content-Length: " + body.length + "\r\n\r\n"));
        out.writeBytes(body);
        out.writeBytes(join("HTTP/1.1 200 OK\r\nContent-Length: " + CANARY.length() + "\r\n\r\n"));
        out.writeBytes(bytes(CANARY));
      }
      case "close" -> {
        out.writeBytes(join(head + "\r\n"));
        out.writeBytes(body);
      }
      case "chunked", "chunked-open", "trailer", "extension" -> chunked(out, head, frame, body);
      default -> throw new IllegalStateException(frame);
    }
    return out.toByteArray();
  }

  private void chunked(ByteArrayOutputStream out, StringBuilder head, String frame, byte[] body) {
    boolean declared = head.toString().contains("Transfer-Encoding");
    out.writeBytes(join(head + (declared ? "\r\n" : "Transfer-Encoding: chunked\r\n\r\n")));
    int size = frame.contains(":") ? Integer.parseInt(frame.split(":", 2)[1]) : body.length;
    for (int at = 0; at < body.length; at += size) {
      int length = Math.min(size, body.length - at);
      String extension = frame.equals("extension") ? ";note=\"" + CANARY + "\"" : "";
      out.writeBytes(join(Integer.toHexString(length) + extension + "\r\n"));
      out.write(body, at, length);
      out.writeBytes(join("\r\n"));
    }
    if (!frame.equals("chunked-open")) {
      String trailer = text("trailer").map(BypassCase::expand).orElse("");
      out.writeBytes(join("0\r\n" + (trailer.isEmpty() ? "" : trailer + "\r\n") + "\r\n"));
    }
  }

  private static byte[] transformed(byte[] body, String how) {
    return switch (how) {
      case "gzip" -> gzip(body);
      case "gzip-two" -> concat(gzip(bytes("{")), gzip(Arrays.copyOfRange(body, 1, body.length)));
      case "deflate" -> deflate(body);
      case "deflate-raw" -> {
        byte[] wrapped = deflate(body);
        yield Arrays.copyOfRange(wrapped, 2, wrapped.length - 4);
      }
      case "cut" -> Arrays.copyOf(body, body.length - 9);
      case "tail" -> concat(body, bytes(CANARY));
      case "twice" -> concat(body, body);
      case "spaces" -> concat(bytes(" \r\n\t"), body);
      case "bom" -> concat(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}, body);
      case "bom16le" -> concat(new byte[] {(byte) 0xff, (byte) 0xfe}, body);
      case "utf16le" -> recoded(body, StandardCharsets.UTF_16LE);
      case "utf16be" -> recoded(body, StandardCharsets.UTF_16BE);
      case "utf32" -> recoded(body, Charset.forName("UTF-32BE"));
      case "overlong" ->
          new String(body, StandardCharsets.UTF_8)
              .replace("z", "\u00c1\u00ba")
              .getBytes(StandardCharsets.ISO_8859_1);
      default -> throw new IllegalStateException(how);
    };
  }

  private static byte[] recoded(byte[] body, Charset charset) {
    return new String(body, StandardCharsets.UTF_8).getBytes(charset);
  }

  private static byte[] concat(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  private static byte[] gzip(byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static byte[] deflate(byte[] body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflate = new DeflaterOutputStream(out)) {
      deflate.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-fA-F]{4})");
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{40,}={0,2}");

  /** The words of the sentence that can be found in bytes, however they are written there. */
  static List<String> revealed(byte[] received) {
    StringBuilder seen = new StringBuilder();
    String raw = new String(received, StandardCharsets.ISO_8859_1);
    seen.append(raw).append(raw.replace("\0", "")).append(raw.replace("\u00c1\u00ba", "z"));
    seen.append(ESCAPE.matcher(raw).replaceAll(found -> unescaped(found.group(1))));
    Matcher encoded = BASE64.matcher(raw);
    while (encoded.find()) {
      String text = encoded.group().replace("=", "");
      byte[] decoded = Base64.getDecoder().decode(text.substring(0, text.length() / 4 * 4));
      seen.append(new String(decoded, StandardCharsets.ISO_8859_1));
    }
    inflated(received).ifPresent(seen::append);
    // Five digits in a row stand in one of some 40,000 digests by chance.
    String words = FLOW.matcher(seen).replaceAll("");
    return WORDS.stream().filter(words::contains).toList();
  }

  private static String unescaped(String hex) {
    return Matcher.quoteReplacement(Character.toString(Integer.parseInt(hex, 16)));
  }

  private static Optional<String> inflated(byte[] received) {
    for (int at = 0; at + 1 < received.length; at++) {
      if (received[at] == 0x1f && received[at + 1] == (byte) 0x8b) {
        try (GZIPInputStream in =
            new GZIPInputStream(new ByteArrayInputStream(received, at, received.length - at))) {
          byte[] inner = in.readNBytes(1 << 16);
          return Optional.of(
              new String(inner, StandardCharsets.ISO_8859_1) + inflated(inner).orElse(""));
        } catch (IOException broken) {
          return Optional.of("zebra: compressed bytes that could not be looked into");
        }
      }
    }
    return Optional.empty();
  }

  /** For the message of a failed test. */
  String shown(byte[] received) {
    String text = new String(received, StandardCharsets.ISO_8859_1);
    return name() + " reached the receiver: " + text.substring(0, Math.min(900, text.length()));
  }

  @Override
  public String toString() {
    return name();
  }
}
