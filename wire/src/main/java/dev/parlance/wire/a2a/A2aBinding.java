package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.json.RpcId;
import java.util.Optional;

/** A JSON binding of A2A: what it wraps around the objects that all bindings share. */
sealed interface A2aBinding {
  /** The kinds of calls, which tell where agent text stands. */
  enum Shape {
    /** A message in the request, a message or a task in the response. */
    SEND,
    /** A message in the request; the response is a stream. */
    STREAM,
    /** None in the request; the response is a stream. */
    SUBSCRIBE,
    /** None in the request, a task in the response. */
    TASK,
    /** None in the request, many tasks in the response. */
    LIST,
    /** None in either. */
    CONTROL,
    /** None in the request, an agent card in the response. */
    CARD,
    /** A call that is known to nobody here: every string counts, both ways. */
    UNKNOWN;

    /** True if the request holds a message. */
    boolean hasMessage() {
      return this == SEND || this == STREAM;
    }

    /** True if the response is a stream. */
    boolean isStream() {
      return this == STREAM || this == SUBSCRIBE;
    }

    /** True if a task is a fitting answer. */
    boolean answersWithTask() {
      return hasMessage() || this == SUBSCRIBE || this == TASK;
    }
  }

  /** What a body or an event holds. */
  sealed interface Found {
    /**
     * The result of the call.
     *
     * @param node where it stands
     */
    record Result(int node) implements Found {}

    /**
     * An error of the protocol.
     *
     * @param node where it stands
     */
    record Failure(int node) implements Found {}

    /** Well-formed, but nothing that we know. */
    record Strange(String what) implements Found {}

    /** Not what the protocol asks for. */
    record Broken(String detail) implements Found {}
  }

  /** How objects are written. */
  A2aFormat format();

  /** What was asked for. */
  Shape shape();

  /** True if nothing was asked, so that no result is due. */
  default boolean isNotification() {
    return false;
  }

  /** Finds the result of the call, or the error, in a body or an event. */
  Found find(JsonDocument reply, int httpStatus);

  /** Reads what stands around the result and is unknown to the binding. */
  void strangers(JsonDocument reply, A2aReader reader);

  /** A body, or the data of an event, that holds this result. */
  String wrap(String result);

  /** An object that says what kind of answer it is, as the result of a call. */
  default String union(A2aPayload.Kind kind, String object) {
    boolean bare =
        format().discriminated()
            || shape() == Shape.TASK; // GetTask and CancelTask answer with the task alone
    return bare ? object : "{\"" + kind.member().text() + "\":" + object + "}";
  }

  /** The error of a call that has not been answered otherwise. */
  Refusal error(Notice notice);

  /** The data of an event that ends a stream with an error; empty if the binding has none. */
  Optional<String> errorEvent(Notice notice);

  /** A held answer as an answer to this call. */
  Optional<byte[]> adopt(JsonDocument held);

  /** Media type of a body. */
  String contentType();

