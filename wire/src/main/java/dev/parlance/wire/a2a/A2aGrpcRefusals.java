package dev.parlance.wire.a2a;

import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.StreamReader;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.grpc.GrpcStatus;
import dev.parlance.wire.proto.ProtoWriter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Refusals as gRPC clients of A2A show them: a task for what is held, a status with details for the
 * rest. The HTTP status is 200 always, because clients of gRPC make a status of their own out of
 * any other and drop the reason.
 *
 * <table>
 * <caption>gRPC codes</caption>
 * <tr><td>3 INVALID_ARGUMENT</td><td>malformed message</td></tr>
 * <tr><td>8 RESOURCE_EXHAUSTED</td><td>over a limit, also the agent's answer; the review queue takes no more</td></tr>
 * <tr><td>9 FAILED_PRECONDITION</td><td>unjudged; held, where the answer is no task;
 * what a round stands against</td></tr>
 * <tr><td>10 ABORTED</td><td>a better message may be sent</td></tr>
 * <tr><td>12 UNIMPLEMENTED</td><td>a method that nobody can judge; a compression we lack</td></tr>
 * <tr><td>13 INTERNAL</td><td>broken frames, a body that ends early</td></tr>
 * <tr><td>14 UNAVAILABLE</td><td>agent not reached; sidecar takes no more</td></tr>
 * <tr><td>that of the agent</td><td>its error, whose words do not go on</td></tr>
 * </table>
 */
final class A2aGrpcRefusals {
  static final int UNKNOWN = 2;
  static final int INVALID_ARGUMENT = 3;
  static final int PERMISSION_DENIED = 7;
  static final int RESOURCE_EXHAUSTED = 8;
  static final int FAILED_PRECONDITION = 9;
  static final int ABORTED = 10;
  static final int UNIMPLEMENTED = 12;
  static final int INTERNAL = 13;
  static final int UNAVAILABLE = 14;
  static final int UNAUTHENTICATED = 16;

  private static final String CONTENT_TYPE = "application/grpc";
  private static final String ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";

  /** Trailers share one bound with all other fields; a longer instruction is cut. */
  private static final int MAX_REPAIR_CHARS = 1000;

  private A2aGrpcRefusals() {}

  private static int code(Notice notice, boolean knownMethod) {
    return switch (notice.kind()) {
      case REGENERATE -> ABORTED;
      case YIELD, REJECTED, WITHDRAWN, RELEASED, ROUND_REFUSED, PACT_REFUSED -> FAILED_PRECONDITION;
      case TASK_REFUSED ->
          notice.code().equals(Notice.TASK_NOT_CANCELABLE) ? FAILED_PRECONDITION : UNIMPLEMENTED;
      case UNJUDGED -> knownMethod ? FAILED_PRECONDITION : UNIMPLEMENTED;
      case MALFORMED -> malformed(notice.code());
      case QUEUE_REFUSED -> RESOURCE_EXHAUSTED;
      case UPSTREAM -> upstream(notice.code());
      case UNAVAILABLE -> UNAVAILABLE;
      case AGENT_ERROR -> agentError(notice.agentError());
    };
  }

  /** An answer that came, and is none, is not worth asking for again: clients retry UNAVAILABLE. */
  private static int upstream(String code) {
    boolean isFault = Stream.of(WireFault.values()).anyMatch(fault -> fault.code().equals(code));
    return code.equals("response_too_large")
        ? RESOURCE_EXHAUSTED
        : isFault || code.equals("response_malformed") ? INTERNAL : UNAVAILABLE;
  }

  /** Its own status; where it came as an HTTP error, what clients of gRPC make of that. */
  private static int agentError(Notice.Failure failure) {
    if (failure.number() != 0) {
      return failure.number();
    }
    return switch (failure.status()) {
      case 400 -> INTERNAL;
      case 401 -> UNAUTHENTICATED;
      case 403 -> PERMISSION_DENIED;
      case 404 -> UNIMPLEMENTED;
      case 429, 502, 503, 504 -> UNAVAILABLE;
      default -> UNKNOWN;
    };
  }

