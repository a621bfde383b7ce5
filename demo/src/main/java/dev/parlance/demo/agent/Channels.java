package dev.parlance.demo.agent;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * gRPC channels of one client. Where the JVM has a proxy for HTTP configured they lead there, with
 * the origin as authority: that is how a proxy for HTTP/2 without TLS is told where a call goes.
 */
final class Channels implements AutoCloseable {
  private static final long STOP_MS = 2_000;

  private final List<ManagedChannel> opened = new ArrayList<>();

  /** A channel to {@code host:port}. */
  synchronized ManagedChannel to(String target) {
    String next = proxy().orElse(target);
    int colon = next.lastIndexOf(':');
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(
                    next.substring(0, colon), Integer.parseInt(next.substring(colon + 1))))
            .overrideAuthority(target)
            .proxyDetector(address -> null)
            .usePlaintext()
            .build();
    opened.add(channel);
    return channel;
  }

  private static Optional<String> proxy() {
    String host = System.getProperty("http.proxyHost");
    String port = System.getProperty("http.proxyPort");
    return host == null || port == null ? Optional.empty() : Optional.of(host + ":" + port);
  }

  @Override
  public synchronized void close() {
    opened.forEach(ManagedChannel::shutdownNow);
    try {
      for (ManagedChannel channel : opened) {
        channel.awaitTermination(STOP_MS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
