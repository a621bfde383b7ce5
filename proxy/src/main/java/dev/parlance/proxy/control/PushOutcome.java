package dev.parlance.proxy.control;

import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.text.Coded;

/** What became of a pushed core. */
public sealed interface PushOutcome {
  /** It is on disk and in force. */
  record InForce(CoreId id, long version) implements PushOutcome {}

  /** It was in force already. */
  record Unchanged(CoreId id, long version) implements PushOutcome {}

  /** It was refused; what was in force stays. */
  record Refused(PushFault fault, String detail) implements PushOutcome {}

  /** Why a core was refused. The codes are those of {@code parlance.v1.CoreNack}. */
  enum PushFault implements Coded {
    /** Older than the newest one that was ever in force here. */
    OLDER,
    /** The same version as the one in force, and not the same core. */
    CONFLICTING,
    /** No signature. */
    UNSIGNED,
    /** No signature of a configured key, or one that does not hold. */
    FOREIGN_SIGNATURE,
    /** Not the form of a core, or not the core that the push says it is. */
    MALFORMED,
    /** Values that no core can have. */
    IMPOSSIBLE,
    /** Larger than is read, or more than is held. */
    TOO_LARGE,
    /** Not a core of the agent beside this sidecar. */
    WRONG_AGENT,
    /** It could not be written to disk. */
    STORAGE
  }
}
