package dev.parlance.proxy.main;

import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.relay.api.RelayEvents;

/** Connections of one listener, as metrics. */
record Counters(SidecarMetrics metrics, Direction direction) implements RelayEvents {
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
  public void opaqueConnection(String reason) {
    metrics.opaqueConnection(reason);
  }

  @Override
  public void connectionRefused() {
    metrics.rejected("connections", "connection_limit");
  }
}
