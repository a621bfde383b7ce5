package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Events as JSON. Lines are pure ASCII: control characters, terminal escapes, bidirectional
 * overrides and line separators that an agent put into an id come out as escapes and do nothing to
 * a terminal or to a reader of lines. Numbers read back as the same doubles; those that are not
 * finite are the strings {@code "NaN"}, {@code "Infinity"}, {@code "-Infinity"}.
 *
 * <p>An instance writes one line after the other into the same buffer and keeps nothing of an event
 * but what all of them have in common. One thread.
 */
final class AuditJson {
  /** Most cited ids listed; the counts are exact all the same. */
  static final int IDS = 50;

  /** Most characters of one text that came from outside. */
  static final int TEXT_CHARACTERS = 512;

  private static final byte[] CLOSE = ascii("}");
  private static final byte[] END = ascii("]");

  private final JsonBytes out = new JsonBytes();
  private final LineTime time = new LineTime();
  private final SameText node = new SameText(",\"node\":");
  private final SameText revision = new SameText(",\"configRevision\":");
  private final SameText routeRule = new SameText(",\"routeRule\":");
  private final ProfileJson profiles = new ProfileJson();

  private static byte[] ascii(String json) {
    return json.getBytes(US_ASCII);
  }

  /** A value's name, with the comma in front of it. */
  private static byte[] name(String name) {
    return ascii(",\"" + name + "\":");
  }

  /** The event as one line, without line break. */
  static String line(AuditEvent event) {
    JsonBytes line = new AuditJson().write(event);
    line.drop();
    return new String(line.array(), 0, line.size(), US_ASCII);
  }

  /** The event as one line with its line break, until the next one is written. */
  JsonBytes write(AuditEvent event) {
    out.clear();
    out.raw(
        switch (event) {
          case DecisionEvent _ -> DECISION;
          case AuditEvent.RepairEvent _ -> REPAIR;
          case AuditEvent.ReviewActionEvent _ -> REVIEW;
          case AuditEvent.RejectionEvent _ -> REJECTION;
          case AuditEvent.ConfigEvent _ -> CONFIG;
        });
    time.write(event.tsMs(), out);
    node.write(event.node(), out);
    switch (event) {
      case DecisionEvent decision -> write(decision);
      case AuditEvent.RepairEvent repair -> write(repair);
      case AuditEvent.ReviewActionEvent action -> write(action);
      case AuditEvent.RejectionEvent rejection -> write(rejection);
      case AuditEvent.ConfigEvent config -> write(config);
    }
    return out.raw(CLOSE).raw('\n');
  }

  private static final byte[] DECISION = ascii("{\"type\":\"decision\",\"ts\":");
  private static final byte[] REPAIR = ascii("{\"type\":\"repair\",\"ts\":");
  private static final byte[] REVIEW = ascii("{\"type\":\"review\",\"ts\":");
  private static final byte[] REJECTION = ascii("{\"type\":\"rejection\",\"ts\":");
  private static final byte[] CONFIG = ascii("{\"type\":\"config\",\"ts\":");

  private static final byte[] ID = name("id");
  private static final byte[] FLOW = name("flow");
  private static final byte[] TRACE = name("trace");
  private static final byte[] DIRECTION = name("direction");
  private static final byte[] KIND = name("kind");
  private static final byte[] PROTOCOL = name("protocol");
  private static final byte[] METHOD = name("method");
  private static final byte[] PATH = name("path");
  private static final byte[] PEER = name("peer");
  private static final byte[] ATTEMPT = name("attempt");
  private static final byte[] MODE = name("mode");
  private static final byte[] ROUTE = name("route");
  private static final byte[] ACTION = name("action");
  private static final byte[] REVIEW_ID = name("reviewId");
  private static final byte[] STATUS = name("status");
  private static final byte[] BYTES_IN = name("bytesIn");
  private static final byte[] BYTES_OUT = name("bytesOut");
  private static final byte[] BODY_SHA256 = name("bodySha256");
  private static final byte[] TOTAL_US = name("tTotalUs");
  private static final byte[] JUDGE_US = name("tJudgeUs");
  private static final byte[] UPSTREAM_US = name("tUpstreamUs");

