package dev.parlance.proxy.control;

import dev.parlance.policy.text.Coded;

/** Why a core was refused. The codes are those of {@code parlance.v1.CoreNack}. */
public enum PushFault implements Coded {
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
