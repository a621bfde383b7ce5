package dev.parlance.policy.lexicon;

import java.util.Optional;

/**
 * Who hears a turn and sees what is coined in it: everybody, or the members of one faction.
 *
 * @param faction the faction's name; empty for the public channel
 */
public record Channel(Optional<String> faction) {
  /** The channel that everybody hears. */
  public static final Channel PUBLIC = new Channel(Optional.empty());

  private static final String PUBLIC_NAME = "public";
  private static final String FACTION = "faction:";

  /** Refuses an empty name. */
  public Channel {
    if (faction.filter(String::isEmpty).isPresent()) {
      throw new IllegalArgumentException("a faction needs a name");
    }
  }

  /** Reads {@code public} or {@code faction:NAME}; empty for anything else. */
  public static Optional<Channel> of(String name) {
    if (name.equals(PUBLIC_NAME)) {
      return Optional.of(PUBLIC);
    }
    return name.startsWith(FACTION) && name.length() > FACTION.length()
        ? Optional.of(new Channel(Optional.of(name.substring(FACTION.length()))))
        : Optional.empty();
  }

  /** True for the channel that everybody hears. */
  public boolean isPublic() {
    return faction.isEmpty();
  }

  /** The form that {@link #of} reads. */
  @Override
  public String toString() {
    return faction.map(FACTION::concat).orElse(PUBLIC_NAME);
  }
}
