package dev.parlance.proxy.exchange;

import dev.parlance.proxy.gate.Pacts;
import dev.parlance.relay.api.Destination;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sends negotiation messages to where a held request goes. */
final class PactChannel implements Pacts.Channel {
  /** Media type of a batch of negotiation messages. */
  static final String TYPE = "application/vnd.parlance.pact+json";

  private static final int OK = 200;

  private final ExchangeContext at;
  private final EventLoop loop;
  private final Destination destination;
  private final String target;
  private final String authority;
  private final boolean absoluteForm;

  PactChannel(ExchangeContext at) {
    this.at = at;
    this.loop = at.call.loop();
    this.destination = at.destination;
    this.target = at.request.target();
    this.authority = at.request.authority();
    this.absoluteForm = at.request.absoluteForm();
  }

  @Override
  public CompletableFuture<Optional<byte[]>> send(byte[] body) {
    CompletableFuture<Optional<byte[]>> reply = new CompletableFuture<>();
    loop.execute(() -> {
      try {
        ask(body, reply);
      } catch (RuntimeException e) {
        reply.completeExceptionally(e);
      }
    });
    return reply.exceptionally(_ -> Optional.empty());
  }

  private void ask(byte[] body, CompletableFuture<Optional<byte[]>> reply) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, TYPE);
    at.services
        .origin()
        .ask(
            loop,
            destination,
            new WholeRequest(
                HttpMethod.POST,
                target,
                authority,
                absoluteForm,
                headers,
                Unpooled.wrappedBuffer(body)),
            at.config.limits().http(),
            at.config.timeouts().http(),
            result -> reply.complete(read(result)));
  }

  /** The answer to a negotiation message. */
  static WholeResponse answer(byte[] body) {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.CONTENT_TYPE, TYPE);
    headers.set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    return new WholeResponse(OK, headers, Unpooled.wrappedBuffer(body));
  }

  private static Optional<byte[]> read(OriginResult result) {
    return switch (result) {
      case OriginResult.Failed _ -> Optional.empty();
      case OriginResult.Answered(WholeResponse response) -> {
        ByteBuf body = response.body();
        try {
          yield response.status() == OK
                  && AnswerHead.mediaType(response.headers()).equals(TYPE)
                  && body.readableBytes() <= Pacts.MAX_BATCH_BYTES
              ? Optional.of(ByteBufUtil.getBytes(body))
              : Optional.empty();
        } finally {
          body.release();
        }
      }
    };
  }
}
