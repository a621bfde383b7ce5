package dev.parlance.wire.a2a;

import dev.parlance.wire.a2a.A2aGrpcMethod.Called;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.StreamRefusal;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.grpc.GrpcFraming;
import dev.parlance.wire.grpc.GrpcStatus;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.RoundJson;
import dev.parlance.wire.metadata.VerdictJson;
import dev.parlance.wire.proto.ProtoWriter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Refusals as gRPC clients of A2A show them: a rejected task for what is held, a status with
 * details for the rest. The HTTP status is 200 always, because clients of gRPC make a status of
 * their own out of any other and drop the reason.
 *
 * <table>
 * <caption>gRPC codes</caption>
 * <tr><td>3 INVALID_ARGUMENT</td><td>malformed message</td></tr>
 * <tr><td>8 RESOURCE_EXHAUSTED</td><td>over a limit; the review queue takes no more</td></tr>
 * <tr><td>9 FAILED_PRECONDITION</td><td>unjudged; held, where the answer is no task;
 * what a round stands against</td></tr>
 * <tr><td>10 ABORTED</td><td>a better message may be sent</td></tr>
 * <tr><td>12 UNIMPLEMENTED</td><td>a method that nobody can judge; a compression we lack</td></tr>
 * <tr><td>13 INTERNAL</td><td>broken frames, a body that ends early</td></tr>
 * <tr><td>14 UNAVAILABLE</td><td>agent not reached; sidecar takes no more</td></tr>
 * </table>
 */
final class GrpcRefusals {
  static final int INVALID_ARGUMENT = 3;
  static final int RESOURCE_EXHAUSTED = 8;
  static final int FAILED_PRECONDITION = 9;
  static final int ABORTED = 10;
  static final int UNIMPLEMENTED = 12;
  static final int INTERNAL = 13;
  static final int UNAVAILABLE = 14;

  private static final String CONTENT_TYPE = "application/grpc";
  private static final String DOMAIN = "parlance.dev";
  private static final String ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";

  /** Trailers share one bound with all other fields; a longer instruction is cut. */
  private static final int MAX_REPAIR_CHARS = 1000;

  private GrpcRefusals() {}

  private static int code(Notice notice, boolean knownMethod) {
    return switch (notice.kind()) {
      case REGENERATE -> ABORTED;
      case YIELD, ROUND_REFUSED -> FAILED_PRECONDITION;
      case UNJUDGED -> knownMethod ? FAILED_PRECONDITION : UNIMPLEMENTED;
      case MALFORMED -> malformed(notice.code());
      case QUEUE_REFUSED -> RESOURCE_EXHAUSTED;
      case UPSTREAM, UNAVAILABLE -> UNAVAILABLE;
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
        new ProtoWriter()
            .string(1, notice.code().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"))
            .string(2, DOMAIN);
    detail(info, "code", Optional.of(notice.code()));
    detail(info, "reviewId", notice.reviewId());
    detail(info, "repair", notice.repair().map(GrpcRefusals::cut));
    detail(info, "route", notice.verdict().map(VerdictHeader::route));
    detail(info, "header", notice.verdict().flatMap(VerdictHeader::header));
    detail(info, "attempt", notice.verdict().map(v -> Integer.toString(v.attempt())));
    detail(info, "remaining", notice.verdict().map(v -> Integer.toString(remaining(v))));
    detail(info, "decisionId", notice.verdict().map(VerdictHeader::decisionId));
    detail(info, "round", notice.verdict().flatMap(VerdictHeader::round).map(r -> r.id().bound()));
    ProtoWriter any = new ProtoWriter().string(1, ERROR_INFO).message(2, info);
    ProtoWriter status =
        new ProtoWriter().number(1, code).string(2, notice.detail()).message(3, any);
    return Map.of(
        "grpc-status",
        Integer.toString(code),
        "grpc-message",
        GrpcStatus.percentEncoded(notice.detail()),
        "grpc-status-details-bin",
        Base64.getEncoder().withoutPadding().encodeToString(status.toBytes()));
  }

  private static void detail(ProtoWriter info, String key, Optional<String> value) {
    value.ifPresent(text -> info.message(3, new ProtoWriter().string(1, key).string(2, text)));
  }

  private static String cut(String text) {
    return text.length() <= MAX_REPAIR_CHARS
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MAX_REPAIR_CHARS / 2));
  }

