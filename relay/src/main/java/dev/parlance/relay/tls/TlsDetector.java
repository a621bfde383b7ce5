package dev.parlance.relay.tls;

import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.TlsPolicy;
import dev.parlance.relay.net.FirstByteHandler;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslContext;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Looks at the first byte of a client's connection: 22 begins a handshake of TLS and no message of
 * HTTP. Everything else is clear text, counted, and closed unless it is allowed. Stands in front of
 * the handlers of HTTP and is gone once it knows.
 */
public final class TlsDetector extends FirstByteHandler {
  private static final int HANDSHAKE = 22;

  private final TlsPolicy policy;
  private final RelayEvents events;
  private final BiConsumer<String, String> told;

  /**
   * @param told once of a handshake, as by {@link TlsGate}: the protocol that was agreed on behind
   *     {@link TlsGate#OK}
   */
  public TlsDetector(TlsPolicy policy, RelayEvents events, BiConsumer<String, String> told) {
    this.policy = policy;
    this.events = events;
    this.told = told;
  }

  @Override
  protected void begun(ChannelHandlerContext ctx, int octet, ByteBuf bytes) {
    if (octet == HANDSHAKE) {
      Optional<SslContext> context = policy.context();
      if (context.isEmpty()) {
        refuse(ctx, bytes, "no_identity");
        return;
      }
      TlsGate.ofClient(ctx, context.get(), policy, events, told);
    } else if (policy.allowsClearText()) {
      events.handshake("clear_text");
    } else {
      refuse(ctx, bytes, "clear_text_refused");
      return;
    }
    ctx.fireChannelRead(bytes);
    ctx.pipeline().remove(this);
  }

  private void refuse(ChannelHandlerContext ctx, ByteBuf bytes, String code) {
    bytes.release();
    events.handshake(code);
    ChannelFuture _ = ctx.close();
  }
}
