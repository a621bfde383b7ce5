package dev.parlance.proxy.exchange;

import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.audit.DecisionEvent;
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

/** Writes the lines of one exchange to the decision log. */
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

  /** Where a decision was made. */
  DecisionEvent.Place place(String flow, String protocol, Leg leg) {
    return new DecisionEvent.Place(
        flow,
        keys.trace().orElse(""),
        direction.code(),
        leg.code(),
        protocol,
        head.method(),
        head.target(),
        caller,
        rule.name());
  }

  void append(AuditEvent event) {
    services.log().append(event);
  }

  /** The author was asked again. */
  void repair(Judgment judgment, String flow) {
    services
        .log()
        .append(
            new RepairEvent(
                nowMs(),
                node(),
                judgment.id(),
                flow,
                judgment.draft().attempt(),
                judgment.decision().reasons(),
                "asked"));
  }

  /** A released message has reached whom it was for. */
  void delivered(ReviewItem item) {
    services
        .log()
        .append(
            new ReviewActionEvent(
                nowMs(), node(), item.id(), item.message().decisionId(), "deliver", "", ""));
  }

  /** Something was refused before anybody judged it. */
  void rejected(String layer, String code) {
    services
        .log()
        .append(new RejectionEvent(nowMs(), node(), direction.code(), layer, code, caller));
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

  long nowMs() {
    return services.wallClockMs().getAsLong();
  }

  String node() {
    return services.gate().node();
  }

  /** Revision of the configuration in force. */
  String configRevision() {
    return config.revision();
  }
}
