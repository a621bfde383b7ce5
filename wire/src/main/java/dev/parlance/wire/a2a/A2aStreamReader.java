package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Frame;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.PactMark;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.StreamEvent;
import dev.parlance.wire.api.StreamFraming;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.metadata.EvidenceReader;
import dev.parlance.wire.metadata.LexiconReader;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the events of one A2A stream, over JSON-RPC or HTTP+JSON.
 *
 * <p>Open is what has been begun and may be continued: an artifact until its last chunk, the task
 * that reports on its work in words until it ends, waits, or completes an artifact. Such a report
 * is often a piece of the answer, or means nothing without it, so it is not judged by itself.
 */
class A2aStreamReader implements StreamReader {
  private A2aBinding binding;
  private final StreamFraming framing;
  private final A2aCall.Context asked;
  private final JsonScanner.Limits limits;
  private final A2aTranscript transcript;
  private final EvidenceReader evidence = new EvidenceReader(true);
  private final LexiconReader lexicon = new LexiconReader();
  private final Set<String> open = new HashSet<>();
  private boolean reporting;
  private boolean taskSeen;
  private boolean acts;
  private A2aReader.TaskState state = A2aReader.TaskState.UNKNOWN;
  private Correlation ids;

  A2aStreamReader(
      A2aBinding binding,
      StreamFraming framing,
      A2aCall.Context asked,
      Relayed relayed,
      Correlation ids,
      JsonScanner.Limits limits) {
    this.binding = binding;
    this.framing = framing;
    this.asked = asked;
    this.limits = limits;
    this.transcript = asked.transcript(relayed);
    boolean continued = !binding.shape().hasMessage();
    this.ids =
        new Correlation(
            ids.contextId(), continued ? ids.taskId() : Optional.empty(), Optional.empty());
  }

  @Override
  public StreamFraming framing() {
    return framing;
  }

  @Override
  public StreamEvent read(Frame frame) {
    if (frame.saysNothing()) {
      return StreamEvent.Silent.NOTHING;
    }
    byte[] payload = frame.payload().orElseThrow();
    return isEventName(frame.name()) || isOfA2a(payload)
        ? read(payload, 0)
        : new StreamEvent.Foreign("event_name");
  }

  /**
   * True for what clients take for a part of the answer or an error, whatever its event is called.
   */
  private boolean isOfA2a(byte[] event) {
    if (!(JsonScanner.scan(event, limits) instanceof JsonScanner.Scanned(JsonDocument json))) {
      return false;
    }
    A2aBinding found = bindingOf(json);
    return switch (found.find(json, 0)) {
      case A2aBinding.Found.Strange _, A2aBinding.Found.Broken _ -> false;
      case A2aBinding.Found.Failure _ -> true;
      case A2aBinding.Found.Result(int node) ->
          A2aPayload.read(json, node, found.format()) instanceof Reading.Readable<A2aPayload>;
    };
  }

  /**
   * Reads an event as JSON.
   *
   * @param status as where a whole body holds it: from 400 on it is an error
   */
  final StreamEvent read(byte[] event, int status) {
    return switch (JsonScanner.scan(event, limits)) {
      case JsonScanner.Refused(WireFault fault, String detail) ->
          new StreamEvent.Malformed(fault, detail);
      case JsonScanner.Scanned(JsonDocument json) -> readEvent(json, status);
    };
  }

  /** No other name has a meaning in A2A, but clients do not ask for one. */
  private static boolean isEventName(String name) {
    return name.isEmpty() || name.equals("message") || name.equals("error");
  }

  /** How an event is wrapped and written. */
  A2aBinding bindingOf(JsonDocument event) {
    return binding;
  }

  private StreamEvent readEvent(JsonDocument json, int status) {
    binding = bindingOf(json);
    A2aReader reader = new A2aReader(json, transcript, evidence);
    int before = transcript.news();
    return switch (binding.find(json, status)) {
      case A2aBinding.Found.Strange(String what) -> new StreamEvent.Unjudged(what);
      case A2aBinding.Found.Broken(String detail) -> broken(detail);
      case A2aBinding.Found.Failure(int node) -> readError(json, node);
      case A2aBinding.Found.Result(int node) ->
          switch (A2aPayload.read(json, node, binding.format())) {
            case Reading.Unread<A2aPayload> unread -> StreamEvent.of(unread);
            case Reading.Readable<A2aPayload>(A2aPayload union) -> {
              binding.strangers(json, reader);
              if (!binding.format().discriminated()) {
                reader.strangers(node, A2aPayload.MEMBERS);
              }
              yield readUnion(json, union, reader, before);
            }
          };
    };
  }

  private static StreamEvent broken(String detail) {
    return new StreamEvent.Malformed(WireFault.BAD_MESSAGE, detail);
  }

