package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Evidence;
import dev.parlance.policy.text.Utf8Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a chat completion. The answer is the content of all choices together, and refusals, which a
 * client shows in their place; calls of tools without content say nothing yet.
 */
final class OpenAiResponse {
  private static final Set<String> CHOICE_MEMBERS = Set.of("message");
  private static final Set<String> MESSAGE_MEMBERS = Set.of("content", "refusal");

  private OpenAiResponse() {}

  static Reading<ResponseView> read(
      JsonDocument json, int choices, Utf8Span question, Evidence evidence) {
    List<Utf8Span> texts = new ArrayList<>();
    boolean misspelt = false;
    boolean unread = false;
    boolean misshapen = json.first(choices) == JsonDocument.NONE;
    int choice = json.first(choices);
    while (choice != JsonDocument.NONE) {
      int message = json.member(choice, "message");
      // Fragments of streams and completions of the older API would be shown, and not judged.
      misshapen |=
          !json.isObject(message)
              || json.present(choice, "text") != JsonDocument.NONE
              || json.present(choice, "delta") != JsonDocument.NONE;
      misspelt |=
          json.misspelt(choice, CHOICE_MEMBERS).isPresent()
              || json.misspelt(message, MESSAGE_MEMBERS).isPresent();
      int content = json.present(message, "content");
      int before = texts.size();
      texts.addAll(OpenAiContext.content(json, content));
      unread |= content != JsonDocument.NONE && texts.size() == before;
      int refusal = json.present(message, "refusal");
      if (json.isString(refusal)) {
        texts.add(json.text(refusal));
      }
      choice = json.nextElement(choices, choice);
    }
    if (misspelt) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "a member is spelt in other case; expected a chat completion");
    }
    if (misshapen) {
      return new Reading.Unjudged<>("shape");
    }
    if (unread) {
      return new Reading.Unjudged<>("binary_part");
    }
    Optional<AgentMessage> message =
        texts.isEmpty()
            ? Optional.empty()
            : Optional.of(new AgentMessage(Texts.join(texts), question, evidence));
    Optional<String> id = json.optionalString(json.member(json.root(), "id"));
    return new Reading.Readable<>(
        new JsonResponse(
            json, message, new Correlation(Optional.empty(), Optional.empty(), id), List.of()));
  }
}