  private void write(DecisionEvent event) {
    text(ID, event.id());
    revision.write(event.configRevision(), out);
    DecisionEvent.Place place = event.place();
    text(FLOW, place.flow());
    text(TRACE, place.trace());
    text(DIRECTION, place.direction());
    text(KIND, place.kind());
    text(PROTOCOL, place.protocol());
    text(METHOD, place.method());
    text(PATH, place.path());
    text(PEER, place.peer());
    routeRule.write(place.routeRule(), out);
    number(ATTEMPT, event.attempt());
    text(MODE, event.mode());
    text(ROUTE, event.route().code());
    reasons(event.reasons());
    text(ACTION, event.action());
    optional(REVIEW_ID, event.reviewId());
    if (event.judgement().isPresent()) {
      write(event.judgement().get());
    }
    DecisionEvent.Traffic traffic = event.traffic();
    number(STATUS, traffic.status());
    number(BYTES_IN, traffic.bytesIn());
    number(BYTES_OUT, traffic.bytesOut());
    text(BODY_SHA256, traffic.bodySha256());
    number(TOTAL_US, traffic.totalUs());
    number(JUDGE_US, traffic.judgeUs());
    number(UPSTREAM_US, traffic.upstreamUs());
    event.stream().ifPresent(this::write);
    event.round().ifPresent(this::write);
  }

  private static final byte[] ROUND = ascii(",\"round\":{\"id\":");
  private static final byte[] WHAT = name("what");
  private static final byte[] RESULT = name("result");
  private static final byte[] DETAIL = name("detail");

  private void write(DecisionEvent.Round round) {
    text(ROUND, round.id());
    text(WHAT, round.what());
    text(RESULT, round.result());
    text(DETAIL, round.detail());
    out.raw(CLOSE);
  }

  private static final byte[] STREAM = ascii(",\"stream\":{\"mode\":");
  private static final byte[] EVENTS = name("events");
  private static final byte[] BYTES = name("bytes");
  private static final byte[] HELD_MS = name("heldMs");

  private void write(DecisionEvent.Stream stream) {
    text(STREAM, stream.mode());
    number(EVENTS, stream.events());
    number(BYTES, stream.bytes());
    number(HELD_MS, stream.heldMs());
    out.raw(CLOSE);
  }

  private static final byte[] EVIDENCE = name("evidence");
  private static final byte[] GROUNDING = name("grounding");
  private static final byte[] ERRORS = name("errors");
  private static final byte[] ERROR_MAX = name("errorMax");
  private static final byte[] TTL_EXPIRED = name("ttlExpired");
  private static final byte[] CONFIDENCE = name("confidence");
  private static final byte[] HEADER = name("header");
  private static final byte[] REGIME = name("regime");
  private static final byte[] JUDGED = ascii(",\"judged\":{\"route\":");

  private void write(ReplayableVerdict judgement) {
    Verdict verdict = judgement.verdict();
    whole(EVIDENCE, judgement.evidence().code());
    whole(GROUNDING, judgement.grounding().code());
    number(ERRORS, verdict.errors());
    number(ERROR_MAX, judgement.profile().errorMax());
    bool(TTL_EXPIRED, judgement.ttlExpired());
    if (judgement.confidence().isPresent()) {
      number(CONFIDENCE, judgement.confidence().getAsDouble());
    }
    if (verdict.measurement().isPresent()) {
      write(verdict.measurement().get());
    }
    if (verdict.signals().isPresent()) {
      write(verdict.signals().get());
    }
    if (verdict.header().isPresent()) {
      whole(HEADER, verdict.header().get().text());
    }
    whole(REGIME, verdict.regime().code());
    if (verdict.core().isPresent()) {
      write(verdict.core().get());
    }
    whole(JUDGED, verdict.decision().route().code());
    reasons(verdict.decision().reasons());
    out.raw(CLOSE);
    out.raw(profiles.of(judgement.profile()));
  }