  /** Read apart from the transcript, to which it adds nothing. */
  private StreamEvent readError(JsonDocument json, int error) {
    A2aReader reader =
        new A2aReader(json, asked.transcript(transcript::knows, json), new EvidenceReader());
    binding.strangers(json, reader);
    reader.sideTexts().every(error);
    return new StreamEvent.Failed(A2aAnswerReader.error(json, error), false, reader.sites());
  }

  private StreamEvent readUnion(JsonDocument json, A2aPayload union, A2aReader reader, int before) {
    keepIds(A2aAnswerReader.correlation(json, union));
    boolean wasOpen = isOpen();
    acts |= union.kind() != A2aPayload.Kind.MESSAGE;
    switch (union.kind()) {
      case MESSAGE -> reader.message(union.node());
      case TASK -> {
        reader.task(union.node(), ids.taskId().orElse(""));
        taskSeen = true;
      }
      case STATUS -> reader.statusUpdate(union.node());
      case ARTIFACT -> reader.artifactUpdate(union.node());
    }
    Optional<String> fault = reader.fault();
    if (fault.isPresent()) {
      return broken(fault.get() + "; expected an event of A2A");
    }
    reader.sites().lexiconInto(lexicon);
    track(json, union, reader);
    if (open.size() > A2aTranscript.MAX_ARTIFACTS) {
      return broken("more than " + A2aTranscript.MAX_ARTIFACTS + " artifacts without an end");
    }
    boolean spoke = transcript.news() > before;
    boolean closed = wasOpen && !isOpen();
    return spoke || closed || !reader.unreadInAnswer().isEmpty()
        ? new StreamEvent.Said(!isOpen(), reader.unreadInAnswer(), reader.sites())
        : new StreamEvent.Silent(false, reader.sites());
  }

  private void keepIds(Correlation found) {
    ids =
        new Correlation(
            found.contextId().or(ids::contextId),
            found.taskId().or(ids::taskId),
            found.messageId().or(ids::messageId));
  }

  /** What is open behind this event. */
  private void track(JsonDocument json, A2aPayload union, A2aReader reader) {
    switch (union.kind()) {
      case MESSAGE -> {
        open.clear();
        reporting = false;
      }
      case TASK, STATUS -> {
        state = reader.state();
        if (state.isSettled()) {
          open.clear();
          reporting = false;
        } else if (reader.hasStatusText()) {
          reporting = true;
        }
      }
      case ARTIFACT -> {
        if (!json.isTrue(json.member(union.node(), MemberName.LAST_CHUNK))) {
          open.add(reader.artifactUnit());
        } else {
          open.remove(reader.artifactUnit());
          reporting &= !open.isEmpty();
        }
      }
    }
  }

  @Override
  public AgentMessage said() {
    return new AgentMessage(transcript.text(), asked.question(), evidence.evidence(asked.given()));
  }

  @Override
  public int saidBytes() {
    return transcript.bytes();
  }

  @Override
  public boolean isOpen() {
    return reporting || !open.isEmpty();
  }

  @Override
  public void forget() {
    transcript.forget();
  }

  @Override
  public ResponseView soFar() {
    Utf8Span text = transcript.text();
    Optional<AgentMessage> message =
        transcript.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new AgentMessage(text, asked.question(), evidence.evidence(asked.given())));
    return new A2aAnswerReader.Answer(
        message,
        List.of(),
        ids,
        acts || ids.taskId().isPresent(),
        state.isOpen(),
        RoundMark.NONE,
        PactMark.NONE,
        lexicon.mark(transcript::textBesideLexicon),
        Annotatable.NOWHERE);
  }

  /**
   * The last change of the stream's task, under its ids; the whole task where the client knows none
   * yet. Where the stream has no task it is one of the sidecar for what is held, and else an error.
   * What failed beside the agent's words is no change of its task, but the error of the binding:
   * over HTTP+JSON an event that is named so, since clients take one without that name for an empty
   * change.
   */
  @Override
  public StreamReader.Ending refuse(Notice notice, boolean isBegun) {
    boolean endsTask = endsTask(notice);
    Optional<String> error =
        endsTask || notice.kind().isReview() ? Optional.empty() : binding.errorEvent(notice);
    if (error.isEmpty() && A2aCall.isFailure(notice)) {
      return new StreamReader.Ending("error", List.of(binding.error(notice).body()), Map.of());
    }
    A2aSidecarTask task = A2aSidecarTask.ofIds(ids.taskId(), ids.contextId(), notice);
    A2aFormat format = binding.format();
    String event =
        error.orElseGet(() ->
            binding.wrap(
                endsTask && isBegun
                    ? binding.union(A2aPayload.Kind.STATUS, task.jsonUpdate(format))
                    : binding.union(A2aPayload.Kind.TASK, task.json(format))));
    return new StreamReader.Ending(List.of(Texts.utf8(event)), Map.of());
  }

  /** True if the stream is one of a task, and the refusal is how that ends. */
  final boolean endsTask(Notice notice) {
    return (taskSeen || ids.taskId().isPresent()) && !A2aCall.isFailure(notice);
  }
}