  private static int remaining(VerdictHeader verdict) {
    return Math.max(0, verdict.errorMax() - verdict.errors());
  }

  /** Trailers of a call that ends as the protocol has it. */
  static Map<String, String> okTrailers() {
    return Map.of("grpc-status", "0");
  }

  /**
   * A task in state rejected, in the place where the method's answer stands.
   *
   * @param kept ids to keep; others are derived from the decision
   */
  static Refusal rejectedTask(Called called, Correlation kept, Notice notice) {
    ProtoWriter task = task(called.schema(), kept, notice);
    byte[] answer =
        called.answerType() == called.schema().task()
            ? task.toBytes()
            : new ProtoWriter().message(1, task).toBytes();
    return new Refusal(200, CONTENT_TYPE, GrpcFraming.framed(answer), okTrailers());
  }

  /** The end of a stream: its task becomes rejected; where it has none yet, it is one. */
  static StreamRefusal rejectedUpdate(Called called, Correlation kept, Notice notice) {
    ProtoWriter event;
    if (kept.taskId().isEmpty()) {
      event = new ProtoWriter().message(1, task(called.schema(), kept, notice));
    } else {
      Ids ids = Ids.of(kept, notice);
      ProtoWriter update =
          new ProtoWriter()
              .string(1, ids.task())
              .string(2, ids.context())
              .message(3, status(ids, notice));
      switch (called.version()) {
        case V1_0 -> update.bytes(4, metadata(notice));
        case V0_3 -> update.number(4, 1).bytes(5, metadata(notice));
      }
      event = new ProtoWriter().message(3, update);
    }
    return new StreamRefusal(List.of(event.toBytes()), okTrailers());
  }

  private record Ids(String task, String context, String message) {
    static Ids of(Correlation kept, Notice notice) {
      String seed =
          notice
              .verdict()
              .map(VerdictHeader::decisionId)
              .or(notice::reviewId)
              .orElse(notice.code());
      return new Ids(
          kept.taskId().orElse("parlance-task-" + seed),
          kept.contextId().orElse("parlance-context-" + seed),
          "parlance-message-" + seed);
    }
  }

  private static ProtoWriter task(ProtoSchema schema, Correlation kept, Notice notice) {
    Ids ids = Ids.of(kept, notice);
    return new ProtoWriter()
        .string(1, ids.task())
        .string(2, ids.context())
        .message(3, status(ids, notice))
        .bytes(schema.task().number("metadata"), metadata(notice));
  }

  private static ProtoWriter status(Ids ids, Notice notice) {
    String text =
        notice
            .reviewId()
            .map(id -> notice.detail() + " Review id: " + id + ".")
            .orElse(notice.detail());
    ProtoWriter message =
        new ProtoWriter()
            .string(1, ids.message())
            .string(2, ids.context())
            .string(3, ids.task())
            .number(4, ProtoSchema.AGENT)
            .message(5, new ProtoWriter().string(1, text));
    return new ProtoWriter().number(1, ProtoSchema.REJECTED).message(2, message);
  }

  private static byte[] metadata(Notice notice) {
    JsonWriter json = new JsonWriter().object();
    notice.verdict().ifPresent(verdict -> json.name(VerdictJson.URI).raw(VerdictJson.of(verdict)));
    notice
        .verdict()
        .flatMap(VerdictHeader::round)
        .ifPresent(round -> json.name(RoundMark.URI).raw(RoundJson.of(round)));
    json.member(VerdictJson.URI + "/review", notice.reviewId());
    json.member(VerdictJson.URI + "/code", notice.code());
    return ProtoWriter.struct(json.endObject().toBytes());
  }
}
