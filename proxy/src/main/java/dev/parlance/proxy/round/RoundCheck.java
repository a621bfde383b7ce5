package dev.parlance.proxy.round;

import dev.parlance.policy.commit.Finality;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.config.ControlSettings;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.RoundSettings;
import dev.parlance.proxy.config.RouteRule.Read;
import dev.parlance.proxy.exchange.Check;
import dev.parlance.proxy.exchange.CheckedMessage;
import dev.parlance.proxy.exchange.ExchangeContext;
import dev.parlance.proxy.exchange.Passage;
import dev.parlance.proxy.exchange.body.VerdictFields;
import dev.parlance.proxy.gate.ClaimCheck;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.metrics.MetricLabel.RoundMetric;
import dev.parlance.wire.api.MessageView;
import dev.parlance.wire.api.Notice;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.api.VerdictHeader;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The check of what a message says of a round.
 *
 * <pre>
 *   nothing                 on; refused where the route asks for finality
 *   proposal of our agent   the control plane is asked to take it: on once it is durable
 *   proposal of another     on: its author's sidecar has sent it in
 *   claim                   on if it is true, by its own note or the control plane's word
 *   unreadable              refused
 * </pre>
 *
 * Where nothing is enforced everything goes on, and count and log line say what would have been.
 */
public final class RoundCheck implements Check {
  /** The kind; on every route that reads requests. */
  public static final Kind KIND =
      new Kind(
          (leg, _, rule, _) ->
              rule.read() == Read.ALL
                  ? Optional.of(
                      "round    proposals and claims"
                          + (leg == Leg.REQUEST && rule.finality() != Finality.NONE
                              ? ", finality " + rule.finality().code()
                              : ""))
                  : Optional.empty(),
          (exchange, _) -> new RoundCheck(exchange));

  private final ExchangeContext exchange;
  private RoundMark asked = RoundMark.NONE;
  private RoundMark answered = RoundMark.NONE;

  /** The proposal that the request brought, if the control plane took it. */
  private Optional<Ticket> ticket = Optional.empty();

  /** The round that stands beside the answer: that of the proposal which was taken last. */
  private Optional<Ticket> beside = Optional.empty();

  private RoundCheck(ExchangeContext exchange) {
    this.exchange = exchange;
  }

  @Override
  public void fields(Leg leg, HttpHeaders fields) {
    answered = RoundMark.NONE;
  }

  @Override
  public boolean read(Leg leg, MessageView message) {
    switch (leg) {
      case REQUEST -> asked = message.round();
      case RESPONSE -> answered = message.round();
    }
    return false;
  }

  @Override
  public boolean concerns(Leg leg) {
    return switch (leg) {
      case REQUEST ->
          exchange.rule().finality() != Finality.NONE || !(asked instanceof RoundMark.None);
      case RESPONSE -> !(answered instanceof RoundMark.None);
    };
  }

  @Override
  public boolean precedesRelease(CheckedMessage request) {
    return !isIdle(request, asked);
  }

  /** True if the message has nothing to do with rounds; then it goes on at once. */
  private boolean isIdle(CheckedMessage message, RoundMark mark) {
    return mark instanceof RoundMark.None && finality(message) == Finality.NONE;
  }

  private Finality finality(CheckedMessage message) {
    return message.leg() == Leg.REQUEST && message.hasWords()
        ? exchange.rule().finality()
        : Finality.NONE;
  }

  @Override
  public Result request(CheckedMessage message) {
    return take(message, asked);
  }

  @Override
  public Result answer(CheckedMessage message) {
    return take(message, answered);
  }

  @Override
  public Result released(MessageView view, CheckedMessage message) {
    return take(message, view.round());
  }

