package dev.parlance.wire.plain;

import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.bytes.WireFault;
import dev.parlance.wire.json.JsonWriter;
import dev.parlance.wire.metadata.VerdictJson;

/** Refusals as RFC 9457 problem documents, for callers without a protocol of their own. */
public final class Problems {
  private static final String CONTENT_TYPE = "application/problem+json";

  private Problems() {}

  /** HTTP status that fits a refusal. */
  public static int status(Notice notice) {
    return switch (notice.kind()) {
      case REGENERATE -> 422;
      case YIELD -> 403;
      case ROUND_REFUSED -> 412;
      case UNJUDGED -> 415;
      case MALFORMED -> malformed(notice.code());
      case QUEUE_REFUSED, UNAVAILABLE -> 503;
      case UPSTREAM -> 502;
    };
  }

  /** Too large is 413 and a coding that cannot be taken off is 415, as where no body is read. */
  private static int malformed(String code) {
    if (code.equals(WireFault.INFLATION_LIMIT.code())
        || code.equals(WireFault.BODY_TOO_LARGE.code())) {
      return 413;
    }
    return code.equals(WireFault.BAD_CODING.code()) ? 415 : 400;
  }

  static String title(Notice.Kind kind) {
    return switch (kind) {
      case REGENERATE -> "The message was not delivered; a better one may be sent";
      case YIELD -> "The message is held for a person";
      case UNJUDGED -> "The message could not be judged";
      case MALFORMED -> "The message is malformed";
      case ROUND_REFUSED -> "The message was not delivered: its round, or the lack of an outcome";
      case QUEUE_REFUSED -> "The message would have to be held, and it cannot be";
      case UPSTREAM -> "The agent could not be reached or gave no usable answer";
      case UNAVAILABLE -> "The sidecar cannot take the message now";
    };
  }

  public static Refusal of(Notice notice) {
    int status = status(notice);
    JsonWriter json =
        new JsonWriter()
            .object()
            .member("type", "urn:parlance:problem:" + notice.code())
            .member("title", title(notice.kind()))
            .member("status", status)
            .member("detail", notice.detail())
            .member("code", notice.code())
            .member("repair", notice.repair())
            .member("reviewId", notice.reviewId());
    notice.verdict().ifPresent(verdict -> json.name("verdict").raw(VerdictJson.withRound(verdict)));
    return new Refusal(status, CONTENT_TYPE, json.endObject().toBytes());
  }
}
