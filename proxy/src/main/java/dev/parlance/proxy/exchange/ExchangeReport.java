package dev.parlance.proxy.exchange;

import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.route.GuardOutcome;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Route;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Signals;
import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.audit.ReplayableVerdict;
import dev.parlance.proxy.config.Direction;
import dev.parlance.proxy.config.Mode;
import dev.parlance.proxy.destination.CardAddresses;
import dev.parlance.proxy.gate.Judgment;
import dev.parlance.proxy.gate.Leg;
import dev.parlance.proxy.metrics.MetricLabel.ForgedSource;
import dev.parlance.proxy.metrics.MetricLabel.RoundMetric;
import dev.parlance.proxy.metrics.MetricLabel.Stage;
import dev.parlance.proxy.metrics.SidecarMetrics;
import dev.parlance.proxy.review.ReviewItem;
import dev.parlance.proxy.trace.ExchangeSpan;
import dev.parlance.proxy.trace.TraceContext;
import dev.parlance.service.config.Quoted;
import dev.parlance.wire.api.AgentProtocol;
import dev.parlance.wire.api.RequestView;
import dev.parlance.wire.api.ResponseHead;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands what an {@link ExchangeRecord} says to the metrics and to the decision log, every fact
 * once. A line is written for each decision, attempt and refusal once its action is known, so that
 * it says what was really done.
 */
final class ExchangeReport {
  /** What was done about a draft whose author was asked again. */
  static final String ASK_AGAIN = "ask_again";

  private static final Logger log = LoggerFactory.getLogger(ExchangeReport.class);
  private static final String TRACE_STATE = "tracestate";
  private static final int NS_PER_US = 1000;
  private static final int BAD_GATEWAY = 502;

  private final ExchangeContext exchange;
  private final ExchangeRecord record;
  private final SidecarMetrics metrics;
  private Spanned spanned = Spanned.NOT_YET;
  private Optional<ExchangeSpan> span = Optional.empty();

  /** Status that the caller got; 0 before. */
  private int status;

  /** Whether the exchange has a span. */
  private enum Spanned {
    /** Nobody has asked. */
    NOT_YET,
    /** It has one, unless it is not sampled. */
    BEGUN,
    /** It had one, unless it was not sampled. */
    ENDED
  }

  ExchangeReport(ExchangeContext exchange) {
    this.exchange = exchange;
    this.record = exchange.record;
    this.metrics = exchange.services.metrics();
  }

  /** Hands over what is new. */
  void hand() {
    if (record.isNew) {
      try {
        handNew();
      } finally {
        record.clear();
      }
    }
  }

  private void handNew() {
    forged(record.forgedInRequest, Leg.REQUEST);
    forged(record.forgedInResponse, Leg.RESPONSE);
    for (int i = 0; i < record.cutMarks; i++) {
      metrics.round(RoundMetric.MARK, "cut");
    }
    if (record.readNs >= 0) {
      metrics.overhead(Stage.READ, record.readNs);
    }
    if (record.judged.isPresent()) {
      judged(record.judged.get());
    }
    for (Consumer<SidecarMetrics> fact : record.facts) {
      fact.accept(metrics);
    }
    if (record.done.isPresent()) {
      decided(record.done.get());
    }
    for (ExchangeRecord.Rejected rejected : record.rejections) {
      rejected(rejected);
    }
    if (record.answered > 0) {
      answered(record.answered);
    }
  }

  private void forged(int count, Leg leg) {
    boolean byLocalAgent = (exchange.direction == Direction.OUTBOUND) == (leg == Leg.REQUEST);
    for (int i = 0; i < count; i++) {
      metrics.forgedHeader(byLocalAgent ? ForgedSource.AGENT : ForgedSource.PEER);
    }
  }

  private void judged(Judgment judgment) {
    metrics.overhead(Stage.JUDGE, judgment.judgeNs());
    Verdict verdict = judgment.verdict();
    if (verdict.signals().isPresent()) {
      Signals signals = verdict.signals().get();
      metrics.signals(
          exchange.direction,
          signals.certainty(),
          signals.grounding(),
          signals.stochasticity(),
          signals.driftSqrtJsd());
    }
    if (verdict.core().isPresent()) {
      CoreCheck check = verdict.core().get();
      metrics.coreChecked(check.findings(), GuardOutcome.of(check));
    }
  }

  private void rejected(ExchangeRecord.Rejected rejected) {
    if (rejected.isCounted()) {
      metrics.rejected(rejected.layer(), rejected.code());
    }
    write(
        new AuditEvent.RejectionEvent(
            nowMs(),
            node(),
            exchange.direction.code(),
            rejected.layer(),
            rejected.code(),
            exchange.keys.caller(),
            Optional.of(
                new AuditEvent.During(
                    place(record.originNs > 0 ? Leg.RESPONSE : Leg.REQUEST),
                    record.decisionId,
                    rejected.detail(),
                    (System.nanoTime() - record.startNs) / NS_PER_US,
                    record.originNs / NS_PER_US)),
            0));
  }

