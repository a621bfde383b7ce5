package dev.parlance.proxy.trace;

import dev.parlance.policy.text.Utf8Span;
import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.api.RequestView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The span of one exchange: the facts that the decision log has of it, gathered on its event loop
 * and turned into attributes by the exporter. It ends once; what comes later is in the log alone.
 */
public final class ExchangeSpan {
  /** Most events that are kept; of more the last one takes the place of the one before it. */
  static final int MAX_EVENTS = 32;

  /** Most bytes of a text. */
  static final int MAX_TEXT_BYTES = 4096;

  private static final long NS_PER_MS = 1_000_000;

  private final Tracer tracer;
  private final TraceContext own;
  private final Optional<TraceContext> caller;
  private final Optional<String> state;
  private final long startNs;
  private final long startUnixNs;
  private final List<AuditEvent> events = new ArrayList<>(2);
  private int dropped;
  private String question = "";
  private String answer = "";
  private RequestView.Called called = RequestView.Called.UNNAMED;
  private Correlation ids = Correlation.NONE;
  private Optional<Facts> facts = Optional.empty();
  private long tookNs;

  /**
   * A span that has begun.
   *
   * @param own its trace and its id
   * @param caller the span that it is a child of; empty for the first one of its trace
   * @param state {@code tracestate} of the caller
   * @param startNs when it began, by {@code System.nanoTime}
   * @param startUnixNs the same in nanoseconds since the epoch
   */
  ExchangeSpan(
      Tracer tracer,
      TraceContext own,
      Optional<TraceContext> caller,
      Optional<String> state,
      long startNs,
      long startUnixNs) {
    this.tracer = tracer;
    this.own = own;
    this.caller = caller;
    this.state = state;
    this.startNs = startNs;
    this.startUnixNs = startUnixNs;
  }

  /**
   * What is known of an exchange at its end.
   *
   * @param place protocol, path, parties and route
   * @param host of the agent that was asked
   * @param port of the agent that was asked
   * @param mode observe or enforce
   * @param revision of the configuration
   * @param status HTTP status that the caller got; 0 if it got none
   */
  public record Facts(
      DecisionEvent.Place place, String host, int port, String mode, String revision, int status) {}

  /** The {@code traceparent} of what is asked on account of this span. */
  public String traceparent() {
    return own.value();
  }

  /**
   * What the request asks for.
   *
   * @param what is called, in the words of its protocol
   * @param names the ids that its caller gave
   */
  public void asks(RequestView.Called what, Correlation names) {
    called = what;
    ids = names;
  }

  /** Something of the exchange is written into the decision log. */
  public void add(AuditEvent event) {
    if (events.size() < MAX_EVENTS) {
      events.add(event);
    } else {
      events.set(MAX_EVENTS - 1, event);
      dropped++;
    }
  }

  /** What was asked and answered, of which a copy is kept; nothing unless texts are wanted. */
  public void texts(Utf8Span asked, Utf8Span answered) {
    if (tracer.sendsTexts()) {
      question = asked.isEmpty() ? question : copy(asked);
      answer = answered.isEmpty() ? answer : copy(answered);
    }
  }

  private static String copy(Utf8Span text) {
    return text.slice(0, Math.min(text.length(), MAX_TEXT_BYTES)).toString();
  }

  /** The exchange is over: the span goes to the exporter, or is dropped where too many wait. */
  public void end(Facts known) {
    facts = Optional.of(known);
    tookNs = System.nanoTime() - startNs;
    tracer.ended(this);
  }

  // ---- for the exporter ----

  TraceContext own() {
    return own;
  }

  Optional<TraceContext> caller() {
    return caller;
  }

  Optional<String> state() {
    return state;
  }

  long startUnixNs() {
    return startUnixNs;
  }

  long endUnixNs() {
    return startUnixNs + tookNs;
  }

  /** When something happened that is known to the millisecond: not before the span, nor after. */
  long unixNs(long tsMs) {
    return Math.clamp(tsMs * NS_PER_MS, startUnixNs, endUnixNs());
  }

  List<AuditEvent> events() {
    return events;
  }

  int dropped() {
    return dropped;
  }

  /** Empty if there is none, or texts are not wanted. */
  String question() {
    return question;
  }

  /** Likewise. */
  String answer() {
    return answer;
  }

  RequestView.Called called() {
    return called;
  }

  Correlation ids() {
    return ids;
  }

  Facts facts() {
    return facts.orElseThrow();
  }
}
