package dev.parlance.proxy.probe;

import dev.parlance.proxy.admin.AdminPorts.ProbePort.ProbeResult;
import dev.parlance.proxy.config.Probe;
import dev.parlance.relay.api.AddressGuard;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.HttpMessageLimits;
import dev.parlance.relay.api.HttpProtocol;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.RelayEvents;
import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.client.OriginClient;
import dev.parlance.relay.net.EventLoops;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * {@code grpc.health.v1.Health/Check} over HTTP/2 without TLS, on a connection of its own as the
 * kubelet makes it: one that is kept would not notice that no other can be made.
 *
 * @param loops whose threads ask
 */
public record GrpcCheck(EventLoops loops) {
  private static final int SERVING = 1;

  /** Tag of field 1 as text, and as a number. */
  private static final int TEXT_1 = 0x0a;

  private static final int NUMBER_1 = 0x08;
  private static final int PREFIX_BYTES = 5;
  private static final int MOST_OF_ONE_BYTE = 0x7f;

  ProbeResult make(Probe probe, String service) {
    CompletableFuture<ProbeResult> outcome = new CompletableFuture<>();
    try (OriginClient client =
        new OriginClient(loops, AddressGuard.forThisMachine(true, Set.of()), RelayEvents.NOOP)) {
      OriginCall call =
          client.ask(
              loops.next(),
              new Destination(probe.host(), probe.port(), HttpProtocol.HTTP2),
              request(probe, service),
              HttpMessageLimits.DEFAULT,
              Timeouts.DEFAULT.answeredWithin(probe.timeoutMs()),
              result -> outcome.complete(read(result)));
      try {
        return outcome.get(probe.timeoutMs(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException | ExecutionException e) {
        call.cancel();
        return new ProbeResult(false, "no answer in " + probe.timeoutMs() + " ms");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        call.cancel();
        return new ProbeResult(false, "the sidecar stops");
      }
    } catch (IOException e) {
      return new ProbeResult(false, "cannot ask: " + e.getMessage());
    }
  }

  private static WholeRequest request(Probe probe, String service) {
    byte[] name = service.getBytes(StandardCharsets.UTF_8);
    ByteBuf message = Unpooled.buffer();
    if (name.length > 0) {
      message.writeByte(TEXT_1);
      varint(message, name.length);
      message.writeBytes(name);
    }
    ByteBuf body = Unpooled.buffer();
    body.writeByte(0);
    body.writeInt(message.readableBytes());
    body.writeBytes(message);
    HttpHeaders headers =
        new DefaultHttpHeaders()
            .set("content-type", "application/grpc")
            .set("te", "trailers")
            .set("user-agent", "kube-probe/parlance");
    return new WholeRequest(
        HttpMethod.POST, "/grpc.health.v1.Health/Check", probe.address(), false, headers, body);
  }

  private static void varint(ByteBuf out, int value) {
    int rest = value;
    while (rest > MOST_OF_ONE_BYTE) {
      out.writeByte((rest & MOST_OF_ONE_BYTE) | (MOST_OF_ONE_BYTE + 1));
      rest >>>= 7;
    }
    out.writeByte(rest);
  }

  private static ProbeResult read(OriginResult result) {
    return switch (result) {
      case OriginResult.Failed(String code, _, String detail) ->
          new ProbeResult(false, "no answer: " + code + " (" + detail + ")");
      case OriginResult.Answered(WholeResponse response) -> {
        try {
          yield outcome(response);
        } finally {
          response.body().release();
        }
      }
    };
  }

  private static ProbeResult outcome(WholeResponse response) {
    String status =
        response.trailers().get("grpc-status", response.headers().get("grpc-status", ""));
    if (response.status() != 200 || !status.equals("0")) {
      return new ProbeResult(
          false,
          "status " + response.status() + ", grpc-status " + (status.isEmpty() ? "-" : status));
    }
    ByteBuf body = response.body();
    // A message of one number: whatever else a newer server says, that one comes first.
    boolean isServing =
        body.readableBytes() >= PREFIX_BYTES + 2
            && body.getByte(body.readerIndex()) == 0
            && body.getByte(body.readerIndex() + PREFIX_BYTES) == NUMBER_1
            && body.getByte(body.readerIndex() + PREFIX_BYTES + 1) == SERVING;
    return new ProbeResult(
        isServing, isServing ? "the agent is serving" : "the agent is not serving");
  }
}
