package dev.parlance.proxy.trace;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parlance.policy.route.Profile.Thresholds;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.signal.Signals;
import dev.parlance.proxy.audit.AuditEvent;
import dev.parlance.proxy.audit.AuditEvent.RejectionEvent;
import dev.parlance.proxy.audit.DecisionEvent;
import dev.parlance.proxy.config.Direction;
import dev.parlance.wire.api.Correlation;
import dev.parlance.wire.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;

/**
 * Spans as a request of OTLP in JSON: ids in hex, numbers of 64 bits as strings. An id that a peer
 * gave is written if it is an id and no sentence; no other word of a peer is, unless texts are
 * wanted. One thread.
 *
 * <pre>
 * {resourceSpans: [{resource: {attributes}, scopeSpans: [{scope, spans: [
 *   {traceId, spanId, parentSpanId?, traceState?, flags, name, kind, startTimeUnixNano,
 *    endTimeUnixNano, attributes, events: [{timeUnixNano, name, attributes}], links?, status}]}]}]}
 * </pre>
 */
final class SpanJson {
  /** The layer of refusals because an agent gave no answer, or not in the time that it had. */
  private static final String OUT_OF_TIME = "response_timeout";

  /** What was done about a message that waits for a person. */
  private static final String HOLD = "hold";

  private static final int KIND_SERVER = 2;
  private static final int KIND_CLIENT = 3;
  private static final int STATUS_ERROR = 2;

  /** Flags of OTLP beside those of the trace: it is known whether the caller is another process. */
  private static final int HAS_IS_REMOTE = 0x100;

  private static final int IS_REMOTE = 0x200;
  private static final int MAX_TEXT = 512;

  /** Somewhat more than most spans have. */
  private static final int SPAN_BYTES = 6_000;

  private static final byte[] AFTER_SPANS = "]}]}]}".getBytes(US_ASCII);
  private static final String SCOPE = "dev.parlance.proxy";

  private final SpanField.Names names;
  private final byte[] beforeSpans;
  private final HeldSpans held = new HeldSpans();

  SpanJson(SpanField.Names names, String node, String version) {
    this.names = names;
    JsonWriter json = new JsonWriter();
    json.object().name("resourceSpans").array().object().name("resource").object();
    json.name("attributes").array();
    text(json, SpanField.RESOURCE_NAME, node);
    text(json, SpanField.RESOURCE_VERSION, version);
    json.endArray().endObject().name("scopeSpans").array().object();
    json.name("scope").object().member("name", SCOPE).member("version", version).endObject();
    this.beforeSpans = json.name("spans").array().toBytes();
  }

