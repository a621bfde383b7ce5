package dev.parlance.control.publish;

import java.util.Optional;

/**
 * A request that a person at the console makes of a sidecar's admin API.
 *
 * @param path path and query
 * @param body JSON; empty: a GET
 * @param who who is logged in; empty where nobody is named
 */
public record PersonCall(String path, Optional<String> body, String who) {
  /** GET or POST. */
  public String method() {
    return body.isPresent() ? "POST" : "GET";
  }

  /** What came of a call. */
  public sealed interface Outcome {
    /**
     * The sidecar's answer.
     *
     * @param status HTTP status
     */
    @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
    record Answered(int status, byte[] body) implements Outcome {}

    /** There is none. */
    record Failed(CallFault fault) implements Outcome {}
  }

  /** Why there is no answer. The codes are stable. */
  public enum CallFault {
    /** The sidecar is not attached here: it has not been asked. */
    GONE("gone", "the sidecar is not attached"),
    /** It was asked, and has left before it answered. */
    LEFT("left", "the sidecar has left before it answered"),
    /** More calls wait for it, or more bytes for all, than are kept. */
    BUSY("busy", "too many calls are under way"),
    /** It has not answered in time. */
    LATE("late", "the sidecar has not answered in time"),
    /** Its answer is longer than what is kept of one. */
    TOO_LARGE("too_large", "the sidecar's answer is too large");

    private final String code;
    private final String sentence;

    CallFault(String code, String sentence) {
      this.code = code;
      this.sentence = sentence;
    }

    /** The stable name. */
    public String code() {
      return code;
    }

    /** For people. */
    public String sentence() {
      return sentence;
    }
  }
}
