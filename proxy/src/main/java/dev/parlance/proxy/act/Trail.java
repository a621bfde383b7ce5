package dev.parlance.proxy.act;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.signal.Signals;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.audit.Judgement;
import dev.parlance.proxy.audit.RejectionEvent;
import dev.parlance.proxy.audit.RepairEvent;
import dev.parlance.proxy.audit.ReviewActionEvent;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.config.OnFailure;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Digests;
import dev.parlance.proxy.gate.Flows;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.gate.Rounds;
import dev.parlance.proxy.gate.Ruling;
import dev.parlance.proxy.metrics.ForgedSource;
import dev.parlance.proxy.metrics.OpenCheck;
import dev.parlance.proxy.metrics.RoundMatter;
import dev.parlance.proxy.metrics.Stage;
import dev.parlance.proxy.relay.OriginResult;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.wire.Annotatable;
import dev.parlance.proxy.wire.Annotation;
import dev.parlance.proxy.wire.RequestHead;
import dev.parlance.proxy.wire.RequestView;
import dev.parlance.proxy.wire.RoundStatus;
import dev.parlance.proxy.wire.WireFault;
import java.util.List;
import java.util.Optional;

/**
 * What one exchange leaves behind: counts, and one line in the decision log for each decision,
 * attempt and refusal. Written when the action is known, so that a line says what was really done.
 */
final class Trail {
  private static final String NO_PROTOCOL = "none";
  private static final int NS_PER_US = 1000;

  private final Services services;
  private final SidecarConfig config;
  private final RouteRule rule;
  private final Direction direction;
  private final RequestHead head;
  private final String caller;
  private final long startNs = System.nanoTime();

  private String flow;
  private String protocol = NO_PROTOCOL;
  private Optional<Open> open = Optional.empty();
  private boolean partlyUnread;
  private Optional<Route> lastRoute = Optional.empty();
  private Optional<DecisionEvent.Round> round = Optional.empty();
  private long askedNs;
  private long originNs;
  private long roundNs;

  /** A ruling whose action is not known yet. */
  private record Open(
      Ruling ruling,
      Leg leg,
      long bytesIn,
      String sha256,
      long originUs,
      int status,
      Optional<DecisionEvent.Stream> stream,
      Optional<Stop> stop) {
    Open of(Ruling other) {
      return new Open(other, leg, bytesIn, sha256, originUs, status, stream, stop);
    }

    Open stoppedFor(Route route, Reason reason) {
      return new Open(
          ruling,
          leg,
          bytesIn,
          sha256,
          originUs,
          status,
          stream,
          Optional.of(new Stop(route, List.of(reason))));
    }
  }

  /** Where a message goes that the judge let pass. */
  private record Stop(Route route, List<Reason> reasons) {}

  Trail(
      Services services,
      SidecarConfig config,
      RouteRule rule,
      Direction direction,
      RequestHead head,
      String caller,
      String unreadFlow) {
    this.services = services;
    this.config = config;
    this.rule = rule;
    this.direction = direction;
    this.head = head;
    this.caller = caller;
    this.flow = unreadFlow;
  }

  void read(RequestView view, String readFlow) {
    protocol = view.protocol();
    flow = readFlow;
    forged(view, Leg.REQUEST);
  }

