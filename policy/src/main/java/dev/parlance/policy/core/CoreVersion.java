package dev.parlance.policy.core;

/**
 * One version of a core.
 *
 * @param id whose core
 * @param version 1 or more
 */
public record CoreVersion(CoreId id, long version) {
  /** Refuses a version below 1. */
  public CoreVersion {
    if (version < 1) {
      throw new IllegalArgumentException("versions count from 1, got " + version);
    }
  }

  /** {@code alice+bob/license@3}. */
  @Override
  public String toString() {
    return id + "@" + version;
  }
}
