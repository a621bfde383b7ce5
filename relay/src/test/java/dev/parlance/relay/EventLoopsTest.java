package dev.parlance.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.ExchangeHandler;
import dev.parlance.relay.api.ExchangeHandler.Rejection;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.net.EventLoops;
import dev.parlance.relay.net.Transport;
import dev.parlance.relay.server.HttpListener;
import dev.parlance.service.testing.LeakCheck;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(LeakCheck.class)
class EventLoopsTest {
  @ParameterizedTest
  @EnumSource(Transport.class)
  void everyTransport_carriesAnExchange(Transport transport) throws IOException {
    Assumptions.assumeTrue(transport.isAvailable(), "not on this machine");
    ExchangeHandler handler =
        new ExchangeHandler() {
          @Override
          public void onRequest(ServerCall exchange, WholeRequest request) {
            TestRelay.echo(exchange, request);
          }

          @Override
          public WholeResponse onRejected(Rejection rejection) {
            return TestRelay.text(rejection.status(), rejection.code());
          }
        };
    try (EventLoops loops = EventLoops.start(1, transport);
        HttpListener listener =
            new HttpListener(
                loops, TestRelay.LIMITS, TestRelay.PATIENT, handler, RelayEvents.NOOP);
        OriginClient client =
            new OriginClient(loops, new AddressGuard(true, Set.of(), Set.of()), RelayEvents.NOOP)) {
      assertThat(loops.transport()).isEqualTo(transport.code());
      int port = listener.bind("127.0.0.1", 0);
      CompletableFuture<Integer> status = new CompletableFuture<>();
      client.ask(
          loops.next(),
          new Destination("127.0.0.1", port),
          new WholeRequest(
              HttpMethod.POST,
              "/x",
              "a",
              false,
              new DefaultHttpHeaders(),
              TestRelay.buffer("hello")),
          TestRelay.LIMITS,
          TestRelay.PATIENT,
          result -> {
            if (result instanceof OriginResult.Answered(WholeResponse response)) {
              response.body().release();
              status.complete(response.status());
            } else {
              status.completeExceptionally(new IOException(result.toString()));
            }
          });
      assertThat(status).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(200);
      assertThatThrownBy(() -> listener.bind("127.0.0.1", 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void ioUring_isOnlyTakenWhereItIsAskedFor_andWhatIsNotThereIsReplaced() {
    assertThat(Transport.choose("auto")).isNotEqualTo(Transport.IO_URING);
    assertThat(Transport.choose("nio")).isEqualTo(Transport.NIO);
    assertThat(Transport.choose("io_uring"))
        .isEqualTo(
            Transport.IO_URING.isAvailable() ? Transport.IO_URING : Transport.choose("auto"));
    assertThat(Transport.choose("pigeon")).isEqualTo(Transport.choose("auto"));
  }

  @Test
  void portInUse_isAnIoError() throws IOException {
    try (FakeOrigin taken = FakeOrigin.always("");
        EventLoops loops = EventLoops.start(1);
        HttpListener listener =
            new HttpListener(
                loops,
                TestRelay.LIMITS,
                TestRelay.PATIENT,
                new ExchangeHandler() {
                  @Override
                  public void onRequest(ServerCall exchange, WholeRequest request) {
                    TestRelay.echo(exchange, request);
                  }

                  @Override
                  public WholeResponse onRejected(Rejection rejection) {
                    return TestRelay.text(rejection.status(), rejection.code());
                  }
                },
                RelayEvents.NOOP)) {
      assertThatThrownBy(() -> listener.bind("127.0.0.1", taken.port()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(Integer.toString(taken.port()));
    }
  }
}
