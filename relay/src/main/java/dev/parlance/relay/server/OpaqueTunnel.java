package dev.parlance.relay.server;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.InterceptionPolicy;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.client.OriginConnector;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.net.FirstByteHandler;
import dev.parlance.relay.server.HttpListener.AcceptedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the bytes of a client's connection on to where it is going, and back, and reads none of
 * them. A side that takes no more stops the other; a side that ends its sending ends it towards the
 * other; when both have, or one breaks, both are closed.
 */
public final class OpaqueTunnel implements AcceptedConnection, OriginConnector.Caller {
  private static final Logger LOG = LoggerFactory.getLogger(OpaqueTunnel.class);

  /** A client that ends its sending is read to the end, also while there is no other side yet. */
  private static final int MAX_EARLY_BYTES = 256 * 1024;

  private static final String NO_BODY = "\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

  /** What a client hears in HTTP. */
  public enum Told {
    /** Nothing: it knows nothing of us. */
    NOTHING,
    /** That there is no way on. */
    FAILURE,
    /** That, or that there is one. */
    ALL
  }

  private final SocketChannel client;
  private final Consumer<AcceptedConnection> ended;
  private final Told told;
  private @Nullable OriginConnector dial;
  private @Nullable SocketChannel origin;
  private @Nullable ByteBuf first;
  private boolean clientDone;
  private boolean originDone;
  private boolean over;

  private OpaqueTunnel(
      SocketChannel client, ByteBuf first, Told told, Consumer<AcceptedConnection> ended) {
    this.client = client;
    this.first = first;
    this.told = told;
    this.ended = ended;
  }

  /**
   * Takes over a client's channel, from which the handlers of HTTP are gone.
   *
   * @param first what has been read of it, which the tunnel owns from now on
   * @param to where it was going; put to the guard of the client of origins as any other
   * @param told what of the connection to the other side the client is told
   * @param ended told once, when the client's side has ended
   */
  public static OpaqueTunnel open(
      SocketChannel client,
      ByteBuf first,
      OriginClient origins,
      Destination to,
      int connectMs,
      Told told,
      Consumer<AcceptedConnection> ended) {
    OpaqueTunnel tunnel = new OpaqueTunnel(client, first, told, ended);
    client.config().setAutoRead(false);
    client.pipeline().addLast(tunnel.new ClientSide());
    OriginConnector begun =
        origins.dial(client.eventLoop(), to, connectMs, tunnel::pipeline, tunnel);
    tunnel.dial = begun;
    begun.start();
    return tunnel;
  }

  private void pipeline(SocketChannel channel) {
    channel.config().setAllowHalfClosure(true);
    channel.config().setKeepAlive(true);
    channel.config().setAutoRead(false);
    channel.pipeline().addLast(new Side(client));
  }

  @Override
  public void connected(Channel channel) {
    dial = null;
    if (over || !(channel instanceof SocketChannel made)) {
      EventLoops.close(channel);
      return;
    }
    origin = made;
    client.pipeline().addLast(new Side(made));
    if (told == Told.ALL) {
      tell("HTTP/1.1 200 Connection established\r\n\r\n");
    }
    ByteBuf held = first;
    first = null;
    if (held != null) {
      write(client, made, held);
    }
    made.config().setAutoRead(true);
    if (clientDone) {
      shut(made);
    } else if (made.isWritable()) {
      client.config().setAutoRead(true);
    }
  }

  @Override
  public void notConnected(String code, String detail) {
    dial = null;
    LOG.debug("no way on for an opaque connection: {} ({})", code, detail);
    if (told != Told.NOTHING) {
      tell("HTTP/1.1 502 Bad Gateway\r\nparlance-reason: " + code + NO_BODY);
    }
    finish();
  }

  private void tell(String head) {
    if (client.isActive()) {
      client
          .writeAndFlush(ByteBufUtil.writeAscii(client.alloc(), head))
          .addListener(done -> LOG.debug("told: {}", done.isSuccess()));
    }
  }

  @Override
  public Channel channel() {
    return client;
  }

  /** Nobody knows where a message ends here: it lasts until it ends itself or is cut. */
  @Override
  public void drain(long noticeMs) {}

  private static void write(SocketChannel from, SocketChannel to, ByteBuf bytes) {
    to.writeAndFlush(bytes)
        .addListener(done -> {
          if (!done.isSuccess()) {
            EventLoops.close(from);
            EventLoops.close(to);
          }
        });
    if (!to.isWritable()) {
      from.config().setAutoRead(false);
    }
  }

