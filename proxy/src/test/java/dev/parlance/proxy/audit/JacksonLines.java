package dev.parlance.proxy.audit;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.header.AspHeader;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Events as JSON, written by Jackson: the simple reference that {@link AuditJson} is held to. */
final class JacksonLines {
  private JacksonLines() {}

  /** The event as one line, without line break. */
  static String line(AuditEvent event) {
    var text = new StringWriter(2048);
    try (JsonGenerator json = Replay.JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringProperty("type", type(event));
      json.writeStringProperty("ts", Instant.ofEpochMilli(event.tsMs()).toString());
      text(json, "node", event.node());
      switch (event) {
        case DecisionEvent decision -> write(json, decision);
        case AuditEvent.RepairEvent repair -> write(json, repair);
        case AuditEvent.ReviewActionEvent action -> write(json, action);
        case AuditEvent.RejectionEvent rejection -> write(json, rejection);
        case AuditEvent.NoticeEvent notice -> write(json, notice);
        case AuditEvent.ConfigEvent config -> write(json, config);
      }
      json.writeEndObject();
    }
    return text.toString();
  }

  private static String type(AuditEvent event) {
    return switch (event) {
      case DecisionEvent _ -> "decision";
      case AuditEvent.RepairEvent _ -> "repair";
      case AuditEvent.ReviewActionEvent _ -> "review";
      case AuditEvent.RejectionEvent _ -> "rejection";
      case AuditEvent.NoticeEvent _ -> "notice";
      case AuditEvent.ConfigEvent _ -> "config";
    };
  }

  private static void write(JsonGenerator json, DecisionEvent event) {
    text(json, "id", event.id());
    text(json, "configRevision", event.configRevision());
    DecisionEvent.Place place = event.place();
    text(json, "flow", place.flow());
    text(json, "trace", place.trace());
    text(json, "direction", place.direction());
    text(json, "kind", place.kind());
    text(json, "protocol", place.protocol());
    text(json, "method", place.method());
    text(json, "path", place.path());
    text(json, "peer", place.peer());
    text(json, "routeRule", place.routeRule());
    json.writeNumberProperty("attempt", event.attempt());
    text(json, "mode", event.mode());
    json.writeStringProperty("route", event.route().code());
    reasons(json, event.reasons());
    text(json, "action", event.action());
    event.reviewId().ifPresent(id -> text(json, "reviewId", id));
    event.judgement().ifPresent(judgement -> write(json, judgement));
    DecisionEvent.Traffic traffic = event.traffic();
    json.writeNumberProperty("status", traffic.status());
    json.writeNumberProperty("bytesIn", traffic.bytesIn());
    json.writeNumberProperty("bytesOut", traffic.bytesOut());
    if (!traffic.bodySha256().isEmpty()) {
      text(json, "bodySha256", traffic.bodySha256());
    }
    json.writeNumberProperty("tTotalUs", traffic.totalUs());
    json.writeNumberProperty("tJudgeUs", traffic.judgeUs());
    json.writeNumberProperty("tUpstreamUs", traffic.upstreamUs());
    event.stream().ifPresent(stream -> write(json, stream));
    event.round().ifPresent(round -> write(json, round));
    event.pact().ifPresent(pact -> write(json, pact));
  }

