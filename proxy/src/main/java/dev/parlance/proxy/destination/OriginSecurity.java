package dev.parlance.proxy.destination;

import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.relay.api.Destination;
import java.util.Optional;

/** Says how an outbound destination is encrypted to, and who it has to be. */
@FunctionalInterface
public interface OriginSecurity {
  /** Everything in clear text, to anybody. */
  OriginSecurity NONE = (_, to, _) -> Optional.of(to);

  /**
   * The destination as it may be gone to; empty if nobody has said who it is, and that is needed.
   */
  Optional<Destination> secured(SidecarConfig config, Destination to, RouteRule rule);
}
