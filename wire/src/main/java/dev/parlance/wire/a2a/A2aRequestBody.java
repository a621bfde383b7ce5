package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.message.Chunk;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Relayed;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.metadata.EvidenceReader;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The body of an A2A request: a message and what stands beside it, or ids alone. The same in every
 * JSON binding.
 */
final class A2aRequestBody {
  private static final long MESSAGE = MemberName.set(MemberName.MESSAGE);
  private static final long ENVELOPE_READ = MemberName.set(MemberName.PARAMS);
  private static final long ENVELOPE_QUIET =
      MemberName.set(MemberName.JSONRPC, MemberName.METHOD, MemberName.ID);
  private static final long READ =
      MemberName.set(
          MemberName.MESSAGE,
          MemberName.CONFIGURATION,
          MemberName.TENANT,
          MemberName.REQUEST,
          MemberName.ID,
          MemberName.HISTORY_LENGTH);

  /**
   * What a request gives for the reading of its answer.
   *
   * @param question what was asked, by the asker's own account: an answerer that could name the
   *     question could choose one that its answer fits
   * @param given context that the asker sent along
   * @param text the text of the request, which a history repeats
   */
  record Context(Utf8Span question, List<Chunk> given, Utf8Span text) {
    /** That of somebody who asked nothing. */
    static final Context NONE = new Context(Utf8Span.EMPTY, List.of(), Utf8Span.EMPTY);

    /** A transcript of an answer, or of an event, that stands in one body. */
    A2aTranscript transcript(Relayed relayed, JsonDocument json) {
      return A2aTranscript.of(known(relayed), json);
    }

    /** A transcript of an answer that comes in events, which it outlives. */
    A2aTranscript transcript(Relayed relayed) {
      return A2aTranscript.detached(known(relayed));
    }

    private Predicate<Utf8Span> known(Relayed relayed) {
      return other -> other.equals(text) || relayed.knows(other);
    }
  }

  private final JsonDocument json;
  private final int params;
  private final int message;
  private final A2aFormat format;
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
  A2aRequestBody(JsonDocument json, int params, A2aBinding.Shape shape, A2aFormat format) {
    this.json = json;
    this.params = params;
    this.message =
        shape.hasMessage() ? json.present(params, MemberName.MESSAGE) : JsonDocument.NONE;
    this.format = format;
    this.transcript = A2aTranscript.of(_ -> false, json);
    this.reader = new A2aReader(json, transcript, evidence);
    if (params != json.root()) {
      reader.sideTexts().members(json.root(), ENVELOPE_READ, ENVELOPE_QUIET);
    }
    if (json.isObject(message)) {
      reader.sites().believeRounds();
      reader.message(message);
      reader.sites().stripped(params);
      reader.strangers(params, READ);
      sentences(MemberName.CONFIGURATION);
      sentences(MemberName.TENANT);
    } else if (!shape.hasMessage() && params != JsonDocument.NONE) {
      reader.sites().stripped(params);
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

  private void sentences(MemberName name) {
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
    int own = json.present(message, format.parts());
    if (json.isArray(own)) {
      return own;
    }
    int other =
        json.present(message, format == A2aFormat.CONTENT ? MemberName.PARTS : MemberName.CONTENT);
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
            Optional.empty(),
            json.optionalString(json.member(params, MemberName.ID)),
            Optional.empty())
        : new Correlation(
            json.optionalString(json.member(message, MemberName.CONTEXT_ID)),
            json.optionalString(json.member(message, MemberName.TASK_ID)),
            json.optionalString(json.member(message, MemberName.MESSAGE_ID)));
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
  Context context() {
    return new Context(question, evidence.declaredChunks(), said);
  }

  A2aTextSites sites() {
    return reader.sites();
  }

  /** The request that asks again; see {@link RequestView#repair}. */
  Optional<byte[]> repair(ResponseView rejected, String instruction, String freshMessageId) {
    int references = json.present(message, MemberName.REFERENCE_TASK_IDS);
    boolean usable = references == JsonDocument.NONE || json.isArray(references);
    if (message == JsonDocument.NONE || !usable) {
      return Optional.empty();
    }
    A2aRepair.OfJson repair = new A2aRepair.OfJson(json, message, parts(), format);
    reader.sites().strip(repair.edits());
    boolean open = rejected instanceof A2aAnswerReader.Answer response && response.isOpenTask();
    return Optional.of(repair.body(rejected.correlation(), open, instruction, freshMessageId));
  }
}
