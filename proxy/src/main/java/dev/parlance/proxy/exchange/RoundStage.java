package dev.parlance.proxy.exchange;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.RoundSettings;
import dev.parlance.proxy.gate.ClaimCheck;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.metrics.MetricLabel.RoundMetric;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.bytes.PlainBody;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The stage that checks what a message says of a round, after it was judged and before it goes on.
 *
 * <pre>
 *   nothing                 on; refused where the route asks for finality
 *   proposal of our agent   the control plane is asked to take it: on once it is durable
 *   proposal of another     on: its author's sidecar has sent it in
 *   claim                   on if it is true, by its own note or the control plane's word
 *   unreadable              refused
 * </pre>
 *
 * The control plane is asked without blocking; what follows happens on the exchange's loop again.
 * Where nothing is enforced everything goes on, and count and log line say what would have been.
 */
final class RoundStage {
  private RoundStage() {}

  /**
   * The message.
   *
   * @param text what was judged, or what a proposal without rationale means
   * @param whole false if it holds more than its text
   * @param speaks true if it says something, so that a route may ask for finality
   * @param body its bytes without content coding
   * @param route code of the route that it was given
   * @param decisionId id of that decision
   */
  record Message(
      Leg leg,
      RoundMark mark,
      Optional<byte[]> text,
      boolean whole,
      boolean speaks,
      PlainBody body,
      String route,
      String decisionId) {
    /** An answer that a person has released. */
    Message(ResponseView read, HeldMessage released, byte[] body) {
      this(
          Leg.RESPONSE,
          read.round(),
          read.message().map(said -> said.answer().toByteArray()),
          read.unread().isEmpty(),
          true,
          PlainBody.of(body),
          Route.EXECUTE.code(),
          released.decisionId());
    }
  }

  /** What becomes of it. */
  sealed interface Passage {
    /**
     * It goes on.
     *
     * @param taken the round that took its proposal
     */
    record On(Optional<Ticket> taken) implements Passage {}

    /**
     * It does not, and its sender is told why.
     *
     * @param reason why
     * @param code the code that the sender is told; the control plane's where it said no
     */
    record Stopped(Reason reason, String code, String detail) implements Passage {}

    /** Nobody could be asked, and the settings say that a person is to see it. */
    record Held(String detail) implements Passage {}
  }

  /** True if the message has nothing to do with rounds; then it goes on at once. */
  static boolean isIdle(ExchangeContext at, Leg leg, RoundMark mark, boolean speaks) {
    return mark instanceof RoundMark.None && finality(at, leg, speaks) == Finality.NONE;
  }

  /**
   * Deals with it.
   *
   * @param then what follows from what becomes of it; called on the loop, now or later, and not at
   *     all if the caller has gone meanwhile
   */
  static Step take(ExchangeContext at, Message message, Function<Passage, Step> then) {
    return switch (message.mark()) {
      case RoundMark.None _ -> then.apply(unclaimed(at, message, ""));
      case RoundMark.Unreadable(String detail) ->
          then.apply(stop(at, RoundMetric.MARK, "", Reason.ROUND_UNREADABLE, detail));
      case RoundMark.Proposal proposal ->
          finality(at, message) != Finality.NONE || !isOurs(at, message.leg())
              ? then.apply(unclaimed(at, message, proposal.id().bound()))
              : propose(at, message, proposal, then);
      case RoundMark.Claim claim -> check(at, message, claim, then);
    };
  }

  private static Finality finality(ExchangeContext at, Message message) {
    return finality(at, message.leg(), message.speaks());
  }

  private static Finality finality(ExchangeContext at, Leg leg, boolean speaks) {
    return leg == Leg.REQUEST && speaks ? at.rule.finality() : Finality.NONE;
  }

  /** True if the local agent wrote it. */
  private static boolean isOurs(ExchangeContext at, Leg leg) {
    return (at.direction == Direction.OUTBOUND) == (leg == Leg.REQUEST);
  }

  private static Passage unclaimed(ExchangeContext at, Message message, String id) {
    return ClaimCheck.finality(finality(at, message), Optional.empty(), Optional.empty())
        .map(fails -> stop(at, RoundMetric.FINALITY, id, fails.reason(), fails.detail()))
        .orElseGet(() -> new Passage.On(Optional.empty()));
  }

  private static Passage stop(
      ExchangeContext at, RoundMetric matter, String id, Reason reason, String detail) {
    return stop(at, matter, id, reason, reason.code(), detail);
  }

  private static Passage stop(
      ExchangeContext at,
      RoundMetric matter,
      String id,
      Reason reason,
      String code,
      String detail) {
    at.record.round(matter, id, code, detail);
    return at.observing()
        ? new Passage.On(Optional.empty())
        : new Passage.Stopped(reason, code, detail);
  }

  private static Passage unavailable(
      ExchangeContext at, RoundMetric matter, String id, String detail) {
    Passage stopped = stop(at, matter, id, Reason.ROUND_UNAVAILABLE, detail);
    boolean held =
        stopped instanceof Passage.Stopped
            && settings(at).onUnavailable() == RoundSettings.OnUnavailable.HOLD;
    return held ? new Passage.Held(detail) : stopped;
  }

  private static RoundSettings settings(ExchangeContext at) {
    return at.config.control().map(ControlSettings::rounds).orElse(RoundSettings.DEFAULTS);
  }

  // ---- proposals ----

