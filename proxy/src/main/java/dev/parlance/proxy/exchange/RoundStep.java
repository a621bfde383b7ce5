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
import dev.parlance.proxy.metrics.RoundMatter;
import dev.parlance.proxy.review.HeldMessage;
import dev.parlance.wire.api.ResponseView;
import dev.parlance.wire.api.RoundMark;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.bytes.PlainBody;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a message says of a round, dealt with after it was judged and before it goes on.
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
final class RoundStep {
  private static final Logger log = LoggerFactory.getLogger(RoundStep.class);

  private final Case at;
  private final Turn turn;

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
    record On(Optional<RoundTicket> taken) implements Passage {}

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

  RoundStep(Case at, Turn turn) {
    this.at = at;
    this.turn = turn;
  }

  /** True if the message has nothing to do with rounds; then it goes on at once. */
  boolean isIdle(Leg leg, RoundMark mark, boolean speaks) {
    return mark instanceof RoundMark.None && finality(leg, speaks) == Finality.NONE;
  }

  /**
   * Deals with it.
   *
   * @param then told once what becomes of it, on the loop, now or later; not at all if the caller
   *     has gone meanwhile
   */
  void take(Message message, Consumer<Passage> then) {
    switch (message.mark()) {
      case RoundMark.None _ -> unclaimed(message, "", then);
      case RoundMark.Unreadable(String detail) ->
          then.accept(stop(RoundMatter.MARK, "", Reason.ROUND_UNREADABLE, detail));
      case RoundMark.Proposal proposal -> {
        if (finality(message) != Finality.NONE || !isOurs(message.leg())) {
          unclaimed(message, proposal.id().bound(), then);
        } else {
          propose(message, proposal, then);
        }
      }
      case RoundMark.Claim claim -> check(message, claim, then);
    }
  }

  private Finality finality(Message message) {
    return finality(message.leg(), message.speaks());
  }

  private Finality finality(Leg leg, boolean speaks) {
    return leg == Leg.REQUEST && speaks ? at.rule.finality() : Finality.NONE;
  }

  /** True if the local agent wrote it. */
  private boolean isOurs(Leg leg) {
    return (at.direction == Direction.OUTBOUND) == (leg == Leg.REQUEST);
  }

  private void unclaimed(Message message, String id, Consumer<Passage> then) {
    then.accept(
        ClaimCheck.finality(finality(message), Optional.empty(), Optional.empty())
            .map(fails -> stop(RoundMatter.FINALITY, id, fails.reason(), fails.detail()))
            .orElseGet(() -> new Passage.On(Optional.empty())));
  }

  private Passage stop(RoundMatter matter, String id, Reason reason, String detail) {
    return stop(matter, id, reason, reason.code(), detail);
  }

  private Passage stop(RoundMatter matter, String id, Reason reason, String code, String detail) {
    at.trail.round(matter, id, code, detail);
    return at.observing()
        ? new Passage.On(Optional.empty())
        : new Passage.Stopped(reason, code, detail);
  }

  private Passage unavailable(RoundMatter matter, String id, String detail) {
    Passage stopped = stop(matter, id, Reason.ROUND_UNAVAILABLE, detail);
    boolean held =
        stopped instanceof Passage.Stopped
            && settings().onUnavailable() == RoundSettings.OnUnavailable.HOLD;
    return held ? new Passage.Held(detail) : stopped;
  }

  private RoundSettings settings() {
    return at.config.control().map(ControlSettings::rounds).orElse(RoundSettings.DEFAULTS);
  }

  // ---- proposals ----

