package dev.parlance.ledger.record;

import dev.parlance.ledger.record.EntryWriter.RoundEntryWriter;
import dev.parlance.ledger.record.JsonMembers.BadMember;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.commit.RoundState.RoundEvent.SealCause;
import dev.parlance.policy.core.Bound;
import dev.parlance.policy.core.CertificationParams;
import dev.parlance.policy.core.CoreId;
import dev.parlance.policy.core.Multiplicity;
import dev.parlance.policy.core.RefusalReason;
import dev.parlance.policy.core.TermVerdict;
import java.util.ArrayList;
import java.util.Base64;
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

  /** Entries of rounds from text; the codec writes what was read and compares. */
  static final class RoundEntryReader {
    private RoundEntryReader() {}

    static RoundEntry entry(String type, JsonMembers in) throws BadMember {
      return switch (type) {
        case "round_opened" -> opened(in);
        case "round_proposal" -> proposed(in);
        case "round_sealed" ->
            new RoundEntry.Sealed(id(in), in.coded("cause", SealCause::ofCode), in.number("atMs"));
        case "round_decided" -> decided(in);
        default -> throw new BadMember("unknown_type", type);
      };
    }

    /** Members {@code round} and {@code epoch}. */
    static RoundId id(JsonMembers in) throws BadMember {
      return new RoundId(in.text("round"), in.number("epoch"));
    }

    /** Members {@code encoder}, {@code dim} and {@code cosMin}. */
    static Encoding encoding(JsonMembers in) throws BadMember {
      return new Encoding(in.text("encoder"), in.integer("dim"), in.real("cosMin"));
    }

    private static RoundEntry.Opened opened(JsonMembers in) throws BadMember {
      RoundId id = id(in);
      RoundSpec spec =
          new RoundSpec(
              id.bound(),
              in.integer("faults"),
              in.texts("members"),
              encoding(in),
              in.integer("extraMargin"),
              in.coded("fallback", RoundEntryReader::fallback));
      return new RoundEntry.Opened(
          id,
          spec,
          in.optionalText("encoderSha256"),
          in.optionalText("subjectSha256"),
          in.number("deadlineMs"),
          in.number("atMs"));
    }

    private static Optional<Boolean> fallback(String code) {
      return switch (code) {
        case RoundEntryWriter.FALLBACK_VERDICT -> Optional.of(true);
        case RoundEntryWriter.FALLBACK_NONE -> Optional.of(false);
        default -> Optional.empty();
      };
    }

    private static RoundEntry.Proposed proposed(JsonMembers in) throws BadMember {
      return new RoundEntry.Proposed(
          id(in),
          in.text("agent"),
          in.text("verdict"),
          in.text("textSha256"),
          meaning(in),
          in.text("messageSha256"),
          in.text("route"),
          in.text("decision"),
          in.number("atMs"));
    }

    private static Meaning meaning(JsonMembers in) throws BadMember {
      if (in.has("fault")) {
        return in.coded("fault", RoundEntryReader::fault);
      }
      byte[] bytes;
      try {
        bytes = Base64.getDecoder().decode(in.text("vector"));
      } catch (IllegalArgumentException notBase64) {
        throw new BadMember("bad_member", "vector");
      }
      return new Meaning.Vector(
          QuantVector.ofBytes(bytes)
              .orElseThrow(() -> new IllegalArgumentException("expected 16-bit numbers")));
    }

    private static Optional<Meaning> fault(String code) {
      return switch (code) {
        case RoundEntryWriter.MALFORMED -> Optional.of(Meaning.MALFORMED);
        case RoundEntryWriter.UNENCODED -> Optional.of(Meaning.UNENCODED);
        default -> Optional.empty();
      };
    }

    private static RoundEntry.Decided decided(JsonMembers in) throws BadMember {
      return new RoundEntry.Decided(
          id(in),
          in.text("outcome"),
          in.optionalText("reason"),
          in.optionalText("verdict"),
          in.integer("delivered"),
          in.integer("support"),
          in.integer("runnerUp"),
          in.texts("core"),
          in.has("minCos") ? OptionalDouble.of(in.real("minCos")) : OptionalDouble.empty(),
          in.optionalText("digest"),
          in.text("documentSha256"),
          in.number("atMs"));
    }
  }
}
