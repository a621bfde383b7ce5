package dev.parlance.proxy.config;

import dev.parlance.service.identity.SpiffeId;
import dev.parlance.service.identity.SpiffePattern;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A list of identities, of callers or of those who are called.
 *
 * @param ids patterns
 * @param anonymous whether nobody in particular is among them: a caller without an identity
 */
public record PeerRule(List<SpiffePattern> ids, boolean anonymous) {
  /** What stands in a list for callers without an identity. */
  public static final String ANONYMOUS = "anonymous";

  /** Everybody. */
  public static final PeerRule ALL =
      new PeerRule(List.of(SpiffePattern.parse("*").orElseThrow()), true);

  /** Takes a copy. */
  public PeerRule {
    ids = List.copyOf(ids);
  }

  /** True for this caller. */
  public boolean matches(Optional<SpiffeId> caller) {
    return caller.map(id -> ids.stream().anyMatch(one -> one.matches(id))).orElse(anonymous);
  }

  /** The list as it is written. */
  List<String> members() {
    return Stream.concat(
            ids.stream().map(SpiffePattern::toString),
            anonymous ? Stream.of(ANONYMOUS) : Stream.empty())
        .toList();
  }

  @Override
  public String toString() {
    return members().isEmpty() ? "nobody" : String.join(", ", members());
  }
}
