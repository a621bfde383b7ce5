package dev.parlance.wire.openai;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Turns a whole answer of a model into the events of a stream, and back. Words alone are turned: an
 * answer with calls of tools stays in the form that it has.
 */
record OpenAiForms(OpenAiCall call, JsonScanner.Limits limits) {
  private static final String DONE = "[DONE]";

  private Optional<JsonDocument> read(byte[] json) {
    return JsonScanner.scan(json, limits) instanceof JsonScanner.Scanned(JsonDocument read)
            && read.isObject(read.root())
        ? Optional.of(read)
        : Optional.empty();
  }

  /** The payloads of the stream that says the same. */
  Optional<List<byte[]>> asStream(byte[] whole) {
    Optional<JsonDocument> answer = read(whole);
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    if (!call.isResponse()) {
      return chunk(answer.get()).map(chunk -> List.of(chunk, Texts.utf8(DONE)));
    }
    List<byte[]> events = new ArrayList<>();
    for (String type : List.of("response.created", "response.completed")) {
      JsonWriter event = new JsonWriter().object().member("type", type);
      event.member("sequence_number", events.size());
      event.name("response").raw(new String(whole, UTF_8));
      events.add(event.endObject().toBytes());
    }
    return Optional.of(events);
  }

  private Optional<byte[]> chunk(JsonDocument answer) {
    boolean older = call == OpenAiCall.COMPLETIONS;
    JsonWriter json = new JsonWriter().object();
    head(json, answer, older ? "text_completion" : "chat.completion.chunk");
    int choices = answer.member(answer.root(), "choices");
    for (int choice = answer.firstElement(choices);
        choice != JsonDocument.NONE;
        choice = answer.nextElement(choices, choice)) {
      int said = answer.member(choice, older ? "text" : "message");
      if (said == JsonDocument.NONE || callsTools(answer, said)) {
        return Optional.empty();
      }
      json.object();
      copy(json, answer, choice, "index", "0");
      json.name(older ? "text" : "delta").raw(answer.bytes(said).toString());
      copy(json, answer, choice, "finish_reason", "\"stop\"");
      json.endObject();
    }
    return Optional.of(json.endArray().endObject().toBytes());
  }

  private static boolean callsTools(JsonDocument json, int message) {
    return json.firstElement(json.member(message, "tool_calls")) != JsonDocument.NONE
        || json.isObject(json.member(message, "function_call"));
  }

  private static void head(JsonWriter json, JsonDocument answer, String object) {
    for (String name : List.of("id", "created", "model")) {
      copy(json, answer, answer.root(), name, name.equals("created") ? "0" : "\"\"");
    }
    json.member("object", object).name("choices").array();
  }

  private static void copy(
      JsonWriter json, JsonDocument from, int object, String name, String otherwise) {
    int value = from.member(object, name);
    json.name(name).raw(value == JsonDocument.NONE ? otherwise : from.bytes(value).toString());
  }

  /** The whole answer that says the same as the payloads of a stream. */
  Optional<byte[]> asWhole(List<byte[]> payloads) {
    List<JsonDocument> events = new ArrayList<>();
    for (byte[] payload : payloads) {
      if (!new String(payload, UTF_8).equals(DONE)) {
        Optional<JsonDocument> event = read(payload);
        if (event.isEmpty()) {
          return Optional.empty();
        }
        events.add(event.get());
      }
    }
    return events.isEmpty() ? Optional.empty() : call.isResponse() ? last(events) : sum(events);
  }

  private static Optional<byte[]> last(List<JsonDocument> events) {
    JsonDocument last = events.getLast();
    int response = last.member(last.root(), "response");
    return last.isObject(response)
        ? Optional.of(last.bytes(response).toByteArray())
        : Optional.empty();
  }

  private Optional<byte[]> sum(List<JsonDocument> events) {
    boolean older = call == OpenAiCall.COMPLETIONS;
    Map<String, StringBuilder> texts = new TreeMap<>();
    Map<String, String> ends = new TreeMap<>();
    for (JsonDocument event : events) {
      int choices = event.member(event.root(), "choices");
      for (int choice = event.firstElement(choices);
          choice != JsonDocument.NONE;
          choice = event.nextElement(choices, choice)) {
        int delta = older ? choice : event.member(choice, "delta");
        if (delta != JsonDocument.NONE && callsTools(event, delta)) {
          return Optional.empty();
        }
        int index = event.member(choice, "index");
        String key = index == JsonDocument.NONE ? "0" : event.bytes(index).toString();
        String text =
            event.optionalString(event.member(delta, older ? "text" : "content")).orElse("");
        texts.computeIfAbsent(key, _ -> new StringBuilder()).append(text);
        event
            .optionalString(event.member(choice, "finish_reason"))
            .ifPresent(end -> ends.put(key, end));
      }
    }
    JsonWriter json = new JsonWriter().object();
    head(json, events.getFirst(), older ? "text_completion" : "chat.completion");
    texts.forEach((index, text) -> {
      json.object().name("index").raw(index);
      if (older) {
        json.member("text", text.toString());
      } else {
        json.name("message").object().member("role", "assistant");
        json.member("content", text.toString()).endObject();
      }
      json.member("finish_reason", ends.getOrDefault(index, "stop")).endObject();
    });
    return Optional.of(json.endArray().endObject().toBytes());
  }
}
