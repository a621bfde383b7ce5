package dev.parlance.proxy.wire;

import java.util.Optional;
import java.util.Set;

/**
 * A call over JSON-RPC 2.0.
 *
 * @param form how objects are written
 * @param shape what was asked for
 * @param request the request
 */
record A2aRpc(A2aForm form, Shape shape, JsonDocument request) implements A2aBinding {
  private static final int OK = 200;
  private static final Set<String> ENVELOPE = Set.of("jsonrpc", "id");
  private static final Set<String> OUTCOMES = Set.of("result", "error");

  @Override
  public Found find(JsonDocument reply, int httpStatus) {
    int root = reply.root();
    if (!reply.isObject(root)) {
      return new Found.Strange(reply.isArray(root) ? "batch" : "shape");
    }
    if (answersAnother(reply)) {
      return new Found.Broken("expected the id of the request in a JSON-RPC response");
    }
    int result = reply.present(root, "result");
    int error = reply.present(root, "error");
    boolean both = result != JsonDocument.NONE && error != JsonDocument.NONE;
    if (both || reply.misspelt(root, OUTCOMES).isPresent()) {
      return new Found.Broken("expected exactly one of result and error in a JSON-RPC response");
    }
    return error == JsonDocument.NONE ? new Found.Result(result) : new Found.Failure(error);
  }

  /** An id that is not the request's; none, and null, as in a failure to parse, are let pass. */
  private boolean answersAnother(JsonDocument reply) {
    int theirs = reply.present(reply.root(), "id");
    int ours = request.present(request.root(), "id");
    if (theirs == JsonDocument.NONE || ours == JsonDocument.NONE) {
      return false;
    }
    boolean strings = reply.isString(theirs) && request.isString(ours);
    return strings
        ? !reply.optionalString(theirs).equals(request.optionalString(ours))
        : !reply.raw(theirs).equals(request.raw(ours));
  }

  @Override
  public void strangers(JsonDocument reply, A2aReader reader) {
    reader.sideTexts().members(reply.root(), OUTCOMES, ENVELOPE);
  }

  private String rawId() {
    int id = request.member(request.root(), "id");
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
    return Optional.of(A2aRefusals.errorJson(rawId(), A2aRefusals.code(notice), notice));
  }

  /** The held answer under this request's JSON-RPC id; every other byte stays. */
  @Override
  public Optional<byte[]> adopt(JsonDocument held) {
    int heldId = held.member(held.root(), "id");
    JsonEdits edits = new JsonEdits(held);
    if (heldId == JsonDocument.NONE) {
      edits.addMembers(held.root(), "\"id\":" + rawId());
    } else {
      edits.replace(heldId, rawId());
    }
    return Optional.of(Splicer.applyToBytes(held.body(), edits.sorted()));
  }

  @Override
  public String contentType() {
    return "application/json";
  }
}
