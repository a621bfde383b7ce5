package dev.parlance.relay;

import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.ServerCall;
import dev.parlance.relay.api.ServerCall.ResponseStream;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes the answers of an origin on piece by piece, as the gate does, and remembers how each
 * ended.
 */
final class StreamRelay {
  final List<OriginResult.Failed> failures = new CopyOnWriteArrayList<>();
  final List<HttpHeaders> trailers = new CopyOnWriteArrayList<>();
  final AtomicInteger ended = new AtomicInteger();
  final AtomicInteger pauses = new AtomicInteger();
  final AtomicInteger aborted = new AtomicInteger();
  final AtomicLong bytes = new AtomicLong();
  final AtomicInteger emptyPieces = new AtomicInteger();

  /** Asks the origin; the receiver decides what becomes of the answer. */
  @FunctionalInterface
  interface Asking {
    OriginCall ask(ServerCall exchange, WholeRequest request, OriginReceiver receiver);
  }

  void handle(ServerCall exchange, WholeRequest request, Asking asking) {
    Passing passing = new Passing(exchange);
    OriginCall call = asking.ask(exchange, request, passing);
    passing.call = Optional.of(call);
    exchange.onAbort(() -> {
      aborted.incrementAndGet();
      call.cancel();
    });
  }

  private final class Passing implements OriginReceiver, BodySink {
    private final ServerCall exchange;
    private Optional<OriginCall> call = Optional.empty();
    private Optional<ResponseStream> stream = Optional.empty();

    Passing(ServerCall exchange) {
      this.exchange = exchange;
    }

    @Override
    public void done(OriginResult result) {
      switch (result) {
        case OriginResult.Answered(WholeResponse response) -> exchange.respond(response, false);
        case OriginResult.Failed failed -> {
          failures.add(failed);
          exchange.respond(TestRelay.text(502, failed.code()), false);
        }
      }
    }

    @Override
    public Optional<BodySink> onHead(int status, HttpHeaders headers) {
      ResponseStream begun = exchange.begin(status, headers);
      begun.onWritable(() -> call.ifPresent(OriginCall::resumeReading));
      stream = Optional.of(begun);
      return Optional.of(this);
    }

    @Override
    public void piece(ByteBuf piece) {
      if (!piece.isReadable()) {
        emptyPieces.incrementAndGet();
      }
      bytes.addAndGet(piece.readableBytes());
      ResponseStream to = stream.orElseThrow();
      to.write(piece);
      if (!to.isWritable()) {
        pauses.incrementAndGet();
        call.orElseThrow().pauseReading();
      }
    }

    @Override
    public void end(HttpHeaders headers) {
      trailers.add(headers);
      ended.incrementAndGet();
      stream.orElseThrow().end(headers);
    }

    @Override
    public void failed(OriginResult.Failed failure) {
      failures.add(failure);
      stream.orElseThrow().abort();
    }
  }
}
