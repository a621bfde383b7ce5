package dev.parlance.relay.server;

import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.http1.MessageWriter;
import dev.parlance.relay.http1.MessageWriter.BodyDelimiter;
import dev.parlance.relay.net.MinimumRate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A response over HTTP/1.1 whose body is written piece by piece. The first piece of a turn of the
 * loop goes to the socket at once, whatever the turn does next; the others go together at its end,
 * small ones in one chunk: a thousand events that wait for a slow reader are not a thousand
 * buffers.
 */
final class H1ResponseStream implements ResponseStream {
  private static final int FIRST_BYTES = 512;
  private static final int GATHERED_BYTES = 16 * 1024;

  /** Pieces up to this size are worth a copy. */
  private static final int SMALL_BYTES = 4 * 1024;

  private final H1ServerConnection connection;
  private final SocketChannel channel;
  private final BodyDelimiter delimiter;
  private final MinimumRate pace;
  private Runnable onWritable = () -> {};
  private long piecesTaken;
  private @Nullable ByteBuf gathered;
  private boolean flushDue;
  private boolean flushedThisTurn;
  private boolean over;

  H1ResponseStream(
      H1ServerConnection connection,
      SocketChannel channel,
      BodyDelimiter delimiter,
      MinimumRate pace) {
    this.connection = connection;
    this.channel = channel;
    this.delimiter = delimiter;
    this.pace = pace;
  }

  boolean closesAfterwards() {
    return delimiter == BodyDelimiter.CLOSE;
  }

  private boolean isChunked() {
    return switch (delimiter) {
      case LAST_CHUNK, LAST_CHUNK_PASSED_ON, BARE_LAST_CHUNK -> true;
      case CLOSE, LENGTH, NO_BODY -> false;
    };
  }

  /**
   * Sends the head, with the first pieces if they are written in the same turn.
   *
   * @param says of its connection
   */
  void start(int status, HttpHeaders headers, String says) {
    if (delimiter == BodyDelimiter.CLOSE) {
      // However this ends, unless in order, the client must not take it for the end of the body.
      channel.config().setSoLinger(0);
    }
    track(
        channel.write(MessageWriter.streamHead(channel.alloc(), status, headers, delimiter, says)));
  }

  @Override
  public void write(ByteBuf piece) {
    if (over || delimiter == BodyDelimiter.NO_BODY || !piece.isReadable()) {
      piece.release();
      return;
    }
    if (!flushedThisTurn) {
      flushedThisTurn = true;
      send(piece);
      channel.flush();
    } else if (piece.readableBytes() > SMALL_BYTES) {
      sendGathered();
      send(piece);
    } else {
      gather(piece);
    }
  }

  private void gather(ByteBuf piece) {
    ByteBuf target = gathered;
    if (target != null && target.maxWritableBytes() < piece.readableBytes()) {
      sendGathered();
      target = null;
    }
    if (target == null) {
      target = channel.alloc().buffer(FIRST_BYTES, GATHERED_BYTES);
      gathered = target;
    }
    try {
      target.writeBytes(piece);
    } finally {
      piece.release();
    }
  }

  private void sendGathered() {
    ByteBuf full = gathered;
    gathered = null;
    if (full != null) {
      send(full);
    }
  }

  private void send(ByteBuf piece) {
    track(isChunked() ? MessageWriter.chunk(channel, piece) : channel.write(piece));
  }

  private void track(ChannelFuture written) {
    written.addListener(done -> {
      if (done.isSuccess()) {
        piecesTaken++;
      } else {
        connection.writeFailed(this);
      }
    });
    if (!flushDue) {
      flushDue = true;
      channel.eventLoop().execute(this::flush);
    }
  }

  private void flush() {
    flushedThisTurn = false;
    sendGathered();
    flushDue = false;
    channel.flush();
  }

  @Override
  public void end(HttpHeaders trailers) {
    if (over) {
      return;
    }
    sendGathered();
    over = true;
    ByteBuf last =
        isChunked()
            ? MessageWriter.lastChunk(channel, MessageWriter.trailersFor(delimiter, trailers))
            : Unpooled.EMPTY_BUFFER;
    connection.streamEnded(this, MessageWriter.last(channel, last));
  }

  @Override
  public void abort() {
    if (!over) {
      sendGathered();
      over = true;
      channel.flush();
      connection.streamAborted(this);
    }
  }

  @Override
  public boolean isWritable() {
    return over || channel.isWritable();
  }

  @Override
  public void onWritable(Runnable action) {
    onWritable = action;
  }

  /** The channel takes more again. */
  void writable() {
    if (!over) {
      onWritable.run();
    }
  }

  /** The connection has ended, or was never there for this. */
  void gone() {
    over = true;
    ByteBuf unsent = gathered;
    gathered = null;
    if (unsent != null) {
      unsent.release();
    }
  }

  /** Called once per write time: false if something waits and none of it moved since. */
  boolean moves() {
    return pace.streamMoves(piecesTaken, channel.unsafe().outboundBuffer());
  }
}