  private void decided(ExchangeRecord.Message message) {
    if (message.judged) {
      metrics.verdict(message.route, message.reasons.getFirst(), exchange.rule.mode());
    }
    if (message.judgment.isPresent()) {
      if (message.judgment.get().message().evidence().cut() > 0) {
        metrics.evidenceCut(message.judgment.get().message().evidence().cut());
      }
      pair(message.judgment.get().verdict(), message.route);
      if (message.route == Route.YIELD
          && message.reasons.contains(Reason.BUDGET)
          && exchange.rule.mode() == Mode.ENFORCE) {
        metrics.errorBudgetExhausted();
      }
    }
    write(message);
    if (message.action.equals(ASK_AGAIN)) {
      repair(message.judgment.orElseThrow());
    }
  }

  /** Only routes with a core know who is on the other side. */
  private void pair(Verdict verdict, Route route) {
    if (verdict.core().isPresent()) {
      metrics.pair(
          verdict.core().get().findings().core().peer(),
          route,
          verdict.signals().isPresent()
              ? OptionalDouble.of(verdict.signals().get().driftSqrtJsd())
              : OptionalDouble.empty());
    }
  }

  private void write(ExchangeRecord.Message message) {
    record.decisionId = message.id;
    Optional<Judgment> judgment = message.judgment;
    if (judgment.isPresent()) {
      texts(judgment.get());
    }
    write(
        new DecisionEvent(
            nowMs(),
            node(),
            message.id,
            exchange.config.revision(),
            place(message.leg),
            judgment.isPresent() ? judgment.get().draft().attempt() : 1,
            exchange.rule.mode().code(),
            judgment.filter(own -> own.believed().isEmpty()).map(this::verdict),
            message.route,
            message.reasons,
            message.action,
            message.reviewId,
            new DecisionEvent.Traffic(
                message.status,
                message.bytesIn,
                message.bytesOut,
                message.sha256,
                (System.nanoTime() - record.startNs) / NS_PER_US,
                judgment.isPresent() ? judgment.get().judgeNs() / NS_PER_US : 0,
                message.originNs / NS_PER_US),
            message.stream,
            message.round,
            message.pact,
            message.coinage,
            judgment
                .flatMap(Judgment::believed)
                .map(word -> new DecisionEvent.JudgedBy(word.by(), word.decision()))));
  }

  /** A line of the decision log, which is an event of the span. */
  private void write(AuditEvent event) {
    exchange.services.log().append(event);
    if (isTraced()) {
      begin(exchange.asked);
      if (span.isPresent()) {
        span.get().add(event);
      }
    }
  }

  // ---- the span ----

  /** True if there may be a span, and it has not ended. */
  private boolean isTraced() {
    return exchange.services.tracer().isPresent() && spanned != Spanned.ENDED;
  }

  /**
   * Begins the span, if it has not begun.
   *
   * @param asked the request, if it was read and its body is still there
   */
  private void begin(Optional<RequestView> asked) {
    if (spanned == Spanned.NOT_YET) {
      spanned = Spanned.BEGUN;
      HttpHeaders fields = exchange.request.headers();
      span =
          exchange
              .services
              .tracer()
              .orElseThrow()
              .begin(
                  caller(fields)
                      .or(() ->
                          asked.flatMap(RequestView::traceparent).flatMap(TraceContext::parse)),
                  Optional.ofNullable(fields.get(TRACE_STATE)),
                  record.startNs);
      if (span.isPresent() && asked.isPresent()) {
        span.get().asks(asked.get().called(), asked.get().correlation());
      }
    }
  }

  /** Who asks, by the one field that says so. */
  private static Optional<TraceContext> caller(HttpHeaders fields) {
    List<String> values = fields.getAll(TraceContext.FIELD);
    return values.size() == 1 ? TraceContext.parse(values.getFirst()) : Optional.empty();
  }

  /**
   * The request leaves: its agent is asked by the span of this sidecar, where anything may be
   * changed. One without a caller's span gets none: the id of a trace tells flows apart, and calls
   * that have none in common would each have a flow of its own.
   */
  void leaves(HttpHeaders fields) {
    if (isTraced()) {
      begin(exchange.asked);
      if (span.isPresent() && !exchange.rule.isTap() && caller(fields).isPresent()) {
        fields.set(TraceContext.FIELD, span.get().traceparent());
      }
    }
  }

