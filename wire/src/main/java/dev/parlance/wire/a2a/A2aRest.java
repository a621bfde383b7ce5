package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.bytes.Texts;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.Member;
import dev.parlance.wire.plain.Problems;
import java.util.Optional;

/**
 * A call over HTTP+JSON: results stand alone in the body, and events of streams are bare.
 *
 * @param form how objects are written
 * @param shape what was asked for
 */
record A2aRest(A2aForm form, Shape shape) implements A2aBinding {
  private static final int FIRST_ERROR_STATUS = 400;

  @Override
  public Found find(JsonDocument reply, int httpStatus) {
    int root = reply.root();
    if (httpStatus >= FIRST_ERROR_STATUS) {
      return new Found.Failure(root);
    }
    if (!reply.isObject(root)) {
      boolean list = shape == Shape.LIST && reply.isArray(root);
      return list ? new Found.Result(root) : new Found.Strange("shape");
    }
    int error = reply.present(root, Member.ERROR);
    boolean oldError =
        reply.isNumber(reply.member(root, Member.CODE))
            && reply.isString(reply.member(root, Member.MESSAGE));
    // An error with an answer beside it is read as a whole.
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
        Problems.status(notice),
        contentType(),
        Texts.utf8(A2aRefusals.restErrorJson(form, notice)));
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
    return form == A2aForm.CURRENT ? "application/a2a+json" : "application/json";
  }
}
