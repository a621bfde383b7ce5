package dev.parlance.policy.core;

import dev.parlance.policy.text.Coded;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which core a message was held against.
 *
 * @param domain the domain of its route
 * @param peer id of the agent on the other side, if known
 * @param state how much the core could be relied on
 * @param cores what it was made of: one core, several if the peer is unknown, none exactly if
 *     absent
 * @param ageMs milliseconds since it was last confirmed, 0 if absent
 */
public record HeldCore(
    String domain, Optional<String> peer, CoreState state, List<CoreVersion> cores, long ageMs) {
  /** Copies the list; refuses cores that do not fit the state, and a negative age. */
  public HeldCore {
    cores = List.copyOf(cores);
    if ((state == CoreState.ABSENT) != cores.isEmpty() || ageMs < 0) {
      throw new IllegalArgumentException(
          "state " + state + " does not fit cores " + cores + " of age " + ageMs);
    }
  }

  /** Where there is none. */
  public static HeldCore absent(String domain, Optional<String> peer) {
    return new HeldCore(domain, peer, CoreState.ABSENT, List.of(), 0);
  }

  /** Its version, if it is exactly one core. */
  public OptionalLong version() {
    return cores.size() == 1 ? OptionalLong.of(cores.getFirst().version()) : OptionalLong.empty();
  }

  /** How much a core can be relied on now. */
  public enum CoreState implements Coded {
    /** There is one, and it was confirmed recently enough. */
    FRESH,
    /** There is one, and it was last confirmed longer ago than the configured staleness. */
    STALE,
    /** There is none: nothing is known to be governed. */
    ABSENT;

    /** The state with this code. */
    public static Optional<CoreState> ofCode(String code) {
      return Coded.find(values(), code);
    }
  }

  /** One version of a core; its text, which every verdict names, is made once. */
  public static final class CoreVersion {
    private final CoreId id;
    private final String text;
    private final long version;

    /** Refuses a version below 1. */
    public CoreVersion(CoreId id, long version) {
      if (version < 1) {
        throw new IllegalArgumentException("versions count from 1, got " + version);
      }
      this.id = id;
      this.version = version;
      this.text = id + "@" + version;
    }

    /** Whose core. */
    public CoreId id() {
      return id;
    }

    /** 1 or more. */
    public long version() {
      return version;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof CoreVersion core && version == core.version && id.equals(core.id);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }

    /** {@code alice+bob/license@3}. */
    @Override
    public String toString() {
      return text;
    }
  }
}
