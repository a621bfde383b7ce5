package dev.parlance.relay.http2;

import dev.parlance.relay.api.HttpMessageLimits;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;

/**
 * The parts of Netty's codec that one HTTP/2 connection is put together from.
 *
 * @param connection Netty's book of the streams
 * @param guard sees every frame first
 * @param encoder writes frames within the windows of the peer
 * @param writer counts what leaves
 * @param budget what the peer may cause
 * @param settings what we announce
 */
record H2Parts(
    Http2Connection connection,
    H2FrameGuard guard,
    Http2ConnectionEncoder encoder,
    H2FrameWriter writer,
    H2Budget budget,
    Http2Settings settings) {
  private static final float WINDOW_UPDATE_RATIO = 0.5f;

  /**
   * The window of a connection, which holds nothing back: what is held is bounded by other limits.
   * With the least one, the news that it is open again would be one packet for seven messages.
   */
  private static final int CONNECTION_WINDOW_BYTES = 1024 * 1024;

  /** Empty or nearly empty CONTINUATION frames in one header block. */
  private static final int SMALL_CONTINUATIONS = 16;

  static H2Parts server(HttpMessageLimits limits) {
    Http2Settings settings =
        new Http2Settings()
            .maxConcurrentStreams(limits.streams())
            .maxHeaderListSize(limits.headerListBytes());
    return of(true, limits, settings);
  }

  static H2Parts client(HttpMessageLimits limits) {
    Http2Settings settings =
        new Http2Settings().pushEnabled(false).maxHeaderListSize(limits.headerListBytes());
    return of(false, limits, settings);
  }

  private static H2Parts of(boolean server, HttpMessageLimits limits, Http2Settings settings) {
    DefaultHttp2Connection connection = new DefaultHttp2Connection(server, 0);
    connection
        .local()
        .flowController(
            // To origins every stream is held back by itself: one that is not read must not take
            // the window of the connection from all others.
            new DefaultHttp2LocalFlowController(connection, WINDOW_UPDATE_RATIO, !server));
    // Every stream gets the same share: priorities of peers are advice that nobody needs to take.
    connection
        .remote()
        .flowController(
            new DefaultHttp2RemoteFlowController(
                connection, new UniformStreamByteDistributor(connection)));
    H2Budget budget = new H2Budget();
    H2FrameWriter writer = new H2FrameWriter(budget);
    Http2ConnectionEncoder encoder = new DefaultHttp2ConnectionEncoder(connection, writer);
    // HeaderFields are checked once and by us, so that every fault has its code (H2FieldRules).
    DefaultHttp2HeadersDecoder heads =
        new DefaultHttp2HeadersDecoder(false, limits.headerListBytes()) {
          @Override
          protected Http2Headers newHeaders() {
            return new H2Fields();
          }
        };
    try {
      heads.maxHeaderListSize(limits.headerListBytes(), limits.headerBlockBytes());
    } catch (Http2Exception e) {
      throw new IllegalArgumentException(e);
    }
    Http2FrameReader reader = new DefaultHttp2FrameReader(heads, SMALL_CONTINUATIONS);
    H2FrameGuard guard =
        new H2FrameGuard(
            new DefaultHttp2ConnectionDecoder(
                connection,
                encoder,
                reader,
                Http2PromisedRequestVerifier.ALWAYS_VERIFY,
                true,
                true,
                false) {
              @Override
              protected long calculateMaxHeaderListSizeGoAway(long listBytes) {
                return limits.headerBlockBytes();
              }
            },
            connection,
            budget,
            writer);
    return new H2Parts(connection, guard, encoder, writer, budget, settings);
  }

  /** Opens the window of the connection wide; to be called when the first SETTINGS are out. */
  void openWindow() throws Http2Exception {
    int more = CONNECTION_WINDOW_BYTES - Http2CodecUtil.DEFAULT_WINDOW_SIZE;
    connection.local().flowController().incrementWindowSize(connection.connectionStream(), more);
  }
}
