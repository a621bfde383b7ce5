package dev.parlance.proxy.pact;

import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.gate.Pacts;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sends negotiation messages to where a held request goes. */
record PactChannel(ExchangeContext exchange) implements Pacts.Channel {
  private static final int OK = 200;

  @Override
  public CompletableFuture<Optional<byte[]>> send(byte[] body) {
    CompletableFuture<Optional<byte[]>> reply = new CompletableFuture<>();
    exchange
        .loop()
        .execute(() -> {
          try {
            ask(body, reply);
          } catch (RuntimeException e) {
            reply.completeExceptionally(e);
          }
        });
    return reply;
  }

  @Override
  public Object place() {
    return exchange.destination();
  }

  private void ask(byte[] body, CompletableFuture<Optional<byte[]>> reply) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, Pacts.BATCH_TYPE);
    WholeRequest held = exchange.request();
    exchange
        .services()
        .origin()
        .ask(
            exchange.loop(),
            exchange.destination(),
            new WholeRequest(
                HttpMethod.POST,
                held.target(),
                held.authority(),
                held.absoluteForm(),
                headers,
                Unpooled.wrappedBuffer(body)),
            exchange.config().limits().http(),
            exchange.config().timeouts().http(),
            result -> {
              switch (result) {
                case OriginResult.Failed failed ->
                    reply.completeExceptionally(new IOException(failed.code()));
                case OriginResult.Answered(WholeResponse response) ->
                    reply.complete(read(response));
              }
            });
  }

  private static Optional<byte[]> read(WholeResponse response) {
    ByteBuf body = response.body();
    try {
      return response.status() == OK
              && ExchangeContext.mediaType(response.headers()).equals(Pacts.BATCH_TYPE)
              && body.readableBytes() <= Pacts.MAX_BATCH_BYTES
          ? Optional.of(ByteBufUtil.getBytes(body))
          : Optional.empty();
    } finally {
      body.release();
    }
  }
}
