package dev.parlance.proxy.relay;

import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.Optional;

/** How Netty's decoder is set up, and what its complaints mean. */
final class DecoderSettings {
  /** Code of a message whose sender went away in the middle of it. */
  static final String INCOMPLETE = "incomplete";

  /** A body arrives in pieces no larger than this; what is kept of them is counted elsewhere. */
  private static final int PIECE_BYTES = 64 * 1024;

  private DecoderSettings() {}

  static HttpDecoderConfig strict(HttpMessageLimits limits) {
    return new HttpDecoderConfig()
        .setMaxInitialLineLength(limits.requestLineBytes())
        .setMaxHeaderSize(limits.headerBytes())
        .setMaxChunkSize(PIECE_BYTES)
        .setStrictLineParsing(true)
        .setAllowDuplicateContentLengths(false)
        .setUseRfc9112TransferEncoding(true);
  }

  /** The second line of defence: what the decoder refused although the scanner let it through. */
  static Optional<HeadFault> faultOf(HttpObject message, String otherwise) {
    if (!message.decoderResult().isFailure()) {
      return Optional.empty();
    }
    Throwable cause = message.decoderResult().cause();
    return Optional.of(
        switch (cause) {
          case FramingException e -> e.fault();
          case TooLongHttpLineException _ ->
              new HeadFault(414, "request_line_too_long", "the first line is over the limit");
          case TooLongHttpHeaderException _ ->
              new HeadFault(431, "headers_too_large", "the headers are over the limit");
          case PrematureChannelClosureException _ ->
              HeadFault.bad(INCOMPLETE, "the sender left before the end of the head");
          default -> HeadFault.bad(otherwise, "not HTTP/1.1 as strictly read");
        });
  }
}
