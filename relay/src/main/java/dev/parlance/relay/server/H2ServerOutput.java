package dev.parlance.relay.server;

import dev.parlance.relay.api.Timeouts;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.http2.H2Head;
import dev.parlance.relay.http2.H2Parts;
import dev.parlance.relay.http2.H2Sender;
import dev.parlance.relay.net.Deadline;
import dev.parlance.relay.net.MinimumRate;
import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;

/**
 * What a connection says to its client, and how fast the client takes it. What is written while a
 * read is under way leaves together at its end.
 */
final class H2ServerOutput {
  private final H2Parts parts;
  private final H2Sender sender;
  private final SocketChannel channel;
  private final Timeouts timeouts;
  private final Runnable stuck;
  private final Deadline writeDeadline;
  private final MinimumRate writePace;
  private final List<H2ServerCall> unflushed = new ArrayList<>(4);
  private boolean gathers;

  /**
   * The output of one connection.
   *
   * @param stuck told when the client takes nothing for too long
   */
  H2ServerOutput(
      H2Parts parts, H2Sender sender, SocketChannel channel, Timeouts timeouts, Runnable stuck) {
    this.parts = parts;
    this.sender = sender;
    this.channel = channel;
    this.timeouts = timeouts;
    this.stuck = stuck;
    this.writeDeadline = new Deadline(channel.eventLoop(), this::writeTick);
    this.writePace = new MinimumRate(timeouts);
  }

  /** Whether a read is under way; tells what was so before. */
  boolean gather(boolean now) {
    boolean before = gathers;
    gathers = now;
    return before;
  }

  /** Writes a whole response, which it owns. */
  void write(H2ServerCall exchange, WholeResponse response, boolean toHead) {
    int id = exchange.stream().id();
    Http2Headers head = H2Head.response(response, toHead);
    ByteBuf body = response.body();
    boolean bodyless = toHead || H2Head.isBodyless(response.status()) || !body.isReadable();
    boolean trailed = !response.trailers().isEmpty() && !toHead;
    sender.headers(id, head, bodyless && !trailed);
    if (bodyless) {
      body.release();
    } else {
      sender.data(id, body, !trailed);
    }
    if (trailed) {
      sender.headers(id, H2Head.trailers(response.trailers()), true);
    }
    flushFor(exchange);
  }

  void writeHead(H2ServerCall exchange, Http2Headers head) {
    sender.headers(exchange.stream().id(), head, false);
    flushFor(exchange);
  }

  /** Writes a piece of a body, which it owns. */
  void writePiece(H2ServerCall exchange, ByteBuf piece) {
    sender.data(exchange.stream().id(), piece, false);
    flushFor(exchange);
  }

  void writeEnd(H2ServerCall exchange, HttpHeaders trailers) {
    sender.end(exchange.stream().id(), trailers);
    flushFor(exchange);
  }

  private void flushFor(H2ServerCall exchange) {
    unflushed.add(exchange);
    if (!gathers) {
      sender.flushSoon();
    }
  }

  /** What was written has left, as far as the windows let it. */
  void flushed() {
    for (int i = 0; i < unflushed.size(); i++) {
      unflushed.get(i).flushed();
    }
    unflushed.clear();
  }

  void reset(Http2Stream stream, Http2Error error) {
    sender.reset(stream.id(), error);
    if (!gathers) {
      sender.flushSoon();
    }
  }

  boolean isWritable(Http2Stream stream) {
    return parts.encoder().flowController().isWritable(stream);
  }

  boolean hasUnsent(Http2Stream stream) {
    return parts.encoder().flowController().hasFlowControlled(stream);
  }

  long writtenBytes(Http2Stream stream) {
    return parts.writer().writtenBytes(stream.id());
  }

  /** The client takes more, or no more, for now. */
  void channelWritabilityChanged() {
    if (channel.isWritable()) {
      writeDeadline.clear();
    } else {
      writePace.writeBegins();
      writeDeadline.set(timeouts.writeMs());
    }
  }

  private void writeTick() {
    if (channel.isWritable()) {
      return;
    }
    if (writePace.writeMoves(channel.unsafe().outboundBuffer())) {
      writeDeadline.set(timeouts.writeMs());
    } else {
      stuck.run();
    }
  }

  void close() {
    writeDeadline.cancel();
  }
}
