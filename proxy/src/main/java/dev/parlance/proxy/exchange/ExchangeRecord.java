package dev.parlance.proxy.exchange;

import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.GuardPolicy.OnCoreGap;
import dev.parlance.policy.route.GuardOutcome;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Signals;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.audit.Judgement;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.metrics.ForgedSource;
import dev.parlance.proxy.metrics.OpenCheck;
import dev.parlance.proxy.metrics.RoundMatter;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.metrics.Stage;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.relay.api.OriginReceiver.OriginResult;
import dev.parlance.wire.api.Annotatable;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.RoundStatus;
import dev.parlance.wire.api.VerdictHeader;
import dev.parlance.wire.bytes.PlainBody;
import dev.parlance.wire.bytes.WireFault;
import java.util.List;
import java.util.Optional;

/**
 * The record of one exchange: what happened, handed to metrics and to the decision log. Filled
 * along the way; a line is written for each decision, attempt and refusal once its action is known,
 * so that it says what was really done.
 */
final class ExchangeRecord {
  private static final String NO_PROTOCOL = "none";
  private static final int NS_PER_US = 1000;

  /** A judgment whose action is not known yet. */
  private static final class Open {
    private Judgment judgment;
    private final Leg leg;
    private final long bytesIn;
    private final String sha256;
    private final long originUs;
    private final int status;

    /** What of a stream it covers; empty for a message that was read whole. */
    private final Optional<DecisionEvent.Stream> stream;

    /** Where the message goes instead, if something else than the judge stands against it. */
    private Optional<Stop> stop = Optional.empty();

    Open(
        Judgment judgment,
        Leg leg,
        long bytesIn,
        String sha256,
        long originUs,
        int status,
        Optional<DecisionEvent.Stream> stream) {
      this.judgment = judgment;
      this.leg = leg;
      this.bytesIn = bytesIn;
      this.sha256 = sha256;
      this.originUs = originUs;
      this.status = status;
      this.stream = stream;
    }
  }

  /** Where a message goes, and why. */
  private record Stop(Route route, List<Reason> reasons) {}

  private final SidecarMetrics metrics;
  private final RouteRule rule;
  private final Direction direction;
  private final ExchangeKeys keys;
  private final AccessLog log;
  private final long startNs = System.nanoTime();

  private Optional<String> flow = Optional.empty();
  private String protocol = NO_PROTOCOL;
  private Optional<Open> open = Optional.empty();
  private boolean partlyUnread;
  private Optional<Route> lastRoute = Optional.empty();
  private Optional<DecisionEvent.Round> round = Optional.empty();
  private long askedNs;
  private long originNs;
  private long roundNs;

  ExchangeRecord(
      SidecarMetrics metrics,
      RouteRule rule,
      Direction direction,
      ExchangeKeys keys,
      AccessLog log) {
    this.metrics = metrics;
    this.rule = rule;
    this.direction = direction;
    this.keys = keys;
    this.log = log;
  }

  void read(RequestView view, String readFlow) {
    protocol = view.protocol();
    flow = Optional.of(readFlow);
    forged(view, Leg.REQUEST);
  }

  /** Flow of the exchange; one that nobody could read has a flow of its own. */
  String flow() {
    if (flow.isEmpty()) {
      flow = Optional.of(keys.unreadFlow());
    }
    return flow.get();
  }

  /** Fields that only sidecars may send: by the local agent they are forged, by a peer unproven. */
  void forgedFields(int count, Leg leg) {
    forged(count, leg);
  }

  /**
   * Verdicts in the body, and what it says of rounds where nobody checks that; both are cut.
   *
   * @param read of which {@code round()} was asked before, if it is to be checked at all
   */
  void forged(Annotatable read, Leg leg) {
    int cut = read.cutRounds();
    forged(read.forgedVerdicts() + cut, leg);
    for (int i = 0; i < cut; i++) {
      metrics.round(RoundMatter.MARK, "cut");
    }
  }

  private void forged(int count, Leg leg) {
    boolean byLocalAgent = (direction == Direction.OUTBOUND) == (leg == Leg.REQUEST);
    for (int i = 0; i < count; i++) {
      metrics.forgedHeader(byLocalAgent ? ForgedSource.AGENT : ForgedSource.PEER);
    }
  }

  /** How long reading a body took: decoding, scanning, finding the texts. */
  void readTook(long sinceNs) {
    metrics.overhead(Stage.READ, System.nanoTime() - sinceNs);
  }

