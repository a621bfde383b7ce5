package dev.parlance.wire.a2a;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.wire.a2a.A2aBinding.Shape;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.MediaType;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.Reading;
import dev.parlance.wire.json.JsonBody;
import dev.parlance.wire.json.JsonDocument;
import dev.parlance.wire.json.JsonScanner;
import dev.parlance.wire.json.MemberName;
import dev.parlance.wire.sse.SseFraming;
import java.util.List;
import java.util.Optional;

/**
 * A call of A2A over JSON-RPC of which nobody has read the request: what was asked for, and in
 * which generation, is told by what the answer holds. Where that tells nothing, every string of the
 * answer counts as said by the agent.
 */
final class A2aUnreadCall implements RequestView {
  private static final int OK = 200;

  /** What a task has that stands in a result by itself. */
  private static final List<MemberName> OF_TASK =
      List.of(MemberName.STATUS, MemberName.ARTIFACTS, MemberName.HISTORY);

  private final A2aFormat byHead;
  private final JsonScanner.Limits limits;

  /** The answer that was read last, whose id is the request's. */
  private Optional<A2aCall> answered = Optional.empty();

  A2aUnreadCall(RequestHead head, JsonScanner.Limits limits) {
    boolean isCurrent =
        head.fields()
            .first("a2a-version")
            .filter(text -> !text.strip().startsWith("0."))
            .isPresent();
    this.byHead = isCurrent ? A2aFormat.CURRENT : A2aFormat.KIND;
    this.limits = limits;
  }

  @Override
  public AgentProtocol protocol() {
    return byHead.protocol();
  }

  @Override
  public List<Utf8Span> identity() {
    return List.of();
  }

  @Override
  public boolean canBeAskedAgain() {
    return false;
  }

  @Override
  public Reading<ResponseView> readResponse(ResponseHead head, PlainBody body) {
    if (body.isEmpty()) {
      return ResponseView.Silent.reading();
    }
    return JsonBody.ofResponse(
        head.fields(),
        body,
        limits,
        reply -> {
          A2aCall call = call(binding(reply, byHead));
          answered = Optional.of(call);
          return call.readReply(reply, head.status(), head.relayed());
        });
  }

  private A2aCall call(A2aBinding binding) {
    return new A2aCall(
        binding, JsonDocument.EMPTY, JsonDocument.NONE, "", Optional.empty(), limits);
  }

  /** How an answer, or an event, is to be read. */
  private static A2aBinding binding(JsonDocument reply, A2aFormat otherwise) {
    int result = reply.present(reply.root(), MemberName.RESULT);
    Optional<A2aFormat> format = A2aPushCodec.format(reply, result);
    return A2aBinding.Rpc.unasked(
        format.orElse(otherwise), format.isPresent() ? Shape.SEND : shape(reply, result), reply);
  }

  private static Shape shape(JsonDocument reply, int result) {
    if (reply.present(result, MemberName.TASKS) != JsonDocument.NONE) {
      return Shape.LIST;
    }
    boolean isTask =
        OF_TASK.stream().anyMatch(name -> reply.present(result, name) != JsonDocument.NONE);
    return isTask ? Shape.TASK : Shape.UNKNOWN;
  }

  @Override
  public Optional<StreamReader> readStream(ResponseHead head) {
    MediaType type = MediaType.of(head.fields());
    return type.isEventStream() && type.<Object>charsetFault().isEmpty()
        ? Optional.of(new Stream(head))
        : Optional.empty();
  }

  @Override
  public Refusal refuse(Notice notice, Correlation kept) {
    return answered.isPresent()
        ? answered.get().refuse(notice, kept)
        : A2aRefusals.error("null", OK, notice);
  }

  /** Reads the events of an answer, each of which tells its generation. */
  private final class Stream extends A2aStreamReader {
    Stream(ResponseHead head) {
      super(
          A2aBinding.Rpc.unasked(byHead, Shape.STREAM, JsonDocument.EMPTY),
          new SseFraming(head.eventBytes()),
          A2aCall.Context.NONE,
          head.relayed(),
          Correlation.NONE,
          limits);
    }

    @Override
    A2aBinding bindingOf(JsonDocument event) {
      int result = event.present(event.root(), MemberName.RESULT);
      return A2aBinding.Rpc.unasked(
          A2aPushCodec.format(event, result).orElse(byHead), Shape.STREAM, event);
    }
  }
}
