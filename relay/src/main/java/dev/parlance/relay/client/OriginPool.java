package dev.parlance.relay.client;

import dev.parlance.relay.api.Destination;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The connections of one event loop to its origins; touched on that loop only. The one used last is
 * used next: it is warm, and those that are not needed grow old and go.
 */
final class OriginPool {
  private static final int MAX_IDLE_PER_DESTINATION = 32;

  private final Map<Destination, ArrayDeque<OriginConnection>> idle = new HashMap<>();
  private final Set<OriginConnection> open = new HashSet<>();
  private int connecting;

  /** A connection that can be used at once. */
  Optional<OriginConnection> take(Destination destination) {
    ArrayDeque<OriginConnection> waiting = idle.get(destination);
    while (waiting != null && !waiting.isEmpty()) {
      OriginConnection connection = waiting.pop();
      if (connection.isUsable()) {
        return Optional.of(connection);
      }
      connection.close();
    }
    return Optional.empty();
  }

  /** Keeps a connection for later; false if there are enough. */
  boolean keep(OriginConnection connection) {
    ArrayDeque<OriginConnection> waiting =
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

  void opened(OriginConnection connection) {
    open.add(connection);
  }

  void closed(OriginConnection connection) {
    open.remove(connection);
    ArrayDeque<OriginConnection> waiting = idle.get(connection.destination());
    if (waiting != null) {
      waiting.remove(connection);
      if (waiting.isEmpty()) {
        idle.remove(connection.destination());
      }
    }
  }

  /** Ends every connection, and every ask that waits on one. */
  void closeAll(OriginEnd why) {
    List.copyOf(open).forEach(connection -> connection.abandon(why));
  }
}