  private Result take(CheckedMessage message, RoundMark mark) {
    if (isIdle(message, mark)) {
      return Passage.ON;
    }
    return switch (mark) {
      case RoundMark.None _ -> unclaimed(message, "");
      case RoundMark.Unreadable(String detail) ->
          stop(RoundMetric.MARK, "", Reason.ROUND_UNREADABLE, detail);
      case RoundMark.Proposal proposal ->
          finality(message) != Finality.NONE || !isOurs(message.leg())
              ? unclaimed(message, proposal.id().bound())
              : propose(message, proposal);
      case RoundMark.Claim claim -> check(message, claim);
    };
  }

  /** True if the local agent wrote it. */
  private boolean isOurs(Leg leg) {
    return (exchange.direction() == Direction.OUTBOUND) == (leg == Leg.REQUEST);
  }

  private Passage unclaimed(CheckedMessage message, String id) {
    return ClaimCheck.finality(finality(message), Optional.empty(), Optional.empty())
        .map(fails -> stop(RoundMetric.FINALITY, id, fails.reason(), fails.detail()))
        .orElse(Passage.ON);
  }

  private Passage stop(RoundMetric matter, String id, Reason reason, String detail) {
    return stop(matter, id, reason, reason.code(), detail);
  }

  private Passage stop(RoundMetric matter, String id, Reason reason, String code, String detail) {
    exchange.record().round(matter, id, code, detail);
    return exchange.observing()
        ? Passage.ON
        : new Passage.Stopped(
            reason,
            code,
            detail,
            reason == Reason.ROUND_UNAVAILABLE
                ? Notice.Kind.UNAVAILABLE
                : Notice.Kind.ROUND_REFUSED);
  }

  private Passage unavailable(RoundMetric matter, String id, String detail) {
    Passage passage = stop(matter, id, Reason.ROUND_UNAVAILABLE, detail);
    return passage instanceof Passage.Stopped stopped
            && settings().onUnavailable() == RoundSettings.OnUnavailable.HOLD
        ? new Passage.Held(stopped)
        : passage;
  }

  private RoundSettings settings() {
    return exchange.config().control().map(ControlSettings::rounds).orElse(RoundSettings.DEFAULTS);
  }

  // ---- proposals ----

  private Result propose(CheckedMessage message, RoundMark.Proposal proposal) {
    String rationale =
        proposal.rationale().or(() -> message.text().map(Utf8Span::toString)).orElse("");
    Rounds.Proposing proposing =
        new Rounds.Proposing(
            proposal,
            rationale,
            HexFormat.of()
                .parseHex(Digests.sha256(message.body().array(), message.body().length())),
            message.route(),
            message.decisionId());
    return new Awaited<>(
        Source.ROUND,
        exchange.services().rounds().propose(proposing),
        receipt -> taken(message.leg(), proposal, receipt));
  }

  private Passage taken(Leg leg, RoundMark.Proposal proposal, Rounds.Receipt receipt) {
    String id = proposal.id().bound();
    return switch (receipt) {
      case Rounds.Taken(String how, RoundStatus status) -> {
        exchange.record().round(RoundMetric.PROPOSAL, id, how, "");
        beside = Optional.of(ticket(proposal, status, leg));
        if (leg == Leg.REQUEST) {
          ticket = beside;
        }
        yield Passage.ON;
      }
      case Rounds.Refused(String code, String detail) ->
          stop(RoundMetric.PROPOSAL, id, Reason.ROUND_REFUSED, code, detail);
      case Rounds.Unavailable(String detail) -> unavailable(RoundMetric.PROPOSAL, id, detail);
    };
  }

  /** Only the answer to a request can be kept back for the outcome. */
  private Ticket ticket(RoundMark.Proposal proposal, RoundStatus status, Leg leg) {
    // The outcome is written down shortly after the deadline, not at it.
    long atMostMs = Math.min(settings().maxWaitMs(), status.leftMs() + settings().timeoutMs());
    boolean waits = proposal.waits() && leg == Leg.REQUEST && status.ended().isEmpty();
    return new Ticket(
        status,
        waits && atMostMs != 0
            ? Optional.of(exchange.services().rounds().ended(proposal.id(), atMostMs))
            : Optional.empty());
  }

