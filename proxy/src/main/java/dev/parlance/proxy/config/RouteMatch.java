package dev.parlance.proxy.config;

import dev.parlance.service.identity.SpiffeId;
import java.util.Optional;

/**
 * Which messages a route is for; every part must match.
 *
 * @param direction one direction, or both if empty
 * @param host pattern for the request's authority
 * @param pathPrefix leading path segments, {@code /} for every path; compared with the path after
 *     {@link RoutePath#normalise}
 * @param peer who has to call; with it no outbound request matches
 */
public record RouteMatch(
    Optional<Direction> direction, HostPattern host, String pathPrefix, Optional<PeerRule> peer) {
  /** Refuses a prefix that does not begin with a slash. */
  public RouteMatch {
    if (!pathPrefix.startsWith("/")) {
      throw new IllegalArgumentException("expected a path that begins with /, got " + pathPrefix);
    }
    pathPrefix = RoutePath.normalise(pathPrefix);
  }

  /** True if nothing is asked of a message. */
  public boolean matchesAll() {
    return direction.isEmpty() && host.matchesAll() && pathPrefix.equals("/") && peer.isEmpty();
  }

  boolean matches(
      Direction candidate, String authority, String normalisedPath, Optional<SpiffeId> caller) {
    return (direction.isEmpty() || direction.get() == candidate)
        && host.matchesAuthority(authority, 80)
        && RoutePath.startsWith(normalisedPath, pathPrefix)
        && (peer.isEmpty() || (candidate == Direction.INBOUND && peer.get().matches(caller)));
  }
}
