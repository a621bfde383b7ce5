package dev.parlance.relay.server;

import dev.parlance.relay.api.InterceptionPolicy;
import dev.parlance.relay.api.InterceptionPolicy.Action;
import dev.parlance.relay.net.Deadline;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads of a redirected connection which server the handshake of TLS names (SNI), asks what becomes
 * of it, and gives back every byte it has read. Nothing else is read meanwhile.
 */
final class ServerNameReader extends AbstractSniHandler<Action> {
  /** Time for a handshake to be whole; then it names nobody. */
  private static final long HANDSHAKE_MS = 3_000;

  private final InterceptionPolicy rules;
  private final InetSocketAddress original;
  private final BiConsumer<Optional<String>, Action> then;

  /** How the sender has ended, while nobody else is to know. */
  private final List<Object> ends = new ArrayList<>(2);

  private @Nullable Deadline deadline;
  private boolean asked;

  /**
   * @param original where the connection was going
   * @param then called once, with the name and what becomes of the connection
   */
  ServerNameReader(
      InterceptionPolicy rules,
      InetSocketAddress original,
      BiConsumer<Optional<String>, Action> then) {
    super(0); // Netty's timer only closes, and is not ended by the sender's end
    this.rules = rules;
    this.original = original;
    this.then = then;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    Deadline whole = new Deadline(ctx.channel().eventLoop(), () -> nobody(ctx));
    whole.set(HANDSHAKE_MS);
    deadline = whole;
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
    if (deadline != null) {
      deadline.cancel();
    }
    super.handlerRemoved0(ctx);
  }

  /**
   * Whoever ends its sending before its handshake is whole names nobody. The end is told behind the
   * bytes, to whoever has the channel then: to HTTP it would be that the client has left.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof ChannelInputShutdownEvent) {
      ends.add(event);
    } else if (event instanceof ChannelInputShutdownReadComplete) {
      ends.add(event);
      nobody(ctx);
    } else {
      super.userEventTriggered(ctx, event);
    }
  }

  /** Nothing has been named, and nothing will be. */
  private void nobody(ChannelHandlerContext ctx) {
    if (!asked) {
      ask(ctx, Optional.empty())
          .addListener((Future<Action> action) -> onLookupComplete(ctx, null, action));
    }
  }

  @Override
  protected Future<Action> lookup(ChannelHandlerContext ctx, @Nullable String name) {
    // Once: who was asked about nobody meanwhile has the last word.
    return asked ? ctx.executor().newPromise() : ask(ctx, Optional.ofNullable(name));
  }

  private Future<Action> ask(ChannelHandlerContext ctx, Optional<String> name) {
    asked = true;
    Promise<Action> action = ctx.executor().newPromise();
    rules.unreadable(
        ctx.channel().eventLoop(), original, InterceptionPolicy.Form.TLS, name, action::trySuccess);
    return action;
  }

  @Override
  protected void onLookupComplete(
      ChannelHandlerContext ctx, @Nullable String name, Future<Action> future) {
    if (ctx.channel().isActive()) {
      then.accept(Optional.ofNullable(name), future.getNow());
    }
    if (!ctx.isRemoved()) {
      ctx.pipeline().remove(this); // what it has read goes to whoever has the channel now
      ends.forEach(ctx.pipeline()::fireUserEventTriggered);
    }
  }
}
