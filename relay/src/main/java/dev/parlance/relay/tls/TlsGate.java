package dev.parlance.relay.tls;

import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.TlsPeer;
import dev.parlance.relay.api.TlsPolicy;
import dev.parlance.relay.api.TlsPolicy.PeerRefused;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands behind the handler of TLS and lets nothing pass before it is known who the peer is, and
 * nothing of one that is refused.
 *
 * <pre>
 * state    event                           next
 * WAITING  handshake, peer identified      OPEN, told
 * WAITING  handshake failed, peer refused  CLOSED, told
 * OPEN     the peer's close_notify         closes, of a server's connection
 * OPEN     end without close_notify        an error first: what came may not be whole
 * </pre>
 */
public final class TlsGate extends ChannelDuplexHandler {
  /** Longest handshake. */
  static final long HANDSHAKE_MS = 5_000;

  /** What a peer may take to read our close_notify. */
  private static final long CLOSE_NOTIFY_MS = 1_000;

  /** A connection will not live that long. */
  private static final long MAX_LIFE_MS = TimeUnit.DAYS.toMillis(365);

  /** Result of a handshake whose peer was identified. */
  public static final String OK = "ok";

  private static final Logger LOG = LoggerFactory.getLogger(TlsGate.class);

  private enum State {
    WAITING,
    OPEN,
    CLOSED
  }

  private final TlsPolicy policy;
  private final RelayEvents events;
  private final boolean client;
  private final BiConsumer<String, String> told;
  private State state = State.WAITING;
  private boolean closedWell;

  private TlsGate(
      TlsPolicy policy, RelayEvents events, boolean client, BiConsumer<String, String> told) {
    this.policy = policy;
    this.events = events;
    this.client = client;
    this.told = told;
  }

  /**
   * Encrypts a connection to an origin; put in front of its other handlers.
   *
   * @param told once: {@link #OK}, or the code of the failure and its detail
   */
  public static void toOrigin(
      SocketChannel channel,
      SslHandler tls,
      TlsPolicy policy,
      RelayEvents events,
      BiConsumer<String, String> told) {
    channel.pipeline().addFirst(timed(tls), new TlsGate(policy, events, true, told));
  }

  /** Decrypts a client's connection, behind the handler that has seen its first byte. */
  static void ofClient(
      ChannelHandlerContext place,
      SslContext context,
      TlsPolicy policy,
      RelayEvents events,
      BiConsumer<String, String> told) {
    place
        .pipeline()
        .addAfter(place.name(), null, new TlsGate(policy, events, false, told))
        .addAfter(place.name(), null, timed(context.newHandler(place.alloc())));
  }

  private static SslHandler timed(SslHandler tls) {
    tls.setHandshakeTimeoutMillis(HANDSHAKE_MS);
    tls.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MS);
    return tls;
  }

  /** Ends our side: with close_notify first where the connection is encrypted. */
  public static ChannelFuture shutdownOutput(SocketChannel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      return channel.shutdownOutput();
    }
    ChannelPromise shut = channel.newPromise();
    tls.closeOutbound()
        .addListener(_ -> {
          ChannelFuture _ = channel.shutdownOutput(shut);
        });
    return shut;
  }

  /** Has something done when the certificate of the peer expires; nothing for one without. */
  public static void atExpiry(Channel channel, Runnable action) {
    long leftMs =
        TlsPeer.of(channel).map(TlsPeer::expiresAtMs).orElse(Long.MAX_VALUE)
            - System.currentTimeMillis();
    if (leftMs < MAX_LIFE_MS) {
      ScheduledFuture<?> due =
          channel.eventLoop().schedule(action, Math.max(0, leftMs), TimeUnit.MILLISECONDS);
      channel.closeFuture().addListener(_ -> due.cancel(false));
    }
  }

  /** The protocol that both sides have agreed on (ALPN); empty if the client asked for none. */
  private static String protocol(Channel channel) {
    String agreed = channel.pipeline().get(SslHandler.class).applicationProtocol();
    return agreed == null ? "" : agreed;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        identify(ctx);
      } else {
        refuse(ctx, code(handshake.cause()), handshake.cause());
      }
      return;
    }
    if (event instanceof SslCloseCompletionEvent closed) {
      closedWell = closed.isSuccess();
      if (client && closedWell) {
        ChannelFuture _ = ctx.close();
      }
      return;
    }
    ctx.fireUserEventTriggered(event);
  }

  private String code(Throwable cause) {
    return cause instanceof SslHandshakeTimeoutException ? "timeout" : policy.failure(cause);
  }

  private void identify(ChannelHandlerContext ctx) {
    try {
      SslHandler tls = ctx.pipeline().get(SslHandler.class);
      TlsPeer peer = policy.identify(tls.engine().getSession());
      peer.putOn(ctx.channel());
      policy.opened(ctx.channel(), tls.engine().getSession());
      state = State.OPEN;
      events.handshake(OK);
      told.accept(OK, protocol(ctx.channel()));
    } catch (PeerRefused e) {
      refuse(ctx, e.code(), e);
    }
  }

  private void refuse(ChannelHandlerContext ctx, String code, Throwable cause) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    LOG.debug("no encrypted connection with {}: {}", ctx.channel().remoteAddress(), code, cause);
    events.handshake(code);
    told.accept(code, String.valueOf(cause.getMessage()));
    ChannelFuture _ = ctx.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (state == State.OPEN) {
      ctx.fireChannelRead(message);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (state == State.OPEN && !closedWell) {
      ctx.fireExceptionCaught(new IOException("the end came without close_notify"));
    }
    ctx.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (state != State.OPEN) {
      refuse(ctx, code(cause), cause);
      return;
    }
    // A record that does not decrypt is the peer's fault or the network's, not ours.
    ctx.fireExceptionCaught(
        cause instanceof IOException ? cause : new IOException(String.valueOf(cause), cause));
    ChannelFuture _ = ctx.close();
  }
}
