package dev.parlance.ledger.record;

import dev.parlance.ledger.record.JsonMembers.BadMember;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.TermVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Entries from text; the codec writes what was read and compares. */
final class EntryReader {
  private final JsonMembers in;

  private EntryReader(JsonMembers in) {
    this.in = in;
  }

  /**
   * Reads an entry.
   *
   * @throws tools.jackson.core.JacksonException where it is no JSON
   * @throws IllegalArgumentException where a value is one that cannot be
   */
  static Entry entry(String text) throws BadMember {
    JsonMembers members = JsonMembers.of(text);
    EntryReader in = new EntryReader(members);
    String type = members.text("type");
    return switch (type) {
      case "plan" -> in.plan();
      case "plan_part" -> in.planPart();
      case "audit_part" ->
          new Entry.AuditPart(
              members.text("audit"),
              members.integer("part"),
              members.texts("terms"),
              members.number("atMs"));
      case "opened" -> in.opened();
      case "taken_over" ->
          new Entry.TakenOver(
              members.text("audit"), members.number("epoch"), members.number("atMs"));
      case "test" -> in.test();
      case "unanswered" ->
          new Entry.Unanswered(
              members.text("audit"),
              members.number("epoch"),
              members.text("agent"),
              members.text("event"),
              members.text("term"),
              members.text("reason"),
              members.number("atMs"));
      case "renegotiated" -> in.renegotiated();
      case "decided" -> in.decided();
      case "core_issued" -> in.coreIssued();
      case "closed" ->
          new Entry.Closed(
              members.text("audit"),
              members.number("epoch"),
              members.text("seed"),
              members.optionalText("failure"),
              members.number("atMs"));
      case "round_opened", "round_proposal", "round_sealed", "round_decided" ->
          RoundEntryReader.entry(type, members);
      default -> throw new BadMember("unknown_type", type);
    };
  }

  private Entry.Plan plan() throws BadMember {
    return new Entry.Plan(
        in.text("plan"),
        in.number("revision"),
        core(),
        in.texts("terms"),
        in.map("alternatives"),
        events("events"),
        new CertificationParams(
            in.real("tau"), in.real("delta"), in.real("rhoMin"), in.coded("bound", Bound::ofCode)),
        in.coded("multiplicity", Multiplicity::ofCode),
        in.integer("eventsPerTerm"),
        in.integer("parts"),
        in.number("atMs"));
  }

  private Entry.PlanPart planPart() throws BadMember {
    return new Entry.PlanPart(
        in.text("plan"),
        in.number("revision"),
        in.integer("part"),
        in.texts("terms"),
        in.map("alternatives"),
        events("events"),
        in.number("atMs"));
  }

  private Entry.Opened opened() throws BadMember {
    return new Entry.Opened(
        in.text("audit"),
        in.number("epoch"),
        in.text("plan"),
        in.number("revision"),
        in.coded("kind", Entry.Kind::ofCode),
        in.texts("terms"),
        in.text("drawCommitment"),
        in.integer("parts"),
        in.number("atMs"));
  }

  private Entry.Test test() throws BadMember {
    return new Entry.Test(
        in.text("audit"),
        in.number("epoch"),
        in.text("agent"),
        in.text("event"),
        in.text("term"),
        in.coded("verdict", TermVerdict::ofCode),
        in.coded("form", Entry.Form::ofCode),
        in.optionalText("answerSha256"),
        in.number("atMs"));
  }

  private Entry.Renegotiated renegotiated() throws BadMember {
    return new Entry.Renegotiated(
        in.text("audit"),
        in.number("epoch"),
        in.text("term"),
        in.text("entrenched"),
        in.text("other"),
        in.integer("decidedEntrenched"),
        in.integer("decidedOther"),
        in.text("reply"),
        in.number("atMs"));
  }

  private Entry.Decided decided() throws BadMember {
    return new Entry.Decided(
        in.text("audit"),
        in.number("epoch"),
        in.texts("agents"),
        in.text("term"),
        in.integer("audited"),
        in.integer("eligible"),
        in.integer("contradictions"),
        in.integer("unanswered"),
        in.real("upper"),
        in.real("coverage"),
        in.has("cusum") ? OptionalDouble.of(in.real("cusum")) : OptionalDouble.empty(),
        in.coded("outcome", Entry.Outcome::ofCode),
        in.has("reason")
            ? Optional.of(in.coded("reason", RefusalReason::ofCode))
            : Optional.empty(),
        in.number("atMs"));
  }

  private Entry.CoreIssued coreIssued() throws BadMember {
    return new Entry.CoreIssued(
        in.text("audit"),
        in.number("epoch"),
        core(),
        in.number("version"),
        in.number("ledgerSize"),
        in.integer("certified"),
        in.text("certifiedSha256"),
        in.text("documentSha256"),
        in.number("atMs"));
  }

  private CoreId core() throws BadMember {
    return new CoreId(in.texts("agents"), in.text("domain"));
  }

  private List<Entry.PlanEvent> events(String name) throws BadMember {
    List<Entry.PlanEvent> events = new ArrayList<>();
    for (JsonMembers inner : in.objects(name)) {
      events.add(new Entry.PlanEvent(inner.text("pei"), inner.text("sha256")));
    }
    return events;
  }
}
