package dev.parlance.ledger.record;

import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.core.CoreId;
import java.util.Base64;

/** The text of entries; {@code docs/evidence.md} lists the members in this order. */
final class EntryWriter {
  private EntryWriter() {}

  static String line(Entry entry) {
    StringBuilder out = new StringBuilder(256);
    switch (entry) {
      case Entry.Plan plan -> plan(begin(out, "plan"), plan);
      case Entry.PlanPart part -> planPart(begin(out, "plan_part"), part);
      case Entry.AuditPart part ->
          begin(out, "audit_part")
              .text("audit", part.audit())
              .number("part", part.part())
              .texts("terms", part.terms())
              .number("atMs", part.atMs())
              .end();
      case Entry.OfAudit ofAudit -> ofAudit(out, ofAudit);
      case RoundEntry round -> RoundEntryWriter.write(out, round);
    }
    return out.toString();
  }

  private static void ofAudit(StringBuilder out, Entry.OfAudit entry) {
    switch (entry) {
      case Entry.Opened opened -> opened(begin(out, "opened", opened), opened);
      case Entry.TakenOver taken ->
          begin(out, "taken_over", taken).number("atMs", taken.atMs()).end();
      case Entry.Test test -> test(begin(out, "test", test), test);
      case Entry.Unanswered unanswered ->
          begin(out, "unanswered", unanswered)
              .text("agent", unanswered.agent())
              .text("event", unanswered.event())
              .text("term", unanswered.term())
              .text("reason", unanswered.reason())
              .number("atMs", unanswered.atMs())
              .end();
      case Entry.Renegotiated renegotiated ->
          begin(out, "renegotiated", renegotiated)
              .text("term", renegotiated.term())
              .text("entrenched", renegotiated.entrenched())
              .text("other", renegotiated.other())
              .number("decidedEntrenched", renegotiated.decidedEntrenched())
              .number("decidedOther", renegotiated.decidedOther())
              .text("reply", renegotiated.reply())
              .number("atMs", renegotiated.atMs())
              .end();
      case Entry.Decided decided -> decided(begin(out, "decided", decided), decided);
      case Entry.CoreIssued issued ->
          core(begin(out, "core_issued", issued), issued.core())
              .number("version", issued.version())
              .number("ledgerSize", issued.ledgerSize())
              .number("certified", issued.certified())
              .text("certifiedSha256", issued.certifiedSha256())
              .text("documentSha256", issued.documentSha256())
              .number("atMs", issued.atMs())
              .end();
      case Entry.Closed closed -> {
        JsonLine line = begin(out, "closed", closed).text("seed", closed.seed());
        closed.failure().ifPresent(failure -> line.text("failure", failure));
        line.number("atMs", closed.atMs()).end();
      }
    }
  }

  private static JsonLine begin(StringBuilder out, String type) {
    return new JsonLine(out).text("type", type);
  }

  private static JsonLine begin(StringBuilder out, String type, Entry.OfAudit entry) {
    return begin(out, type).text("audit", entry.audit()).number("epoch", entry.epoch());
  }

  private static JsonLine core(JsonLine line, CoreId core) {
    return line.texts("agents", core.agents()).text("domain", core.domain());
  }

  private static void plan(JsonLine line, Entry.Plan plan) {
    line.text("plan", plan.plan()).number("revision", plan.revision());
    core(line, plan.core())
        .texts("terms", plan.terms())
        .map("alternatives", plan.alternatives())
        .list("events", plan.events(), EntryWriter::event)
        .number("tau", plan.params().tau())
        .number("delta", plan.params().delta())
        .number("rhoMin", plan.params().rhoMin())
        .text("bound", plan.params().bound().code())
        .text("multiplicity", plan.multiplicity().code())
        .number("eventsPerTerm", plan.eventsPerTerm())
        .number("parts", plan.parts())
        .number("atMs", plan.atMs())
        .end();
  }

  private static void planPart(JsonLine line, Entry.PlanPart part) {
    line.text("plan", part.plan())
        .number("revision", part.revision())
        .number("part", part.part())
        .texts("terms", part.terms())
        .map("alternatives", part.alternatives())
        .list("events", part.events(), EntryWriter::event)
        .number("atMs", part.atMs())
        .end();
  }

  private static void event(Entry.PlanEvent event, JsonLine line) {
    line.inner().text("pei", event.pei()).text("sha256", event.sha256()).end();
  }

  private static void opened(JsonLine line, Entry.Opened opened) {
    line.text("plan", opened.plan())
        .number("revision", opened.revision())
        .text("kind", opened.kind().code())
        .texts("terms", opened.terms())
        .text("drawCommitment", opened.drawCommitment())
        .number("parts", opened.parts())
        .number("atMs", opened.atMs())
        .end();
  }

