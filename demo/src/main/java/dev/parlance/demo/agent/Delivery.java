package dev.parlance.demo.agent;

import java.util.Arrays;
import java.util.Optional;

/** How an answer is asked for and given. */
public enum Delivery {
  /** At once. */
  WHOLE("whole"),
  /** As a stream of events: a task, chunks of an artifact, the task's last state. */
  STREAMED("streamed");

  private final String code;

  Delivery(String code) {
    this.code = code;
  }

  /** The name on command lines. */
  public String code() {
    return code;
  }

  /** The delivery of that name. */
  public static Optional<Delivery> of(String code) {
    return Arrays.stream(values()).filter(delivery -> delivery.code.equals(code)).findFirst();
  }
}
