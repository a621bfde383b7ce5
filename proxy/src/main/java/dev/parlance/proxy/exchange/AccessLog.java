package dev.parlance.proxy.exchange;

import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.audit.Judgement;
import dev.parlance.proxy.audit.RejectionEvent;
import dev.parlance.proxy.audit.RepairEvent;
import dev.parlance.proxy.audit.ReviewActionEvent;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.RouteRule;
import dev.parlance.proxy.config.SidecarConfig;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.wire.api.RequestHead;
import dev.parlance.wire.bytes.WireFault;
import java.util.List;
import java.util.Optional;

/** The lines of one exchange in the decision log, with what is the same in all of them. */
final class AccessLog {
  private final Services services;
  private final SidecarConfig config;
  private final RouteRule rule;
  private final Direction direction;
  private final RequestHead head;
  private final String caller;
  private final ExchangeKeys keys;

  AccessLog(
      Services services,
      SidecarConfig config,
      RouteRule rule,
      Direction direction,
      RequestHead head,
      String caller,
      ExchangeKeys keys) {
    this.services = services;
    this.config = config;
    this.rule = rule;
    this.direction = direction;
    this.head = head;
    this.caller = caller;
    this.keys = keys;
  }

  /** A decision about one message; the arguments are those of {@link DecisionEvent}. */
  void decision(
      String id,
      String flow,
      String protocol,
      Leg leg,
      int attempt,
      Optional<Judgement> judgement,
      Route route,
      List<Reason> reasons,
      String action,
      Optional<String> reviewId,
      DecisionEvent.Traffic traffic,
      Optional<DecisionEvent.Stream> stream,
      Optional<DecisionEvent.Round> round) {
    services
        .log()
        .append(
            new DecisionEvent(
                now(),
                node(),
                id,
                config.revision(),
                new DecisionEvent.Place(
                    flow,
                    keys.trace().orElse(""),
                    direction.code(),
                    leg.code(),
                    protocol,
                    head.method(),
                    head.target(),
                    caller,
                    rule.name()),
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
  }

  /** The author was asked again. */
  void repair(Judgment ruling, String flow) {
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

  /** A released message has reached whom it was for. */
  void delivered(ReviewItem item) {
    services
        .log()
        .append(
            new ReviewActionEvent(
                now(), node(), item.id(), item.message().decisionId(), "deliver", "", ""));
  }

  /** Something was refused before anybody judged it. */
  void rejected(String layer, String code) {
    services.log().append(new RejectionEvent(now(), node(), direction.code(), layer, code, caller));
  }

  /** Which layer found a fault, in counts and lines. */
  static String layerOf(WireFault fault) {
    return switch (fault) {
      case BAD_ENCODING, BAD_CHARSET, BAD_CODING -> "encoding";
      case BAD_JSON, DUPLICATE_KEY, JSON_LIMIT, BAD_MESSAGE -> "json";
      case BODY_TOO_LARGE, INFLATION_LIMIT -> "size";
      case BAD_PROTOBUF, PROTOBUF_LIMIT, BAD_FRAME -> "message";
      case INCOMPLETE -> "http1";
    };
  }

  private long now() {
    return services.wallClockMs().getAsLong();
  }

  private String node() {
    return services.gate().node();
  }
}
