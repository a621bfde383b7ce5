package dev.parlance.relay.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what fails when a listener accepts, as a rule for want of file descriptors: says so once in
 * a while, and lets the listener rest, because what it cannot take stays there and would fail again
 * at once.
 */
final class AcceptFailures extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptFailures.class);
  private static final long REST_MS = 100;
  private static final long SAY_EVERY_NS = TimeUnit.MINUTES.toNanos(1);

  private long saidNs = System.nanoTime() - SAY_EVERY_NS;

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    long nowNs = System.nanoTime();
    if (nowNs - saidNs >= SAY_EVERY_NS) {
      saidNs = nowNs;
      LOG.warn(
          "connections to {} cannot be accepted: {}; too few file descriptors (ulimit -n) are the"
              + " usual cause",
          context.channel().localAddress(),
          cause.getMessage());
      LOG.debug("accepting failed", cause);
    }
    if (context.channel().config().isAutoRead()) {
      context.channel().config().setOption(ChannelOption.AUTO_READ, false);
      ScheduledFuture<?> _ =
          context
              .channel()
              .eventLoop()
              .schedule(
                  () -> context.channel().config().setOption(ChannelOption.AUTO_READ, true),
                  REST_MS,
                  TimeUnit.MILLISECONDS);
    }
  }
}
