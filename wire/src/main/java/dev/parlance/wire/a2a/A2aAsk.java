package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.Member;
import dev.parlance.wire.metadata.EvidenceReader;
import java.util.List;
import java.util.Optional;

/**
 * What the request of a call holds: a message and what stands beside it, or ids alone. The same in
 * every JSON binding.
 */
final class A2aAsk {
  private static final long MESSAGE = Member.set(Member.MESSAGE);
  private static final long ENVELOPE_READ = Member.set(Member.PARAMS);
  private static final long ENVELOPE_QUIET = Member.set(Member.JSONRPC, Member.METHOD, Member.ID);
  private static final long READ =
      Member.set(
          Member.MESSAGE,
          Member.CONFIGURATION,
          Member.TENANT,
          Member.REQUEST,
          Member.ID,
          Member.HISTORY_LENGTH);

  private final JsonDocument json;
  private final int params;
  private final int message;
  private final A2aForm form;
  private final A2aTranscript transcript;
  private final EvidenceReader evidence = new EvidenceReader();
  private final A2aReader reader;
  private final Utf8Span said;
  private final Utf8Span question;
  private final Optional<AgentMessage> asked;

  /**
   * Reads a request.
   *
   * @param params the object that holds the message or the ids, if there is one
   */
  A2aAsk(JsonDocument json, int params, A2aBinding.Shape shape, A2aForm form) {
    this.json = json;
    this.params = params;
    this.message = shape.hasMessage() ? json.present(params, Member.MESSAGE) : JsonDocument.NONE;
    this.form = form;
    this.transcript = A2aTranscript.of(_ -> false, json);
    this.reader = new A2aReader(json, transcript, evidence);
    if (params != json.root()) {
      reader.sideTexts().members(json.root(), ENVELOPE_READ, ENVELOPE_QUIET);
    }
    if (json.isObject(message)) {
      reader.places().believeRounds();
      reader.message(message);
      reader.places().stripped(params);
      reader.strangers(params, READ);
      sentences(Member.CONFIGURATION);
      sentences(Member.TENANT);
    } else if (!shape.hasMessage() && params != JsonDocument.NONE) {
      reader.places().stripped(params);
      reader.sideTexts().sentences(params);
    }
    this.said = transcript.answer();
    this.question = evidence.question().orElse(said);
    boolean silent = message == JsonDocument.NONE && transcript.isEmpty();
    this.asked =
        silent
            ? Optional.empty()
            : Optional.of(
                new AgentMessage(
                    transcript.text(),
                    evidence.question().orElse(Utf8Span.EMPTY),
                    evidence.evidence()));
  }

  private void sentences(Member name) {
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
        ? Optional.of(new Reading.Unjudged<>(reader.unread().getFirst()))
        : Optional.empty();
  }

  private static Optional<Reading<RequestView>> bad(String why) {
    return Optional.of(
        new Reading.Malformed<>(WireFault.BAD_MESSAGE, why + "; expected a request of A2A"));
  }

  /** The array of parts of the message. */
  private int parts() {
    int own = json.present(message, form.parts());
    if (json.isArray(own)) {
      return own;
    }
    int other = json.present(message, form == A2aForm.CONTENT ? Member.PARTS : Member.CONTENT);
    return json.isArray(other) ? other : JsonDocument.NONE;
  }

  /** What the asker says. */
  Optional<AgentMessage> message() {
    return asked;
  }

  List<String> unread() {
    return reader.unread();
  }

  Correlation correlation() {
    return message == JsonDocument.NONE
        ? new Correlation(
            Optional.empty(), json.optionalString(json.member(params, Member.ID)), Optional.empty())
        : new Correlation(
            json.optionalString(json.member(message, Member.CONTEXT_ID)),
            json.optionalString(json.member(message, Member.TASK_ID)),
            json.optionalString(json.member(message, Member.MESSAGE_ID)));
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
        question,
        asked.map(AgentMessage::answer).orElse(Utf8Span.EMPTY));
  }

  /** The question that the asker declares, else what it says. */
  Utf8Span question() {
    return question;
  }

  /** For the reading of the answer. */
  A2aAsker asker() {
    return new A2aAsker(question, evidence.declaredChunks(), said);
  }

  A2aTextSites places() {
    return reader.places();
  }

  /** The request that asks again; see {@link RequestView#repair}. */
  Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    int references = json.present(message, Member.REFERENCE_TASK_IDS);
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
