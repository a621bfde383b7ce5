package dev.parlance.proxy.wire;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the request of a call holds: a message and what stands beside it, or ids alone. The same in
 * every JSON binding.
 */
final class A2aAsk {
  private static final Set<String> MESSAGE = Set.of("message");
  private static final Set<String> ENVELOPE_READ = Set.of("params");
  private static final Set<String> ENVELOPE_QUIET = Set.of("jsonrpc", "method", "id");
  private static final Set<String> READ =
      Set.of("message", "configuration", "tenant", "request", "id", "historyLength");

  private final JsonDocument json;
  private final int params;
  private final int message;
  private final A2aForm form;
  private final A2aTranscript transcript = new A2aTranscript(_ -> false, false);
  private final EvidenceReader evidence = new EvidenceReader();
  private final A2aReader reader;

  /**
   * Reads a request.
   *
   * @param params the object that holds the message or the ids, if there is one
   */
  A2aAsk(JsonDocument json, int params, A2aBinding.Shape shape, A2aForm form) {
    this.json = json;
    this.params = params;
    this.message = shape.hasMessage() ? json.present(params, "message") : JsonDocument.NONE;
    this.form = form;
    this.reader = new A2aReader(json, transcript, evidence);
    if (params != json.root()) {
      reader.sideTexts().members(json.root(), ENVELOPE_READ, ENVELOPE_QUIET);
    }
    if (json.isObject(message)) {
      reader.places().believeRounds();
      reader.message(message);
      reader.places().stripped(params);
      reader.strangers(params, READ);
      sentences("configuration");
      sentences("tenant");
    } else if (!shape.hasMessage() && params != JsonDocument.NONE) {
      reader.places().stripped(params);
      reader.sideTexts().sentences(params);
    }
  }

  private void sentences(String name) {
    int value = json.present(params, name);
    if (value != JsonDocument.NONE) {
      reader.sideTexts().sentences(value);
    }
  }

  /** Why it is no request of A2A, or nobody can read it; empty if it is fine. */
  Optional<Reading<RequestView>> problem(A2aBinding.Shape shape) {
    if (shape.hasMessage()) {
      if (!json.isObject(message)) {
        return bad("message is not an object");
      }
      if (json.misspelt(params, MESSAGE).isPresent()) {
        return bad("member message is spelt in other case");
      }
      if (json.first(parts()) == JsonDocument.NONE) {
        return bad("parts of the message is not an array of parts");
      }
    }
    Optional<String> fault = reader.fault();
    if (fault.isPresent()) {
      return bad(fault.get());
    }
    boolean nothingRead = transcript.isEmpty() && !reader.unread().isEmpty();
    return nothingRead
        ? Optional.of(new Reading.Unjudged<>(reader.unread().iterator().next()))
        : Optional.empty();
  }

  private static Optional<Reading<RequestView>> bad(String why) {
    return Optional.of(
        new Reading.Malformed<>(WireFault.BAD_MESSAGE, why + "; expected a request of A2A"));
  }

  /** The array of parts of the message. */
  private int parts() {
    int own = json.present(message, form.partsName());
    if (json.isArray(own)) {
      return own;
    }
    int other = json.present(message, form == A2aForm.CONTENT ? "parts" : "content");
    return json.isArray(other) ? other : JsonDocument.NONE;
  }

  /** What the asker says. */
  Optional<AgentMessage> message() {
    boolean silent = message == JsonDocument.NONE && transcript.isEmpty();
    return silent
        ? Optional.empty()
        : Optional.of(
            new AgentMessage(
                transcript.text(),
                evidence.question().orElse(Utf8Span.EMPTY),
                evidence.evidence()));
  }

  List<String> unread() {
    return List.copyOf(reader.unread());
  }

  Correlation correlation() {
    return message == JsonDocument.NONE
        ? new Correlation(
            Optional.empty(), json.optionalString(json.member(params, "id")), Optional.empty())
        : new Correlation(
            json.optionalString(json.member(message, "contextId")),
            json.optionalString(json.member(message, "taskId")),
            json.optionalString(json.member(message, "messageId")));
  }

  /**
   * Conversation and task, the parts or parameters as they were sent, and everything that was said.
   */
  List<Utf8Span> identity(Correlation ids) {
    int said = message == JsonDocument.NONE ? params : parts();
    return List.of(
        Utf8Span.of(ids.contextId().orElse("")),
        Utf8Span.of(ids.taskId().orElse("")),
        said == JsonDocument.NONE ? Utf8Span.EMPTY : json.bytes(said),
        question(),
        transcript.text());
  }

  /** The question that the asker declares, else what it says. */
  Utf8Span question() {
    return evidence.question().orElseGet(transcript::answer);
  }

  /** For the reading of the answer. */
  A2aAsker asker() {
    return new A2aAsker(question(), evidence.declaredChunks(), transcript.answer());
  }

  A2aPlaces places() {
    return reader.places();
  }

  /** The request that asks again; see {@link RequestView#repair}. */
  Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    int references = json.present(message, "referenceTaskIds");
    boolean usable = references == JsonDocument.NONE || json.isArray(references);
    if (message == JsonDocument.NONE || !usable) {
      return Optional.empty();
    }
    A2aRepair repair = new A2aRepair(json, message, parts(), form);
    reader.places().strip(repair.edits());
    boolean open = rejected instanceof A2aResponse response && response.isOpenTask();
    return Optional.of(repair.body(rejected.correlation(), open, instruction, freshMessageId));
  }
}
