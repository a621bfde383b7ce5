package dev.parlance.proxy.exchange;

import dev.parlance.policy.commit.RoundId;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.wire.api.RoundStatus;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The control plane's receipt for a proposal, kept for the answer to its message. Lives on the loop
 * of its exchange.
 */
final class RoundTicket {
  private final long takenNs = System.nanoTime();
  private final Optional<CompletableFuture<Rounds.Reply>> outcome;
  private RoundStatus status;

  /**
   * A ticket.
   *
   * @param status the round when the proposal was taken
   * @param outcome the round's end, where the author waits for it
   */
  RoundTicket(RoundStatus status, Optional<CompletableFuture<Rounds.Reply>> outcome) {
    this.status = status;
    this.outcome = outcome;
  }

  RoundId id() {
    return status.id();
  }

  /** What the author waits for; empty if it does not. */
  Optional<CompletableFuture<Rounds.Reply>> outcome() {
    return outcome;
  }

  /** The round as far as is known; its deadline as far away as it is now. */
  RoundStatus status() {
    long agoMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - takenNs);
    return status.ended().isPresent()
        ? status
        : new RoundStatus(
            status.id(), status.state(), Math.max(0, status.leftMs() - agoMs), status.ended());
  }

  /**
   * A streamed answer is not kept back for the outcome, but its end may know more than its head.
   */
  void listen(EventLoop loop) {
    if (outcome.isPresent()) {
      CompletableFuture<?> _ = outcome.get().thenAccept(reply -> loop.execute(() -> heard(reply)));
    }
  }

  /** More is known. */
  void heard(Rounds.Reply reply) {
    switch (reply) {
      case Rounds.Known(RoundStatus now, Optional<String> _) -> status = now;
      case Rounds.Refused _, Rounds.Unavailable _ -> {}
    }
  }

  /** Nobody waits any more. */
  void giveUp() {
    outcome.ifPresent(waiting -> waiting.cancel(false));
  }
}
