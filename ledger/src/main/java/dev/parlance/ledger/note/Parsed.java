package dev.parlance.ledger.note;

import dev.parlance.ledger.note.Note.NoteFault;
import java.util.Optional;

/** What came of reading something: the value, or why not. */
public sealed interface Parsed<T> {
  /** It was read. */
  record Ok<T>(T get) implements Parsed<T> {}

  /** It was refused; the detail is for people and holds no secret. */
  record Bad<T>(NoteFault fault, String detail) implements Parsed<T> {}

  /** A value. */
  static <T> Parsed<T> ok(T value) {
    return new Ok<>(value);
  }

  /** A refusal. */
  static <T> Parsed<T> bad(NoteFault fault, String detail) {
    return new Bad<>(fault, detail);
  }

  /** The value, if it was read. */
  default Optional<T> value() {
    return switch (this) {
      case Ok<T> ok -> Optional.of(ok.get());
      case Bad<T> bad -> Optional.empty();
    };
  }

  /** The value, for input that cannot be bad but by a bug. */
  default T orThrow() {
    return switch (this) {
      case Ok<T> ok -> ok.get();
      case Bad<T> bad ->
          throw new IllegalArgumentException(bad.fault().code() + ": " + bad.detail());
    };
  }
}
