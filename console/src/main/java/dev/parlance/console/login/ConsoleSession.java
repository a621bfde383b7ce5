package dev.parlance.console.login;

import dev.parlance.console.source.ItemRef;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Somebody who is logged in.
 *
 * @param who the person, as decisions name it; 1 to 200 characters
 * @param roles what the person may do
 * @param groups the person's groups, as the issuer or who started the console names them
 * @param way how the person logged in
 * @param item the only item that may be seen; empty: all that the roles allow
 * @param expiresAtMs when it ends, in milliseconds since the epoch
 */
public record ConsoleSession(
    String who,
    Set<ConsoleRole> roles,
    Set<String> groups,
    Way way,
    Optional<ItemRef> item,
    long expiresAtMs) {
  private static final int WHO_CHARACTERS = 200;

  /** How a person logged in. */
  public enum Way {
    CODE,
    OIDC,
    LINK
  }

  /** Takes a copy; refuses a nameless person. */
  public ConsoleSession {
    roles = Set.copyOf(roles);
    groups = Set.copyOf(groups);
    if (who.isBlank() || who.length() > WHO_CHARACTERS) {
      throw new IllegalArgumentException(
          "expected a name of 1 to " + WHO_CHARACTERS + " characters, got " + who.length());
    }
  }

  /** In what the person acts, beside the name: roles and groups. A signed link has none. */
  public Set<String> as() {
    return way == Way.LINK
        ? Set.of()
        : Stream.concat(groups.stream(), roles.stream().map(ConsoleRole::code))
            .collect(Collectors.toUnmodifiableSet());
  }

  /** True if the person has one of these roles. */
  public boolean hasAny(ConsoleRole... wanted) {
    return Arrays.stream(wanted).anyMatch(roles::contains);
  }

  /** True if the person may read agents' words. */
  public boolean readsWords() {
    return hasAny(ConsoleRole.REVIEWER, ConsoleRole.AUDITOR);
  }

  /** Every role, for who holds the link that the process printed. */
  public static Set<ConsoleRole> allRoles() {
    return EnumSet.allOf(ConsoleRole.class);
  }
}
