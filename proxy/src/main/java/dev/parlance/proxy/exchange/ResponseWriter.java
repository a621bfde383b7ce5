package dev.parlance.proxy.exchange;

import dev.parlance.proxy.stream.HeldBytes;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Writes a streamed answer to its caller. The head goes out with the first bytes. What the caller
 * does not take waits here, and the origin is not read meanwhile, so that a slow caller costs no
 * more memory than what was read already.
 */
final class ResponseWriter {
  private final Responder answer;
  private final AgentCall agent;
  private final int status;
  private final HttpHeaders headers;
  private final HeldBytes.Share share;
  private final Deque<ByteBuf> queue = new ArrayDeque<>();
  private Optional<ResponseStream> stream = Optional.empty();
  private Optional<HttpHeaders> trailers = Optional.empty();
  private long queuedBytes;
  private boolean paused;
  private boolean over;

  /**
   * Nothing has gone out.
   *
   * @param headers end-to-end fields of the head
   * @param agent waits while the caller does not take what there is
   * @param held where what waits is counted
   */
  ResponseWriter(
      Responder answer, AgentCall agent, int status, HttpHeaders headers, HeldBytes held) {
    this.share = held.share();
    this.answer = answer;
    this.agent = agent;
    this.status = status;
    this.headers = headers;
  }

  /** True once the end has been said, or nothing goes out any more. */
  boolean isOver() {
    return over || trailers.isPresent();
  }

  /** Sends the head, before there is anything behind it. */
  void begin() {
    if (!isOver()) {
      ResponseStream _ = begun();
    }
  }

  /** Sends bytes, which belong to the writer from now on. */
  void write(ByteBuf bytes) {
    if (isOver()) {
      bytes.release();
      return;
    }
    queue.add(bytes);
    queuedBytes += bytes.readableBytes();
    pump();
  }

  /** Sends bytes that say nothing, if there are any and no others wait. */
  void writeIfIdle(byte[] bytes) {
    if (bytes.length > 0 && queuedBytes == 0) {
      write(Unpooled.wrappedBuffer(bytes));
    }
  }

  /** The body is whole once everything written has gone out. */
  void end(HttpHeaders last) {
    if (!isOver()) {
      trailers = Optional.of(last);
      pump();
    }
  }

  /** Breaks the response off. */
  void abort() {
    if (!over) {
      close();
      begun().abort();
    }
  }

  /** Nothing goes out any more. */
  void close() {
    over = true;
    queuedBytes = 0;
    for (ByteBuf bytes = queue.poll(); bytes != null; bytes = queue.poll()) {
      bytes.release();
    }
    share.take(0);
  }

  private ResponseStream begun() {
    if (stream.isEmpty()) {
      ResponseStream begun = answer.begin(status, headers);
      begun.onWritable(this::pump);
      stream = Optional.of(begun);
    }
    return stream.get();
  }

  private void pump() {
    if (over) {
      return;
    }
    ResponseStream to = begun();
    while (!queue.isEmpty() && to.isWritable()) {
      ByteBuf next = queue.poll();
      queuedBytes -= next.readableBytes();
      answer.goesOn(next);
      to.write(next);
    }
    share.take(queuedBytes);
    if (queue.isEmpty() && trailers.isPresent()) {
      over = true;
      answer.ends(trailers.get());
      to.end(trailers.get());
      return;
    }
    boolean wait = !to.isWritable();
    if (wait && !paused) {
      agent.pauseReading();
    } else if (!wait && paused) {
      agent.resumeReading();
    }
    paused = wait;
  }
}
