package dev.parlance.relay.server;

import dev.parlance.relay.api.Rejection;
import dev.parlance.relay.http1.FieldRules;
import dev.parlance.relay.http1.HeadFault;
import dev.parlance.relay.http2.H2FieldRules;
import dev.parlance.relay.http2.H2Fields;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.Optional;

/** Brings the frames of a client to the exchange that each belongs to. */
final class H2ServerFrames extends Http2FrameAdapter {
  private final H2ServerConnection connection;

  H2ServerFrames(H2ServerConnection connection) {
    this.connection = connection;
  }

  @Override
  public void onSettingsAckRead(ChannelHandlerContext ctx) {
    // Streams over the limit are refused by us: Netty would not remember them, and take the rest
    // of what it refused for a fault of the connection.
    connection.connection().remote().maxActiveStreams(Integer.MAX_VALUE);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx,
      int streamId,
      Http2Headers headers,
      int streamDependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean endStream)
      throws Http2Exception {
    onHeadersRead(ctx, streamId, headers, padding, endStream);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean endStream)
      throws Http2Exception {
    Http2Stream stream = connection.connection().stream(streamId);
    if (stream == null || !(headers instanceof H2Fields fields)) {
      throw new IllegalStateException("a header block of no stream");
    }
    Optional<H2ServerCall> exchange = connection.exchange(streamId);
    if (exchange.isEmpty()) {
      connection.request(stream, fields, endStream);
      return;
    }
    Optional<HeadFault> fault = trailerFault(fields);
    if (fault.isPresent()) {
      connection.tellRejected(
          new Rejection(400, "http2", fault.get().code(), fault.get().detail()));
      throw Http2Exception.streamError(
          streamId, Http2Error.PROTOCOL_ERROR, "%s", fault.get().code());
    }
    exchange.get().trailers();
  }

  private static Optional<HeadFault> trailerFault(H2Fields fields) {
    for (CharSequence name : fields.names()) {
      if (H2Fields.isPseudo(name)) {
        return Optional.of(HeadFault.bad("pseudo_in_trailers", "a pseudo-field behind the body"));
      }
    }
    Optional<HeadFault> fault = H2FieldRules.fault(fields);
    if (fault.isPresent()) {
      return fault;
    }
    for (CharSequence name : fields.names()) {
      if (FieldRules.isForbiddenTrailer(name.toString())) {
        return Optional.of(
            HeadFault.bad("trailer_forbidden", "a trailer that would act as a header"));
      }
    }
    return Optional.empty();
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream)
      throws Http2Exception {
    // Bodies are gathered whole and bounded there, so the windows open again at once.
    int consumed = data.readableBytes() + padding;
    Optional<H2ServerCall> exchange = connection.exchange(streamId);
    if (exchange.isPresent()) {
      exchange.get().data(data, endOfStream);
    }
    return consumed;
  }
}
