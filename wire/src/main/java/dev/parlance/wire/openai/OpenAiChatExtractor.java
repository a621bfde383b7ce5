package dev.parlance.wire.openai;

import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.metadata.VerdictJson;
import dev.parlance.wire.openai.GeneratedText.Place;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Reads chat completions and the older completions, whole or one chunk of a stream. The answer is
 * the content of every choice in the order of their indexes, with refusals, which clients show in
 * their place.
 */
final class OpenAiChatExtractor extends OpenAiTextExtractor {
  private static final Set<String> LISTED = Set.of("choices", "error", VerdictJson.MEMBER);
  private static final Set<String> CHOICE =
      Set.of("message", "delta", "text", "index", "finish_reason", "logprobs");
  private static final Set<String> MESSAGE =
      Set.of("content", "refusal", "tool_calls", "function_call", "annotations", "role");
  private static final Set<String> PART = Set.of("type", "text", "refusal", "annotations");

  private final SortedSet<Integer> finished = new TreeSet<>();
  private final SortedSet<Integer> begun = new TreeSet<>();

  OpenAiChatExtractor(JsonDocument json, GeneratedText spoken, boolean pieces) {
    super(json, spoken, pieces);
  }

  /** Reads the whole object. */
  void read() {
    int root = json.root();
    int choices = json.member(root, "choices");
    int choice = json.firstElement(choices);
    int position = 0;
    while (choice != JsonDocument.NONE) {
      choice(choice, index(choice, "index", position));
      choice = json.nextElement(choices, choice);
      position++;
    }
    int error = errorIn(json);
    if (error != JsonDocument.NONE) {
      boolean alone = json.firstElement(choices) == JsonDocument.NONE;
      error(alone ? root : error, error);
      if (alone) {
        return;
      }
    }
    Place outside = side(-1, 0, "");
    Set<String> known = Set.of("error", VerdictJson.MEMBER);
    sweepOthers(outside, root, json.isArray(choices) ? LISTED : known);
  }

  private void choice(int choice, int index) {
    begun.add(index);
    if (json.present(choice, "finish_reason") != JsonDocument.NONE) {
      finished.add(index);
    }
    logprobs(side(index, 2, "/logprobs"), json.member(choice, "logprobs"), pieces);
    // Clients read one of the three: pieces of one do not go on in another.
    message(json.member(choice, "message"), index, pieces ? "message/" : "");
    message(json.member(choice, "delta"), index, "");
    text(answer(index, 0, "text"), json.member(choice, "text"));
    label(side(index, 2, "/reason"), json.member(choice, "finish_reason"));
    sweepOthers(side(index, 2, ""), choice, CHOICE);
  }

  private void message(int message, int index, String within) {
    Place others = side(index, 2, within);
    if (!json.isObject(message)) {
      sweep(others, message);
      return;
    }
    int content = json.present(message, "content");
    int part = json.firstElement(content);
    if (json.isString(content)) {
      text(answer(index, 0, within + "content"), content);
    } else if (json.isObject(content)) {
      sweep(side(index, 2, "content"), content);
    } else if (content != JsonDocument.NONE && part == JsonDocument.NONE) {
      noteUnread(MessageView.BINARY_PART);
    }
    int position = 0;
    while (part != JsonDocument.NONE) {
      part(part, index, within, position++);
      part = json.nextElement(content, part);
    }
    text(answer(index, 1, within + "refusal"), json.member(message, "refusal"));
    if (json.firstElement(json.member(message, "tool_calls")) != JsonDocument.NONE
        || json.present(message, "function_call") != JsonDocument.NONE) {
      noteCall();
    }
    Place calls = beside(index, 0, "tool_calls");
    sweep(calls, json.member(message, "tool_calls"));
    sweep(beside(index, 1, "function_call"), json.member(message, "function_call"));
    annotations(beside(index, 2, "annotations"), json.member(message, "annotations"));
    int role = json.member(message, "role");
    if (json.isString(role)) {
      label(others, role);
    }
    sweepOthers(others, message, MESSAGE);
  }

  private void part(int part, int index, String within, int position) {
    Place content = answer(index, 0, within + "content");
    // Parts of a piece go on where the last piece ended, as clients show them.
    Place place = pieces ? content : element(content, position);
    if (json.isString(part)) {
      text(place, part);
      return;
    }
    text(place, json.member(part, "text"));
    text(answer(index, 1, place.path() + "/refusal"), json.member(part, "refusal"));
    annotations(beside(index, 2, place.path() + "/annotations"), json.member(part, "annotations"));
    boolean words =
        json.isString(json.member(part, "text")) || json.isString(json.member(part, "refusal"));
    if (!words) {
      noteUnread(MessageView.BINARY_PART);
    }
    sweepOthers(side(index, 2, place.path()), part, PART);
    int type = json.member(part, "type");
    if (json.isString(type)) {
      label(side(index, 2, place.path() + "/type"), type);
    }
  }

  /** Indexes of the choices in it. */
  SortedSet<Integer> begun() {
    return begun;
  }

  /** Indexes of those that end here. */
  SortedSet<Integer> finished() {
    return finished;
  }
}