  /** One request. */
  byte[] write(List<ExchangeSpan> spans) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(spans.size() * SPAN_BYTES);
    all.writeBytes(beforeSpans);
    for (ExchangeSpan span : spans) {
      JsonWriter json = JsonWriter.ofThread();
      if (all.size() > beforeSpans.length) {
        all.write(',');
      }
      span(json, span);
      all.writeBytes(json.toBytes());
    }
    all.writeBytes(AFTER_SPANS);
    return all.toByteArray();
  }

  private void span(JsonWriter json, ExchangeSpan span) {
    ExchangeSpan.Facts facts = span.facts();
    Optional<TraceContext> caller = span.caller();
    json.object()
        .member("traceId", span.own().traceId())
        .member("spanId", span.own().spanId())
        .member("parentSpanId", caller.map(TraceContext::spanId))
        .member("traceState", span.state())
        .member("flags", span.own().flags() | HAS_IS_REMOTE | (caller.isPresent() ? IS_REMOTE : 0))
        .member("name", name(span))
        .member(
            "kind",
            facts.place().direction().equals(Direction.INBOUND.code()) ? KIND_SERVER : KIND_CLIENT)
        .member("startTimeUnixNano", Long.toString(span.startUnixNs()))
        .member("endTimeUnixNano", Long.toString(span.endUnixNs()));
    Optional<String> error = error(span.events());
    json.name("attributes").array();
    attributes(json, span);
    error.ifPresent(code -> text(json, SpanField.ERROR, code));
    message(json, SpanField.QUESTION, "user", span.question());
    message(json, SpanField.ANSWER, "assistant", span.answer());
    json.endArray().name("events").array();
    span.events().forEach(event -> event(json, span, event));
    json.endArray();
    if (span.dropped() > 0) {
      json.member("droppedEventsCount", span.dropped());
    }
    links(json, span);
    json.name("status").object();
    error.ifPresent(_ -> json.member("code", STATUS_ERROR));
    json.endObject().endObject();
  }

  /** What was called, else the method of HTTP: few names, none of which has an id in it. */
  private static String name(ExchangeSpan span) {
    Optional<String> operation = span.called().operation().filter(Correlation::isId);
    Optional<String> tool = span.called().tool().filter(Correlation::isId);
    return operation
        .map(called -> tool.map(named -> called + " " + named).orElse(called))
        .orElse(span.facts().place().method());
  }

  private void attributes(JsonWriter json, ExchangeSpan span) {
    ExchangeSpan.Facts facts = span.facts();
    DecisionEvent.Place place = facts.place();
    int dash = place.protocol().indexOf('-');
    String family = dash < 0 ? place.protocol() : place.protocol().substring(0, dash);
    id(json, SpanField.OPERATION, family, span.called().operation());
    id(json, SpanField.TOOL, family, span.called().tool());
    id(json, SpanField.CONVERSATION, family, Correlation.known(span.ids().contextId()));
    id(json, SpanField.TASK, family, span.ids().taskId());
    id(json, SpanField.MESSAGE, family, span.ids().messageId());
    if (dash >= 0) {
      id(json, SpanField.VERSION, family, Optional.of(place.protocol().substring(dash + 1)));
    }
    text(json, SpanField.PROTOCOL, place.protocol());
    text(json, SpanField.METHOD, place.method());
    text(json, SpanField.PATH, place.path());
    if (facts.status() > 0) {
      number(json, SpanField.STATUS, facts.status());
    }
    text(json, SpanField.HOST, facts.host());
    number(json, SpanField.PORT, facts.port());
    text(json, SpanField.DIRECTION, place.direction());
    text(json, SpanField.MODE, facts.mode());
    text(json, SpanField.RULE, place.routeRule());
    text(json, SpanField.FLOW, place.flow());
    text(json, SpanField.CALLER, place.peer());
    text(json, SpanField.REVISION, facts.revision());
  }

  /** The code of why an agent gave no answer: a refusal, of ours or the agent's, is no error. */
  private static Optional<String> error(List<AuditEvent> events) {
    for (AuditEvent event : events) {
      if (event instanceof RejectionEvent failed
          && (failed.layer().equals(RejectionEvent.ORIGIN) || failed.code().equals(OUT_OF_TIME))) {
        return Optional.of(failed.code());
      }
    }
    return Optional.empty();
  }

  /** In the form of the conventions' messages, as a string of JSON. */
  private void message(JsonWriter json, SpanField field, String role, String content) {
    if (!content.isEmpty()) {
      JsonWriter messages = new JsonWriter();
      messages.array().object().member("role", role).name("parts").array().object();
      messages.member("type", "text").member("content", content).endObject().endArray();
      if (field == SpanField.ANSWER) {
        messages.member("finish_reason", "stop");
      }
      messages.endObject().endArray();
      attribute(json, names.of(field)).member("stringValue", messages.toString());
      json.endObject().endObject();
    }
  }

  // ---- events ----

  private void event(JsonWriter json, ExchangeSpan span, AuditEvent event) {
    String time = Long.toString(span.unixNs(event.tsMs()));
    switch (event) {
      case DecisionEvent decision -> {
        evaluations(json, time, decision);
        decision(json, time, decision);
        if (decision.reviewId().isPresent() && decision.action().equals(HOLD)) {
          held.held(decision.reviewId().get(), span.own());
        }
      }
      case RejectionEvent rejection -> {
        begin(json, time, SpanField.EVENT_REJECTION);
        text(json, SpanField.LAYER, rejection.layer());
        text(json, SpanField.CODE, rejection.code());
        end(json);
      }
      case AuditEvent.RepairEvent _,
          AuditEvent.ReviewActionEvent _,
          AuditEvent.NoticeEvent _,
          AuditEvent.ConfigEvent _ -> {} // said by a decision, or of no exchange
    }
  }

  private void decision(JsonWriter json, String time, DecisionEvent decision) {
    begin(json, time, SpanField.EVENT_DECISION);
    text(json, SpanField.DECISION, decision.id());
    text(json, SpanField.LEG, decision.place().kind());
    text(json, SpanField.ROUTE, decision.route().code());
    attribute(json, names.of(SpanField.REASONS)).name("arrayValue").object().name("values").array();
    for (Reason reason : decision.reasons()) {
      json.object().member("stringValue", reason.code()).endObject();
    }
    json.endArray().endObject().endObject().endObject();
    text(json, SpanField.ACTION, decision.action());
    number(json, SpanField.ATTEMPT, decision.attempt());
    decision.reviewId().ifPresent(id -> text(json, SpanField.REVIEW, id));
    decision.judgedBy().ifPresent(by -> text(json, SpanField.JUDGED_BY, by.node()));
    if (decision.pact().isPresent()) {
      text(json, SpanField.PACT, decision.pact().get().id());
      text(json, SpanField.PACT_RESULT, decision.pact().get().result());
    }
    if (decision.round().isPresent()) {
      text(json, SpanField.ROUND, decision.round().get().id());
      text(json, SpanField.ROUND_RESULT, decision.round().get().result());
    }
    end(json);
  }

  /** The four signals, where something was measured. */
  private void evaluations(JsonWriter json, String time, DecisionEvent decision) {
    if (decision.judgement().isEmpty()
        || decision.judgement().get().verdict().signals().isEmpty()) {
      return;
    }
    Signals signals = decision.judgement().get().verdict().signals().get();
    Thresholds bounds = decision.judgement().get().profile().thresholds();
    evaluation(
        json, time, decision, "certainty", signals.certainty(), "", "reported, decides nothing");
    evaluation(
        json,
        time,
        decision,
        "grounding",
        signals.grounding(),
        label(signals.grounding() >= bounds.groundingMin()),
        "passes from " + bounds.groundingMin());
    evaluation(
        json,
        time,
        decision,
        "stochasticity",
        signals.stochasticity(),
        label(signals.stochasticity() <= bounds.stochasticityMax()),
        "passes up to " + bounds.stochasticityMax());
    double drift = signals.driftSqrtJsd();
    evaluation(
        json,
        time,
        decision,
        "drift",
        drift,
        drift <= bounds.driftWarnSqrtJsd()
            ? label(true)
            : drift <= bounds.driftCritSqrtJsd() ? "warn" : label(false),
        "passes up to "
            + bounds.driftWarnSqrtJsd()
            + ", with a warning up to "
            + bounds.driftCritSqrtJsd());
  }

  private static String label(boolean passes) {
    return passes ? "pass" : "fail";
  }

  private void evaluation(
      JsonWriter json,
      String time,
      DecisionEvent decision,
      String name,
      double value,
      String label,
      String explanation) {
    begin(json, time, SpanField.EVENT_EVALUATION);
    text(json, SpanField.EVALUATION_NAME, name);
    attribute(json, names.of(SpanField.EVALUATION_VALUE)).name("doubleValue").number(value);
    json.endObject().endObject();
    text(json, SpanField.EVALUATION_LABEL, label);
    text(json, SpanField.EVALUATION_EXPLANATION, explanation);
    text(json, SpanField.DECISION, decision.id());
    end(json);
  }

  private void begin(JsonWriter json, String time, SpanField name) {
    json.object().member("timeUnixNano", time).member("name", names.of(name));
    json.name("attributes").array();
  }

  private static void end(JsonWriter json) {
    json.endArray().endObject();
  }

  /** To the spans in which the messages were held that this one is about. */
  private void links(JsonWriter json, ExchangeSpan span) {
    json.name("links").array();
    for (AuditEvent event : span.events()) {
      if (event instanceof DecisionEvent decision && decision.reviewId().isPresent()) {
        String item = decision.reviewId().get();
        held.of(item, span.own())
            .ifPresent(holder -> {
              json.object().member("traceId", holder.traceId()).member("spanId", holder.spanId());
              json.name("attributes").array();
              text(json, SpanField.REVIEW, item);
              end(json);
            });
      }
    }
    json.endArray();
  }

  // ---- attributes ----

  /** Something that a peer has named, if it is an id and the protocol has an attribute for it. */
  private void id(JsonWriter json, SpanField field, String protocol, Optional<String> value) {
    Optional<String> attribute = names.of(field, protocol);
    if (attribute.isPresent() && value.filter(Correlation::isId).isPresent()) {
      attribute(json, attribute.get()).member("stringValue", value.get()).endObject().endObject();
    }
  }

  /** A text of ours; nothing if it is empty. */
  private void text(JsonWriter json, SpanField field, String value) {
    if (!value.isEmpty()) {
      String shown = value.substring(0, Math.min(value.length(), MAX_TEXT));
      attribute(json, names.of(field)).member("stringValue", shown).endObject().endObject();
    }
  }

  private void number(JsonWriter json, SpanField field, long value) {
    attribute(json, names.of(field)).member("intValue", Long.toString(value));
    json.endObject().endObject();
  }

  /** Begins an attribute, up to its value; two braces end it. */
  private static JsonWriter attribute(JsonWriter json, String name) {
    return json.object().member("key", name).name("value").object();
  }
}
