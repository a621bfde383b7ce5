package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.service.testing.LeakCheck;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who waits for whom while a body passes piece by piece, and for how long. */
@ExtendWith(LeakCheck.class)
class StreamFlowTest {
  private static final String GET = "GET /s HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final int PIECE = 32 * 1024;

  private final StreamRelay streams = new StreamRelay();
  private final AtomicLong written = new AtomicLong();

  private TestRelay to(FakeOrigin origin, int streamIdleMs, int writeMs) throws IOException {
    Timeouts timeouts = new Timeouts(8000, 8000, 8000, 2000, 1000, streamIdleMs, writeMs);
    return TestRelay.streaming(streams, origin.destination(), TestRelay.LIMITS, timeouts);
  }

  /** Writes this many pieces, as fast as they are taken. */
  private FakeOrigin pouring(int pieces) throws IOException {
    String piece = Integer.toHexString(PIECE) + "\r\n" + "x".repeat(PIECE) + "\r\n";
    return new FakeOrigin((self, socket) -> {
      self.read(socket);
      FakeOrigin.say(socket, CHUNKED);
      for (int i = 0; i < pieces; i++) {
        FakeOrigin.say(socket, piece);
        written.addAndGet(PIECE);
      }
      FakeOrigin.say(socket, "0\r\n\r\n");
      self.read(socket);
    });
  }

  /** Waits until the origin has not been able to write for a while. */
  private long writtenUntilStill() {
    AtomicLong last = new AtomicLong(-1);
    await()
        .pollInterval(Duration.ofMillis(250))
        .atMost(Duration.ofSeconds(60))
        .until(() -> last.getAndSet(written.get()) == written.get() && streams.pauses.get() > 0);
    return written.get();
  }

  private static void pause(long ms) {
    await().pollDelay(Duration.ofMillis(ms)).until(() -> true);
  }

  @Test
  void G15_clientThatDoesNotRead_stopsTheReadingFromTheOrigin_andLosesNothing() throws IOException {
    int pieces = 4096;
    try (FakeOrigin origin = pouring(pieces);
        TestRelay relay = to(origin, 8000, 20_000);
        RawClient client = relay.connect()) {
      client.send(GET);
      long still = writtenUntilStill();
      // What four socket buffers hold at most, and next to nothing of ours.
      assertThat(still).isLessThan(48L << 20);
      assertThat(streams.bytes.get()).isLessThanOrEqualTo(still + PIECE);
      assertThat(client.streamed().body()).hasSize(pieces * PIECE);
      assertThat(streams.ended.get()).isEqualTo(1);
    }
  }

  @Test
  void clientThatTakesNothing_isCut_andTheOriginToo() throws IOException {
    try (FakeOrigin origin = pouring(1 << 20);
        TestRelay relay = to(origin, 8000, 300);
        RawClient client = relay.connect()) {
      client.send(GET);
      await().until(() -> streams.aborted.get() == 1);
      await().until(() -> relay.originClosed.get() == 1);
      assertThat(streams.failures)
          .extracting(OriginResult.Failed::code)
          .containsExactly("cancelled");
    }
  }

  @Test
  void clientThatReadsSlowly_isNotCut() throws IOException {
    try (FakeOrigin origin = pouring(1 << 20);
        TestRelay relay = to(origin, 8000, 400);
        RawClient client = relay.connect()) {
      client.send(GET);
      InputStream in = client.socket().getInputStream();
      writtenUntilStill();
      for (int i = 0; i < 30; i++) {
        in.readNBytes(1 << 20);
        pause(50);
      }
      assertThat(streams.aborted.get()).isZero();
    }
  }

