package dev.parlance.relay.client;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.client.OriginClient.CloseReason;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The HTTP/1.1 connection pool of one event loop; touched on that loop only. The one used last is
 * used next: it is warm, and those that are not needed grow old and go.
 */
final class H1OriginPool {
  private static final int MAX_IDLE_PER_DESTINATION = 32;

  private final Map<Destination, ArrayDeque<H1OriginConnection>> idle = new HashMap<>();
  private final Set<H1OriginConnection> open = new HashSet<>();
  private int connecting;

  /** A connection that can be used at once. */
  Optional<H1OriginConnection> take(Destination destination) {
    ArrayDeque<H1OriginConnection> waiting = idle.get(destination);
    while (waiting != null && !waiting.isEmpty()) {
      H1OriginConnection connection = waiting.pop();
      if (connection.isUsable()) {
        return Optional.of(connection);
      }
      connection.close();
    }
    return Optional.empty();
  }

  /** Keeps a connection for later; false if there are enough. */
  boolean keep(H1OriginConnection connection) {
    ArrayDeque<H1OriginConnection> waiting =
        idle.computeIfAbsent(connection.destination(), _ -> new ArrayDeque<>(4));
    if (waiting.size() >= MAX_IDLE_PER_DESTINATION) {
      return false;
    }
    waiting.push(connection);
    return true;
  }

  /** Connections that are open or being made. */
  int size() {
    return open.size() + connecting;
  }

  void connectStarted() {
    connecting++;
  }

  void connectEnded() {
    connecting--;
  }

  void opened(H1OriginConnection connection) {
    open.add(connection);
  }

  void closed(H1OriginConnection connection) {
    open.remove(connection);
    ArrayDeque<H1OriginConnection> waiting = idle.get(connection.destination());
    if (waiting != null) {
      waiting.remove(connection);
      if (waiting.isEmpty()) {
        idle.remove(connection.destination());
      }
    }
  }

  /** Ends every connection, and every call that waits on one. */
  void closeAll(CloseReason why) {
    List.copyOf(open).forEach(connection -> connection.abandon(why));
  }
}
