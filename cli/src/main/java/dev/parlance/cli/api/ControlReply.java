package dev.parlance.cli.api;

import io.grpc.Status;

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
}