  // ---- claims ----

  private Result check(CheckedMessage message, RoundMark.Claim claim) {
    Optional<Rounds.Known> noted = exchange.services().rounds().noted(claim);
    if (noted.isPresent()) {
      return checked(message, claim.id(), ClaimCheck.claim(claim, noted.get()));
    }
    return new Awaited<>(
        Source.ROUND,
        exchange.services().rounds().status(claim.id()),
        reply ->
            switch (reply) {
              case Rounds.Known known ->
                  checked(message, claim.id(), ClaimCheck.claim(claim, known));
              case Rounds.Refused(String code, String detail) ->
                  checked(message, claim.id(), ClaimCheck.unknown(code + ": " + detail));
              case Rounds.Unavailable(String detail) ->
                  unavailable(RoundMetric.CLAIM, claim.id().bound(), detail);
            });
  }

  private Passage checked(CheckedMessage message, RoundId id, ClaimCheck.Result result) {
    return switch (result) {
      case ClaimCheck.Result.Fails(Reason reason, String detail) ->
          stop(RoundMetric.CLAIM, id.bound(), reason, detail);
      case ClaimCheck.Result.Holds holds -> {
        Optional<String> textSha256 =
            message
                .text()
                .filter(_ -> message.unread().isEmpty())
                .map(text -> Digests.sha256(text.toByteArray()));
        Optional<ClaimCheck.Result.Fails> fails =
            ClaimCheck.finality(finality(message), Optional.of(holds), textSha256);
        if (fails.isPresent()) {
          yield stop(RoundMetric.FINALITY, id.bound(), fails.get().reason(), fails.get().detail());
        }
        exchange.record().round(RoundMetric.CLAIM, id.bound(), "holds", "");
        yield Passage.ON;
      }
    };
  }

  // ---- the outcome ----

  /** An author that waits gets its answer together with the outcome, or when it waited enough. */
  @Override
  public Result arrived() {
    if (ticket.isEmpty() || ticket.get().outcome.isEmpty()) {
      return Passage.ON;
    }
    long startNs = System.nanoTime();
    Ticket waiting = ticket.get();
    return new Awaited<Rounds.Reply>(
        Source.OUTCOME,
        waiting.outcome.get(),
        reply -> {
          exchange.record().waited(startNs, reply);
          waiting.heard(reply);
          return Passage.ON;
        });
  }

  /**
   * A streamed answer is not kept back for the outcome, but its end may know more than its head.
   */
  @Override
  public void toAgent(HttpHeaders fields) {
    if (ticket.isPresent() && ticket.get().outcome.isPresent()) {
      Ticket waiting = ticket.get();
      CompletableFuture<?> _ =
          waiting
              .outcome
              .get()
              .thenAccept(reply -> exchange.loop().execute(() -> waiting.heard(reply)));
    }
  }

  @Override
  public void toCaller(HttpHeaders fields) {
    if (beside.isPresent()) {
      VerdictFields.writeRound(fields, beside.get().status());
    }
  }

  @Override
  public VerdictHeader told(VerdictHeader verdict) {
    return ticket.isPresent() ? verdict.withRound(ticket.get().status()) : verdict;
  }

  @Override
  public void abandoned() {
    ticket.flatMap(found -> found.outcome).ifPresent(waiting -> waiting.cancel(false));
  }

  /** The control plane's receipt for a proposal. */
  private static final class Ticket {
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

    /** The round as far as is known; its deadline as far away as it is now. */
    RoundStatus status() {
      long agoMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - takenNs);
      return status.ended().isPresent()
          ? status
          : new RoundStatus(
              status.id(), status.state(), Math.max(0, status.leftMs() - agoMs), status.ended());
    }

    /** More is known. */
    void heard(Rounds.Reply reply) {
      switch (reply) {
        case Rounds.Known(RoundStatus now, Optional<String> _, var _) -> status = now;
        case Rounds.Refused _, Rounds.Unavailable _ -> {}
      }
    }
  }
}
