package dev.parlance.relay.client;

import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.field.FieldKind;
import dev.parlance.relay.http1.HeadWriter;
import dev.parlance.relay.http1.WireWrites;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Set;

/** Puts a request on the wire to an origin, and knows which requests may be put there twice. */
final class OriginRequest {
  private static final Set<HttpMethod> IDEMPOTENT =
      Set.of(
          HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.PUT, HttpMethod.DELETE);

  private static final Set<HttpMethod> BODY_EXPECTED =
      Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH);

  private OriginRequest() {}

  /** True if it may be repeated when it is not known whether the first one arrived. */
  static boolean isRepeatable(WholeRequest request) {
    return IDEMPOTENT.contains(request.method());
  }

  /**
   * Writes the request as HTTP/1.1, with a reference to the body of its own.
   *
   * @return done when all of it is with the operating system
   */
  static ChannelFuture write(Channel channel, WholeRequest request) {
    int bytes = request.body().readableBytes();
    HeadWriter head =
        HeadWriter.request(request.method().name(), request.target())
            .field("host", request.authority())
            .endToEnd(request.headers(), FieldKind.HOST);
    if (bytes > 0 || BODY_EXPECTED.contains(request.method())) {
      head.field("content-length", Integer.toString(bytes));
    }
    ByteBuf first = head.end(channel.alloc());
    return bytes == 0
        ? WireWrites.last(channel, first)
        : WireWrites.both(channel, first, request.body().retainedDuplicate());
  }
}
