package dev.parlance.proxy.exchange;

import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.proxy.review.ReviewAuthors;
import dev.parlance.relay.api.OriginCall;
import dev.parlance.relay.api.OriginReceiver;
import dev.parlance.relay.api.WholeRequest;
import dev.parlance.relay.api.WholeResponse;
import dev.parlance.wire.api.ResponseView;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the author of a held answer for another one, as the person who has read it wants it: the
 * exchange goes on where it stood, though its caller has long been told that the answer is held.
 * What comes is judged like any draft and goes to nobody: it takes the place of what is held.
 *
 * <p>The author is asked by the same request as a repair, under the same condition: an answer that
 * is words alone, of an author who has not acted since the question came.
 */
final class NextDraft implements OriginReceiver, ReviewAuthors.Author {
  private static final Logger log = LoggerFactory.getLogger(NextDraft.class);

  private final ExchangeContext exchange;
  private final Step.Hold held;
  private final String id;
  private final CompletableFuture<Optional<HeldMessage>> reply = new CompletableFuture<>();

  private NextDraft(ExchangeContext exchange, Step.Hold held, String id) {
    this.exchange = exchange;
    this.held = held;
    this.id = id;
  }

  /** The author of what has just been held can be asked again, where the route wants that. */
  static void keep(ExchangeContext exchange, Step.Hold held, String id) {
    boolean isPossible =
        exchange.rule.review().askAgain()
            && held.judgment().draft().leg() == Leg.RESPONSE
            && held.response().isPresent()
            && held.rejected().filter(exchange::mayRepair).isPresent()
            && exchange.canAskAgain()
            && !exchange.checks.any(check -> check.concerns(Leg.RESPONSE));
    if (!isPossible) {
      return;
    }
    if (exchange.memory.isOpen()) {
      exchange.memory.letGo(); // both bodies are looked at when a person has decided
    }
    exchange
        .services
        .review()
        .authors()
        .keep(
            id,
            new NextDraft(exchange, held, id),
            (long) exchange.responder.asked().length() + held.body().length);
  }

  @Override
  public CompletableFuture<Optional<HeldMessage>> ask(String note) {
    try {
      exchange.call.loop().execute(() -> guarded(() -> asks(note)));
    } catch (RejectedExecutionException _) {
      reply.complete(Optional.empty()); // the sidecar stops
    }
    return reply;
  }

  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      log.atError().setCause(e).addKeyValue("review", id).log("asking for another draft failed");
      exchange.body.release();
      reply.complete(Optional.empty());
    }
  }

  private void asks(String note) {
    ResponseView rejected = held.rejected().orElseThrow();
    Optional<byte[]> again = exchange.repair(ReviewStage.instruction(note), rejected);
    if (again.isEmpty()) {
      reply.complete(Optional.empty());
      return;
    }
    exchange.drafts.add(ReviewStage.draft(exchange, held.judgment()));
    exchange.attempt++;
    exchange.isForPerson = true;
    HttpHeaders headers = PassedFields.toAgent(exchange);
    headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    VerdictFields.bodyChanged(headers);
    exchange.annotate(headers, held.judgment().annotation());
    exchange.record.asked();
    OriginCall _ =
        exchange
            .services
            .origin()
            .ask(
                exchange.call.loop(),
                exchange.destination,
                new WholeRequest(
                    exchange.request.method(),
                    exchange.request.target(),
                    exchange.request.authority(),
                    exchange.request.absoluteForm(),
                    headers,
                    Unpooled.wrappedBuffer(again.get())),
                exchange.config.limits().http(),
                exchange.config.timeouts().http(),
                this);
  }

  /** An agent that closes without saying so takes no second question on the same connection. */
  @Override
  public boolean needsNewConnection() {
    return true;
  }

  @Override
  public void done(OriginResult result) {
    exchange.record.originDone();
    switch (result) {
      case OriginResult.Failed failed -> {
        AgentCall.sayFailed(exchange.destination, failed);
        reply.complete(Optional.empty());
      }
      case OriginResult.Answered(WholeResponse response) ->
          guarded(() -> {
            exchange.body.put(response.body());
            taken(new UnaryAnswer(exchange, response).go());
          });
    }
  }

  /** What judging has come to; whatever lets a message go on holds one that is for a person. */
  private void taken(Step step) {
    switch (step) {
      case Step.Await<?> await -> await(await);
      case Step.Hold next -> {
        exchange.body.release();
        exchange.record.acted("hold", Optional.of(id));
        exchange.report.hand();
        reply.complete(Optional.of(ReviewStage.message(exchange, next)));
        keep(exchange, next, id);
      }
      default -> {
        exchange.body.release();
        exchange.report.hand();
        reply.complete(Optional.empty());
      }
    }
  }

  private <T> void await(Step.Await<T> await) {
    CompletableFuture<?> _ =
        await
            .reply()
            .whenComplete((told, failure) ->
                exchange
                    .call
                    .loop()
                    .execute(() ->
                        guarded(() -> {
                          if (failure != null) {
                            throw new IllegalStateException(await.source().fault(), failure);
                          }
                          taken(await.then().apply(told));
                        })));
  }
}
