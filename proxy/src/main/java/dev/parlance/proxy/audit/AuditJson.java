package dev.parlance.proxy.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parlance.policy.core.CoreFindings;
import dev.parlance.policy.core.CoreFindings.CoreCheck;
import dev.parlance.policy.core.HeldCore;
import dev.parlance.policy.core.HeldCore.CoreVersion;
import dev.parlance.policy.route.Reason;
import dev.parlance.policy.route.Verdict;
import dev.parlance.policy.signal.ClaimFindings;
import dev.parlance.policy.signal.ClaimFindings.Detail;
import dev.parlance.policy.signal.ClaimFindings.Excerpt;
import dev.parlance.policy.signal.ClaimFindings.WeakClaim;
import dev.parlance.policy.signal.Counts;
import dev.parlance.policy.signal.Features;
import dev.parlance.policy.signal.Measurement;
import dev.parlance.policy.signal.Signals;
import dev.parlance.policy.text.Coded;
import dev.parlance.proxy.audit.AuditEvent.ConfigEvent;
import dev.parlance.proxy.audit.AuditEvent.NoticeEvent;
import dev.parlance.proxy.audit.AuditEvent.RejectionEvent;
import dev.parlance.proxy.audit.AuditEvent.RepairEvent;
import dev.parlance.proxy.audit.AuditEvent.ReviewActionEvent;
import java.time.Instant;
import java.util.List;
import java.util.Set;

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

  private final JsonBytes out = new JsonBytes();
  private final LineTime time = new LineTime();
  private final SameText node = new SameText("node");
  private final SameText revision = new SameText("configRevision");
  private final SameText routeRule = new SameText("routeRule");
  private final ProfileJson profiles;

  /**
   * For lines of one log.
   *
   * @param logged its profiles
   */
  AuditJson(LoggedProfiles logged) {
    this.profiles = new ProfileJson(logged);
  }

  /** The event as one line, without line break, with all settings of its profile. */
  static String line(AuditEvent event) {
    LoggedProfiles logged = new LoggedProfiles();
    JsonBytes line = new AuditJson(logged).write(event);
    return logged.whole(new String(line.array(), 0, line.size() - 1, US_ASCII));
  }

  /** The event as one line with its line break, until the next one is written. */
  JsonBytes write(AuditEvent event) {
    out.clear();
    out.raw('{')
        .member(
            "type",
            switch (event) {
              case DecisionEvent _ -> "decision";
              case RepairEvent _ -> "repair";
              case ReviewActionEvent _ -> "review";
              case RejectionEvent _ -> "rejection";
              case NoticeEvent _ -> "notice";
              case ConfigEvent _ -> "config";
            });
    time.write(event.tsMs(), out.name("ts"));
    node.write(event.node(), out);
    switch (event) {
      case DecisionEvent decision -> write(decision);
      case RepairEvent repair -> write(repair);
      case ReviewActionEvent action -> write(action);
      case RejectionEvent rejection -> write(rejection);
      case NoticeEvent notice -> write(notice);
      case ConfigEvent config -> write(config);
    }
    return out.raw('}').raw('\n');
  }

  private void write(DecisionEvent event) {
    out.member("id", event.id());
    revision.write(event.configRevision(), out);
    DecisionEvent.Place place = event.place();
    out.member("flow", place.flow())
        .member("trace", place.trace())
        .member("direction", place.direction())
        .member("kind", place.kind())
        .member("protocol", place.protocol())
        .member("method", place.method())
        .member("path", place.path())
        .member("peer", place.peer());
    routeRule.write(place.routeRule(), out);
    out.member("attempt", event.attempt())
        .member("mode", event.mode())
        .member("route", event.route().code());
    reasons(event.reasons());
    out.member("action", event.action()).member("reviewId", event.reviewId());
    if (event.judgement().isPresent()) {
      write(event.judgement().get());
    }
    if (event.judgedBy().isPresent()) {
      DecisionEvent.JudgedBy by = event.judgedBy().get();
      out.begin("judgedBy").member("node", by.node()).member("decision", by.decision()).raw('}');
    }
    DecisionEvent.Traffic traffic = event.traffic();
    out.member("status", traffic.status())
        .member("bytesIn", traffic.bytesIn())
        .member("bytesOut", traffic.bytesOut());
    if (!traffic.bodySha256().isEmpty()) {
      out.member("bodySha256", traffic.bodySha256());
    }
    out.member("tTotalUs", traffic.totalUs())
        .member("tJudgeUs", traffic.judgeUs())
        .member("tUpstreamUs", traffic.upstreamUs());
    if (event.stream().isPresent()) {
      DecisionEvent.Stream stream = event.stream().get();
      out.begin("stream")
          .member("mode", stream.mode())
          .member("events", stream.events())
          .member("bytes", stream.bytes())
          .member("heldMs", stream.heldMs())
          .raw('}');
    }
    if (event.round().isPresent()) {
      DecisionEvent.Round round = event.round().get();
      out.begin("round")
          .member("id", round.id())
          .member("what", round.what())
          .member("result", round.result())
          .member("detail", round.detail())
          .raw('}');
    }
    if (event.coinage().isPresent()) {
      DecisionEvent.Coinage coinage = event.coinage().get();
      out.begin("lexicon")
          .member("board", coinage.board())
          .member("lines", coinage.lines())
          .member("counted", coinage.counted())
          .member("result", coinage.result())
          .raw('}');
    }
    if (event.pact().isPresent()) {
      DecisionEvent.Pact pact = event.pact().get();
      out.begin("pact")
          .member("id", pact.id())
          .member("result", pact.result())
          .member("detail", pact.detail())
          .raw('}');
    }
  }

  private void write(ReplayableVerdict judgement) {
    Verdict verdict = judgement.verdict();
    out.whole("evidence", judgement.evidence().code());
    if (judgement.evidenceCut() > 0) {
      out.member("evidenceCut", judgement.evidenceCut());
    }
    if (!judgement.notes().isEmpty()) {
      out.name("notes").raw('[');
      judgement.notes().forEach(note -> out.next().text(note.code()));
      out.raw(']');
    }
    out.whole("grounding", judgement.grounding().code())
        .member("errors", verdict.errors())
        .member("errorMax", judgement.profile().errorMax())
        .member("ttlExpired", judgement.ttlExpired());
    if (judgement.confidence().isPresent()) {
      out.member("confidence", judgement.confidence().getAsDouble());
    }
    if (verdict.measurement().isPresent()) {
      write(verdict.measurement().get());
    }
    if (verdict.signals().isPresent()) {
      Signals signals = verdict.signals().get();
      out.begin("signals")
          .member("certainty", signals.certainty())
          .member("grounding", signals.grounding())
          .member("stochasticity", signals.stochasticity())
          .member("valid", signals.valid())
          .raw('}')
          .member("drift", signals.driftSqrtJsd());
    }
    if (verdict.header().isPresent()) {
      out.whole("header", verdict.header().get().text());
    }
    out.whole("regime", verdict.regime().code());
    if (verdict.core().isPresent()) {
      write(verdict.core().get());
    }
    out.begin("judged").whole("route", verdict.decision().route().code());
    reasons(verdict.decision().reasons());
    out.raw('}').raw(profiles.of(judgement.profile()));
  }

  private void write(CoreCheck check) {
    CoreFindings findings = check.findings();
    HeldCore core = findings.core();
    out.begin("core")
        .member("domain", core.domain())
        .member("peer", core.peer())
        .whole("state", core.state().code());
    if (core.version().isPresent()) {
      out.member("version", core.version().getAsLong());
    }
    out.name("cores").raw('[');
    for (CoreVersion version : core.cores().subList(0, Math.min(core.cores().size(), IDS))) {
      out.next().text(version.toString()); // not cut: it is read back by parts
    }
    out.raw(']')
        .member("ageMs", core.ageMs())
        .member("checked", findings.checked())
        .member("certified", findings.certified())
        .member("unknown", findings.unknown())
        .member("revoked", findings.revoked())
        .name("offending")
        .raw('[');
    for (CoreFindings.Offence offence : findings.offending()) {
      out.next()
          .raw('{')
          .member("term", offence.term())
          .whole("status", offence.status().code())
          .member("use", offence.alternative())
          .raw('}');
    }
    out.raw(']')
        .whole("onUncertified", check.policy().onUncertified().code())
        .whole("onStale", check.policy().onStale().code())
        .whole("onAbsent", check.policy().onAbsent().code())
        .raw('}');
  }

  private void write(Measurement measurement) {
    Counts counts = measurement.counts();
    out.begin("counts")
        .member("tokens", counts.tokens())
        .member("inContext", counts.inContext())
        .member("novel", counts.novel())
        .member("inQuestion", counts.inQuestion())
        .member("novelNumbers", counts.novelNumbers())
        .member("cited", counts.cited())
        .member("citedKnown", counts.citedKnown())
        .raw('}');
    ids("citedIds", counts.citedIds());
    ids("validIds", counts.validIds());
    Features features = measurement.features();
    out.begin("features")
        .member("contextOverlap", features.contextOverlap())
        .member("citationScore", features.citationScore())
        .member("novelRatio", features.novelRatio())
        .member("questionOverlap", features.questionOverlap())
        .raw('}');
    measurement.claims().ifPresent(this::write);
  }

  private void write(ClaimFindings found) {
    out.begin("claims").member("count", found.claims()).member("support", found.support());
    codes("departures", found.departures());
    codes("notes", found.notes());
    out.name("weak").raw('[');
    for (WeakClaim claim : found.weak()) {
      out.next().raw('{').member("support", claim.support());
      excerpt("claim", claim.text());
      claim.nearest().ifPresent(nearest -> excerpt("nearest", nearest));
      out.name("details").raw('[');
      for (Detail detail : claim.details()) {
        out.next().raw('{').whole("code", detail.departure().code());
        excerpt("said", detail.said());
        detail.instead().ifPresent(instead -> excerpt("instead", instead));
        out.raw('}');
      }
      out.raw(']').raw('}');
    }
    out.raw(']').raw('}');
  }

  private void codes(String name, Set<? extends Coded> codes) {
    out.name(name).raw('[');
    codes.forEach(code -> out.next().text(code.code()));
    out.raw(']');
  }

  private void excerpt(String name, Excerpt excerpt) {
    out.begin(name)
        .member("chunk", excerpt.where())
        .member("from", excerpt.from())
        .member("to", excerpt.to())
        .member("text", excerpt.text())
        .raw('}');
  }

  private void write(RepairEvent event) {
    out.member("decisionId", event.decisionId())
        .member("flow", event.flow())
        .member("attempt", event.attempt());
    reasons(event.reasons());
    out.member("outcome", event.outcome());
  }

  private void write(ReviewActionEvent event) {
    out.member("reviewId", event.reviewId())
        .member("decisionId", event.decisionId())
        .member("what", event.what())
        .member("who", event.who())
        .member("note", event.note());
  }

  private void write(RejectionEvent event) {
    out.member("direction", event.direction())
        .member("layer", event.layer())
        .member("code", event.code())
        .member("peer", event.peer());
    if (event.during().isPresent()) {
      AuditEvent.During during = event.during().get();
      out.member("flow", during.place().flow())
          .member("trace", during.place().trace())
          .member("kind", during.place().kind())
          .member("protocol", during.place().protocol())
          .member("method", during.place().method())
          .member("path", during.place().path());
      routeRule.write(during.place().routeRule(), out);
      out.member("decisionId", during.decisionId())
          .member("detail", during.detail())
          .member("tTotalUs", during.totalUs())
          .member("tUpstreamUs", during.upstreamUs());
    }
    if (event.leftOut() > 0) {
      out.member("leftOut", event.leftOut());
    }
  }

  private void write(NoticeEvent event) {
    out.member("direction", event.direction())
        .member("code", event.code())
        .member("detail", event.detail())
        .member("peer", event.peer());
  }

  private void write(ConfigEvent event) {
    revision.write(event.revision(), out);
    out.member("what", event.what()).member("detail", event.detail());
  }

  private void reasons(List<Reason> reasons) {
    out.name("reasons").raw('[');
    for (Reason reason : reasons) {
      out.next().text(reason.code());
    }
    out.raw(']');
  }

  private void ids(String name, List<String> ids) {
    out.name(name).raw('[');
    int listed = Math.min(ids.size(), IDS);
    for (int i = 0; i < listed; i++) {
      out.next().text(ids.get(i), TEXT_CHARACTERS);
    }
    out.raw(']');
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
    private final String name;
    private String last = "";
    private byte[] encoded;

    SameText(String name) {
      this.name = name;
      this.encoded = encode("");
    }

    private byte[] encode(String text) {
      return new JsonBytes().raw(',').member(name, text).toByteArray();
    }

    /** Writes the field. */
    void write(String text, JsonBytes out) {
      if (!text.equals(last)) { // the same object, as a rule
        encoded = encode(text);
        last = text;
      }
      out.raw(encoded);
    }
  }
}
