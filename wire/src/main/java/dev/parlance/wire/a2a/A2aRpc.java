package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonEdits;
import dev.parlance.wire.json.Member;
import java.util.Optional;

/**
 * A call over JSON-RPC 2.0.
 *
 * @param form how objects are written
 * @param shape what was asked for
 * @param request the request
 */
record A2aRpc(A2aForm form, Shape shape, JsonDocument request) implements A2aBinding {
  private static final int OK = 200;
  private static final long ENVELOPE = Member.set(Member.JSONRPC, Member.ID);
  private static final long OUTCOMES = Member.set(Member.RESULT, Member.ERROR);

  @Override
  public Found find(JsonDocument reply, int httpStatus) {
    int root = reply.root();
    if (!reply.isObject(root)) {
      return new Found.Strange(reply.isArray(root) ? "batch" : "shape");
    }
    if (answersAnother(reply)) {
      return new Found.Broken("expected the id of the request in a JSON-RPC response");
    }
    int result = reply.present(root, Member.RESULT);
    int error = reply.present(root, Member.ERROR);
    boolean both = result != JsonDocument.NONE && error != JsonDocument.NONE;
    if (both || reply.misspelt(root, OUTCOMES).isPresent()) {
      return new Found.Broken("expected exactly one of result and error in a JSON-RPC response");
    }
    return error == JsonDocument.NONE ? new Found.Result(result) : new Found.Failure(error);
  }

  /** An id that is not the request's; none, and null, as in a failure to parse, are let pass. */
  private boolean answersAnother(JsonDocument reply) {
    int theirs = reply.present(reply.root(), Member.ID);
    int ours = request.present(request.root(), Member.ID);
    if (theirs == JsonDocument.NONE || ours == JsonDocument.NONE) {
      return false;
    }
    boolean strings = reply.isString(theirs) && request.isString(ours);
    return strings
        ? !reply.text(theirs).equals(request.text(ours))
        : !reply.bytes(theirs).equals(request.bytes(ours));
  }

  @Override
  public void strangers(JsonDocument reply, A2aReader reader) {
    reader.sideTexts().members(reply.root(), OUTCOMES, ENVELOPE);
  }

  private String rawId() {
    int id = request.member(request.root(), Member.ID);
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
    int heldId = held.member(held.root(), Member.ID);
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