  /** How long the review queue took to have a message on disk. */
  void holdTook(long sinceNs) {
    metrics.overhead(Stage.HOLD, System.nanoTime() - sinceNs);
  }

  void asked() {
    askedNs = System.nanoTime();
  }

  void originDone() {
    originNs += System.nanoTime() - askedNs;
  }

  void originFailed(OriginResult.Failed failed) {
    // A caller that leaves is no fault of the agent it asked.
    if (!failed.code().equals("cancelled")) {
      metrics.originError(failed.code());
    }
  }

  /** A draft has its judgment; line and count follow with {@link #acted}. */
  void decided(Judgment judgment, Leg leg, PlainBody body, int status) {
    decided(judgment, leg, body.length(), sha256(body), status, Optional.empty());
  }

  /** What a stream has brought so far has its judgment. */
  void decided(Judgment judgment, StreamBuffer buffer, int status, long heldMs) {
    DecisionEvent.Stream stream = buffer.counted(heldMs);
    decided(judgment, Leg.RESPONSE, stream.bytes(), buffer.sha256(), status, Optional.of(stream));
  }

  private void decided(
      Judgment judgment,
      Leg leg,
      long bytesIn,
      String sha256,
      int status,
      Optional<DecisionEvent.Stream> stream) {
    metrics.overhead(Stage.JUDGE, judgment.judgeNs());
    Verdict verdict = judgment.verdict();
    if (verdict.signals().isPresent()) {
      Signals signals = verdict.signals().get();
      metrics.signals(
          direction,
          signals.certainty(),
          signals.grounding(),
          signals.stochasticity(),
          signals.driftSqrtJsd());
    }
    if (verdict.core().isPresent()) {
      countGuard(verdict.core().get());
    }
    lastRoute = Optional.of(judgment.decision().route());
    open =
        Optional.of(new Open(judgment, leg, bytesIn, sha256, originNs / NS_PER_US, status, stream));
  }

  /** What was done about the judgment that is open, if one is. */
  void acted(String action, Optional<String> reviewId) {
    acted(action, reviewId, 0);
  }

  /** The message of the judgment that is open goes on. */
  void forwarded(long bytesOut) {
    if (open.isPresent() && open.get().judgment.verdict().core().isPresent()) {
      countGap(open.get().judgment.verdict().core().get());
    }
    acted("forward", Optional.empty(), bytesOut);
  }

  private void acted(String action, Optional<String> reviewId, long bytesOut) {
    if (open.isPresent()) {
      acted(open.get(), action, reviewId, bytesOut);
    }
    open = Optional.empty();
    partlyUnread = false;
  }

  private void acted(Open found, String action, Optional<String> reviewId, long bytesOut) {
    Judgment judgment = found.judgment;
    Stop end = found.stop.isPresent() ? found.stop.get() : judged(judgment);
    Route route = end.route();
    List<Reason> reasons = end.reasons();
    metrics.verdict(route, reasons.getFirst(), rule.mode());
    countPair(judgment.verdict(), route);
    if (route == Route.YIELD && reasons.contains(Reason.BUDGET) && rule.mode() == Mode.ENFORCE) {
      metrics.errorBudgetExhausted();
    }
    write(
        judgment.id(),
        found.leg,
        judgment.draft().attempt(),
        Optional.of(
            Judgement.of(
                judgment.verdict(),
                judgment.message().evidence(),
                rule.profile(),
                judgment.draft().grounding(),
                judgment.decision().reasons().contains(Reason.TTL_EXPIRED))),
        route,
        reasons,
        action,
        reviewId,
        new DecisionEvent.Traffic(
            found.status,
            found.bytesIn,
            bytesOut,
            found.sha256,
            elapsedUs(),
            judgment.judgeNs() / NS_PER_US,
            found.originUs),
        found.stream);
  }

  private Stop judged(Judgment judgment) {
    return partlyUnread && judgment.decision().route() == Route.EXECUTE
        ? new Stop(Route.WARN, List.of(Reason.UNJUDGED))
        : new Stop(judgment.decision().route(), judgment.decision().reasons());
  }

  /**
   * The message has to do with a round; the line that is written next says so.
   *
   * @param id name and epoch; empty if they could not be read
   * @param result stable code of what came of it
   */
  void round(RoundMatter matter, String id, String result, String detail) {
    metrics.round(matter, result);
    round = Optional.of(new DecisionEvent.Round(id, matter.code(), result, detail));
  }

