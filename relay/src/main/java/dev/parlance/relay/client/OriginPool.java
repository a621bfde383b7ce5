package dev.parlance.relay.client;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.client.OriginClient.CloseReason;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections to origins of one event loop; touched on that loop only. Over HTTP/1.1 the one
 * used last is used next: it is warm, and those that are not needed grow old and go. Over HTTP/2
 * each destination has one, and another only when the origin takes no more streams on those there
 * are, or for a call that wants one that nobody has used.
 */
final class OriginPool {
  private static final int MAX_IDLE_PER_DESTINATION = 32;
  private static final int MAX_HTTP2_PER_DESTINATION = 8;

  final OriginClient client;
  final EventLoop loop;
  private final Map<Destination, ArrayDeque<H1OriginConnection>> idle = new HashMap<>();
  private final Set<H1OriginConnection> open = new HashSet<>();
  private final Map<Destination, Http2Origin> origins = new HashMap<>();
  private int connecting;

  OriginPool(OriginClient client, EventLoop loop) {
    this.client = client;
    this.loop = loop;
  }

  /** A connection over HTTP/1.1 that can be used at once. */
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

  /** Connections that are being made, and those over HTTP/1.1 that are open. */
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

  /** Gives the call a connection over HTTP/2, now or when there is one. */
  void connect(H2OriginCall call) {
    if (client.hasGivenUp()) {
      call.failed(CloseReason.SHUTTING_DOWN);
      return;
    }
    origins.computeIfAbsent(call.destination, Http2Origin::new).take(call);
  }

  /** True if there is a connection for the call, over HTTP/2. */
  boolean isConnected(H2OriginCall call) {
    Http2Origin origin = origins.get(call.destination);
    return origin != null && !origin.connections.isEmpty();
  }

  /** The call waits no longer. */
  void forget(H2OriginCall call) {
    Http2Origin origin = origins.get(call.destination);
    if (origin != null) {
      origin.waiting.remove(call);
      origin.tidy();
    }
  }

  private int openHttp2() {
    int open = 0;
    for (Http2Origin origin : origins.values()) {
      open += origin.connections.size();
    }
    return open;
  }

  /** Ends every connection, and every call that waits on one or for one. */
  void closeAll(CloseReason why) {
    List.copyOf(open).forEach(connection -> connection.abandon(why));
    List.copyOf(origins.values()).forEach(origin -> origin.closeAll(why));
  }

  /** One destination over HTTP/2: its connections and who waits for one. */
  final class Http2Origin implements OriginConnector.Caller {
    private final Destination destination;
    private final Set<H2OriginConnection> connections = new LinkedHashSet<>();
    private final ArrayDeque<H2OriginCall> waiting = new ArrayDeque<>();
    private @Nullable OriginConnector dial;
    private @Nullable H2OriginConnection starting;

    Http2Origin(Destination destination) {
      this.destination = destination;
    }

    void take(H2OriginCall call) {
      for (H2OriginConnection connection : connections) {
        if (connection.hasRoom() && mayUse(call, connection)) {
          client.events.originConnectionReused();
          call.connected(connection);
          return;
        }
      }
      waiting.add(call);
      more();
    }

    /** Used ones may be closed by now; they have to do where there cannot be more. */
    private boolean mayUse(H2OriginCall call, H2OriginConnection connection) {
      return !call.needsNewConnection()
          || !connection.wasUsed()
          || connections.size() >= MAX_HTTP2_PER_DESTINATION
          || isFull(call);
    }

    private boolean isFull(H2OriginCall call) {
      return size() + openHttp2() >= call.limits.connections();
    }

    /** Another connection, if somebody waits and none is under way. */
    private void more() {
      H2OriginCall first = waiting.peek();
      if (first == null || dial != null || starting != null) {
        return;
      }
      if (connections.size() >= MAX_HTTP2_PER_DESTINATION) {
        return;
      }
      if (isFull(first)) {
        failAll("origin_limit", "no more connections to origins on this loop");
        return;
      }
      OriginConnector made =
          new OriginConnector(
              OriginPool.this,
              destination,
              first.timeouts.connectMs(),
              channel ->
                  new H2OriginConnection(
                          channel, destination, first.limits, first.timeouts, this, client.events)
                      .install(),
              this);
      dial = made;
      made.start();
    }

    @Override
    public void connected(Channel channel) {
      dial = null;
      H2OriginConnection made = channel.pipeline().get(H2OriginConnection.class);
      if (made == null || made.isLeaving()) {
        failAll("origin_closed", "closed as soon as it was open");
      } else if (!connections.contains(made)) {
        // Its first word may have been faster than the news of the connection.
        starting = made;
      }
    }

    @Override
    public void notConnected(String code, String detail) {
      dial = null;
      failAll(code, detail);
    }

    /** The origin speaks HTTP/2, and requests may be sent. */
    void ready(H2OriginConnection connection) {
      if (starting == connection) {
        starting = null;
      }
      connections.add(connection);
      hasRoom(connection);
      more();
    }

    /** A stream more may be opened. */
    void hasRoom(H2OriginConnection connection) {
      while (connection.hasRoom()) {
        Optional<H2OriginCall> next =
            waiting.stream().filter(call -> mayUse(call, connection)).findFirst();
        if (next.isEmpty()) {
          return;
        }
        waiting.remove(next.get());
        next.get().connected(connection);
      }
    }

    /**
     * The connection is no more, or takes no more requests.
     *
     * @param code why it never became ready, as in {@link OriginResult.Failed}
     */
    void gone(H2OriginConnection connection, String code, String detail) {
      boolean wasStarting = starting == connection;
      if (wasStarting) {
        starting = null;
      }
      connections.remove(connection);
      if (wasStarting) {
        failAll(code, detail);
      } else {
        more();
      }
      tidy();
    }

    private void failAll(String code, String detail) {
      List<H2OriginCall> calls = new ArrayList<>(waiting);
      waiting.clear();
      calls.forEach(call -> call.failed(code, detail));
      tidy();
    }

    private void tidy() {
      if (waiting.isEmpty() && connections.isEmpty() && dial == null && starting == null) {
        origins.remove(destination, this);
      }
    }

    private void closeAll(CloseReason why) {
      OriginConnector pending = dial;
      dial = null;
      if (pending != null) {
        pending.stop();
      }
      H2OriginConnection begun = starting;
      if (begun != null) {
        begun.close(why);
      }
      List.copyOf(connections).forEach(connection -> connection.close(why));
      failAll(why.code(), why.detail());
    }
  }
}
