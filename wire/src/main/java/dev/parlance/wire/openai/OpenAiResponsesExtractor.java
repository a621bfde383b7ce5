package dev.parlance.wire.openai;

import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonTextExtractor;
import dev.parlance.wire.metadata.VerdictJson;
import dev.parlance.wire.openai.GeneratedText.Place;
import dev.parlance.wire.openai.GeneratedText.Tier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads response objects, whole, or one event of their streams. The answer is the text of every
 * message in the order of the output, with refusals; reasoning is judged with it. Calls of tools
 * and what they found stand beside it, and what a search found is evidence.
 */
final class OpenAiResponsesExtractor extends OpenAiTextExtractor {
  private static final String LOGPROBS = "logprobs";

  /** Members in which a server repeats the request. */
  private static final Set<String> ECHOES =
      Set.of(
          "instructions",
          "input",
          "tools",
          "metadata",
          "text",
          "prompt",
          "reasoning",
          "tool_choice",
          "moderation");

  private static final Set<String> CALLS =
      Set.of(
          "function_call",
          "function_call_output",
          "custom_tool_call",
          "custom_tool_call_output",
          "mcp_call",
          "mcp_list_tools",
          "mcp_approval_request",
          "web_search_call",
          "file_search_call",
          "code_interpreter_call",
          "image_generation_call",
          "computer_call",
          "local_shell_call",
          "shell_call",
          "apply_patch_call");

  private static final Set<String> ITEM = Set.of("content", "results");
  private static final Set<String> PART =
      Set.of("type", "text", "refusal", "annotations", LOGPROBS);
  private static final Set<String> EVENT =
      Set.of(
          "type",
          "response",
          "item",
          "part",
          "error",
          "delta",
          "annotation",
          "text",
          "refusal",
          "arguments",
          "input",
          "code",
          "transcript",
          LOGPROBS,
          VerdictJson.MEMBER);

  private final List<Chunk> found = new ArrayList<>();

  OpenAiResponsesExtractor(JsonDocument json, GeneratedText spoken, boolean pieces) {
    super(json, spoken, pieces);
  }

  /** Reads a response object. */
  void response(int response) {
    int output = json.member(response, "output");
    int item = json.firstElement(output);
    int index = 0;
    while (item != JsonDocument.NONE) {
      item(item, index++);
      item = json.nextElement(output, item);
    }
    Place outside = side(-1, 0, "response");
    int error = json.present(response, "error");
    if (error != JsonDocument.NONE) {
      error(error, error);
    }
    for (String echo : ECHOES) {
      sweep(beside(-1, 0, echo), json.member(response, echo));
    }
    Set<String> known = new HashSet<>(ECHOES);
    known.addAll(Set.of("error", VerdictJson.MEMBER));
    if (json.isArray(output)) {
      known.add("output");
    }
    sweepOthers(outside, response, known);
  }

  private void item(int item, int index) {
    String type = json.optionalString(json.member(item, "type")).orElse("message");
    if (!type.equals("message") && !type.equals("reasoning")) {
      noteCall();
    }
    Tier tier = CALLS.contains(type) ? Tier.BESIDE : Tier.SIDE;
    int content = json.member(item, "content");
    int part = json.firstElement(content);
    Tier words = type.equals("message") ? Tier.ANSWER : tier;
    if (json.isString(content)) {
      text(new Place(words, index, 0, "text"), content);
    }
    int position = 0;
    while (part != JsonDocument.NONE) {
      part(part, words, index, position++);
      part = json.nextElement(content, part);
    }
    if (json.isObject(content)) {
      sweep(side(index, 0, "content"), content);
    }
    results(json.member(item, "results"), index);
    sweepOthers(new Place(tier, index, 0, ""), item, ITEM);
  }

  private void part(int part, Tier words, int index, int position) {
    if (json.isString(part)) {
      text(new Place(words, index, position, "text"), part);
      return;
    }
    int text = json.member(part, "text");
    int refusal = json.member(part, "refusal");
    text(new Place(words, index, position, "text"), text);
    text(new Place(words, index, position, "refusal"), refusal);
    logprobs(side(index, position, LOGPROBS), json.member(part, LOGPROBS), /* isPiece= */ false);
    annotations(beside(index, position, "annotations"), json.member(part, "annotations"));
    if (!json.isString(text) && !json.isString(refusal)) {
      noteUnread(MessageView.BINARY_PART);
    }
    sweepOthers(side(index, position, "part"), part, PART);
    int type = json.member(part, "type");
    if (json.isString(type)) {
      label(side(index, position, "type"), type);
    }
  }