  private static int malformed(String code) {
    for (WireFault fault : WireFault.values()) {
      if (fault.code().equals(code)) {
        return switch (fault) {
          case BODY_TOO_LARGE, INFLATION_LIMIT, PROTOBUF_LIMIT, JSON_LIMIT -> RESOURCE_EXHAUSTED;
          case BAD_CODING -> UNIMPLEMENTED;
          case BAD_FRAME, INCOMPLETE -> INTERNAL;
          case BAD_ENCODING, BAD_JSON, DUPLICATE_KEY, BAD_MESSAGE, BAD_CHARSET, BAD_PROTOBUF ->
              INVALID_ARGUMENT;
        };
      }
    }
    return INVALID_ARGUMENT;
  }

  /**
   * A status and nothing else.
   *
   * @param knownMethod false if nobody here knows what the method says
   */
  static Refusal error(Notice notice, boolean knownMethod) {
    return new Refusal(200, CONTENT_TYPE, new byte[0], errorTrailers(notice, knownMethod));
  }

  /** The trailers of a call that is refused. */
  static Map<String, String> errorTrailers(Notice notice, boolean knownMethod) {
    int code = code(notice, knownMethod);
    ProtoWriter info =
        new ProtoWriter().string(1, notice.errorInfoReason()).string(2, A2aRefusals.domain(notice));
    A2aRefusals.facts(notice, notice.repair().map(A2aGrpcRefusals::cut))
        .forEach((key, text) -> info.message(3, new ProtoWriter().string(1, key).string(2, text)));
    ProtoWriter any = new ProtoWriter().string(1, ERROR_INFO).message(2, info);
    ProtoWriter status =
        new ProtoWriter().number(1, code).string(2, notice.detail()).message(3, any);
    notice.retryAfterS().ifPresent(seconds -> status.message(3, retryInfo(seconds)));
    return Map.of(
        "grpc-status",
        Integer.toString(code),
        "grpc-message",
        GrpcStatus.percentEncoded(notice.detail()),
        "grpc-status-details-bin",
        Base64.getEncoder().withoutPadding().encodeToString(status.toBytes()));
  }

  private static ProtoWriter retryInfo(int seconds) {
    ProtoWriter delay = new ProtoWriter().number(1, seconds);
    return new ProtoWriter()
        .string(1, A2aRefusals.RETRY_INFO)
        .message(2, new ProtoWriter().message(1, delay));
  }

  private static String cut(String text) {
    return text.length() <= MAX_REPAIR_CHARS
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MAX_REPAIR_CHARS / 2));
  }

  /** Trailers of a call that ends as the protocol has it. */
  static Map<String, String> okTrailers() {
    return Map.of("grpc-status", "0");
  }

  /**
   * A task of the sidecar, in the place where the method's answer stands.
   *
   * @param task as the message of the protocol
   */
  static Refusal task(A2aMethod.OverGrpc called, byte[] task) {
    byte[] answer =
        called.answerType() == called.schema().task()
            ? task
            : new ProtoWriter().bytes(1, task).toBytes();
    return new Refusal(200, CONTENT_TYPE, GrpcFraming.framed(answer), okTrailers());
  }

  /**
   * The end of a stream: the last change of its task, or the whole task.
   *
   * @param isKnown true if the client knows the task
   */
  static StreamReader.Ending lastUpdate(
      A2aMethod.OverGrpc called, Correlation kept, Notice notice, boolean isKnown) {
    A2aSidecarTask task = A2aSidecarTask.of(kept.taskId(), kept.contextId(), notice);
    ProtoWriter event =
        isKnown
            ? new ProtoWriter().message(3, task.protoUpdate(called.isCurrent()))
            : new ProtoWriter().message(1, task.proto(called.schema()));
    return new StreamReader.Ending(List.of(event.toBytes()), okTrailers());
  }
}
