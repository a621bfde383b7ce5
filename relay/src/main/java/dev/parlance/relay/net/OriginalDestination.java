package dev.parlance.relay.net;

import dev.parlance.relay.api.AddressGuard;
import io.netty.channel.ChannelException;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.util.AttributeKey;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out where a connection was going before the kernel redirected it here. The kernel's
 * connection tracking knows; it is asked with the socket option {@code SO_ORIGINAL_DST}, which
 * answers with a {@code sockaddr_in} or {@code sockaddr_in6}:
 *
 * <pre>
 *   bytes  0      2      4              8                24
 *   IPv4   family port   address
 *   IPv6   family port   flow label     address          scope
 * </pre>
 */
public final class OriginalDestination {
  /** Set on a channel that was redirected. */
  private static final AttributeKey<InetSocketAddress> KEY =
      AttributeKey.valueOf(OriginalDestination.class, "address");

  private static final Logger LOG = LoggerFactory.getLogger(OriginalDestination.class);

  /** SOL_IP and SOL_IPV6; SO_ORIGINAL_DST and IP6T_SO_ORIGINAL_DST are both 80. */
  private static final RawUnixChannelOption V4 =
      new RawUnixChannelOption("SO_ORIGINAL_DST", 0, 80, 16);

  private static final RawUnixChannelOption V6 =
      new RawUnixChannelOption("IP6T_SO_ORIGINAL_DST", 41, 80, 28);

  private OriginalDestination() {}

  /**
   * Asks the kernel, and keeps the answer with the channel.
   *
   * @return empty if the connection came to our own address because its sender asked for that
   */
  public static Optional<InetSocketAddress> find(SocketChannel channel) {
    // A dual-stack listener has IPv4 peers too, of which only the IPv4 option knows.
    boolean v6 = channel.remoteAddress().getAddress() instanceof Inet6Address;
    try {
      ByteBuffer answer = channel.config().getOption(v6 ? V6 : V4);
      Optional<InetSocketAddress> found =
          answer == null ? Optional.empty() : Optional.of(read(answer, v6));
      Optional<InetSocketAddress> redirected =
          found.filter(address -> !address.equals(channel.localAddress()));
      redirected.ifPresent(address -> channel.attr(KEY).set(address));
      return redirected;
    } catch (ChannelException e) {
      LOG.debug("no original destination: {}", e.toString());
      return Optional.empty();
    }
  }

  /** What {@link #find} found. */
  public static Optional<InetSocketAddress> of(io.netty.channel.Channel channel) {
    return Optional.ofNullable(channel.attr(KEY).get());
  }

  /** Our own port on a connection; -1 if it is none of the network's. */
  public static int localPort(io.netty.channel.Channel channel) {
    return channel.localAddress() instanceof InetSocketAddress own ? own.getPort() : -1;
  }

  public static InetSocketAddress read(ByteBuffer answer, boolean v6) {
    int at = answer.position();
    int port = (answer.get(at + 2) & 0xff) << 8 | (answer.get(at + 3) & 0xff);
    byte[] address = new byte[v6 ? 16 : 4];
    answer.get(at + (v6 ? 8 : 4), address);
    return new InetSocketAddress(AddressGuard.address(address), port);
  }
}
