package dev.parlance.proxy.gate;

import dev.parlance.policy.text.Coded;

/** The half of an exchange that a message belongs to. */
public enum Leg implements Coded {
  /** What the caller says. */
  REQUEST,
  /** What the asked agent answers. */
  RESPONSE
}
