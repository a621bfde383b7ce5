package dev.parlance.wire.openai;

import dev.parlance.wire.api.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads answers of the OpenAI protocols that are whole. */
final class OpenAiReplies {
  private static final Set<String> CHAT_MEMBERS = Set.of("choices", "error", "id");
  private static final Set<String> RESPONSE_MEMBERS = Set.of("output", "error", "id", "status");
  private static final Set<String> CHOICE_MEMBERS = Set.of("message", "delta", "text");
  private static final Set<String> MESSAGE_MEMBERS = Set.of("content", "refusal");

  private OpenAiReplies() {}

  static Reading<ResponseView> read(
      JsonDocument json, OpenAiCall call, OpenAiView.Asked asked, Relayed relayed) {
    int root = json.root();
    if (!json.isObject(root)) {
      return new Reading.Unjudged<>("shape");
    }
    Optional<String> misspelt = misspelt(json, call);
    if (misspelt.isPresent()) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "a member is spelt in other case; expected a completion");
    }
    GeneratedText spoken = GeneratedText.of(json);
    Optional<String> id = json.optionalString(json.member(root, "id"));
    OpenAiTextSites places = new OpenAiTextSites(json);
    if (call.isResponse()) {
      if (!json.isArray(json.member(root, "output")) && !failed(json)) {
        return new Reading.Unjudged<>("shape");
      }
      OpenAiResponsesExtractor words =
          new OpenAiResponsesExtractor(json, spoken, /* pieces= */ false);
      words.response(root);
      return judged(
          OpenAiView.of(
              spoken, asked, words.found(), words.unread(), id, relayed, places, json.memory()));
    }
    int choices = json.member(root, "choices");
    if ((!json.isArray(choices) || json.first(choices) == JsonDocument.NONE) && !failed(json)) {
      return new Reading.Unjudged<>("shape");
    }
    OpenAiChatExtractor words = new OpenAiChatExtractor(json, spoken, /* pieces= */ false);
    words.read();
    return judged(
        OpenAiView.of(
            spoken, asked, List.of(), words.unread(), id, relayed, places, json.memory()));
  }

  private static Reading<ResponseView> judged(OpenAiView view) {
    boolean error = view.unread().equals(List.of("error_text"));
    return view.message().isEmpty() && !view.unread().isEmpty() && !error
        ? new Reading.Unjudged<>(view.unread().getFirst())
        : new Reading.Readable<>(view);
  }

  private static boolean failed(JsonDocument json) {
    return json.present(json.root(), "error") != JsonDocument.NONE;
  }

  /** A name in other case is unknown to us and known to a reader that ignores case. */
  static Optional<String> misspelt(JsonDocument json, OpenAiCall call) {
    if (call.isResponse()) {
      return json.misspelt(json.root(), RESPONSE_MEMBERS);
    }
    Optional<String> misspelt = json.misspelt(json.root(), CHAT_MEMBERS);
    int choices = json.member(json.root(), "choices");
    int choice = json.isArray(choices) ? json.first(choices) : JsonDocument.NONE;
    while (choice != JsonDocument.NONE && misspelt.isEmpty()) {
      int message = json.member(choice, "message");
      int delta = json.member(choice, "delta");
      misspelt =
          json.misspelt(choice, CHOICE_MEMBERS)
              .or(() -> json.misspelt(message, MESSAGE_MEMBERS))
              .or(() -> json.misspelt(delta, MESSAGE_MEMBERS));
      choice = json.nextElement(choices, choice);
    }
    return misspelt;
  }
}