  private static final byte[] CORE = ascii(",\"core\":{\"domain\":");
  private static final byte[] STATE = name("state");
  private static final byte[] VERSION = name("version");
  private static final byte[] CORES = ascii(",\"cores\":[");
  private static final byte[] AGE_MS = name("ageMs");
  private static final byte[] CHECKED = name("checked");
  private static final byte[] CERTIFIED = name("certified");
  private static final byte[] UNKNOWN = name("unknown");
  private static final byte[] REVOKED = name("revoked");
  private static final byte[] OFFENDING = ascii(",\"offending\":[");
  private static final byte[] TERM = ascii("{\"term\":");
  private static final byte[] USE = name("use");
  private static final byte[] ON_UNCERTIFIED = name("onUncertified");
  private static final byte[] ON_STALE = name("onStale");
  private static final byte[] ON_ABSENT = name("onAbsent");

  private void write(CoreCheck check) {
    CoreFindings findings = check.findings();
    HeldCore core = findings.core();
    text(CORE, core.domain());
    optional(PEER, core.peer());
    whole(STATE, core.state().code());
    if (core.version().isPresent()) {
      number(VERSION, core.version().getAsLong());
    }
    out.raw(CORES);
    int listed = Math.min(core.cores().size(), IDS);
    for (CoreVersion version : core.cores().subList(0, listed)) {
      out.text(version.toString()).raw(','); // not cut: it is read back by parts
    }
    end(listed);
    number(AGE_MS, core.ageMs());
    number(CHECKED, findings.checked());
    number(CERTIFIED, findings.certified());
    number(UNKNOWN, findings.unknown());
    number(REVOKED, findings.revoked());
    out.raw(OFFENDING);
    for (CoreFindings.Offence offence : findings.offending()) {
      text(TERM, offence.term());
      whole(STATUS, offence.status().code());
      optional(USE, offence.alternative());
      out.raw(CLOSE).raw(',');
    }
    end(findings.offending().size());
    whole(ON_UNCERTIFIED, check.policy().onUncertified().code());
    whole(ON_STALE, check.policy().onStale().code());
    whole(ON_ABSENT, check.policy().onAbsent().code());
    out.raw(CLOSE);
  }

  private static final byte[] TOKENS = ascii(",\"counts\":{\"tokens\":");
  private static final byte[] IN_CONTEXT = name("inContext");
  private static final byte[] NOVEL = name("novel");
  private static final byte[] IN_QUESTION = name("inQuestion");
  private static final byte[] NOVEL_NUMBERS = name("novelNumbers");
  private static final byte[] CITED = name("cited");
  private static final byte[] CITED_KNOWN = name("citedKnown");
  private static final byte[] CITED_IDS = ascii("},\"citedIds\":[");
  private static final byte[] VALID_IDS = ascii(",\"validIds\":[");
  private static final byte[] CONTEXT_OVERLAP = ascii(",\"features\":{\"contextOverlap\":");
  private static final byte[] CITATION_SCORE = name("citationScore");
  private static final byte[] NOVEL_RATIO = name("novelRatio");
  private static final byte[] QUESTION_OVERLAP = name("questionOverlap");

  private void write(Measurement measurement) {
    Counts counts = measurement.counts();
    number(TOKENS, counts.tokens());
    number(IN_CONTEXT, counts.inContext());
    number(NOVEL, counts.novel());
    number(IN_QUESTION, counts.inQuestion());
    number(NOVEL_NUMBERS, counts.novelNumbers());
    number(CITED, counts.cited());
    number(CITED_KNOWN, counts.citedKnown());
    ids(CITED_IDS, counts.citedIds());
    ids(VALID_IDS, counts.validIds());
    Features features = measurement.features();
    number(CONTEXT_OVERLAP, features.contextOverlap());
    number(CITATION_SCORE, features.citationScore());
    number(NOVEL_RATIO, features.novelRatio());
    number(QUESTION_OVERLAP, features.questionOverlap());
    out.raw(CLOSE);
  }

  private static final byte[] CERTAINTY = ascii(",\"signals\":{\"certainty\":");
  private static final byte[] STOCHASTICITY = name("stochasticity");
  private static final byte[] VALID = name("valid");
  private static final byte[] DRIFT = ascii("},\"drift\":");

  private void write(Signals signals) {
    number(CERTAINTY, signals.certainty());
    number(GROUNDING, signals.grounding());
    number(STOCHASTICITY, signals.stochasticity());
    bool(VALID, signals.valid());
    number(DRIFT, signals.driftSqrtJsd());
  }

  private static final byte[] DECISION_ID = name("decisionId");
  private static final byte[] OUTCOME = name("outcome");