  private void propose(Message message, RoundMark.Proposal proposal, Consumer<Passage> then) {
    String rationale =
        proposal.rationale().or(() -> message.text().map(RoundStep::utf8)).orElse("");
    Rounds.Proposing proposing =
        new Rounds.Proposing(
            proposal,
            rationale,
            HexFormat.of()
                .parseHex(Digests.sha256(message.body().array(), message.body().length())),
            message.route(),
            message.decisionId());
    String id = proposal.id().bound();
    hop(
        at.services.rounds().propose(proposing),
        receipt -> {
          switch (receipt) {
            case Rounds.Taken(String how, RoundStatus status) -> {
              at.trail.round(RoundMatter.PROPOSAL, id, how, "");
              then.accept(new Passage.On(Optional.of(ticket(proposal, status, message.leg()))));
            }
            case Rounds.Refused(String code, String detail) ->
                then.accept(stop(RoundMatter.PROPOSAL, id, Reason.ROUND_REFUSED, code, detail));
            case Rounds.Unavailable(String detail) ->
                then.accept(unavailable(RoundMatter.PROPOSAL, id, detail));
          }
        });
  }

  /** Only the answer to a request can be kept back for the outcome. */
  private RoundTicket ticket(RoundMark.Proposal proposal, RoundStatus status, Leg leg) {
    // The outcome is written down shortly after the deadline, not at it.
    long atMostMs = Math.min(settings().maxWaitMs(), status.leftMs() + settings().timeoutMs());
    boolean waits = proposal.waits() && leg == Leg.REQUEST && status.ended().isEmpty();
    if (!waits || atMostMs == 0) {
      return new RoundTicket(status, Optional.empty());
    }
    return new RoundTicket(
        status, Optional.of(at.services.rounds().ended(proposal.id(), atMostMs)));
  }

  private static String utf8(byte[] text) {
    return new String(text, StandardCharsets.UTF_8);
  }

  // ---- claims ----

  private void check(Message message, RoundMark.Claim claim, Consumer<Passage> then) {
    Optional<Rounds.Known> noted = at.services.rounds().noted(claim);
    if (noted.isPresent()) {
      then.accept(checked(message, claim.id(), ClaimCheck.claim(claim, noted.get())));
      return;
    }
    hop(
        at.services.rounds().status(claim.id()),
        reply ->
            then.accept(
                switch (reply) {
                  case Rounds.Known known ->
                      checked(message, claim.id(), ClaimCheck.claim(claim, known));
                  case Rounds.Refused(String code, String detail) ->
                      checked(message, claim.id(), ClaimCheck.unknown(code + ": " + detail));
                  case Rounds.Unavailable(String detail) ->
                      unavailable(RoundMatter.CLAIM, claim.id().bound(), detail);
                }));
  }

  private Passage checked(Message message, RoundId id, ClaimCheck.Result result) {
    return switch (result) {
      case ClaimCheck.Result.Fails(Reason reason, String detail) ->
          stop(RoundMatter.CLAIM, id.bound(), reason, detail);
      case ClaimCheck.Result.Holds holds -> {
        Optional<String> textSha256 =
            message.text().filter(_ -> message.whole()).map(Digests::sha256);
        Optional<ClaimCheck.Result.Fails> fails =
            ClaimCheck.finality(finality(message), Optional.of(holds), textSha256);
        if (fails.isPresent()) {
          yield stop(RoundMatter.FINALITY, id.bound(), fails.get().reason(), fails.get().detail());
        }
        at.trail.round(RoundMatter.CLAIM, id.bound(), "holds", "");
        yield new Passage.On(Optional.empty());
      }
    };
  }

  // ---- back on the loop ----

  private <T> void hop(CompletableFuture<T> asked, Consumer<T> then) {
    long startNs = System.nanoTime();
    CompletableFuture<?> _ =
        asked.whenComplete((reply, failure) ->
            at.exchange
                .loop()
                .execute(() ->
                    turn.guarded(() -> {
                      at.trail.roundTook(startNs);
                      if (failure != null || reply == null) {
                        throw new IllegalStateException("asking about a round failed", failure);
                      }
                      if (at.answer.isGiven()) {
                        log.atDebug().log("the caller left while its message waited for a round");
                        at.trail.acted("caller_gone", Optional.empty());
                        return;
                      }
                      then.accept(reply);
                    })));
  }
}
