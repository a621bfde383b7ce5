package dev.parlance.wire.a2a;

import dev.parlance.wire.a2a.A2aBinding.Shape;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A2A over HTTP+JSON, told by path and method: {@code /message:send}, {@code /tasks/{id}:cancel}
 * and so on, behind any prefix (a tenant, where the agent is mounted), in v0.3 behind {@code /v1}.
 */
record A2aRestCodec(JsonScanner.Limits limits) implements A2aCodec.Binding {
  private static final int OLD_MAJOR = 0;
  private static final byte[] NOTHING = Texts.utf8("null");

  /**
   * What a head asks for.
   *
   * @param taskId the task that the path names
   */
  private record Operation(Shape shape, A2aFormat format, Optional<String> taskId) {}

  @Override
  public boolean claims(RequestHead head) {
    return operation(head).isPresent();
  }

  /**
   * A call that says that it is one of A2A and has a name that nobody here knows: its agent refuses
   * it.
   */
  @Override
  public boolean claims(RequestHead head, JsonDocument body) {
    return isUnknown(head) && !A2aPayload.isIn(body, body.root());
  }

  private static boolean isUnknown(RequestHead head) {
    return head.method().equals("POST")
        && head.fields().first("a2a-version").isPresent()
        && operation(head).isEmpty();
  }

  private static Operation unknown(RequestHead head) {
    return of(head, List.of(), 0, Shape.UNKNOWN, "").orElseThrow();
  }

  /** Path segments are compared after decoding, as servers do; case matters. */
  private static Optional<Operation> operation(RequestHead head) {
    List<String> path = List.of(head.path().split("/", -1));
    int size = path.size();
    String last = decoded(path, size - 1);
    String parent = decoded(path, size - 2);
    boolean get = head.method().equals("GET");
    boolean post = head.method().equals("POST");
    if (post && last.equals("message:send")) {
      return of(head, path, size - 1, Shape.SEND, "");
    }
    if (post && last.equals("message:stream")) {
      return of(head, path, size - 1, Shape.STREAM, "");
    }
    if (get && last.equals("tasks")) {
      return of(head, path, size - 1, Shape.LIST, "");
    }
    if (get && (last.equals("extendedAgentCard") || (last.equals("card") && parent.equals("v1")))) {
      return of(head, path, size - 1, Shape.CARD, "");
    }
    if (parent.equals("tasks") && !last.isEmpty()) {
      return ofTask(head, path, last);
    }
    if (parent.equals("pushNotificationConfigs") && decoded(path, size - 4).equals("tasks")) {
      boolean known = get || head.method().equals("DELETE");
      return known
          ? of(head, path, size - 4, Shape.CONTROL, decoded(path, size - 3))
          : Optional.empty();
    }
    boolean configs =
        last.equals("pushNotificationConfigs") && decoded(path, size - 3).equals("tasks");
    return configs && (get || post)
        ? of(head, path, size - 3, Shape.CONTROL, parent)
        : Optional.empty();
  }

  private static Optional<Operation> ofTask(RequestHead head, List<String> path, String last) {
    int at = path.size() - 2;
    boolean get = head.method().equals("GET");
    boolean post = head.method().equals("POST");
    int colon = last.lastIndexOf(':');
    String verb = colon < 0 ? "" : last.substring(colon + 1);
    if (verb.equals("cancel")) {
      return post ? of(head, path, at, Shape.TASK, last.substring(0, colon)) : Optional.empty();
    }
    if (verb.equals("subscribe")) {
      return get || post
          ? of(head, path, at, Shape.SUBSCRIBE, last.substring(0, colon))
          : Optional.empty();
    }
    return get ? of(head, path, at, Shape.TASK, last) : Optional.empty();
  }

  private static Optional<Operation> of(
      RequestHead head, List<String> path, int at, Shape shape, String taskId) {
    Optional<String> version = head.fields().first("a2a-version").filter(text -> !text.isBlank());
    boolean old =
        version
            .map(text -> text.strip().startsWith(OLD_MAJOR + "."))
            .orElseGet(() -> decoded(path, at - 1).equals("v1"));
    return Optional.of(
        new Operation(
            shape,
            old ? A2aFormat.CONTENT : A2aFormat.CURRENT,
            taskId.isEmpty() ? Optional.empty() : Optional.of(taskId)));
  }

  private static String decoded(List<String> path, int at) {
    if (at < 0) {
      return "";
    }
    String segment = path.get(at);
    if (segment.indexOf('%') < 0) {
      return segment;
    }
    try {
      return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return segment;
    }
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, PlainBody body) {
    Optional<Operation> operation = operation(head);
    if (operation.isEmpty()) {
      return new Reading.Unjudged<>("method");
    }
    if (body.isEmpty()) {
      return JsonBody.scanned(
          PlainBody.of(NOTHING), limits, none -> read(operation.get(), head, none));
    }
    return JsonBody.ofRequest(
        head.fields(), body, limits, json -> read(operation.get(), head, json));
  }

  @Override
  public Reading<RequestView> readRequest(RequestHead head, JsonDocument body) {
    return operation(head)
        .or(() -> isUnknown(head) ? Optional.of(unknown(head)) : Optional.empty())
        .map(operation -> read(operation, head, body))
        .orElseGet(() -> new Reading.Unjudged<>("method"));
  }

  private Reading<RequestView> read(Operation operation, RequestHead head, JsonDocument json) {
    int root = json.root();
    boolean none = json.isNull(root);
    if (!none && !json.isObject(root)) {
      return new Reading.Malformed<>(
          WireFault.BAD_MESSAGE, "not an object; expected a request of A2A over HTTP+JSON");
    }
    return call(operation, head, json, none ? JsonDocument.NONE : root).reading();
  }

  private A2aCall call(Operation operation, RequestHead head, JsonDocument json, int params) {
    return new A2aCall(
        new A2aBinding.Rest(operation.format(), operation.shape()),
        json,
        params,
        head.method() + " " + head.target(),
        operation.taskId(),
        limits);
  }

  @Override
  public Optional<RequestView> unreadRequest(RequestHead head) {
    return operation(head)
        .map(operation -> call(operation, head, JsonDocument.EMPTY, JsonDocument.NONE));
  }

  @Override
  public Optional<Refusal> refuseUnread(
      RequestHead head, Optional<JsonDocument> body, Notice notice) {
    return operation(head)
        .map(operation -> {
          A2aBinding.Rest rest = new A2aBinding.Rest(operation.format(), operation.shape());
          return rest.shape().isStream() && notice.kind() == Notice.Kind.UNJUDGED
              ? A2aCall.asStream(
                  rest, A2aSidecarTask.ofIds(operation.taskId(), Optional.empty(), notice))
              : rest.error(notice);
        });
  }
}