  /** How long a message waited for the control plane to say something of its round. */
  void roundTook(long sinceNs) {
    long took = System.nanoTime() - sinceNs;
    metrics.overhead(Stage.ROUND, took);
    roundNs += took;
  }

  /** An answer was kept back for the outcome of a round; this came of it. */
  void waited(long sinceNs, Rounds.Reply reply) {
    roundNs += System.nanoTime() - sinceNs;
    String result =
        switch (reply) {
          case Rounds.Known(RoundStatus status, Optional<String> _) ->
              status.ended().isPresent() ? "ended" : "not_ended";
          case Rounds.Refused(String code, String _) -> code;
          case Rounds.Unavailable _ -> Reason.ROUND_UNAVAILABLE.code();
        };
    metrics.round(RoundMatter.WAIT, result);
  }

  /**
   * The message of the judgment that is open does not go on for its round; {@link #acted} follows.
   */
  void stopped(Route route, Reason reason) {
    open.ifPresent(found -> found.stop = Optional.of(new Stop(route, List.of(reason))));
    lastRoute = Optional.of(route);
  }

  /** The same for a message without words, of which there is no judgment. */
  void stoppedUnread(Reason reason, Leg leg, String id, PlainBody body, int status) {
    lastRoute = Optional.of(Route.REGENERATE);
    writeUnjudged(
        id, leg, Route.REGENERATE, reason, "refuse", Optional.empty(), traffic(status, body, 0));
  }

  /** Beside the judged text there is something that nobody read. */
  void partlyUnread(List<String> what, OnFailure policy) {
    what.forEach(part -> metrics.unjudged(part, policy));
    if (policy == OnFailure.WARN) {
      partlyUnread = true;
      if (lastRoute.equals(Optional.of(Route.EXECUTE))) {
        lastRoute = Optional.of(Route.WARN);
      }
    } else {
      metrics.failOpen(OpenCheck.UNJUDGED, policy);
    }
  }

  /** The judgment that is open turned out different, because its flow can pay no more. */
  void amended(Judgment judgment) {
    open.ifPresent(found -> found.judgment = judgment);
    lastRoute = Optional.of(judgment.decision().route());
  }

  void repair(Judgment judgment) {
    acted("ask_again", Optional.empty());
    metrics.regeneration(judgment.decision().primaryReason());
    log.repair(judgment, flow());
  }

  void released(ReviewItem item, VerdictHeader verdict, Leg leg) {
    lastRoute = Optional.of(Route.EXECUTE);
    if (open.isPresent()) {
      metrics.verdict(Route.EXECUTE, Reason.RELEASED, rule.mode());
      open = Optional.empty();
    }
    PlainBody body = PlainBody.of(item.message().body());
    writeUnjudged(
        verdict.decisionId(),
        leg,
        Route.EXECUTE,
        Reason.RELEASED,
        "deliver_released",
        Optional.of(item.id()),
        traffic(item.message().status(), body, body.length()));
  }

  /** The released message has reached whom it was for; the queue may forget it. */
  void delivered(ReviewItem item) {
    log.delivered(item);
  }

  /** A message that no codec could read. */
  void unjudged(String what, OnFailure policy, Leg leg, String id, PlainBody body, int status) {
    metrics.unjudged(what, policy);
    Route route =
        switch (policy) {
          case BLOCK -> Route.REGENERATE;
          case WARN -> Route.WARN;
          case ALLOW -> Route.EXECUTE;
        };
    lastRoute = Optional.of(route);
    if (policy != OnFailure.BLOCK) {
      metrics.failOpen(OpenCheck.UNJUDGED, policy);
    }
    writeUnjudged(
        id,
        leg,
        route,
        Reason.UNJUDGED,
        (policy == OnFailure.BLOCK ? "refuse_unjudged_" : "forward_unjudged_") + what,
        Optional.empty(),
        traffic(status, body, policy == OnFailure.BLOCK ? 0 : body.length()));
  }

  void malformed(WireFault fault) {
    String layer = AccessLog.layerOf(fault);
    metrics.rejected(layer, fault.code());
    log.rejected(layer, fault.code());
  }