  private static void test(JsonLine line, Entry.Test test) {
    line.text("agent", test.agent())
        .text("event", test.event())
        .text("term", test.term())
        .text("verdict", test.verdict().code())
        .text("form", test.form().code());
    test.answerSha256().ifPresent(digest -> line.text("answerSha256", digest));
    line.number("atMs", test.atMs()).end();
  }

  private static void decided(JsonLine line, Entry.Decided decided) {
    line.texts("agents", decided.agents())
        .text("term", decided.term())
        .number("audited", decided.audited())
        .number("eligible", decided.eligible())
        .number("contradictions", decided.contradictions())
        .number("unanswered", decided.unanswered())
        .number("upper", decided.upper())
        .number("coverage", decided.coverage());
    decided.cusum().ifPresent(cusum -> line.number("cusum", cusum));
    line.text("outcome", decided.outcome().code());
    decided.reason().ifPresent(reason -> line.text("reason", reason.code()));
    line.number("atMs", decided.atMs()).end();
  }

  /** The text of rounds' entries; {@code docs/evidence.md} lists the members in this order. */
  static final class RoundEntryWriter {
    static final String FALLBACK_VERDICT = "verdict";
    static final String FALLBACK_NONE = "none";
    static final String MALFORMED = "malformed";
    static final String UNENCODED = "unencoded";

    private RoundEntryWriter() {}

    static void write(StringBuilder out, RoundEntry entry) {
      switch (entry) {
        case RoundEntry.Opened opened -> opened(begin(out, "round_opened", opened), opened);
        case RoundEntry.Proposed proposed ->
            proposed(begin(out, "round_proposal", proposed), proposed);
        case RoundEntry.Sealed sealed ->
            begin(out, "round_sealed", sealed)
                .text("cause", sealed.cause().code())
                .number("atMs", sealed.atMs())
                .end();
        case RoundEntry.Decided decided -> decided(begin(out, "round_decided", decided), decided);
      }
    }

    private static JsonLine begin(StringBuilder out, String type, RoundEntry entry) {
      return id(new JsonLine(out).text("type", type), entry.id());
    }

    static JsonLine id(JsonLine line, RoundId id) {
      return line.text("round", id.round()).number("epoch", id.epoch());
    }

    static JsonLine encoding(JsonLine line, Encoding encoding) {
      return line.text("encoder", encoding.encoder())
          .number("dim", encoding.dim())
          .number("cosMin", encoding.cosMin());
    }

    private static void opened(JsonLine line, RoundEntry.Opened opened) {
      RoundSpec spec = opened.spec();
      line.texts("members", spec.members()).number("faults", spec.faults());
      encoding(line, spec.encoding())
          .number("extraMargin", spec.extraMargin())
          .text("fallback", spec.verdictFallback() ? FALLBACK_VERDICT : FALLBACK_NONE);
      opened.encoderSha256().ifPresent(digest -> line.text("encoderSha256", digest));
      opened.subjectSha256().ifPresent(digest -> line.text("subjectSha256", digest));
      line.number("deadlineMs", opened.deadlineMs()).number("atMs", opened.atMs()).end();
    }

    private static void proposed(JsonLine line, RoundEntry.Proposed proposed) {
      line.text("agent", proposed.agent())
          .text("verdict", proposed.verdict())
          .text("textSha256", proposed.textSha256());
      switch (proposed.meaning()) {
        case Meaning.Vector(QuantVector vector) ->
            line.text("vector", Base64.getEncoder().encodeToString(vector.toBytes()));
        case Meaning.Malformed _ -> line.text("fault", MALFORMED);
        case Meaning.Unencoded _ -> line.text("fault", UNENCODED);
      }
      line.text("messageSha256", proposed.messageSha256())
          .text("route", proposed.route())
          .text("decision", proposed.decision())
          .number("atMs", proposed.atMs())
          .end();
    }

    private static void decided(JsonLine line, RoundEntry.Decided decided) {
      line.text("outcome", decided.outcome());
      decided.reason().ifPresent(reason -> line.text("reason", reason));
      decided.verdict().ifPresent(verdict -> line.text("verdict", verdict));
      line.number("delivered", decided.delivered())
          .number("support", decided.support())
          .number("runnerUp", decided.runnerUp())
          .texts("core", decided.core());
      decided.minCos().ifPresent(minCos -> line.number("minCos", minCos));
      decided.digest().ifPresent(digest -> line.text("digest", digest));
      line.text("documentSha256", decided.documentSha256()).number("atMs", decided.atMs()).end();
    }
  }
}