  private static Step propose(
      ExchangeContext at,
      Message message,
      RoundMark.Proposal proposal,
      Function<Passage, Step> then) {
    String rationale =
        proposal.rationale().or(() -> message.text().map(RoundStage::utf8)).orElse("");
    Rounds.Proposing proposing =
        new Rounds.Proposing(
            proposal,
            rationale,
            HexFormat.of()
                .parseHex(Digests.sha256(message.body().array(), message.body().length())),
            message.route(),
            message.decisionId());
    return new Step.Await<>(
        Step.Source.ROUND,
        at.services.rounds().propose(proposing),
        receipt -> then.apply(taken(at, message, proposal, receipt)));
  }

  private static Passage taken(
      ExchangeContext at, Message message, RoundMark.Proposal proposal, Rounds.Receipt receipt) {
    String id = proposal.id().bound();
    return switch (receipt) {
      case Rounds.Taken(String how, RoundStatus status) -> {
        at.record.round(RoundMetric.PROPOSAL, id, how, "");
        yield new Passage.On(Optional.of(ticket(at, proposal, status, message.leg())));
      }
      case Rounds.Refused(String code, String detail) ->
          stop(at, RoundMetric.PROPOSAL, id, Reason.ROUND_REFUSED, code, detail);
      case Rounds.Unavailable(String detail) -> unavailable(at, RoundMetric.PROPOSAL, id, detail);
    };
  }

  /** Only the answer to a request can be kept back for the outcome. */
  private static Ticket ticket(
      ExchangeContext at, RoundMark.Proposal proposal, RoundStatus status, Leg leg) {
    // The outcome is written down shortly after the deadline, not at it.
    long atMostMs = Math.min(settings(at).maxWaitMs(), status.leftMs() + settings(at).timeoutMs());
    boolean waits = proposal.waits() && leg == Leg.REQUEST && status.ended().isEmpty();
    if (!waits || atMostMs == 0) {
      return new Ticket(status, Optional.empty());
    }
    return new Ticket(status, Optional.of(at.services.rounds().ended(proposal.id(), atMostMs)));
  }

  private static String utf8(byte[] text) {
    return new String(text, StandardCharsets.UTF_8);
  }

  // ---- claims ----

  private static Step check(
      ExchangeContext at, Message message, RoundMark.Claim claim, Function<Passage, Step> then) {
    Optional<Rounds.Known> noted = at.services.rounds().noted(claim);
    if (noted.isPresent()) {
      return then.apply(checked(at, message, claim.id(), ClaimCheck.claim(claim, noted.get())));
    }
    return new Step.Await<>(
        Step.Source.ROUND,
        at.services.rounds().status(claim.id()),
        reply ->
            then.apply(
                switch (reply) {
                  case Rounds.Known known ->
                      checked(at, message, claim.id(), ClaimCheck.claim(claim, known));
                  case Rounds.Refused(String code, String detail) ->
                      checked(at, message, claim.id(), ClaimCheck.unknown(code + ": " + detail));
                  case Rounds.Unavailable(String detail) ->
                      unavailable(at, RoundMetric.CLAIM, claim.id().bound(), detail);
                }));
  }

  /**
   * What finality a request has proven with the claim that it carries.
   *
   * @param textSha256 of what was judged; empty if the request holds more than that, or none
   * @param then gets it, now or later; empty if nobody could be asked
   */
  static Step proven(
      ExchangeContext at,
      RoundMark.Claim claim,
      Optional<String> textSha256,
      Function<Optional<Finality>, Step> then) {
    Optional<Rounds.Known> noted = at.services.rounds().noted(claim);
    return noted.isPresent()
        ? then.apply(Optional.of(ClaimCheck.proven(claim, noted.get(), textSha256)))
        : new Step.Await<>(
            Step.Source.ROUND,
            at.services.rounds().status(claim.id()),
            reply ->
                then.apply(
                    switch (reply) {
                      case Rounds.Known known ->
                          Optional.of(ClaimCheck.proven(claim, known, textSha256));
                      case Rounds.Refused _ -> Optional.of(Finality.NONE);
                      case Rounds.Unavailable _ -> Optional.empty();
                    }));
  }

  private static Passage checked(
      ExchangeContext at, Message message, RoundId id, ClaimCheck.Result result) {
    return switch (result) {
      case ClaimCheck.Result.Fails(Reason reason, String detail) ->
          stop(at, RoundMetric.CLAIM, id.bound(), reason, detail);
      case ClaimCheck.Result.Holds holds -> {
        Optional<String> textSha256 =
            message.text().filter(_ -> message.whole()).map(Digests::sha256);
        Optional<ClaimCheck.Result.Fails> fails =
            ClaimCheck.finality(finality(at, message), Optional.of(holds), textSha256);
        if (fails.isPresent()) {
          yield stop(
              at, RoundMetric.FINALITY, id.bound(), fails.get().reason(), fails.get().detail());
        }
        at.record.round(RoundMetric.CLAIM, id.bound(), "holds", "");
        yield new Passage.On(Optional.empty());
      }
    };
  }

  /**
   * The control plane's receipt for a proposal, kept for the answer to its message. Lives on the
   * loop of its exchange.
   */
  static final class Ticket {
    private final long takenNs = System.nanoTime();
    private final Optional<CompletableFuture<Rounds.Reply>> outcome;
    private RoundStatus status;

    /**
     * A ticket.
     *
     * @param status the round when the proposal was taken
     * @param outcome the round's end, where the author waits for it
     */
    Ticket(RoundStatus status, Optional<CompletableFuture<Rounds.Reply>> outcome) {
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
        CompletableFuture<?> _ =
            outcome.get().thenAccept(reply -> loop.execute(() -> heard(reply)));
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
}
