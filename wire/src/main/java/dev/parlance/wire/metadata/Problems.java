package dev.parlance.wire.metadata;

import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.Refusal;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.json.JsonWriter;

/** Refusals as RFC 9457 problem documents, for callers without a protocol of their own. */
public final class Problems {
  private static final String CONTENT_TYPE = "application/problem+json";

  private Problems() {}

  /** A request that is refused so, whatever its protocol. */
  public interface Requested extends RequestView {
    @Override
    default Refusal refuse(Notice notice, Correlation kept) {
      return of(notice);
    }
  }

  static String title(Notice.Kind kind) {
    return switch (kind) {
      case REGENERATE -> "The message was not delivered; a better one may be sent";
      case YIELD -> "The message is held for a person";
      case REJECTED -> "The message was refused by a person, or has expired";
      case WITHDRAWN -> "The message was withdrawn";
      case RELEASED -> "The message was released; it may be sent again";
      case TASK_REFUSED -> "This cannot be done with a held answer";
      case UNJUDGED -> "The message could not be judged";
      case MALFORMED -> "The message is malformed";
      case ROUND_REFUSED -> "The message was not delivered: its round, or the lack of an outcome";
      case PACT_REFUSED -> "The message was not delivered: its pact, or the lack of one";
      case QUEUE_REFUSED -> "The message would have to be held, and it cannot be";
      case AGENT_ERROR -> "The agent has answered with an error";
      case UPSTREAM -> "The agent could not be reached, or its answer did not come through";
      case UNAVAILABLE -> "The sidecar cannot take the message now";
    };
  }

  public static Refusal of(Notice notice) {
    int status = notice.httpStatus();
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
    VerdictJson.add(json, "verdict", notice);
    return new Refusal(status, CONTENT_TYPE, json.endObject().toBytes());
  }
}
