package dev.parlance.ledger.record;

import dev.parlance.policy.core.CoreId;

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
}