  private void write(AuditEvent.RepairEvent event) {
    text(DECISION_ID, event.decisionId());
    text(FLOW, event.flow());
    number(ATTEMPT, event.attempt());
    reasons(event.reasons());
    text(OUTCOME, event.outcome());
  }

  private static final byte[] WHO = name("who");
  private static final byte[] NOTE = name("note");

  private void write(AuditEvent.ReviewActionEvent event) {
    text(REVIEW_ID, event.reviewId());
    text(DECISION_ID, event.decisionId());
    text(WHAT, event.what());
    text(WHO, event.who());
    text(NOTE, event.note());
  }

  private static final byte[] LAYER = name("layer");
  private static final byte[] CODE = name("code");

  private void write(AuditEvent.RejectionEvent event) {
    text(DIRECTION, event.direction());
    text(LAYER, event.layer());
    text(CODE, event.code());
    text(PEER, event.peer());
  }

  private void write(AuditEvent.ConfigEvent event) {
    revision.write(event.revision(), out);
    text(WHAT, event.what());
    text(DETAIL, event.detail());
  }

  private static final byte[] REASONS = ascii(",\"reasons\":[");

  private void reasons(List<Reason> reasons) {
    out.raw(REASONS);
    for (Reason reason : reasons) {
      out.text(reason.code()).raw(',');
    }
    end(reasons.size());
  }

  private void ids(byte[] name, List<String> ids) {
    out.raw(name);
    int listed = Math.min(ids.size(), IDS);
    for (int i = 0; i < listed; i++) {
      out.text(ids.get(i), TEXT_CHARACTERS).raw(',');
    }
    end(listed);
  }

  /** Ends a list of which each entry has a comma behind it. */
  private void end(int entries) {
    if (entries > 0) {
      out.drop();
    }
    out.raw(END);
  }

  /** A text from anywhere. */
  private void text(byte[] name, String text) {
    out.raw(name).text(text, TEXT_CHARACTERS);
  }

  /** A text that is ours, or bounded where it was read. */
  private void whole(byte[] name, String text) {
    out.raw(name).text(text);
  }

  private void optional(byte[] name, Optional<String> text) {
    if (text.isPresent()) {
      text(name, text.get());
    }
  }

  private void number(byte[] name, long value) {
    out.raw(name).number(value);
  }

  private void number(byte[] name, double value) {
    out.raw(name).number(value);
  }

  private void bool(byte[] name, boolean value) {
    out.raw(name).bool(value);
  }

  /**
   * Times as {@link Instant#toString} writes them, in quotes. Lines of one second have all but the
   * milliseconds in common. One thread.
   */
  static final class LineTime {
    private static final int MS_PER_SECOND = 1000;
    private static final int MS_DIGITS = 3;

    private long second = Long.MIN_VALUE;
    private byte[] upToSecond = {};

    /** Writes a time in milliseconds since the epoch. */
    void write(long ms, JsonBytes out) {
      long secondOfMs = Math.floorDiv(ms, MS_PER_SECOND);
      if (secondOfMs != second) {
        String text = Instant.ofEpochSecond(secondOfMs).toString();
        upToSecond = ('"' + text.substring(0, text.length() - 1)).getBytes(US_ASCII);
        second = secondOfMs;
      }
      out.raw(upToSecond);
      int fraction = Math.floorMod(ms, MS_PER_SECOND);
      if (fraction != 0) {
        out.raw('.').digits(fraction, MS_DIGITS);
      }
      out.raw('Z').raw('"');
    }
  }

  /** A field that mostly holds the same text as in the line before: then it is copied as bytes. */
  static final class SameText {
    private final byte[] name;
    private String last = "";
    private byte[] encoded;

    /**
     * A field.
     *
     * @param name its name in quotes, comma before and colon behind
     */
    SameText(String name) {
      this.name = name.getBytes(US_ASCII);
      this.encoded = (name + "\"\"").getBytes(US_ASCII);
    }

    /** Writes the field. */
    void write(String text, JsonBytes out) {
      if (!text.equals(last)) { // the same object, as a rule
        encoded = new JsonBytes().raw(name).text(text, AuditJson.TEXT_CHARACTERS).toByteArray();
        last = text;
      }
      out.raw(encoded);
    }
  }
}
