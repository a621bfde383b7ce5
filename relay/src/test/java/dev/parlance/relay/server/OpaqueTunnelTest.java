package dev.parlance.relay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.net.Transport;
import dev.parlance.service.testing.LeakCheck;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes that nobody reads get there, all of them, in both directions. */
@ExtendWith(LeakCheck.class)
class OpaqueTunnelTest {
  private static final int BYTES = 1 << 20;

  /** A listener whose every connection is a tunnel. */
  private static final class Tunnels implements AutoCloseable {
    private final EventLoops loops;
    private final OriginClient origins;
    private final Channel server;
    private final Semaphore ended = new Semaphore(0);

    Tunnels(Transport transport, int port) {
      loops = EventLoops.start(1, transport);
      origins =
          new OriginClient(loops, new AddressGuard(true, Set.of(), Set.of()), RelayEvents.NOOP);
      Destination to = new Destination("127.0.0.1", port);
      server =
          new ServerBootstrap()
              .group(loops.group())
              .channel(loops.serverChannel())
              .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
              .childHandler(
                  new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                      OpaqueTunnel.open(
                          channel,
                          Unpooled.EMPTY_BUFFER,
                          origins,
                          to,
                          5_000,
                          OpaqueTunnel.Told.NOTHING,
                          _ -> ended.release());
                    }
                  })
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .syncUninterruptibly()
              .channel();
    }

    Socket connect() throws IOException {
      Socket socket =
          new Socket(
              InetAddress.getLoopbackAddress(),
              ((InetSocketAddress) server.localAddress()).getPort());
      socket.setSoTimeout(60_000);
      return socket;
    }

    @Override
    public void close() {
      server.close().syncUninterruptibly();
      origins.close();
      loops.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void bothSidesEndInTheirOwnTime_andNothingIsLost(Transport transport) throws Exception {
    Assumptions.assumeTrue(transport.isAvailable(), "not on this machine");
    byte[] sent = new byte[BYTES];
    new Random(11).nextBytes(sent);
    try (ServerSocket origin = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        Tunnels tunnels = new Tunnels(transport, origin.getLocalPort())) {
      CompletableFuture<byte[]> arrived =
          CompletableFuture.supplyAsync(() -> repeatAtTheEnd(origin));
      try (Socket client = tunnels.connect()) {
        client.getOutputStream().write(sent);
        client.shutdownOutput();
        assertThat(mismatch(arrived.get(60, TimeUnit.SECONDS), sent)).isEqualTo(-1);
        assertThat(mismatch(client.getInputStream().readAllBytes(), sent)).isEqualTo(-1);
      }
      assertThat(tunnels.ended.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void clientThatEndedItsSide_isSentAllThereIs_howeverSlowlyItReads(Transport transport)
      throws Exception {
    Assumptions.assumeTrue(transport.isAvailable(), "not on this machine");
    byte[] answer = new byte[32 * BYTES];
    new Random(12).nextBytes(answer);
    try (ServerSocket origin = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        Tunnels tunnels = new Tunnels(transport, origin.getLocalPort());
        Socket client = tunnels.connect()) {
      client.getOutputStream().write(1);
      client.shutdownOutput();
      CompletableFuture<Boolean> sent =
          CompletableFuture.supplyAsync(() -> answers(origin, answer));
      // while nobody reads, sockets fill up, and what is left waits until there is room
      assertThatThrownBy(() -> sent.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThat(mismatch(client.getInputStream().readAllBytes(), answer)).isEqualTo(-1);
      assertThat(sent.get(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static boolean answers(ServerSocket server, byte[] answer) {
    try (Socket socket = server.accept()) {
      assertThat(socket.getInputStream().readAllBytes()).hasSize(1);
      socket.getOutputStream().write(answer);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static int mismatch(byte[] got, byte[] expected) {
    return Arrays.mismatch(got, expected);
  }

  private static byte[] repeatAtTheEnd(ServerSocket server) {
    try (Socket socket = server.accept()) {
      byte[] all = socket.getInputStream().readAllBytes();
      socket.getOutputStream().write(all);
      return all;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void clientThatLeaves_endsTheOtherSide_andTheOtherWayRound() throws Exception {
    Transport transport = Transport.choose("auto");
    try (ServerSocket origin = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        Tunnels tunnels = new Tunnels(transport, origin.getLocalPort())) {
      try (Socket far = afterReset(tunnels.connect(), origin::accept)) {
        assertThat(end(far)).isLessThan(0);
      }
      Socket client = tunnels.connect();
      try (client) {
        reset(origin.accept());
        assertThat(end(client)).isLessThan(0);
      }
      assertThat(tunnels.ended.tryAcquire(2, 20, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Breaks a connection off. */
  private static void reset(Socket socket) throws IOException {
    try (socket) {
      socket.setSoLinger(true, 0);
    }
  }

  private static Socket afterReset(Socket one, Callable<Socket> other) throws Exception {
    Socket far = other.call();
    far.setSoTimeout(60_000);
    reset(one);
    return far;
  }

  /** Less than 0 once the connection is over, in whatever way. */
  private static int end(Socket socket) throws IOException {
    try {
      InputStream in = socket.getInputStream();
      return in.read();
    } catch (SocketException e) {
      return -2;
    }
  }

  @Test
  void originThatIsNotThere_endsTheClient() throws Exception {
    int nobody;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = free.getLocalPort();
    }
    try (Tunnels tunnels = new Tunnels(Transport.choose("auto"), nobody);
        Socket client = tunnels.connect()) {
      assertThat(end(client)).isLessThan(0);
      assertThat(tunnels.ended.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }
  }
}
