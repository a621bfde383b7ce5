package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.service.testing.LeakCheck;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An HTTP/2 origin that takes no more requests, or none yet: each is carried out once or not. */
@ExtendWith(LeakCheck.class)
class H2OriginEndsTest {
  private static final Timeouts QUICK = new Timeouts(8000, 8000, 8000, 300, 300, 8000, 8000);
  private static final int MAX_STREAMS = 3;
  private static final int MOST_CONNECTIONS = 8;
  private static final String POST = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nz";

  /** What an origin does with a connection, counted from 1. */
  @FunctionalInterface
  private interface Frames {
    void run(H2RawOrigin origin, int connection) throws IOException;
  }

  private static FakeOrigin origin(byte[] settings, Frames frames) throws IOException {
    AtomicInteger connections = new AtomicInteger();
    return new FakeOrigin((_, socket) ->
        frames.run(new H2RawOrigin(socket, settings), connections.incrementAndGet()));
  }

  private static TestRelay to(FakeOrigin origin, Timeouts timeouts) throws IOException {
    return TestRelay.to(
        new Destination("127.0.0.1", origin.port(), HttpProtocol.HTTP2),
        TestRelay.LIMITS,
        timeouts);
  }

  private static void answer(H2RawOrigin origin, int stream, String body) throws IOException {
    origin.headers(stream, false, ":status", "200");
    origin.data(stream, true, body);
  }

  @Test
  void originThatAllowsNoStreamYet_isWaitedFor() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (FakeOrigin origin =
            origin(
                H2RawClient.setting(MAX_STREAMS, 0),
                (o, connection) -> {
                  boolean known = false;
                  while (!known) {
                    H2RawClient.Frame frame =
                        o.next().orElseThrow(() -> new IOException("no acknowledgement"));
                    known = frame.type() == H2RawClient.SETTINGS && frame.flags() == 1;
                  }
                  if (connection == 1) {
                    o.frame(H2RawClient.SETTINGS, 0, 0, H2RawClient.setting(MAX_STREAMS, 1));
                  }
                  for (int stream = o.request(); stream != 0; stream = o.request()) {
                    asked.incrementAndGet();
                    answer(o, stream, "waited");
                  }
                });
        TestRelay relay = to(origin, TestRelay.PATIENT);
        RawClient client = relay.connect()) {
      client.send(POST);
      assertThat(client.reply().body()).isEqualTo("waited");
      assertThat(asked).hasValue(1);
    }
  }

  @Test
  void originThatNeverAllowsAStream_isGivenUpInTime_withFewConnections() throws IOException {
    try (FakeOrigin origin =
            origin(
                H2RawClient.setting(MAX_STREAMS, 0), (o, _) -> assertThat(o.request()).isZero());
        TestRelay relay = to(origin, QUICK);
        RawClient client = relay.connect()) {
      client.send(POST);
      assertThat(client.reply().body()).isEqualTo("origin_streams");
      assertThat(origin.connections()).isBetween(1, MOST_CONNECTIONS);
    }
  }

  @Test
  void requestThatGoAwayIncludes_isAnsweredThere_andTheNextOnANewConnection() throws IOException {
    try (FakeOrigin origin =
            origin(
                new byte[0],
                (o, connection) -> {
                  for (int stream = o.request(); stream != 0; stream = o.request()) {
                    byte[] last = ByteBuffer.allocate(8).putInt(stream).putInt(0).array();
                    o.frame(H2RawClient.GOAWAY, 0, 0, last);
                    answer(o, stream, "from " + connection);
                  }
                });
        TestRelay relay = to(origin, TestRelay.PATIENT);
        RawClient client = relay.connect()) {
      client.send(POST);
      assertThat(client.reply().body()).isEqualTo("from 1");
      client.send(POST);
      assertThat(client.reply().body()).isEqualTo("from 2");
    }
  }

  /** Whatever its code says: an origin that has begun to answer has carried the request out. */
  @Test
  void streamThatIsRefusedBehindItsHead_isNotRepeated() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (FakeOrigin origin =
            origin(
                new byte[0],
                (o, _) -> {
                  for (int stream = o.request(); stream != 0; stream = o.request()) {
                    asked.incrementAndGet();
                    o.headers(stream, false, ":status", "200");
                    o.frame(
                        H2RawClient.RST_STREAM,
                        0,
                        stream,
                        H2RawClient.number((int) Http2Error.REFUSED_STREAM.code()));
                  }
                });
        TestRelay relay = to(origin, TestRelay.PATIENT);
        RawClient client = relay.connect()) {
      client.send(POST);
      assertThat(client.reply().body()).isEqualTo("origin_closed");
      assertThat(asked).hasValue(1);
    }
  }
}
