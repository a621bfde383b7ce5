package dev.parlance.proxy.gate;

import dev.parlance.policy.pact.PactCheck.Outcome;
import dev.parlance.proxy.gate.AnswerSchemas.AnswerSchema;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What of an answer is held against the JSON Schema of its pact.
 *
 * <pre>
 *   data of A2A parts, structuredContent of MCP, a plain body   all of it must meet the schema
 *   else JSON that is a whole text, or stands in a fence        all of it must meet the schema
 *   else words                                                  they do not meet it
 *   nothing (a task that begins, an error)                      nothing has to meet it
 *   more than can be looked at                                  nobody knows
 * </pre>
 *
 * What a task repeats of its history is no answer.
 */
final class AnswerData {
  /** Most JSON that is looked at, in bytes. */
  static final int MAX_BYTES = 1 << 20;

  private static final String FENCE = "```";
  private static final String NO_JSON = "it holds no JSON";

  private final List<byte[]> data = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();
  private int bytes;
  private boolean isUnknown;

  /** Takes what stands in a body, or in an event of a stream. */
  void read(JsonDocument json, String protocol) {
    if (protocol.startsWith("a2a")) {
      a2a(json);
      return;
    }
    switch (protocol) {
      case "json" -> take(json, json.root());
      case "mcp" -> mcp(json);
      case "openai" -> openAi(json);
      default -> isUnknown = true;
    }
  }

  /** Nobody could read all of it. */
  void unread() {
    isUnknown = true;
  }

  /** Takes words of the answer; they count only if it has no data. */
  void words(String text) {
    if (!text.isBlank()) {
      texts.add(text);
    }
  }

  /** Forgets the words of a part: those of the whole are told in their place. */
  void withoutWords() {
    texts.clear();
  }

  /**
   * Holds it against a schema.
   *
   * @param faults gets what does not meet it
   */
  Outcome met(AnswerSchema schema, List<String> faults) {
    List<byte[]> held = data.isEmpty() ? ofTexts() : data;
    if (isUnknown) {
      return Outcome.UNMEASURED;
    }
    if (held.isEmpty() && !texts.isEmpty()) {
      faults.add(NO_JSON);
      return Outcome.VIOLATED;
    }
    for (byte[] json : held) {
      Optional<String> fault = schema.fault(json);
      if (fault.isPresent()) {
        faults.add(fault.get());
        return Outcome.VIOLATED;
      }
    }
    return Outcome.HELD;
  }

  private void take(JsonDocument json, int value) {
    if (value != JsonDocument.NONE) {
      take(data, Arrays.copyOfRange(json.body().array(), json.start(value), json.end(value)));
    }
  }

  private void take(List<byte[]> into, byte[] json) {
    bytes += json.length;
    isUnknown |= bytes > MAX_BYTES;
    if (!isUnknown) {
      into.add(json);
    }
  }

  private void a2a(JsonDocument json) {
    int node = json.root();
    while (node < json.nodes()) {
      int value = node + 1;
      if (!json.isName(node)) {
        node++;
      } else if (json.nameEquals(node, "history") || json.nameEquals(node, "metadata")) {
        node = json.skip(value);
      } else if (json.isArray(value)
          && (json.nameEquals(node, "parts") || json.nameEquals(node, "content"))) {
        for (int part = json.first(value);
            part != JsonDocument.NONE;
            part = json.nextElement(value, part)) {
          part(json, part, json.nameEquals(node, "content"));
        }
        node = json.skip(value);
      } else {
        node = value;
      }
    }
  }

  private void part(JsonDocument json, int part, boolean asProtobuf) {
    if (!json.isObject(part)) {
      return;
    }
    int value = json.member(part, "data");
    int inner = asProtobuf && json.isObject(value) ? json.member(value, "data") : value;
    take(json, inner == JsonDocument.NONE ? value : inner);
    text(json, json.member(part, "text"));
  }

  private void text(JsonDocument json, int value) {
    if (json.isString(value)) {
      words(json.string(value));
    }
  }

  private void mcp(JsonDocument json) {
    int result =
        json.isObject(json.root()) ? json.member(json.root(), "result") : JsonDocument.NONE;
    if (!json.isObject(result)) {
      return;
    }
    take(json, json.member(result, "structuredContent"));
    texts(json, json.member(result, "content"), "text");
  }

  private void openAi(JsonDocument json) {
    int choices =
        json.isObject(json.root()) ? json.member(json.root(), "choices") : JsonDocument.NONE;
    if (!json.isArray(choices)) {
      return;
    }
    for (int choice = json.first(choices);
        choice != JsonDocument.NONE;
        choice = json.nextElement(choices, choice)) {
      int message = json.isObject(choice) ? json.member(choice, "message") : JsonDocument.NONE;
      int content = json.isObject(message) ? json.member(message, "content") : JsonDocument.NONE;
      text(json, content);
      texts(json, content, "text");
    }
  }

  private void texts(JsonDocument json, int array, String name) {
    if (!json.isArray(array)) {
      return;
    }
    for (int one = json.first(array);
        one != JsonDocument.NONE;
        one = json.nextElement(array, one)) {
      if (json.isObject(one)) {
        text(json, json.member(one, name));
      }
    }
  }

  private List<byte[]> ofTexts() {
    List<byte[]> found = new ArrayList<>();
    for (String text : texts) {
      if (!isJson(text, found)) {
        inFences(text, found);
      }
    }
    return found;
  }

  private void inFences(String text, List<byte[]> into) {
    int open = text.indexOf(FENCE);
    while (open >= 0) {
      int line = text.indexOf('\n', open);
      int close = line < 0 ? -1 : text.indexOf(FENCE, line);
      if (line >= 0) {
        boolean _ = isJson(text.substring(line, close < 0 ? text.length() : close), into);
      }
      open = close < 0 ? -1 : text.indexOf(FENCE, close + FENCE.length());
    }
  }

  private boolean isJson(String text, List<byte[]> into) {
    String bare = text.strip();
    if (!bare.startsWith("{") && !bare.startsWith("[")) {
      return false;
    }
    byte[] json = bare.getBytes(StandardCharsets.UTF_8);
    boolean isJson =
        JsonScanner.scan(json, JsonScanner.Limits.DEFAULT) instanceof JsonScanner.Scanned;
    if (isJson) {
      take(into, json);
    }
    return isJson;
  }
}