  /** Results of a search of files: evidence, and read beside the answer. */
  private void results(int results, int index) {
    int result = json.firstElement(results);
    while (result != JsonDocument.NONE) {
      int text = json.member(result, "text");
      if (json.isString(text)) {
        int file = json.member(result, "file_id");
        int name = json.isString(file) ? file : json.member(result, "filename");
        String id = json.optionalString(name).orElse("");
        found.add(new Chunk(id, json.text(text)));
      }
      result = json.nextElement(results, result);
    }
    sweep(beside(index, 0, "results"), results);
  }

  /** Reads an event; {@code type} is what it says it is. */
  void event(String type) {
    int root = json.root();
    int index = index(root, "output_index", 0);
    int position = index(root, "content_index", 0);
    int response = json.member(root, "response");
    if (json.isObject(response)) {
      response(response);
    } else {
      sweep(side(-1, 0, "/response"), response);
    }
    int item = json.member(root, "item");
    if (json.isObject(item)) {
      item(item, index);
    } else {
      sweep(side(-1, 0, "/item"), item);
    }
    logprobs(side(index, position, LOGPROBS), json.member(root, LOGPROBS), type.endsWith(".delta"));
    int part = json.member(root, "part");
    Place place = place(type, root, index, position);
    if (json.isObject(part)) {
      if (type.startsWith("response.reasoning_summary")) {
        sweep(place, part);
      } else {
        part(part, Tier.ANSWER, index, position);
      }
    } else {
      sweep(side(-1, 0, "/part"), part);
    }
    annotation(json.member(root, "annotation"));
    int annotation = number(json.member(root, "annotation_index"), 0);
    sweep(
        element(beside(index, position, "annotations"), annotation),
        json.member(root, "annotation"));
    Place outside = side(-1, 0, "event");
    int error = errorIn(json);
    if (error != JsonDocument.NONE) {
      error(type.equals("error") ? root : error, error);
    }
    if (!type.equals("error")) {
      int delta = json.member(root, "delta");
      if (json.isString(delta)) {
        if (isBinary(type) && JsonTextExtractor.isToken(json.text(delta))) {
          noteUnread(MessageView.BINARY_PART);
        } else {
          spoken.append(place, json.text(delta));
        }
      } else {
        sweep(place, delta);
      }
      for (String whole : List.of("text", "refusal", "arguments", "input", "code", "transcript")) {
        int node = json.member(root, whole);
        if (json.isString(node)) {
          spoken.whole(place, json.text(node));
        } else {
          sweep(place, node);
        }
      }
      sweepOthers(outside, root, EVENT);
      if (!JsonTextExtractor.isLabel(Utf8Span.of(type))) {
        spoken.whole(outside, Utf8Span.of(type));
      }
    }
  }

  private static boolean isBinary(String type) {
    return type.equals("response.audio.delta");
  }

  /** Where the text of an event stands in the response when it is whole. */
  private Place place(String type, int root, int index, int position) {
    String what = type.startsWith("response.") ? type.substring("response.".length()) : type;
    int dot = what.lastIndexOf('.');
    return switch (dot < 0 ? what : what.substring(0, dot)) {
      case "output_text" -> answer(index, position, "text");
      case "refusal" -> answer(index, position, "refusal");
      case "reasoning_text" -> side(index, position, "text");
      case "reasoning_summary_text", "reasoning_summary" -> summary(root, index, "/text");
      case "reasoning_summary_part" -> summary(root, index, "");
      case "function_call_arguments", "mcp_call_arguments" -> beside(index, 0, "/arguments");
      case "custom_tool_call_input" -> beside(index, 0, "/input");
      case "code_interpreter_call_code" -> beside(index, 0, "/code");
      default -> side(index, position, what);
    };
  }

  private Place summary(int root, int index, String rest) {
    Place all = side(index, 0, "/summary");
    Place one = element(all, number(json.member(root, "summary_index"), 0));
    return side(index, 0, one.path() + rest);
  }

  /** What searches found that stand in this body or event. */
  List<Chunk> found() {
    return found;
  }
}
