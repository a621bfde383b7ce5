package dev.parlance.proxy.review;

import dev.parlance.policy.text.Coded;
import java.util.List;

/**
 * A message that waits for a person: what was asked, what was answered, why it is held, and the
 * bytes to deliver if it is released.
 *
 * <p>The arrays are owned by the record: whoever creates it hands them over and never writes to
 * them again, and whoever reads them only reads. Records with equal arrays are equal only if the
 * arrays are the same.
 *
 * @param decisionId id under which the decision log holds the verdict
 * @param origin the exchange that it belongs to
 * @param content what is read, and what is delivered
 * @param cause why it is held
 * @param heldAtMs when it was held, in milliseconds since the epoch
 */
public record HeldMessage(
    String decisionId, Origin origin, Content content, Cause cause, long heldAtMs) {
  /** Objects and references of one held message, beside its texts and bytes. */
  private static final int OVERHEAD_BYTES = 1024;

  private static final int OVERHEAD_OF_STRING_BYTES = 64;

  /** Which half of an exchange is held. */
  public enum Kind implements Coded {
    /** A request on its way to the agent. */
    REQUEST,
    /** A response on its way back. */
    RESPONSE
  }

  /**
   * One header field.
   *
   * @param name field name
   * @param value field value
   */
  public record Field(String name, String value) {}

  /**
   * The exchange that a message belongs to.
   *
   * @param direction inbound or outbound
   * @param kind whether a request or a response is held
   * @param protocol protocol name, e.g. {@code a2a-1.0}
   * @param routeRule name of the configured rule that matched
   * @param flow flow id
   * @param releaseKey what a later identical message is recognised by; holds a digest of the
   *     content
   * @param caller who sent it, as far as known
   * @param destination where it goes
   */
  public record Origin(
      String direction,
      Kind kind,
      String protocol,
      String routeRule,
      String flow,
      String releaseKey,
      String caller,
      String destination) {
    /** Refuses a message that could not be recognised. */
    public Origin {
      if (releaseKey.isEmpty()) {
        throw new IllegalArgumentException("a held message has a release key");
      }
    }
  }

  /**
   * What is read, and what is delivered.
   *
   * @param status HTTP status code of a held response, 0 for a request
   * @param contentType media type of the body; may be empty
   * @param headers header fields to deliver with the body
   * @param question UTF-8 text of what was asked; may be empty
   * @param answer UTF-8 text that was judged; may be empty
   * @param body the exact bytes to deliver
   */
  @SuppressWarnings("ArrayRecordComponent") // several MB of content are not copied on each read
  public record Content(
      int status,
      String contentType,
      List<Field> headers,
      byte[] question,
      byte[] answer,
      byte[] body) {
    private static final byte[] NOTHING = {};

    /** Copies the fields; refuses what is no status. */
    public Content {
      headers = List.copyOf(headers);
      if (status < 0 || status > 999) {
        throw new IllegalArgumentException("expected a status in 0-999, got " + status);
      }
    }
  }

  /**
   * Why a message is held.
   *
   * @param asp ASP header text; empty if nothing could be measured
   * @param reasons reason codes, most important first, at least one
   * @param verdictJson the verdict as one JSON object, for people
   * @param attempts drafts judged so far in this flow, at least 1
   */
  public record Cause(String asp, List<String> reasons, String verdictJson, int attempts) {
    /** Copies the reasons; refuses a message without reason or attempt. */
    public Cause {
      reasons = List.copyOf(reasons);
      if (reasons.isEmpty() || attempts < 1) {
        throw new IllegalArgumentException(
            "a held message has at least one reason and attempts >= 1, got " + attempts);
      }
    }
  }

  /** Estimated memory in bytes, never less than the content. */
  long memoryBytes() {
    long sum =
        OVERHEAD_BYTES
            + (long) content.question.length
            + content.answer.length
            + content.body.length;
    for (String text :
        List.of(
            decisionId,
            origin.direction,
            origin.protocol,
            origin.routeRule,
            origin.flow,
            origin.releaseKey,
            origin.caller,
            origin.destination,
            content.contentType,
            cause.asp,
            cause.verdictJson)) {
      sum += memoryBytes(text);
    }
    for (Field field : content.headers) {
      sum += memoryBytes(field.name()) + memoryBytes(field.value());
    }
    for (String reason : cause.reasons) {
      sum += memoryBytes(reason);
    }
    return sum;
  }

  private static long memoryBytes(String text) {
    return OVERHEAD_OF_STRING_BYTES + 2L * text.length();
  }

  /** The same message without header fields, question, answer and body. */
  HeldMessage withoutContent() {
    return new HeldMessage(
        decisionId,
        origin,
        new Content(
            content.status,
            content.contentType,
            List.of(),
            Content.NOTHING,
            Content.NOTHING,
            Content.NOTHING),
        cause,
        heldAtMs);
  }
}
