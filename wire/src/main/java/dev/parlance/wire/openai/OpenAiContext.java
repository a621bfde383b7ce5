package dev.parlance.wire.openai;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The question and the evidence in a request to a model: the last user message is the question;
 * tool results and system text are the evidence. System text is cut where a line starts with a mark
 * like {@code [c1]}, which becomes the chunk's id (what stands before the first mark is an
 * instruction, not evidence); without any mark it is one chunk.
 */
final class OpenAiContext {
  private static final int MAX_MARK_BYTES = 64;

  private final JsonDocument json;
  private final List<Chunk> chunks = new ArrayList<>();
  private final List<Utf8Span> question = new ArrayList<>();
  private int tools;
  private int systems;

  /** The context of a request; where it has no body there is none. */
  OpenAiContext(JsonDocument json, OpenAiCall call) {
    this.json = json;
    int root = json.root();
    switch (call) {
      case CHAT -> messages(json.member(root, "messages"));
      case COMPLETIONS -> {
        question.addAll(content(json, json.member(root, "prompt")));
        addSystem(question);
      }
      case RESPONSES -> {
        addSystem(content(json, json.member(root, "instructions")));
        int input = json.member(root, "input");
        if (json.isString(input)) {
          question.add(json.text(input));
        } else {
          messages(input);
        }
      }
      case RESPONSE_READ, RESPONSE_CANCELLED, CHAT_READ -> {
        // Nothing is asked here: the answer was given to an earlier request.
      }
    }
  }

  private void messages(int messages) {
    int message = json.isArray(messages) ? json.first(messages) : JsonDocument.NONE;
    while (message != JsonDocument.NONE) {
      String role = json.optionalString(json.member(message, "role")).orElse("");
      List<Utf8Span> content = content(json, json.member(message, "content"));
      switch (role) {
        case "user" -> {
          question.clear();
          question.addAll(content);
        }
        case "tool", "function" -> addTool(json.member(message, "tool_call_id"), content);
        case "system", "developer" -> addSystem(content);
        default -> {
          // Earlier answers of the assistant are neither asked nor evidence; results of its calls
          // are, where they are items of their own.
          int output = json.member(message, "output");
          if (output != JsonDocument.NONE) {
            addTool(json.member(message, "call_id"), content(json, output));
          }
        }
      }
      message = json.nextElement(messages, message);
    }
  }

  /** The texts of a content member: a string, or an array of parts with {@code text}. */
  static List<Utf8Span> content(JsonDocument json, int content) {
    if (json.isString(content)) {
      return List.of(json.text(content));
    }
    List<Utf8Span> texts = new ArrayList<>();
    int part = json.isArray(content) ? json.first(content) : JsonDocument.NONE;
    while (part != JsonDocument.NONE) {
      int text = json.isString(part) ? part : json.member(part, "text");
      if (json.isString(text)) {
        texts.add(json.text(text));
      }
      part = json.nextElement(content, part);
    }
    return texts;
  }

  private void addTool(int callId, List<Utf8Span> content) {
    tools++;
    if (!content.isEmpty()) {
      Optional<String> id = json.optionalString(callId);
      chunks.add(new Chunk(id.orElse("tool-" + tools), Texts.join(content, json.memory())));
    }
  }

  private void addSystem(List<Utf8Span> content) {
    if (content.isEmpty()) {
      return;
    }
    systems++;
    Utf8Span text = Texts.join(content, json.memory());
    String id = "";
    int from = 0;
    int line = 0;
    while (line < text.length()) {
      int mark = markLength(text, line);
      if (mark > 0) {
        addMarked(id, text, from, line);
        id = text.slice(line + 1, mark - 2).toString();
        from = line + mark;
      }
      line = afterLine(text, line);
    }
    if (id.isEmpty()) {
      chunks.add(new Chunk(systems == 1 ? "system" : "system-" + systems, text));
    } else {
      addMarked(id, text, from, text.length());
    }
  }

  private void addMarked(String id, Utf8Span text, int from, int to) {
    if (!id.isEmpty()) {
      chunks.add(new Chunk(id, text.slice(from, to - from)));
    }
  }

  private static int afterLine(Utf8Span text, int from) {
    int at = from;
    while (at < text.length() && text.byteAt(at) != '\n') {
      at++;
    }
    return at + 1;
  }

  /** Length of a mark {@code [id]} with its brackets, or 0 if none starts there. */
  private static int markLength(Utf8Span text, int from) {
    if (text.byteAt(from) != '[') {
      return 0;
    }
    int most = Math.min(text.length(), from + MAX_MARK_BYTES + 2);
    for (int at = from + 1; at < most; at++) {
      byte b = text.byteAt(at);
      if (b == ']') {
        return at == from + 1 ? 0 : at - from + 1;
      }
      if (b == '[' || b == '\n') {
        return 0;
      }
    }
    return 0;
  }

  /** The last thing that the user said. */
  Utf8Span question() {
    return Texts.join(question, json.memory());
  }

  /** What the model was given to answer from. */
  List<Chunk> chunks() {
    return List.copyOf(chunks);
  }
}
