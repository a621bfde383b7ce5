package dev.parlance.service;

import java.util.function.Function;

/** What came of a request. */
public sealed interface Result<T> {
  /** It was done. */
  record Done<T>(T value) implements Result<T> {}

  /**
   * It was not, and nothing has changed.
   *
   * @param kind whose turn it is now
   * @param reason stable code
   * @param message for people: the bad value and what was expected
   */
  record Refused<T>(Kind kind, String reason, String message) implements Result<T> {}

  /** What the caller can do about a refusal. */
  enum Kind {
    /** The request is wrong whatever the state. */
    INVALID,
    /** There is no such thing. */
    NOT_FOUND,
    /** Somebody else was faster: read again and decide anew. */
    CONFLICT,
    /** The state does not allow it now. */
    PRECONDITION,
    /** There is one already, and it is another. */
    EXISTS,
    /** Not for this caller. */
    DENIED,
    /** There are as many as there may be. */
    EXHAUSTED,
    /** Beyond the end. */
    OUT_OF_RANGE,
    /** Something that it needs is away: try again later. */
    UNAVAILABLE
  }

  /** Done, with this. */
  static <T> Result<T> done(T value) {
    return new Done<>(value);
  }

  /** Refused. */
  static <T> Result<T> refused(Kind kind, String reason, String message) {
    return new Refused<>(kind, reason, message);
  }

  /** The next step, if this one was done. */
  default <R> Result<R> then(Function<T, Result<R>> next) {
    return switch (this) {
      case Done<T>(T value) -> next.apply(value);
      case Refused<T>(Kind kind, String reason, String message) ->
          new Refused<>(kind, reason, message);
    };
  }
}