  private void texts(Judgment judgment) {
    if (isTraced()) {
      begin(exchange.asked);
      if (span.isPresent()) {
        Utf8Span said = judgment.message().answer();
        switch (judgment.draft().leg()) {
          case REQUEST -> span.get().texts(said, Utf8Span.EMPTY);
          case RESPONSE -> span.get().texts(judgment.message().question(), said);
        }
      }
    }
  }

  /** The exchange is over; to be called as often as it may be. */
  void over() {
    if (isTraced()) {
      begin(Optional.empty());
      spanned = Spanned.ENDED;
      if (span.isPresent()) {
        span.get()
            .end(
                new ExchangeSpan.Facts(
                    place(Leg.REQUEST),
                    exchange.destination.host(),
                    exchange.destination.port(),
                    exchange.rule.mode().code(),
                    exchange.config.revision(),
                    status));
      }
    }
  }

  private ReplayableVerdict verdict(Judgment judgment) {
    return ReplayableVerdict.of(
        judgment.verdict(),
        judgment.message().evidence(),
        exchange.rule.profile(),
        judgment.draft().grounding(),
        judgment.decision().reasons().contains(Reason.TTL_EXPIRED),
        judgment.annotation().basis().notes());
  }

  /** Where a decision was made. */
  private DecisionEvent.Place place(Leg leg) {
    return new DecisionEvent.Place(
        exchange.keys.flow(),
        exchange.keys.trace().orElse(""),
        exchange.direction.code(),
        leg.code(),
        record.protocol.equals(AgentProtocol.NONE) ? "" : record.protocol.name(),
        exchange.head.method(),
        exchange.head.target(),
        exchange.keys.caller(),
        exchange.rule.name());
  }

  /** The author was asked again. */
  private void repair(Judgment judgment) {
    metrics.regeneration(judgment.decision().primaryReason());
    write(
        new AuditEvent.RepairEvent(
            nowMs(),
            node(),
            judgment.id(),
            exchange.keys.flow(),
            judgment.draft().attempt(),
            judgment.decision().reasons(),
            "asked"));
  }

  /** A released message has reached whom it was for, and the queue may forget it; any thread. */
  void delivered(ReviewItem item) {
    exchange
        .services
        .log()
        .append(
            new AuditEvent.ReviewActionEvent(
                nowMs(), node(), item.id(), item.message().decisionId(), "deliver", "", ""));
  }

  /** The local agent's card was fetched: does it name an address that leads past this sidecar? */
  void card(List<String> addresses) {
    if (addresses.isEmpty()
        || exchange.direction != Direction.INBOUND
        || exchange.call.originalDestination().isPresent()) {
      return; // redirection takes whoever follows the card, too
    }
    List<String> used = new ArrayList<>(List.of(exchange.request.authority()));
    Optional.ofNullable(exchange.request.headers().get("X-Forwarded-Host")).ifPresent(used::add);
    Optional<String> elsewhere = CardAddresses.elsewhere(addresses, used);
    if (elsewhere.isPresent()) {
      String named = elsewhere.get();
      metrics.cardElsewhere();
      exchange
          .services
          .log()
          .append(
              new AuditEvent.NoticeEvent(
                  nowMs(),
                  node(),
                  exchange.direction.code(),
                  "card_elsewhere",
                  "the agent card names %s, its caller used %s".formatted(named, used.getLast()),
                  exchange.keys.caller()));
      if (exchange.plan.cards().isNew(named)) {
        log.atWarn()
            .addKeyValue("named", Quoted.line(named))
            .addKeyValue("used", Quoted.line(used.getLast()))
            .addKeyValue("route", exchange.rule.name())
            .log(
                "the agent card leads clients past this sidecar: have the agent name the address"
                    + " that its callers use, or set agentCard: rewrite if the card is unsigned");
      }
    }
  }

  private void answered(int status) {
    this.status = status;
    long tookNs = System.nanoTime() - record.startNs;
    if (!record.streamed) {
      metrics.overhead(Stage.TOTAL, Math.max(0, tookNs - record.originNs - record.roundNs));
    }
    metrics.requestDuration(exchange.direction, record.protocol, tookNs);
    if (record.isFailed) {
      // JSON-RPC and gRPC tell it with status 200
      metrics.requestUnjudged(
          exchange.direction, record.protocol, ResponseHead.isError(status) ? status : BAD_GATEWAY);
    } else if (record.lastRoute.isPresent()) {
      metrics.request(exchange.direction, record.protocol, record.lastRoute.get(), status);
    } else {
      metrics.requestUnjudged(exchange.direction, record.protocol, status);
    }
  }

  private long nowMs() {
    return exchange.services.wallClockMs().getAsLong();
  }

  private String node() {
    return exchange.services.gate().node();
  }
}
