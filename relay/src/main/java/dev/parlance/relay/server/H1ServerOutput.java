package dev.parlance.relay.server;

import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.http1.MessageWriter;
import dev.parlance.relay.http1.MessageWriter.ResponseForm;
import dev.parlance.relay.net.MinimumRate;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The writing half of a client's connection: one answer at a time, whole or streamed, and whether
 * the client takes it.
 */
final class H1ServerOutput {
  private final SocketChannel channel;
  private final MinimumRate pace;
  private @Nullable H1ResponseStream stream;

  H1ServerOutput(SocketChannel channel, MinimumRate pace) {
    this.channel = channel;
    this.pace = pace;
  }

  /** Asks for the body of a request whose client waits to be asked. */
  ChannelFuture proceed() {
    return channel.writeAndFlush(
        ByteBufUtil.writeAscii(channel.alloc(), "HTTP/1.1 100 Continue\r\n\r\n"));
  }

  /** Writes a whole answer, which it owns. */
  ChannelFuture whole(WholeResponse response, ResponseForm form, boolean close) {
    pace.writeBegins();
    return MessageWriter.write(channel, response, form, close);
  }

  /** A stream for an answer of this form; nothing is written yet. */
  H1ResponseStream stream(H1ServerConnection connection, int status, ResponseForm form) {
    return new H1ResponseStream(connection, channel, MessageWriter.delimiter(status, form), pace);
  }

  /** Makes this the stream that is being written. */
  void streaming(H1ResponseStream begun, int status, HttpHeaders headers, boolean close) {
    stream = begun;
    pace.writeBegins();
    begun.start(status, headers, close);
  }

  boolean isStreaming(H1ResponseStream asked) {
    return stream == asked;
  }

  /** The stream, if any, has written its end. */
  void streamed() {
    stream = null;
    pace.writeBegins();
  }

  /** Breaks off what is being streamed, if anything is. */
  void abort() {
    H1ResponseStream open = stream;
    if (open != null) {
      open.abort();
    }
  }

  /** The connection is over. */
  void drop() {
    H1ResponseStream open = stream;
    stream = null;
    if (open != null) {
      open.gone();
    }
  }

  void writabilityChanged() {
    H1ResponseStream open = stream;
    if (open != null && channel.isWritable()) {
      open.writable();
    }
  }

  /** Called once per write time: false if the client takes nothing of what waits for it. */
  boolean moves() {
    H1ResponseStream open = stream;
    return open == null ? pace.writeMoves(channel.unsafe().outboundBuffer()) : open.moves();
  }

  /** Ends our side in order; all that was written is with the operating system. */
  ChannelFuture shut() {
    if (channel.isOpen()) {
      channel.config().setSoLinger(-1);
    }
    return channel.shutdownOutput();
  }
}
