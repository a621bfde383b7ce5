package dev.parlance.proxy.control;

import dev.parlance.policy.core.CoreId;

/** What became of a pushed core. */
public sealed interface PushOutcome {
  /** It is on disk and in force. */
  record InForce(CoreId id, long version) implements PushOutcome {}

  /** It was in force already. */
  record Unchanged(CoreId id, long version) implements PushOutcome {}

  /** It was refused; what was in force stays. */
  record Refused(PushFault fault, String detail) implements PushOutcome {}
}
