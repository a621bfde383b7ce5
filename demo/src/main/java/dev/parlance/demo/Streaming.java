package dev.parlance.demo;

import dev.parlance.demo.agent.Delivery;

/** Whether A streams its answers, and how A's sidecar then treats them. */
public enum Streaming {
  /** Answers come whole. */
  OFF,
  /** A stream is held until what it says is complete and judged. */
  HOLD,
  /** A stream goes on piece by piece, each judged with all that came before. */
  WINDOW,
  /** A stream goes on at once and is judged beside it. */
  OBSERVE;

  /** The name in configurations of sidecars. */
  String code() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** How the agents exchange answers. */
  Delivery delivery() {
    return switch (this) {
      case OFF -> Delivery.WHOLE;
      case HOLD, WINDOW, OBSERVE -> Delivery.STREAMED;
    };
  }

  /** True if what a sidecar keeps back is the whole answer, so that a release can deliver it. */
  boolean holdsWhole() {
    return switch (this) {
      case OFF, HOLD -> true;
      case WINDOW, OBSERVE -> false;
    };
  }

  /** True if a sidecar can keep an answer back. */
  boolean guards() {
    return switch (this) {
      case OFF, HOLD, WINDOW -> true;
      case OBSERVE -> false;
    };
  }
}