  /**
   * A call over JSON-RPC 2.0.
   *
   * @param format how objects are written
   * @param shape what was asked for
   * @param request the request; where nobody has read it the answer, which has its id
   * @param isRead true if it is the request, so that an id like its own is no word of the agent
   */
  record Rpc(A2aFormat format, Shape shape, JsonDocument request, boolean isRead)
      implements A2aBinding {
    private static final int OK = 200;
    private static final long ENVELOPE = MemberName.set(MemberName.JSONRPC, MemberName.ID);
    private static final long OUTCOMES = MemberName.set(MemberName.RESULT, MemberName.ERROR);
    private static final long ECHOED = OUTCOMES | MemberName.set(MemberName.ID);

    /** A call whose request was read. */
    static Rpc of(A2aFormat format, Shape shape, JsonDocument request) {
      return new Rpc(format, shape, request, /* isRead= */ true);
    }

    /** A call of which there is the answer alone. */
    static Rpc unasked(A2aFormat format, Shape shape, JsonDocument reply) {
      return new Rpc(format, shape, reply, /* isRead= */ false);
    }

    @Override
    public Found find(JsonDocument reply, int httpStatus) {
      int root = reply.root();
      if (!reply.isObject(root)) {
        return new Found.Strange(reply.isArray(root) ? "batch" : "shape");
      }
      if (answersAnother(reply)) {
        return new Found.Broken("expected the id of the request in a JSON-RPC response");
      }
      int result = reply.present(root, MemberName.RESULT);
      int error = reply.present(root, MemberName.ERROR);
      boolean both = result != JsonDocument.NONE && error != JsonDocument.NONE;
      if (both || reply.misspelt(root, OUTCOMES).isPresent()) {
        return new Found.Broken("expected exactly one of result and error in a JSON-RPC response");
      }
      return error == JsonDocument.NONE ? new Found.Result(result) : new Found.Failure(error);
    }

    /** An id that is not the request's; none, and null, as in a failure to parse, are let pass. */
    private boolean answersAnother(JsonDocument reply) {
      int theirs = reply.present(reply.root(), MemberName.ID);
      int ours = request.present(request.root(), MemberName.ID);
      if (theirs == JsonDocument.NONE || ours == JsonDocument.NONE) {
        return false;
      }
      return !RpcId.same(reply, theirs, request, ours);
    }

    /** An id that is the request's is no word of the agent, whatever it looks like. */
    @Override
    public void strangers(JsonDocument reply, A2aReader reader) {
      boolean asked = isRead && request.present(request.root(), MemberName.ID) != JsonDocument.NONE;
      reader.sideTexts().members(reply.root(), asked ? ECHOED : OUTCOMES, ENVELOPE);
    }

    @Override
    public boolean isNotification() {
      return isRead && request.member(request.root(), MemberName.ID) == JsonDocument.NONE;
    }

    private String rawId() {
      int id = request.member(request.root(), MemberName.ID);
      return id == JsonDocument.NONE ? "null" : request.raw(id);
    }

    @Override
    public String wrap(String result) {
      return "{\"jsonrpc\":\"2.0\",\"id\":" + rawId() + ",\"result\":" + result + "}";
    }

    @Override
    public Refusal error(Notice notice) {
      return A2aRefusals.error(rawId(), OK, notice);
    }

    @Override
    public Optional<String> errorEvent(Notice notice) {
      return Optional.of(A2aRefusals.errorJson(rawId(), notice.jsonRpcCode(), notice));
    }

    /** The held answer under this request's JSON-RPC id; every other byte stays. */
    @Override
    public Optional<byte[]> adopt(JsonDocument held) {
      int heldId = held.member(held.root(), MemberName.ID);
      JsonEdits edits = new JsonEdits(held);
      if (heldId == JsonDocument.NONE) {
        edits.addMembers(held.root(), "\"id\":" + rawId());
      } else {
        edits.replace(heldId, rawId());
      }
      return Optional.of(held.edited(edits.sorted()));
    }

    @Override
    public String contentType() {
      return "application/json";
    }
  }

  /**
   * A call over HTTP+JSON: results stand alone in the body, and events of streams are bare.
   *
   * @param format how objects are written
   * @param shape what was asked for
   */
  record Rest(A2aFormat format, Shape shape) implements A2aBinding {
    @Override
    public Found find(JsonDocument reply, int httpStatus) {
      int root = reply.root();
      if (ResponseHead.isError(httpStatus)) {
        return new Found.Failure(root);
      }
      if (!reply.isObject(root)) {
        boolean list = shape == Shape.LIST && reply.isArray(root);
        return list ? new Found.Result(root) : new Found.Strange("shape");
      }
      int error = reply.present(root, MemberName.ERROR);
      boolean oldError =
          reply.isNumber(reply.member(root, MemberName.CODE))
              && reply.isString(reply.member(root, MemberName.MESSAGE));
      if (error != JsonDocument.NONE && A2aPayload.isIn(reply, root)) {
        return new Found.Broken("expected an error or an answer, not both");
      }
      return error != JsonDocument.NONE || oldError
          ? new Found.Failure(root)
          : new Found.Result(root);
    }

    /** The result is the whole body. */
    @Override
    public void strangers(JsonDocument reply, A2aReader reader) {}

    @Override
    public String wrap(String result) {
      return result;
    }

    @Override
    public Refusal error(Notice notice) {
      return new Refusal(
          notice.httpStatus(),
          contentType(),
          Texts.utf8(A2aRefusals.restErrorJson(format, notice)));
    }

    /** Clients of this binding show a task that failed, and drop what is no StreamResponse. */
    @Override
    public Optional<String> errorEvent(Notice notice) {
      return Optional.empty();
    }

    @Override
    public Optional<byte[]> adopt(JsonDocument held) {
      return Optional.of(held.body().toBytes());
    }

    @Override
    public String contentType() {
      return format == A2aFormat.CURRENT ? "application/a2a+json" : "application/json";
    }
  }
}
