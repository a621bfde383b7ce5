package dev.parlance.proxy.admin;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpUtil;

/** Puts requests together up to a size, and says so in our own words past it. */
final class AdminAggregator extends HttpObjectAggregator {
  private final int maxBytes;

  AdminAggregator(int maxBytes) {
    super(maxBytes, true);
    this.maxBytes = maxBytes;
  }

  @Override
  protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
    FullHttpResponse response =
        AdminHandler.encode(
            AdminResponse.error(
                413, "body_too_large", "expected a body of at most " + maxBytes + " bytes"));
    HttpUtil.setKeepAlive(response, false);
    ctx.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }
}
