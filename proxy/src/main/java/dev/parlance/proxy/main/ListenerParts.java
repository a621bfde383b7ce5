package dev.parlance.proxy.main;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.server.HttpListener;
import dev.parlance.service.OpenFiles;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a listener is given: its limits, and who counts its connections. */
final class ListenerParts {
  private static final Logger log = LoggerFactory.getLogger(ListenerParts.class);

  /** Descriptors that a sidecar still needs when its listeners are opened, beside connections. */
  private static final int OWN_FILES = 16;

  private ListenerParts() {}

  /**
   * The limits, with as many connections as there are descriptors for. Outbound all are of the
   * local agent, and its address has no share.
   */
  static HttpMessageLimits affordable(SidecarConfig config, Direction direction) {
    HttpMessageLimits limits = config.limits().http();
    HttpMessageLimits wanted =
        direction == Direction.INBOUND
            ? limits
            : limits.withConnectionsPerAddress(limits.connections());
    Optional<OpenFiles> files = OpenFiles.ofProcess();
    int listeners =
        (int)
            Stream.of(config.listeners().inbound(), config.listeners().outbound())
                .filter(Optional::isPresent)
                .count();
    int most =
        files
            .map(now -> HttpListener.connectionsWithin((now.left() - OWN_FILES) / listeners))
            .orElse(Integer.MAX_VALUE);
    if (wanted.connections() <= most) {
      return wanted;
    }
    log.warn(
        "this process may open {} files and sockets (ulimit -n): each listener takes {}"
            + " connections, not the {} of limits.connections, and refuses more; raise the limit",
        files.map(OpenFiles::limit).orElse(0),
        most,
        wanted.connections());
    return wanted.withConnections(most);
  }

  /** Connections of one listener, as metrics. */
  record Counters(SidecarMetrics metrics, Direction direction, Optional<IdentityParts> identity)
      implements RelayEvents {
    @Override
    public void handshake(String result) {
      identity.ifPresent(parts -> parts.connection(direction, result));
    }

    @Override
    public void connectionOpened() {
      metrics.connectionOpened(direction);
    }

    @Override
    public void connectionClosed() {
      metrics.connectionClosed(direction);
    }

    @Override
    public void http2Cut(String reason) {
      metrics.http2Cut(reason);
    }

    @Override
    public void opaqueConnection(String reason, String to) {
      metrics.opaqueConnection(reason);
      log.atInfo()
          .addKeyValue("reason", reason)
          .addKeyValue("to", to)
          .log("a connection goes on unread");
    }

    @Override
    public void connectionRefused(String code) {
      metrics.rejected("connections", code);
    }
  }
}