  @Test
  void streamThatPausesForLongerThanTheWriteTime_isNotCut_forNothingIsUnsent() throws IOException {
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              for (String part : List.of(CHUNKED, "1\r\na\r\n", "1\r\nb\r\n", "0\r\n\r\n")) {
                FakeOrigin.say(socket, part);
                pause(350);
              }
            });
        TestRelay relay = to(origin, 5000, 100);
        RawClient client = relay.connect()) {
      assertThat(client.send(GET).streamed().body()).isEqualTo("ab");
    }
  }

  @Test
  void originThatFallsSilent_breaksTheStreamOff() throws IOException {
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, CHUNKED + "1\r\na\r\n");
              socket.getInputStream().read();
            });
        TestRelay relay = to(origin, 200, 8000);
        RawClient client = relay.connect()) {
      client.send(GET);
      assertThatThrownBy(client::streamed).isInstanceOf(IOException.class);
      assertThat(streams.failures)
          .extracting(OriginResult.Failed::code)
          .containsExactly("response_timeout");
      await().until(() -> relay.originClosed.get() == 1);
    }
  }

  @Test
  void streamThatOutlastsTheResponseTime_goesOn_asLongAsPiecesCome() throws IOException {
    try (FakeOrigin origin =
            new FakeOrigin((self, socket) -> {
              self.read(socket);
              FakeOrigin.say(socket, CHUNKED);
              for (int i = 0; i < 16; i++) {
                FakeOrigin.say(socket, "1\r\na\r\n");
                pause(100);
              }
              FakeOrigin.say(socket, "0\r\n\r\n");
            });
        TestRelay relay = to(origin, 800, 8000);
        RawClient client = relay.connect()) {
      // The response time of these tests is one second.
      assertThat(client.send(GET).streamed().body()).hasSize(16);
    }
  }

  @Test
  void timeInWhichWeDoNotRead_doesNotCountAsSilenceOfTheOrigin() throws IOException {
    int pieces = 2048;
    try (FakeOrigin origin = pouring(pieces);
        TestRelay relay = to(origin, 300, 20_000);
        RawClient client = relay.connect()) {
      client.send(GET);
      writtenUntilStill();
      pause(700);
      assertThat(client.streamed().body()).hasSize(pieces * PIECE);
      assertThat(streams.failures).isEmpty();
    }
  }

  /** A sink that notes what it is told. */
  private static class Noting implements BodySink {
    final AtomicLong bytes = new AtomicLong();
    final List<String> ends = new CopyOnWriteArrayList<>();

    @Override
    public void piece(ByteBuf piece) {
      bytes.addAndGet(piece.readableBytes());
      piece.release();
    }

    @Override
    public void end(HttpHeaders trailers) {
      ends.add("end");
    }

    @Override
    public void failed(OriginResult.Failed failure) {
      ends.add(failure.code());
    }
  }

  /** Asks an origin by itself, without a client of ours, until the sink is told the end. */
  private static void ask(
      FakeOrigin origin, Noting sink, Consumer<OriginCall> onHead, Consumer<OriginCall> meanwhile) {
    EventLoops loops = EventLoops.start(1);
    try (OriginClient client =
        new OriginClient(loops, new AddressGuard(true, Set.of(), Set.of()), RelayEvents.NOOP)) {
      AtomicReference<Optional<OriginCall>> call = new AtomicReference<>(Optional.empty());
      AtomicInteger results = new AtomicInteger();
      OriginReceiver receiver =
          new OriginReceiver() {
            @Override
            public void done(OriginResult result) {
              results.incrementAndGet();
            }

            @Override
            public Optional<BodySink> onHead(int status, HttpHeaders headers) {
              onHead.accept(call.get().orElseThrow());
              return Optional.of(sink);
            }
          };
      WholeRequest request =
          new WholeRequest(
              HttpMethod.POST, "/t", "a", false, new DefaultHttpHeaders(), TestRelay.buffer("q"));
      CompletableFuture<OriginCall> begun = new CompletableFuture<>();
      var loop = loops.next();
      loop.execute(() -> {
        OriginCall made =
            client.ask(
                loop, origin.destination(), request, TestRelay.LIMITS, TestRelay.PATIENT, receiver);
        call.set(Optional.of(made));
        begun.complete(made);
      });
      meanwhile.accept(begun.join());
      await().until(() -> !sink.ends.isEmpty());
      assertThat(results.get()).isZero();
    } finally {
      loops.close();
    }
  }

  @Test
  void cancelInsideTheHead_tellsTheSinkOnce() throws IOException {
    Noting sink = new Noting();
    CompletableFuture<Integer> end = new CompletableFuture<>();
    try (FakeOrigin origin =
        new FakeOrigin((self, socket) -> {
          self.read(socket);
          FakeOrigin.say(socket, CHUNKED + "1\r\na\r\n0\r\n\r\n");
          end.complete(socket.getInputStream().read());
        })) {
      ask(origin, sink, OriginCall::cancel, _ -> {});
      assertThat(end).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(-1);
    }
    assertThat(sink.ends).containsExactly("cancelled");
    assertThat(sink.bytes.get()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sinkThatThrows_isToldTheEndOnce_andTheOriginIsCut(boolean atEnd) throws IOException {
    Noting sink =
        new Noting() {
          @Override
          public void piece(ByteBuf piece) {
            super.piece(piece);
            if (!atEnd) {
              throw new IllegalStateException("a bug");
            }
          }

          @Override
          public void end(HttpHeaders trailers) {
            super.end(trailers);
            throw new IllegalStateException("a bug");
          }
        };
    try (FakeOrigin origin = FakeOrigin.always(CHUNKED + "1\r\na\r\n1\r\nb\r\n0\r\n\r\n")) {
      ask(origin, sink, _ -> {}, _ -> {});
    }
    assertThat(sink.ends).containsExactly(atEnd ? "end" : "cancelled");
  }

  @Test
  void pauseInsideTheHead_holdsTheBody() throws IOException {
    Noting sink = new Noting();
    CompletableFuture<OriginCall> paused = new CompletableFuture<>();
    try (FakeOrigin origin =
        new FakeOrigin((self, socket) -> {
          self.read(socket);
          FakeOrigin.say(socket, CHUNKED);
          paused.join();
          FakeOrigin.say(socket, "1\r\na\r\n0\r\n\r\n");
          socket.getInputStream().read();
        })) {
      ask(
          origin,
          sink,
          call -> {
            call.pauseReading();
            paused.complete(call);
          },
          call -> {
            paused.join();
            pause(200);
            assertThat(sink.bytes.get()).isZero();
            call.cancel();
          });
    }
    assertThat(sink.ends).containsExactly("cancelled");
  }
}