  void gateFailed(OnFailure policy, String id, Leg leg) {
    if (policy != OnFailure.BLOCK) {
      metrics.failOpen(OpenCheck.INTERNAL_ERROR, policy);
    }
    open = Optional.empty();
    Route route = policy == OnFailure.BLOCK ? Route.REGENERATE : Route.WARN;
    lastRoute = Optional.of(route);
    writeUnjudged(
        id,
        leg,
        route,
        Reason.INTERNAL_ERROR,
        policy == OnFailure.BLOCK ? "refuse" : "forward_unjudged",
        Optional.empty(),
        new DecisionEvent.Traffic(0, 0, 0, "", elapsedUs(), 0, originNs / NS_PER_US));
  }

  /** The first bytes of a streamed answer go out. */
  void begun() {
    metrics.streamFirstByte(System.nanoTime() - startNs);
  }

  /** A stream ended otherwise than its agent would have ended it; a code of ours. */
  void streamCut(String code) {
    metrics.streamCut(code);
  }

  /** Something of a stream was refused before anybody judged it. */
  void streamRejected(String code) {
    metrics.rejected("stream", code);
    log.rejected("stream", code);
  }

  void answered(int status) {
    long tookNs = System.nanoTime() - startNs;
    metrics.overhead(Stage.TOTAL, Math.max(0, tookNs - originNs - roundNs));
    ended(status, tookNs);
  }

  /** A streamed answer has ended; how long the sidecar worked on it cannot be told from waiting. */
  void streamed(int status) {
    ended(status, System.nanoTime() - startNs);
  }

  private void ended(int status, long tookNs) {
    metrics.requestDuration(direction, protocol, tookNs);
    if (lastRoute.isPresent()) {
      metrics.request(direction, protocol, lastRoute.get(), status);
    } else {
      metrics.requestUnjudged(direction, protocol, status);
    }
  }

  /** A line about a message that no judge has seen. */
  private void writeUnjudged(
      String id,
      Leg leg,
      Route route,
      Reason reason,
      String action,
      Optional<String> reviewId,
      DecisionEvent.Traffic traffic) {
    write(
        id,
        leg,
        1,
        Optional.empty(),
        route,
        List.of(reason),
        action,
        reviewId,
        traffic,
        Optional.empty());
  }

  private DecisionEvent.Traffic traffic(int status, PlainBody body, long bytesOut) {
    return new DecisionEvent.Traffic(
        status, body.length(), bytesOut, sha256(body), elapsedUs(), 0, originNs / NS_PER_US);
  }

  private static String sha256(PlainBody body) {
    return Digests.sha256(body.array(), body.length());
  }

  private void write(
      String id,
      Leg leg,
      int attempt,
      Optional<Judgement> judgement,
      Route route,
      List<Reason> reasons,
      String action,
      Optional<String> reviewId,
      DecisionEvent.Traffic traffic,
      Optional<DecisionEvent.Stream> stream) {
    log.append(
        new DecisionEvent(
            log.nowMs(),
            log.node(),
            id,
            log.configRevision(),
            log.place(flow(), protocol.equals(NO_PROTOCOL) ? "" : protocol, leg),
            attempt,
            rule.mode().code(),
            judgement,
            route,
            reasons,
            action,
            reviewId,
            traffic,
            stream,
            round));
    round = Optional.empty();
  }

  private long elapsedUs() {
    return (System.nanoTime() - startNs) / NS_PER_US;
  }

  // ---- the core guard ----

  private void countGuard(CoreCheck check) {
    metrics.coreChecked(check.findings(), GuardOutcome.of(check));
  }

  /** Only routes with a core know who is on the other side. */
  private void countPair(Verdict verdict, Route route) {
    if (verdict.core().isPresent()) {
      metrics.pair(
          verdict.core().get().findings().core().peer(),
          route,
          verdict.signals().stream().mapToDouble(Signals::driftSqrtJsd).findFirst());
    }
  }

  /** What went on although the guard could not look properly. */
  private void countGap(CoreCheck check) {
    switch (check.findings().core().state()) {
      case FRESH -> {}
      case STALE -> {
        if (check.findings().checked() > 0) {
          countOpen(OpenCheck.CORE_STALE, check.policy().onStale());
        }
      }
      case ABSENT -> countOpen(OpenCheck.CORE_ABSENT, check.policy().onAbsent());
    }
  }

  /** In observe mode a message goes on that should be held; that is counted as allowed. */
  private void countOpen(OpenCheck check, OnCoreGap policy) {
    metrics.failOpen(
        check,
        switch (policy) {
          case WARN -> OnFailure.WARN;
          case YIELD, ALLOW -> OnFailure.ALLOW;
        });
  }
}