  private static void write(JsonGenerator json, DecisionEvent.Pact pact) {
    json.writeObjectPropertyStart("pact");
    text(json, "id", pact.id());
    text(json, "result", pact.result());
    text(json, "detail", pact.detail());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, DecisionEvent.Round round) {
    json.writeObjectPropertyStart("round");
    text(json, "id", round.id());
    text(json, "what", round.what());
    text(json, "result", round.result());
    text(json, "detail", round.detail());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, DecisionEvent.Stream stream) {
    json.writeObjectPropertyStart("stream");
    text(json, "mode", stream.mode());
    json.writeNumberProperty("events", stream.events());
    json.writeNumberProperty("bytes", stream.bytes());
    json.writeNumberProperty("heldMs", stream.heldMs());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, ReplayableVerdict judgement) {
    Verdict verdict = judgement.verdict();
    json.writeStringProperty("evidence", judgement.evidence().code());
    if (judgement.evidenceCut() > 0) {
      json.writeNumberProperty("evidenceCut", judgement.evidenceCut());
    }
    if (!judgement.notes().isEmpty()) {
      json.writeArrayPropertyStart("notes");
      judgement.notes().forEach(note -> json.writeString(note.code()));
      json.writeEndArray();
    }
    json.writeStringProperty("grounding", judgement.grounding().code());
    json.writeNumberProperty("errors", verdict.errors());
    json.writeNumberProperty("errorMax", judgement.profile().errorMax());
    json.writeBooleanProperty("ttlExpired", judgement.ttlExpired());
    if (judgement.confidence().isPresent()) {
      json.writeNumberProperty("confidence", judgement.confidence().getAsDouble());
    }
    verdict.measurement().ifPresent(measurement -> write(json, measurement));
    verdict.signals().ifPresent(signals -> write(json, signals));
    verdict
        .header()
        .map(AspHeader::text)
        .ifPresent(header -> {
          json.writeStringProperty("header", header);
        });
    json.writeStringProperty("regime", verdict.regime().code());
    verdict.core().ifPresent(check -> write(json, check));
    json.writeObjectPropertyStart("judged");
    json.writeStringProperty("route", verdict.decision().route().code());
    reasons(json, verdict.decision().reasons());
    json.writeEndObject();
    json.writeObjectPropertyStart("profile");
    json.writeStringProperty("name", judgement.profile().name());
    json.writeStringProperty("digest", new LoggedProfiles().name(judgement.profile()).digest());
    json.writeObjectPropertyStart("settings");
    for (Map.Entry<String, Object> setting : judgement.profile().settings().entrySet()) {
      json.writePOJOProperty(setting.getKey(), setting.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, CoreCheck check) {
    CoreFindings findings = check.findings();
    HeldCore core = findings.core();
    json.writeObjectPropertyStart("core");
    text(json, "domain", core.domain());
    core.peer().ifPresent(peer -> text(json, "peer", peer));
    json.writeStringProperty("state", core.state().code());
    core.version().ifPresent(version -> json.writeNumberProperty("version", version));
    json.writeArrayPropertyStart("cores");
    // Not cut: they are read back by parts.
    core.cores().stream()
        .limit(AuditJson.IDS)
        .map(CoreVersion::toString)
        .forEach(json::writeString);
    json.writeEndArray();
    json.writeNumberProperty("ageMs", core.ageMs());
    json.writeNumberProperty("checked", findings.checked());
    json.writeNumberProperty("certified", findings.certified());
    json.writeNumberProperty("unknown", findings.unknown());
    json.writeNumberProperty("revoked", findings.revoked());
    json.writeArrayPropertyStart("offending");
    for (CoreFindings.Offence offence : findings.offending()) {
      json.writeStartObject();
      text(json, "term", offence.term());
      json.writeStringProperty("status", offence.status().code());
      offence.alternative().ifPresent(use -> text(json, "use", use));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringProperty("onUncertified", check.policy().onUncertified().code());
    json.writeStringProperty("onStale", check.policy().onStale().code());
    json.writeStringProperty("onAbsent", check.policy().onAbsent().code());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Measurement measurement) {
    Counts counts = measurement.counts();
    json.writeObjectPropertyStart("counts");
    json.writeNumberProperty("tokens", counts.tokens());
    json.writeNumberProperty("inContext", counts.inContext());
    json.writeNumberProperty("novel", counts.novel());
    json.writeNumberProperty("inQuestion", counts.inQuestion());
    json.writeNumberProperty("novelNumbers", counts.novelNumbers());
    json.writeNumberProperty("cited", counts.cited());
    json.writeNumberProperty("citedKnown", counts.citedKnown());
    json.writeEndObject();
    ids(json, "citedIds", counts.citedIds());
    ids(json, "validIds", counts.validIds());
    Features features = measurement.features();
    json.writeObjectPropertyStart("features");
    json.writeNumberProperty("contextOverlap", features.contextOverlap());
    json.writeNumberProperty("citationScore", features.citationScore());
    json.writeNumberProperty("novelRatio", features.novelRatio());
    json.writeNumberProperty("questionOverlap", features.questionOverlap());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Signals signals) {
    json.writeObjectPropertyStart("signals");
    json.writeNumberProperty("certainty", signals.certainty());
    json.writeNumberProperty("grounding", signals.grounding());
    json.writeNumberProperty("stochasticity", signals.stochasticity());
    json.writeBooleanProperty("valid", signals.valid());
    json.writeEndObject();
    json.writeNumberProperty("drift", signals.driftSqrtJsd());
  }

  private static void write(JsonGenerator json, AuditEvent.RepairEvent event) {
    text(json, "decisionId", event.decisionId());
    text(json, "flow", event.flow());
    json.writeNumberProperty("attempt", event.attempt());
    reasons(json, event.reasons());
    text(json, "outcome", event.outcome());
  }

  private static void write(JsonGenerator json, AuditEvent.ReviewActionEvent event) {
    text(json, "reviewId", event.reviewId());
    text(json, "decisionId", event.decisionId());
    text(json, "what", event.what());
    text(json, "who", event.who());
    text(json, "note", event.note());
  }

  private static void write(JsonGenerator json, AuditEvent.NoticeEvent event) {
    text(json, "direction", event.direction());
    text(json, "code", event.code());
    text(json, "detail", event.detail());
    text(json, "peer", event.peer());
  }

  private static void write(JsonGenerator json, AuditEvent.RejectionEvent event) {
    text(json, "direction", event.direction());
    text(json, "layer", event.layer());
    text(json, "code", event.code());
    text(json, "peer", event.peer());
    event
        .during()
        .ifPresent(during -> {
          text(json, "flow", during.place().flow());
          text(json, "trace", during.place().trace());
          text(json, "kind", during.place().kind());
          text(json, "protocol", during.place().protocol());
          text(json, "method", during.place().method());
          text(json, "path", during.place().path());
          text(json, "routeRule", during.place().routeRule());
          text(json, "decisionId", during.decisionId());
          text(json, "detail", during.detail());
          json.writeNumberProperty("tTotalUs", during.totalUs());
          json.writeNumberProperty("tUpstreamUs", during.upstreamUs());
        });
    if (event.leftOut() > 0) {
      json.writeNumberProperty("leftOut", event.leftOut());
    }
  }

  private static void write(JsonGenerator json, AuditEvent.ConfigEvent event) {
    text(json, "configRevision", event.revision());
    text(json, "what", event.what());
    text(json, "detail", event.detail());
  }

  private static void reasons(JsonGenerator json, List<Reason> reasons) {
    json.writeArrayPropertyStart("reasons");
    reasons.forEach(reason -> json.writeString(reason.code()));
    json.writeEndArray();
  }

  private static void ids(JsonGenerator json, String name, List<String> ids) {
    json.writeArrayPropertyStart(name);
    ids.stream().limit(AuditJson.IDS).forEach(id -> json.writeString(cut(id)));
    json.writeEndArray();
  }

  private static void text(JsonGenerator json, String name, String text) {
    json.writeStringProperty(name, cut(text));
  }

  private static String cut(String text) {
    return text.length() <= AuditJson.TEXT_CHARACTERS
        ? text
        : text.substring(0, AuditJson.TEXT_CHARACTERS) + "...";
  }
}
