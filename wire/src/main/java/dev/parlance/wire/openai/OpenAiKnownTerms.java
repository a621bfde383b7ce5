package dev.parlance.wire.openai;

import dev.parlance.policy.lexicon.KnownTerms;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.JsonWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The terms that a sidecar shows to a model: one system message of its own, behind the instructions
 * that stand first. A message that is a block to the letter is a sidecar's: it is no evidence, and
 * gives way or goes.
 *
 * <p>Nothing is shown in a prompt of the older form, nor in a response that goes on from a stored
 * one: what is put there is kept by the provider, and would come back with nobody to take it out.
 */
final class OpenAiKnownTerms {
  private static final Set<String> INSTRUCTIONS = Set.of("system", "developer");
  private static final List<String> STORED = List.of("previous_response_id", "conversation");

  private final JsonDocument json;

  /** Where messages stand, or the text in their place. */
  private final int messages;

  private final Set<Integer> ours = new LinkedHashSet<>();
  private Optional<String> block = Optional.empty();

  OpenAiKnownTerms(JsonDocument json, OpenAiCall call) {
    this.json = json;
    this.messages =
        switch (call) {
          case CHAT -> json.member(json.root(), "messages");
          case RESPONSES -> json.member(json.root(), "input");
          case COMPLETIONS, RESPONSE_READ, RESPONSE_CANCELLED, CHAT_READ -> JsonDocument.NONE;
        };
    for (int message = json.firstElement(messages);
        message != JsonDocument.NONE;
        message = json.nextElement(messages, message)) {
      if (isBlock(message)) {
        ours.add(message);
      }
    }
  }

  /** True for a message that a sidecar has put there. */
  boolean isOurs(int message) {
    return !ours.isEmpty() && ours.contains(message);
  }

  private boolean isBlock(int message) {
    if (role(message).isEmpty()) {
      return false;
    }
    int content = json.member(message, "content");
    int first = json.firstElement(content);
    boolean alone =
        first != JsonDocument.NONE && json.nextElement(content, first) == JsonDocument.NONE;
    int text = alone ? json.member(first, "text") : content;
    if (!json.isString(text)) {
      return false;
    }
    Utf8Span said = json.text(text);
    return KnownTerms.blockStart(said) == 0;
  }

  /** The role of a message that instructs. */
  private Optional<String> role(int message) {
    return json.isObject(message)
        ? json.optionalString(json.member(message, "role")).filter(INSTRUCTIONS::contains)
        : Optional.empty();
  }

  /** Shows a block; false if there is no place for one. */
  boolean show(String shown) {
    boolean stored =
        STORED.stream().anyMatch(member -> json.present(json.root(), member) != JsonDocument.NONE);
    boolean hasPlace =
        !stored && (json.isString(messages) || json.firstElement(messages) != JsonDocument.NONE);
    block = hasPlace ? Optional.of(shown) : Optional.empty();
    return hasPlace;
  }

  /** True if a text in the place of messages becomes the second of two. */
  boolean replacesText() {
    return block.isPresent() && json.isString(messages);
  }

  /** The messages in the place of a text, without brackets; the text alone if nothing is shown. */
  String aroundText() {
    String question = "{\"role\":\"user\",\"content\":" + json.raw(messages) + "}";
    return block.map(shown -> message("system", shown) + "," + question).orElse(question);
  }

  /** Edits of the messages. */
  void write(JsonEdits edits) {
    if (replacesText()) {
      edits.replace(messages, "[" + aroundText() + "]");
      return;
    }
    Set<Integer> removed = new LinkedHashSet<>(ours);
    if (block.isPresent()) {
      if (ours.isEmpty()) {
        insert(edits, block.get());
      } else {
        int place = removed.iterator().next();
        removed.remove(place);
        edits.replace(place, message(role(place).orElseThrow(), block.get()));
      }
    }
    int first = json.firstElement(messages);
    if (block.isEmpty() && first != JsonDocument.NONE && hasNoOther(removed)) {
      removed.remove(first);
      edits.replace(first, message(role(first).orElseThrow(), ""));
    }
    if (!removed.isEmpty()) {
      edits.change(messages, removed, new byte[0]);
    }
  }

  private boolean hasNoOther(Set<Integer> removed) {
    int message = json.firstElement(messages);
    while (message != JsonDocument.NONE && removed.contains(message)) {
      message = json.nextElement(messages, message);
    }
    return message == JsonDocument.NONE;
  }

  /** Behind the instructions that stand first; some models want none behind what is asked. */
  private void insert(JsonEdits edits, String shown) {
    int last = JsonDocument.NONE;
    int message = json.firstElement(messages);
    while (message != JsonDocument.NONE && role(message).isPresent()) {
      last = message;
      message = json.nextElement(messages, message);
    }
    if (last == JsonDocument.NONE) {
      edits.insertBefore(json.firstElement(messages), message("system", shown));
    } else {
      // A request has instructions of one kind only.
      edits.insertBehind(last, message(role(last).orElseThrow(), shown));
    }
  }

  private static String message(String role, String shown) {
    return new JsonWriter()
        .object()
        .member("role", role)
        .member("content", shown)
        .endObject()
        .toString();
  }
}
