package dev.parlance.proxy.control;

import dev.parlance.proxy.config.ControlSettings.ControlTls;
import dev.parlance.service.config.HostPort;
import dev.parlance.service.identity.Svid;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Channels to the control plane. The certificates are read each time. */
public final class ControlChannels {
  private static final int KEEPALIVE_S = 30;
  private static final int KEEPALIVE_TIMEOUT_S = 10;

  /**
   * Where to.
   *
   * @param version version of the sidecar's software
   * @param maxMessageBytes largest message that is taken
   */
  public record Settings(
      HostPort target, Optional<ControlTls> tls, String version, int maxMessageBytes) {}

  private ControlChannels() {}

  /**
   * A channel that is not connected yet.
   *
   * @param svid shown to the control plane, where it encrypts
   * @param io its sockets
   * @param thread its callbacks
   * @throws IOException if the TLS files cannot be used
   */
  public static ManagedChannel open(
      Settings settings, Optional<Svid> svid, EventLoopGroup io, Executor thread)
      throws IOException {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(settings.target().host(), settings.target().port())
            .eventLoopGroup(io)
            .channelType(NioSocketChannel.class)
            .executor(thread)
            .userAgent("parlance-sidecar/" + settings.version())
            .maxInboundMessageSize(settings.maxMessageBytes())
            .keepAliveTime(KEEPALIVE_S, TimeUnit.SECONDS)
            .keepAliveTimeout(KEEPALIVE_TIMEOUT_S, TimeUnit.SECONDS)
            .disableServiceConfigLookUp()
            .disableRetry();
    if (settings.tls().isEmpty()) {
      return builder.usePlaintext().build();
    }
    ControlTls tls = settings.tls().get();
    try {
      SslContextBuilder context = GrpcSslContexts.forClient().trustManager(tls.ca().toFile());
      tls.own().ifPresent(own -> context.keyManager(own.cert().toFile(), own.key().toFile()));
      svid.ifPresent(
          own -> context.keyManager(own.key(), own.chain().toArray(X509Certificate[]::new)));
      return builder.sslContext(context.build()).build();
    } catch (IllegalArgumentException e) {
      throw new IOException("the TLS files cannot be used: " + e.getMessage(), e);
    }
  }
}
