package dev.parlance.wire.api;

import dev.parlance.wire.bytes.WireFault;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The content of a refusal, whatever protocol it is written in.
 *
 * @param kind what happened
 * @param code stable reason code (the same as in the metric label and the log line)
 * @param detail one sentence for the peer; of the judged message it contains at most terms that the
 *     certified core has
 * @param verdict the verdict, where there is one
 * @param repair what is missing and which chunk ids to cite, for {@code REGENERATE}
 * @param reviewId the id in the review queue, for {@code YIELD}
 * @param failure what stays of the agent's error, for {@code AGENT_ERROR}; else the status that the
 *     refusal has for another reason than its kind
 */
public record Notice(
    Kind kind,
    String code,
    String detail,
    Optional<VerdictHeader> verdict,
    Optional<String> repair,
    Optional<String> reviewId,
    Optional<Failure> failure) {
  /** The code of a message that the review queue has no room for. */
  public static final String QUEUE_FULL = "queue_full";

  /** When to come back to a full review queue, in seconds. */
  public static final int QUEUE_RETRY_S = 30;

  /** The code of a message whose pact an arbiter is still to decide. */
  public static final String PACT_ESCALATED = "pact_escalated";

  /** When to ask again whether the arbiter has decided, in seconds. */
  public static final int ARBITER_RETRY_S = 30;

  /** The notice of something else than an agent's error. */
  public Notice(
      Kind kind,
      String code,
      String detail,
      Optional<VerdictHeader> verdict,
      Optional<String> repair,
      Optional<String> reviewId) {
    this(kind, code, detail, verdict, repair, reviewId, Optional.empty());
  }

  /**
   * What stays of an error whose words do not go on.
   *
   * @param status HTTP status that it came with
   * @param number its code in JSON-RPC or gRPC; 0 for none
   * @param code its name, likewise empty
   * @param type the kind of error, likewise
   */
  public record Failure(int status, int number, String code, String type) {
    /** What an error of which nothing is known would be. */
    static final Failure NONE = new Failure(502, 0, "", "");
  }

  /** The same under another HTTP status than that of its kind. */
  public Notice under(int status) {
    return failure.isPresent()
        ? this
        : new Notice(
            kind,
            code,
            detail,
            verdict,
            repair,
            reviewId,
            Optional.of(new Failure(status, 0, "", "")));
  }

  /** What stays of the agent's error. */
  public Failure agentError() {
    return failure.orElse(Failure.NONE);
  }

  /** What happened to the message. */
  public enum Kind {
    /** The author may send a better one. */
    REGENERATE,
    /** Held for a person. */
    YIELD,
    /** A person has refused it, or it was released and not collected in time. */
    REJECTED,
    /** Its sender wants it no more. */
    WITHDRAWN,
    /** A person has released it. */
    RELEASED,
    /** A task of the sidecar with which this cannot be done. */
    TASK_REFUSED,
    /** No codec could read it and the route blocks that. */
    UNJUDGED,
    /** Broken bytes. */
    MALFORMED,
    /** A round stands against it, or that none has come to an outcome; sent again it stays so. */
    ROUND_REFUSED,
    /** Its pact stands against it, or that there is none. */
    PACT_REFUSED,
    /** It should be held, and the review queue is full or cannot write. */
    QUEUE_REFUSED,
    /** The origin could not be reached or answered nonsense. */
    UPSTREAM,
    /** The agent has answered with an error, whose words do not go on. */
    AGENT_ERROR,
    /** The sidecar is draining or over a limit. */
    UNAVAILABLE;

    /** True if it says how a held message stands, which a task can show. */
    public boolean isReview() {
      return this == YIELD || this == REJECTED || this == WITHDRAWN || this == RELEASED;
    }
  }

  /** A code of {@code TASK_REFUSED}, as A2A names it. */
  public static final String TASK_NOT_CANCELABLE = "task_not_cancelable";

  /** The other code. */
  public static final String PUSH_NOT_SUPPORTED = "push_notification_not_supported";

  /** After how many seconds the same may be sent again; empty if that is not known. */
  public OptionalInt retryAfterS() {
    if (kind == Kind.QUEUE_REFUSED && code.equals(QUEUE_FULL)) {
      return OptionalInt.of(QUEUE_RETRY_S);
    }
    return code.equals(PACT_ESCALATED) ? OptionalInt.of(ARBITER_RETRY_S) : OptionalInt.empty();
  }

  /** HTTP status that fits the refusal. */
  public int httpStatus() {
    return failure.isPresent() ? failure.get().status() : statusOfKind();
  }

  private int statusOfKind() {
    return switch (kind) {
      case REGENERATE -> 422;
      case YIELD, REJECTED -> 403;
      case WITHDRAWN -> 410;
      case RELEASED -> 409;
      case TASK_REFUSED -> taskRefused(409, 400);
      case ROUND_REFUSED, PACT_REFUSED -> 412;
      case UNJUDGED -> 415;
      case MALFORMED -> malformedStatus();
      case QUEUE_REFUSED, UNAVAILABLE -> 503;
      case UPSTREAM -> 502;
      case AGENT_ERROR -> agentError().status();
    };
  }

  private int taskRefused(int notCancelable, int noPush) {
    return code.equals(TASK_NOT_CANCELABLE) ? notCancelable : noPush;
  }

  /** Too large is 413 and a coding that cannot be taken off is 415, as where no body is read. */
  private int malformedStatus() {
    if (code.equals(WireFault.INFLATION_LIMIT.code())
        || code.equals(WireFault.BODY_TOO_LARGE.code())) {
      return 413;
    }
    return code.equals(WireFault.BAD_CODING.code()) ? 415 : 400;
  }

  /**
   * JSON-RPC error code that fits the refusal.
   *
   * <table>
   * <caption>JSON-RPC codes</caption>
   * <tr><td>-32700</td><td>malformed bytes</td></tr>
   * <tr><td>-32600</td><td>JSON, but no request, or several in one array</td></tr>
   * <tr><td>-32601</td><td>unjudged, because the protocol has no such method</td></tr>
   * <tr><td>-32080</td><td>a better message may be sent</td></tr>
   * <tr><td>-32081</td><td>unjudged</td></tr>
   * <tr><td>-32082</td><td>the review queue takes no more</td></tr>
   * <tr><td>-32083</td><td>the agent could not be reached</td></tr>
   * <tr><td>-32084</td><td>the sidecar takes no more</td></tr>
   * <tr><td>-32085</td><td>held, or refused by a person, where the method's answer is no task</td></tr>
   * <tr><td>-32002, -32003</td><td>a task of the sidecar: A2A's own codes</td></tr>
   * <tr><td>-32086</td><td>a round stands against it, or the lack of an outcome</td></tr>
   * <tr><td>-32087</td><td>a pact stands against it, or the lack of one</td></tr>
   * <tr><td>-32088</td><td>the agent's error, where it has no code of its own</td></tr>
   * </table>
   */
  public int jsonRpcCode() {
    return switch (kind) {
      case REGENERATE -> -32080;
      case YIELD, REJECTED, WITHDRAWN, RELEASED -> -32085;
      case TASK_REFUSED -> taskRefused(-32002, -32003);
      case UNJUDGED -> -32081;
      case MALFORMED -> code.equals(WireFault.BAD_MESSAGE.code()) ? -32600 : -32700;
      case ROUND_REFUSED -> -32086;
      case PACT_REFUSED -> -32087;
      case QUEUE_REFUSED -> -32082;
      case UPSTREAM -> -32083;
      case AGENT_ERROR -> agentError().number() == 0 ? -32088 : agentError().number();
      case UNAVAILABLE -> -32084;
    };
  }

  /** The code as a reason of {@code google.rpc.ErrorInfo}. */
  public String errorInfoReason() {
    return code.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }

  /**
   * What ids of the refusal are derived from: the decision, so that the same decision always gives
   * the same ids.
   */
  public String idSeed() {
    return verdict.map(VerdictHeader::decisionId).or(this::reviewId).orElse(code);
  }

  /** The detail, and under which id a person finds the message. */
  public String text() {
    return detail + reviewId.map(id -> " Review id: " + id + ".").orElse("");
  }
}
