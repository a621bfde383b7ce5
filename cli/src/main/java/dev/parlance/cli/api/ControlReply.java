package dev.parlance.cli.api;

import io.grpc.Status;
import java.util.function.Function;

/**
 * What came of asking the control plane.
 *
 * @param <T> what it answers with
 */
public sealed interface ControlReply<T> {
  /** It answered. */
  record Answered<T>(T value) implements ControlReply<T> {}

  /**
   * It refused, or could not be reached.
   *
   * @param code what gRPC calls it
   * @param message what happened and what to do, one line
   */
  record Failed<T>(Status.Code code, String message) implements ControlReply<T> {}

  /** Asks on with what was answered; a failure stays one. */
  default <R> ControlReply<R> then(Function<T, ControlReply<R>> next) {
    return switch (this) {
      case Answered<T>(T value) -> next.apply(value);
      case Failed<T>(Status.Code code, String message) -> new Failed<>(code, message);
    };
  }

  /** The same reply with another value. */
  default <R> ControlReply<R> map(Function<T, R> change) {
    return then(value -> new Answered<>(change.apply(value)));
  }

  /** True if it failed so. */
  default boolean hasFailed(Status.Code code) {
    return this instanceof Failed<T> failed && failed.code() == code;
  }
}
