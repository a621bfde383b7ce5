package dev.parlance.proxy.exchange;

import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.relay.api.OriginReceiver.BodySink;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.relay.net.BodyCollector;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An answer on a route where nothing is held back or changed. One that is whole at once is taken
 * whole; one that comes slowly, or is larger than a message may be, goes on as it comes. A copy is
 * kept as far as the limits allow and judged at the end; what is larger is counted.
 *
 * <pre>
 * state   event                       next    action
 * WAITS   piece                       WAITS   kept
 * WAITS   end                         OVER    given whole
 * WAITS   time over, over the limit   FLOWS   what was kept goes on, and stays if it may
 * FLOWS   piece                       FLOWS   goes on, is kept if it may
 * FLOWS   end                         OVER    the copy is judged; the end goes on
 * </pre>
 */
final class TeedAnswer implements BodySink {
  /** So long an answer may take to be whole before it goes on piece by piece. */
  private static final long PATIENCE_MS = 50;

  private final ExchangeContext exchange;
  private final Consumer<OriginResult> whole;
  private final Supplier<BodySink> flowing;
  private final Consumer<WholeResponse> judged;
  private final int status;
  private final HttpHeaders headers;
  private final BodyCollector kept;
  private final ScheduledFuture<?> patience;
  private Optional<BodySink> flow = Optional.empty();
  private boolean tooLarge;

  /**
   * Nothing of the body has come.
   *
   * @param whole takes an answer that came at once, or its failure
   * @param flowing begins the answer towards the caller
   * @param judged takes a copy of one that went on
   */
  TeedAnswer(
      ExchangeContext exchange,
      Consumer<OriginResult> whole,
      Supplier<BodySink> flowing,
      Consumer<WholeResponse> judged,
      int status,
      HttpHeaders headers) {
    this.exchange = exchange;
    this.whole = whole;
    this.flowing = flowing;
    this.judged = judged;
    this.status = status;
    this.headers = headers;
    this.kept =
        new BodyCollector(
            exchange.services.allocator(), exchange.config.limits().http().bodyBytes());
    this.patience =
        exchange.call.loop().schedule(this::impatient, PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  private void impatient() {
    if (flow.isEmpty() && !exchange.responder.isGiven()) {
      BodySink begun = begin();
      ByteBuf first = kept.take();
      if (first.isReadable()) {
        boolean _ = kept.add(first.retainedDuplicate());
        begun.piece(first);
      }
    }
  }

  private BodySink begin() {
    patience.cancel(false);
    BodySink begun = flowing.get();
    flow = Optional.of(begun);
    return begun;
  }

  @Override
  public void piece(ByteBuf piece) {
    boolean fits = !tooLarge && piece.readableBytes() <= kept.maxBytes() - kept.bytes();
    if (flow.isEmpty() && fits) {
      boolean _ = kept.add(piece);
      return;
    }
    if (flow.isEmpty()) {
      BodySink begun = begin();
      ByteBuf first = kept.take();
      if (first.isReadable()) {
        begun.piece(first);
      }
    } else if (fits) {
      boolean _ = kept.add(piece.retainedDuplicate());
    }
    if (!fits && !tooLarge) {
      tooLarge = true;
      kept.release();
    }
    flow.get().piece(piece);
  }

  @Override
  public void end(HttpHeaders trailers) {
    patience.cancel(false);
    if (flow.isEmpty()) {
      whole.accept(
          new OriginResult.Answered(new WholeResponse(status, headers, kept.take(), trailers)));
      return;
    }
    if (tooLarge) {
      exchange.record.unjudged(
          "body_too_large",
          OnFailure.ALLOW,
          Leg.RESPONSE,
          exchange.services.gate().newId(),
          PlainBody.none(),
          status);
    } else {
      judged.accept(new WholeResponse(status, headers.copy(), kept.take(), trailers.copy()));
    }
    flow.get().end(trailers);
  }

  @Override
  public void failed(OriginResult.Failed failure) {
    patience.cancel(false);
    kept.release();
    flow.ifPresentOrElse(sink -> sink.failed(failure), () -> whole.accept(failure));
  }
}
