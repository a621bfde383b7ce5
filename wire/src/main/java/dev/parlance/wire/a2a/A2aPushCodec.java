package dev.parlance.wire.a2a;

import dev.parlance.policy.message.AgentMessage;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.api.AgentError;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseHead.Relayed;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.metadata.Problems;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Push notifications of A2A: an agent posts a task, or a change of one, to its client's webhook, so
 * that answers leave in requests. Told by the body: an object of A2A stands alone in it.
 */
record A2aPushCodec(JsonScanner.Limits limits) implements A2aCodec.Binding {
  private static final Set<String> OF_TASK = Set.of("status", "artifacts", "history");
  private static final Set<String> OF_MESSAGE = Set.of("parts", "content");
  private static final Set<String> OF_STATUS = Set.of("status");
  private static final Set<String> OF_ARTIFACT = Set.of("artifact");

  @Override
  public boolean claims(RequestHead head) {
    return false;
  }

  @Override
  public boolean claims(RequestHead head, JsonDocument body) {
    return head.method().equals("POST") && format(body, body.root()).isPresent();
  }

  /** How an object is written, if it is one of A2A. */
  static Optional<A2aFormat> format(JsonDocument json, int object) {
    for (A2aPayload.Kind kind : A2aPayload.Kind.values()) {
      boolean named =
          json.optionalString(json.member(object, "kind")).equals(Optional.of(kind.kindName()));
      if (named && looksLike(json, object, kind)) {
        return Optional.of(A2aFormat.KIND);
      }
    }
    for (A2aPayload.Kind kind : A2aPayload.Kind.values()) {
      if (looksLike(json, json.present(object, kind.member()), kind)) {
        return Optional.of(A2aFormat.CURRENT);
      }
    }
    return Optional.empty();
  }

  private static boolean looksLike(JsonDocument json, int node, A2aPayload.Kind kind) {
    Set<String> some =
        switch (kind) {
          case MESSAGE -> OF_MESSAGE;
          case TASK -> OF_TASK;
          case STATUS -> OF_STATUS;
          case ARTIFACT -> OF_ARTIFACT;
        };
    return some.stream().anyMatch(name -> json.present(node, name) != JsonDocument.NONE);
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, PlainBody body) {
    return JsonBody.scanned(body, limits, this::read);
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, JsonDocument body) {
    return read(body);
  }

  private Reading<RequestView> read(JsonDocument json) {
    Optional<A2aFormat> format = format(json, json.root());
    return format.isEmpty()
        ? new Reading.Unjudged<>("shape")
        : Push.read(json, format.get(), limits);
  }

  /** A webhook speaks plain HTTP to its callers. */
  @Override
  public Optional<Refusal> refuseUnread(
      RequestHead head, Optional<JsonDocument> body, Notice notice) {
    return Optional.of(Problems.of(notice));
  }

  /**
   * A push notification: what an agent says, in a request to its client's webhook.
   *
   * @param format how it is written
   * @param content the task, message or update in it
   */
  private record Push(A2aFormat format, ResponseView content, JsonScanner.Limits limits)
      implements Problems.Requested {
    static Reading<RequestView> read(
        JsonDocument json, A2aFormat format, JsonScanner.Limits limits) {
      return switch (A2aPayload.read(json, json.root(), format)) {
        case Reading.Unread<A2aPayload> unread -> unread.as();
        case Reading.Readable<A2aPayload>(A2aPayload payload) -> {
          A2aAnswerReader answer = new A2aAnswerReader(json, A2aCall.Context.NONE, Relayed.NOTHING);
          if (!format.discriminated()) {
            answer.reader().strangers(json.root(), A2aPayload.MEMBERS);
          }
          yield switch (answer.of(payload)) {
            case Reading.Unread<ResponseView> unread -> unread.as();
            case Reading.Readable<ResponseView>(ResponseView content) ->
                new Reading.Readable<>(new Push(format, content, limits));
          };
        }
      };
    }

    @Override
    public AgentProtocol protocol() {
      return format.protocol();
    }

    @Override
    public boolean tells() {
      return true;
    }

    @Override
    public Optional<AgentMessage> message() {
      return content.message();
    }

    @Override
    public List<String> unread() {
      return content.unread();
    }

    @Override
    public Correlation correlation() {
      return content.correlation();
    }

    @Override
    public List<Utf8Span> identity() {
      Correlation ids = correlation();
      return List.of(
          Utf8Span.of("push"),
          Utf8Span.of(ids.contextId().orElse("")),
          Utf8Span.of(ids.taskId().orElse("")),
          message().map(AgentMessage::answer).orElse(Utf8Span.EMPTY));
    }

    @Override
    public Annotatable sites() {
      return content;
    }

    /** Nobody waits for what a webhook has to say but where it fails. */
    @Override
    public Reading<ResponseView> readResponse(ResponseHead head, PlainBody body) {
      return body.isEmpty()
          ? ResponseView.Silent.reading()
          : ResponseView.Unawaited.reading(head.status()).orElseGet(() -> failure(head, body));
    }

    private Reading<ResponseView> failure(ResponseHead head, PlainBody body) {
      Reading<ResponseView> read =
          JsonBody.scanned(
              body,
              limits,
              json ->
                  new A2aAnswerReader(json, A2aCall.Context.NONE, head.relayed())
                      .ofError(json.root()));
      return read instanceof Reading.Readable<ResponseView>
          ? read
          : ResponseView.Failed.reading(AgentError.ofBody(head, body, limits));
    }
  }
}