  /** Both sides end; what is on its way to one that is whole still gets there. */
  private void finish() {
    if (over) {
      return;
    }
    over = true;
    ByteBuf held = first;
    first = null;
    if (held != null) {
      held.release();
    }
    OriginConnector pending = dial;
    dial = null;
    if (pending != null) {
      pending.stop();
    }
    endAfterWrites(client);
    SocketChannel made = origin;
    if (made != null) {
      endAfterWrites(made);
    }
  }

  private static void endAfterWrites(SocketChannel channel) {
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> EventLoops.close(channel));
  }

  /**
   * Everything that one side sent has been read. That it has ended its sending is known earlier,
   * while some of it may still be in the kernel.
   */
  private void done(boolean ofClient, SocketChannel towards) {
    if (ofClient) {
      clientDone = true;
    } else {
      originDone = true;
    }
    if (clientDone && originDone) {
      finish();
    } else {
      shut(towards);
    }
  }

  /** Ends the sending towards a side; only after what is queued, which it would drop. */
  private static void shut(SocketChannel to) {
    to.writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            _ -> to.shutdownOutput().addListener(done -> LOG.debug("shut: {}", done.isSuccess())));
  }

  /** An end of a channel: where one is gone, all is over. */
  private abstract class End extends ChannelInboundHandlerAdapter {
    /** Nothing more comes from this side. */
    abstract void inputShut(Channel channel);

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof ChannelInputShutdownReadComplete) {
        inputShut(ctx.channel());
      }
      ctx.fireUserEventTriggered(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      finish();
      ctx.fireChannelInactive();
    }
  }

  /** What comes while there is no other side yet, and the end of the client's channel. */
  private final class ClientSide extends End {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (origin != null || !(message instanceof ByteBuf bytes)) {
        ctx.fireChannelRead(message);
      } else if (over) {
        bytes.release();
      } else {
        ByteBuf held = first == null ? Unpooled.EMPTY_BUFFER : first;
        first = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), held, bytes);
        if (first.readableBytes() > MAX_EARLY_BYTES) {
          finish();
        }
      }
    }

    @Override
    void inputShut(Channel channel) {
      clientDone |= origin == null;
    }

    @Override
    public void channelUnregistered(ChannelHandlerContext ctx) {
      ended.accept(OpaqueTunnel.this);
      ctx.fireChannelUnregistered();
    }
  }

  /** Reads one side for the other. */
  private final class Side extends End {
    private final SocketChannel other;

    Side(SocketChannel other) {
      this.other = other;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof ByteBuf bytes) {
        write((SocketChannel) ctx.channel(), other, bytes);
      } else {
        ctx.fireChannelRead(message);
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
      other.config().setAutoRead(ctx.channel().isWritable());
      ctx.fireChannelWritabilityChanged();
    }

    @Override
    void inputShut(Channel channel) {
      done(channel.equals(client), other);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      if (cause instanceof IOException) {
        LOG.debug("a side of an opaque connection broke: {}", cause.toString());
      } else {
        LOG.error("an opaque connection failed", cause);
      }
      finish();
    }
  }

  /**
   * Looks at the first byte of a redirected connection. A request of HTTP begins with a letter;
   * some servers forgive line breaks, blanks and other visible characters before it. All of those
   * go to the strict reader, so that nothing which anybody might take for HTTP passes as something
   * else. Stands in front of the handlers of HTTP and is gone once it knows.
   */
  public static final class FirstByte extends FirstByteHandler {
    private static final int TLS_HANDSHAKE = 22;

    /** Takes over a channel that is not HTTP, and owns what has been read of it. */
    private final BiConsumer<InterceptionPolicy.Form, ByteBuf> otherwise;

    public FirstByte(BiConsumer<InterceptionPolicy.Form, ByteBuf> otherwise) {
      this.otherwise = otherwise;
    }

    @Override
    protected void begun(ChannelHandlerContext ctx, int first, ByteBuf bytes) {
      if (mayBeHttp(first)) {
        ctx.fireChannelRead(bytes);
        ctx.pipeline().remove(this);
        return;
      }
      otherwise.accept(
          first == TLS_HANDSHAKE ? InterceptionPolicy.Form.TLS : InterceptionPolicy.Form.OTHER,
          bytes);
    }

    static boolean mayBeHttp(int octet) {
      return (octet >= 0x20 && octet < 0x7f) || (octet >= 0x09 && octet <= 0x0d);
    }
  }
}