  String flow() {
    return flow;
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
      services.metrics().round(RoundMatter.MARK, "cut");
    }
  }

  private void forged(int count, Leg leg) {
    boolean byLocalAgent = (direction == Direction.OUTBOUND) == (leg == Leg.REQUEST);
    for (int i = 0; i < count; i++) {
      services.metrics().forgedHeader(byLocalAgent ? ForgedSource.AGENT : ForgedSource.PEER);
    }
  }

  /** How long reading a body took: decoding, scanning, finding the texts. */
  void readTook(long sinceNs) {
    services.metrics().overhead(Stage.READ, System.nanoTime() - sinceNs);
  }

  /** How long the review queue took to have a message on disk. */
  void holdTook(long sinceNs) {
    services.metrics().overhead(Stage.HOLD, System.nanoTime() - sinceNs);
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
      services.metrics().originError(failed.code());
    }
  }

  /** A draft has its ruling; line and count follow with {@link #acted}. */
  void decided(Ruling ruling, Leg leg, byte[] body, int status) {
    decided(ruling, leg, body.length, Digests.sha256(body), status, Optional.empty());
  }

  /** What a stream has brought so far has its ruling. */
  void decided(Ruling ruling, StreamTally tally, int status, long heldMs) {
    DecisionEvent.Stream stream = tally.line(heldMs);
    decided(ruling, Leg.RESPONSE, stream.bytes(), tally.sha256(), status, Optional.of(stream));
  }

  private void decided(
      Ruling ruling,
      Leg leg,
      long bytesIn,
      String sha256,
      int status,
      Optional<DecisionEvent.Stream> stream) {
    services.metrics().overhead(Stage.JUDGE, ruling.judgeNs());
    ruling
        .verdict()
        .signals()
        .ifPresent((Signals signals) ->
            services
                .metrics()
                .signals(
                    direction,
                    signals.certainty(),
                    signals.grounding(),
                    signals.stochasticity(),
                    signals.driftSqrtJsd()));
    ruling.verdict().core().ifPresent(check -> CoreCounts.decided(services.metrics(), check));
    lastRoute = Optional.of(ruling.decision().route());
    open =
        Optional.of(
            new Open(
                ruling,
                leg,
                bytesIn,
                sha256,
                originNs / NS_PER_US,
                status,
                stream,
                Optional.empty()));
  }

  /** What was done about the ruling that is open, if one is. */
  void acted(String action, Optional<String> reviewId) {
    acted(action, reviewId, 0);
  }

  /** The message of the ruling that is open goes on. */
  void forwarded(long bytesOut) {
    open.flatMap(found -> found.ruling().verdict().core())
        .ifPresent(check -> CoreCounts.forwarded(services.metrics(), check));
    acted("forward", Optional.empty(), bytesOut);
  }

  private void acted(String action, Optional<String> reviewId, long bytesOut) {
    open.ifPresent((Open found) -> {
      Ruling ruling = found.ruling();
      Stop end = found.stop().orElseGet(() -> judged(ruling));
      Route route = end.route();
      List<Reason> reasons = end.reasons();
      services.metrics().verdict(route, reasons.getFirst(), rule.mode());
      if (route == Route.YIELD && reasons.contains(Reason.BUDGET) && rule.mode() == Mode.ENFORCE) {
        services.metrics().errorBudgetExhausted();
      }
      write(
          ruling.id(),
          found.leg(),
          ruling.draft().attempt(),
          Optional.of(
              Judgement.of(
                  ruling.verdict(),
                  ruling.message().evidence(),
                  rule.profile(),
                  ruling.draft().grounding(),
                  ruling.decision().reasons().contains(Reason.TTL_EXPIRED))),
          route,
          reasons,
          action,
          reviewId,
          new DecisionEvent.Traffic(
              found.status(),
              found.bytesIn(),
              bytesOut,
              found.sha256(),
              elapsedUs(),
              ruling.judgeNs() / NS_PER_US,
              found.originUs()),
          found.stream());
    });
    open = Optional.empty();
    partlyUnread = false;
  }

  private Stop judged(Ruling ruling) {
    return partlyUnread && ruling.decision().route() == Route.EXECUTE
        ? new Stop(Route.WARN, List.of(Reason.UNJUDGED))
        : new Stop(ruling.decision().route(), ruling.decision().reasons());
  }

  /**
   * The message has to do with a round; the line that is written next says so.
   *
   * @param id name and epoch; empty if they could not be read
   * @param result stable code of what came of it
   */
  void round(RoundMatter matter, String id, String result, String detail) {
    services.metrics().round(matter, result);
    round = Optional.of(new DecisionEvent.Round(id, matter.code(), result, detail));
  }

  /** How long a message waited for the control plane to say something of its round. */
  void roundTook(long sinceNs) {
    long took = System.nanoTime() - sinceNs;
    services.metrics().overhead(Stage.ROUND, took);
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
    services.metrics().round(RoundMatter.WAIT, result);
  }

  /**
   * The message of the ruling that is open does not go on for its round; {@link #acted} follows.
   */
  void stopped(Route route, Reason reason) {
    open = open.map(found -> found.stoppedFor(route, reason));
    lastRoute = Optional.of(route);
  }

  /** The same for a message without words, of which there is no ruling. */
  void stoppedUnread(Reason reason, Leg leg, String id, byte[] body, int status) {
    lastRoute = Optional.of(Route.REGENERATE);
    write(
        id,
        leg,
        1,
        Optional.empty(),
        Route.REGENERATE,
        List.of(reason),
        "refuse",
        Optional.empty(),
        new DecisionEvent.Traffic(
            status, body.length, 0, Digests.sha256(body), elapsedUs(), 0, originNs / NS_PER_US));
  }

  /** Beside the judged text there is something that nobody read. */
  void partlyUnread(List<String> what, OnFailure policy) {
    what.forEach(part -> services.metrics().unjudged(part, policy));
    if (policy == OnFailure.WARN) {
      partlyUnread = true;
      if (lastRoute.equals(Optional.of(Route.EXECUTE))) {
        lastRoute = Optional.of(Route.WARN);
      }
    } else {
      services.metrics().failOpen(OpenCheck.UNJUDGED, policy);
    }
  }

  /** The ruling that is open turned out different, because its flow can pay no more. */
  void amended(Ruling ruling) {
    open = open.map(found -> found.of(ruling));
    lastRoute = Optional.of(ruling.decision().route());
  }

  void repair(Ruling ruling) {
    acted("ask_again", Optional.empty());
    services.metrics().regeneration(ruling.decision().primaryReason());
    services
        .log()
        .append(
            new RepairEvent(
                now(),
                node(),
                ruling.id(),
                flow,
                ruling.draft().attempt(),
                ruling.decision().reasons(),
                "asked"));
  }

  void released(ReviewItem item, Annotation verdict, Leg leg) {
    lastRoute = Optional.of(Route.EXECUTE);
    if (open.isPresent()) {
      services.metrics().verdict(Route.EXECUTE, Reason.RELEASED, rule.mode());
      open = Optional.empty();
    }
    write(
        verdict.decisionId(),
        leg,
        1,
        Optional.empty(),
        Route.EXECUTE,
        List.of(Reason.RELEASED),
        "deliver_released",
        Optional.of(item.id()),
        new DecisionEvent.Traffic(
            item.message().status(),
            item.message().body().length,
            item.message().body().length,
            Digests.sha256(item.message().body()),
            elapsedUs(),
            0,
            originNs / NS_PER_US));
  }

  /** The released message has reached whom it was for; the queue may forget it. */
  void delivered(ReviewItem item) {
    services
        .log()
        .append(
            new ReviewActionEvent(
                now(), node(), item.id(), item.message().decisionId(), "deliver", "", ""));
  }

  /** A message that no codec could read. */
  void unjudged(String what, OnFailure policy, Leg leg, String id, byte[] body, int status) {
    services.metrics().unjudged(what, policy);
    Route route =
        switch (policy) {
          case BLOCK -> Route.REGENERATE;
          case WARN -> Route.WARN;
          case ALLOW -> Route.EXECUTE;
        };
    lastRoute = Optional.of(route);
    if (policy != OnFailure.BLOCK) {
      services.metrics().failOpen(OpenCheck.UNJUDGED, policy);
    }
    write(
        id,
        leg,
        1,
        Optional.empty(),
        route,
        List.of(Reason.UNJUDGED),
        (policy == OnFailure.BLOCK ? "refuse_unjudged_" : "forward_unjudged_") + what,
        Optional.empty(),
        new DecisionEvent.Traffic(
            status,
            body.length,
            policy == OnFailure.BLOCK ? 0 : body.length,
            Digests.sha256(body),
            elapsedUs(),
            0,
            originNs / NS_PER_US));
  }

  void malformed(WireFault fault) {
    services.metrics().rejected(layerOf(fault), fault.code());
    services
        .log()
        .append(
            new RejectionEvent(
                now(), node(), direction.code(), layerOf(fault), fault.code(), caller));
  }

  void gateFailed(OnFailure policy, String id, Leg leg) {
    if (policy != OnFailure.BLOCK) {
      services.metrics().failOpen(OpenCheck.INTERNAL_ERROR, policy);
    }
    open = Optional.empty();
    Route route = policy == OnFailure.BLOCK ? Route.REGENERATE : Route.WARN;
    lastRoute = Optional.of(route);
    write(
        id,
        leg,
        1,
        Optional.empty(),
        route,
        List.of(Reason.INTERNAL_ERROR),
        policy == OnFailure.BLOCK ? "refuse" : "forward_unjudged",
        Optional.empty(),
        new DecisionEvent.Traffic(0, 0, 0, "", elapsedUs(), 0, originNs / NS_PER_US));
  }

  /** The first bytes of a streamed answer go out. */
  void begun() {
    services.metrics().streamFirstByte(System.nanoTime() - startNs);
  }

  /** A stream ended otherwise than its agent would have ended it; a code of ours. */
  void streamCut(String code) {
    services.metrics().streamCut(code);
  }

  /** Something of a stream was refused before anybody judged it. */
  void streamRejected(String code) {
    services.metrics().rejected("stream", code);
    services
        .log()
        .append(new RejectionEvent(now(), node(), direction.code(), "stream", code, caller));
  }

  void answered(int status) {
    services
        .metrics()
        .overhead(Stage.TOTAL, Math.max(0, System.nanoTime() - startNs - originNs - roundNs));
    streamed(status);
  }

  /** A streamed answer has ended; how long the sidecar worked on it cannot be told from waiting. */
  void streamed(int status) {
    services.metrics().requestDuration(direction, protocol, System.nanoTime() - startNs);
    if (lastRoute.isPresent()) {
      services.metrics().request(direction, protocol, lastRoute.get(), status);
    } else {
      services.metrics().requestUnjudged(direction, protocol, status);
    }
  }

  /** The verdict that goes with a message that was not judged, and with a person's release. */
  Annotation bare(String id, Route route, Reason reason, int attempt) {
    return new Annotation(
        Optional.empty(),
        route.code(),
        List.of(reason.code()),
        java.util.OptionalDouble.empty(),
        java.util.OptionalDouble.empty(),
        java.util.OptionalDouble.empty(),
        java.util.OptionalDouble.empty(),
        "none",
        attempt,
        0,
        rule.profile().errorMax(),
        flow,
        "none",
        rule.profile().name(),
        rule.mode().code(),
        node(),
        id,
        Optional.empty(),
        Optional.empty());
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
      DecisionEvent.Traffic traffic) {
    write(id, leg, attempt, judgement, route, reasons, action, reviewId, traffic, Optional.empty());
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
    services
        .log()
        .append(
            new DecisionEvent(
                now(),
                node(),
                id,
                config.revision(),
                place(leg),
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

  private DecisionEvent.Place place(Leg leg) {
    return new DecisionEvent.Place(
        flow,
        Flows.traceId(head.fields()).orElse(""),
        direction.code(),
        leg.code(),
        protocol.equals(NO_PROTOCOL) ? "" : protocol,
        head.method(),
        head.target(),
        caller,
        rule.name());
  }

  private long elapsedUs() {
    return (System.nanoTime() - startNs) / NS_PER_US;
  }

  private long now() {
    return services.wallClockMs().getAsLong();
  }

  private String node() {
    return services.gate().node();
  }

  private static String layerOf(WireFault fault) {
    return switch (fault) {
      case BAD_ENCODING, BAD_CHARSET, BAD_CODING -> "encoding";
      case BAD_JSON, DUPLICATE_KEY, JSON_LIMIT, BAD_MESSAGE -> "json";
      case BODY_TOO_LARGE, INFLATION_LIMIT -> "size";
      case BAD_PROTOBUF, PROTOBUF_LIMIT, BAD_FRAME -> "message";
      case INCOMPLETE -> "http1";
    };
  }
}
