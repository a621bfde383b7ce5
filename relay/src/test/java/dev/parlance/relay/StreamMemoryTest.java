package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.service.testing.LeakCheck;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What bodies that pass piece by piece hold of memory: a bound per stream, whatever their size. */
@ExtendWith(LeakCheck.class)
class StreamMemoryTest {
  private static final byte[] GET =
      "GET /s HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int PIECE = 16 * 1024;
  private static final int MIB = 1 << 20;

  /** Chunks of the allocator that are in use only in part. */
  private static final int SLACK_BYTES = 16 * MIB;

  /** Unsent bytes up to the mark, and what was read in one go when it was reached. */
  private static final int STREAM_BYTES = 192 * 1024;

  private final StreamRelay streams = new StreamRelay();
  private final AtomicLong written = new AtomicLong();

  private static long directBytes() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }

  private FakeOrigin pouring(int pieces) throws IOException {
    String piece = Integer.toHexString(PIECE) + "\r\n" + "x".repeat(PIECE) + "\r\n";
    return new FakeOrigin((self, socket) -> {
      self.read(socket);
      FakeOrigin.say(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (int i = 0; i < pieces; i++) {
        FakeOrigin.say(socket, piece);
        written.addAndGet(PIECE);
      }
      FakeOrigin.say(socket, "0\r\n\r\n");
    });
  }

  private TestRelay to(FakeOrigin origin) throws IOException {
    HttpMessageLimits limits = HttpMessageLimits.DEFAULT;
    Timeouts timeouts = new Timeouts(8000, 8000, 8000, 2000, 8000, 60_000, 60_000);
    return TestRelay.streaming(streams, origin.destination(), limits, timeouts);
  }

  @Test
  void G15_streamOf64MiB_holdsNoMoreThanAShortOne() throws Exception {
    long before = directBytes();
    AtomicLong peak = new AtomicLong(before);
    AtomicBoolean over = new AtomicBoolean();
    Thread sampler =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) {
                peak.accumulateAndGet(directBytes(), Math::max);
                Thread.onSpinWait();
              }
            });
    try (FakeOrigin origin = pouring(64 * MIB / PIECE);
        TestRelay relay = to(origin);
        RawClient client = relay.connect()) {
      client.socket().getOutputStream().write(GET);
      InputStream in = client.socket().getInputStream();
      byte[] buffer = new byte[MIB];
      long got = 0;
      while (got < 64L * MIB) {
        int read = in.read(buffer);
        assertThat(read).isPositive();
        got += read;
      }
      await().until(() -> streams.ended.get() == 1);
    } finally {
      over.set(true);
      sampler.join();
    }
    assertThat(peak.get() - before).isLessThan(SLACK_BYTES + STREAM_BYTES);
  }

  @Test
  void G15_hundredSlowReaders_holdABoundedAmountEach() throws Exception {
    int readers = 100;
    long before = directBytes();
    List<Socket> sockets = new ArrayList<>();
    try (FakeOrigin origin = pouring(1 << 20);
        TestRelay relay = to(origin);
        RawClient first = relay.connect()) {
      int port = first.socket().getPort();
      for (int i = 0; i < readers; i++) {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.getOutputStream().write(GET);
      }
      AtomicLong last = new AtomicLong(-1);
      await()
          .pollInterval(Duration.ofMillis(300))
          .atMost(Duration.ofSeconds(40))
          .until(() ->
              streams.pauses.get() >= readers && last.getAndSet(written.get()) == written.get());
      for (Socket socket : sockets) {
        assertThat(socket.getInputStream().readNBytes(8)).hasSize(8);
      }
      assertThat(directBytes() - before).isLessThan(SLACK_BYTES + (long) readers * STREAM_BYTES);
      assertThat(streams.aborted.get()).isZero();
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}
