package dev.parlance.relay.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.Optional;

/** Brings the frames of an origin to the ask that each belongs to. */
final class H2OriginFrames extends Http2FrameAdapter {
  private final H2OriginConnection connection;

  H2OriginFrames(H2OriginConnection connection) {
    this.connection = connection;
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
    connection.settings(settings);
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
      boolean endStream) {
    onHeadersRead(ctx, streamId, headers, padding, endStream);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx,
      int streamId,
      Http2Headers headers,
      int padding,
      boolean endStream) {
    connection
        .ask(streamId)
        .ifPresent(ask -> ask.fields(H2OriginConnection.fields(headers), endStream));
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endOfStream) {
    int length = data.readableBytes() + padding;
    Optional<H2OriginCall> ask = connection.ask(streamId);
    return ask.isPresent() ? ask.get().data(data, length, endOfStream) : length;
  }

  @Override
  public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
    Http2Error error = Http2Error.valueOf(errorCode);
    connection.ask(streamId).ifPresent(ask -> ask.reset(Optional.ofNullable(error)));
  }
}
