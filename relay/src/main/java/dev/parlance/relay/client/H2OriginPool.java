package dev.parlance.relay.client;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.client.OriginClient.CloseReason;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP/2 connection pool of one event loop: one connection for each destination, and another
 * only when the origin takes no more streams on those there are. Touched on that loop only.
 */
final class H2OriginPool {
  private static final int MAX_CONNECTIONS_PER_DESTINATION = 8;

  private final OriginClient client;
  private final EventLoop loop;
  private final H1OriginPool dialled;
  private final Map<Destination, Origin> origins = new HashMap<>();

  H2OriginPool(OriginClient client, EventLoop loop, H1OriginPool dialled) {
    this.client = client;
    this.loop = loop;
    this.dialled = dialled;
  }

  /** Gives the call a connection, now or when there is one. */
  void connect(H2OriginCall call) {
    if (client.hasGivenUp()) {
      call.failed(CloseReason.SHUTTING_DOWN.code(), CloseReason.SHUTTING_DOWN.detail());
      return;
    }
    origins.computeIfAbsent(call.destination, Origin::new).take(call);
  }

  /** The call waits no longer. */
  void forget(H2OriginCall call) {
    Origin origin = origins.get(call.destination);
    if (origin != null) {
      origin.waiting.remove(call);
      origin.tidy();
    }
  }

  private int open() {
    int open = 0;
    for (Origin origin : origins.values()) {
      open += origin.connections.size();
    }
    return open;
  }

  /** Ends every connection, and every call that waits on one or for one. */
  void closeAll(CloseReason why) {
    for (Origin origin : List.copyOf(origins.values())) {
      origin.closeAll(why);
    }
  }

  /** One destination: its connections and who waits for one. */
  private final class Origin implements H2OriginConnection.Keeper, OriginConnector.Caller {
    private final Destination destination;
    private final Set<H2OriginConnection> connections = new LinkedHashSet<>();
    private final ArrayDeque<H2OriginCall> waiting = new ArrayDeque<>();
    private @Nullable OriginConnector dial;
    private @Nullable H2OriginConnection starting;

    Origin(Destination destination) {
      this.destination = destination;
    }

    void take(H2OriginCall call) {
      for (H2OriginConnection connection : connections) {
        if (connection.hasRoom()) {
          client.events().originConnectionReused();
          call.connected(connection);
          return;
        }
      }
      waiting.add(call);
      more();
    }

    /** Another connection, if somebody waits and none is under way. */
    private void more() {
      H2OriginCall first = waiting.peek();
      if (first == null || dial != null || starting != null) {
        return;
      }
      if (connections.size() >= MAX_CONNECTIONS_PER_DESTINATION) {
        return;
      }
      if (dialled.size() + open() >= first.limits.connections()) {
        failAll("origin_limit", "no more connections to origins on this loop");
        return;
      }
      OriginConnector made =
          new OriginConnector(
              client,
              loop,
              dialled,
              destination,
              first.timeouts.connectMs(),
              () -> initializer(first.limits, first.timeouts),
              this);
      dial = made;
      made.start();
    }

    private ChannelHandler initializer(HttpMessageLimits limits, Timeouts timeouts) {
      return new ChannelInitializer<SocketChannel>() {
        @Override
        protected void initChannel(SocketChannel channel) {
          H2OriginConnection.install(
              channel, destination, limits, timeouts, Origin.this, client.events());
        }
      };
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

    @Override
    public void ready(H2OriginConnection connection) {
      if (starting == connection) {
        starting = null;
      }
      connections.add(connection);
      hasRoom(connection);
      more();
    }

    @Override
    public void hasRoom(H2OriginConnection connection) {
      while (!waiting.isEmpty() && connection.hasRoom()) {
        waiting.remove().connected(connection);
      }
    }

    @Override
    public void gone(H2OriginConnection connection, String code, String detail) {
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
