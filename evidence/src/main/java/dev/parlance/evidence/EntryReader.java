package dev.parlance.evidence;

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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Entries from text. Says nothing about order, blanks and extra members: the codec writes what was
 * read and compares.
 */
final class EntryReader {
  private static final int MAX_DEPTH = 4;
  private static final int MAX_NUMBER_LENGTH = 32;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(MAX_NUMBER_LENGTH)
                          .maxDocumentLength(EntryCodec.MAX_BYTES)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode node;

  private EntryReader(JsonNode node) {
    this.node = node;
  }

  /** A member that is missing, or not of the type that it has. */
  static final class BadMember extends Exception {
    private static final long serialVersionUID = 1L;
    private final String code;

    BadMember(String code, String member) {
      // Bad bytes are a daily thing: no stack trace.
      super(code + ": " + member, null, false, false);
      this.code = code;
    }

    String code() {
      return code;
    }
  }

  /**
   * Reads an entry.
   *
   * @throws tools.jackson.core.JacksonException where it is no JSON
   * @throws IllegalArgumentException where a value is one that cannot be
   */
  static Entry entry(String text) throws BadMember {
    EntryReader in = new EntryReader(MAPPER.readTree(text));
    String type = in.text("type");
    return switch (type) {
      case "plan" -> in.plan();
      case "plan_part" -> in.planPart();
      case "audit_part" ->
          new Entry.AuditPart(
              in.text("audit"), in.integer("part"), in.texts("terms"), in.number("atMs"));
      case "opened" -> in.opened();
      case "taken_over" ->
          new Entry.TakenOver(in.text("audit"), in.number("epoch"), in.number("atMs"));
      case "test" -> in.test();
      case "unanswered" ->
          new Entry.Unanswered(
              in.text("audit"),
              in.number("epoch"),
              in.text("agent"),
              in.text("event"),
              in.text("term"),
              in.text("reason"),
              in.number("atMs"));
      case "renegotiated" -> in.renegotiated();
      case "decided" -> in.decided();
      case "core_issued" -> in.coreIssued();
      case "closed" ->
          new Entry.Closed(
              in.text("audit"),
              in.number("epoch"),
              in.text("seed"),
              in.optionalText("failure"),
              in.number("atMs"));
      default -> throw new BadMember("unknown_type", type);
    };
  }

  private Entry.Plan plan() throws BadMember {
    return new Entry.Plan(
        text("plan"),
        number("revision"),
        core(),
        texts("terms"),
        map("alternatives"),
        events("events"),
        new CertificationParams(
            real("tau"), real("delta"), real("rhoMin"), coded("bound", Bound::ofCode)),
        coded("multiplicity", Multiplicity::ofCode),
        integer("eventsPerTerm"),
        integer("parts"),
        number("atMs"));
  }

  private Entry.PlanPart planPart() throws BadMember {
    return new Entry.PlanPart(
        text("plan"),
        number("revision"),
        integer("part"),
        texts("terms"),
        map("alternatives"),
        events("events"),
        number("atMs"));
  }

  private Entry.Opened opened() throws BadMember {
    return new Entry.Opened(
        text("audit"),
        number("epoch"),
        text("plan"),
        number("revision"),
        coded("kind", Entry.Kind::ofCode),
        texts("terms"),
        text("drawCommitment"),
        integer("parts"),
        number("atMs"));
  }

  private Entry.Test test() throws BadMember {
    return new Entry.Test(
        text("audit"),
        number("epoch"),
        text("agent"),
        text("event"),
        text("term"),
        coded("verdict", TermVerdict::ofCode),
        coded("form", Entry.Form::ofCode),
        optionalText("answerSha256"),
        number("atMs"));
  }

  private Entry.Renegotiated renegotiated() throws BadMember {
    return new Entry.Renegotiated(
        text("audit"),
        number("epoch"),
        text("term"),
        text("entrenched"),
        text("other"),
        integer("decidedEntrenched"),
        integer("decidedOther"),
        text("reply"),
        number("atMs"));
  }

  private Entry.Decided decided() throws BadMember {
    return new Entry.Decided(
        text("audit"),
        number("epoch"),
        texts("agents"),
        text("term"),
        integer("audited"),
        integer("eligible"),
        integer("contradictions"),
        integer("unanswered"),
        real("upper"),
        real("coverage"),
        node.has("cusum") ? OptionalDouble.of(real("cusum")) : OptionalDouble.empty(),
        coded("outcome", Entry.Outcome::ofCode),
        node.has("reason") ? Optional.of(coded("reason", RefusalReason::ofCode)) : Optional.empty(),
        number("atMs"));
  }

  private Entry.CoreIssued coreIssued() throws BadMember {
    return new Entry.CoreIssued(
        text("audit"),
        number("epoch"),
        core(),
        number("version"),
        number("ledgerSize"),
        integer("certified"),
        text("certifiedSha256"),
        text("documentSha256"),
        number("atMs"));
  }

  private CoreId core() throws BadMember {
    return new CoreId(texts("agents"), text("domain"));
  }

  private JsonNode member(String name) throws BadMember {
    JsonNode member = node.get(name);
    if (member == null) {
      throw new BadMember("bad_member", name);
    }
    return member;
  }

  private String text(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isString()) {
      throw new BadMember("bad_member", name);
    }
    return member.stringValue();
  }

  private Optional<String> optionalText(String name) throws BadMember {
    return node.has(name) ? Optional.of(text(name)) : Optional.empty();
  }

  private <T> T coded(String name, Function<String, Optional<T>> ofCode) throws BadMember {
    Optional<T> value = ofCode.apply(text(name));
    if (value.isEmpty()) {
      throw new BadMember("bad_member", name);
    }
    return value.get();
  }

  private long number(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isIntegralNumber() || !member.canConvertToLong()) {
      throw new BadMember("bad_member", name);
    }
    return member.longValue();
  }

  private int integer(String name) throws BadMember {
    long value = number(name);
    if (value != (int) value) {
      throw new BadMember("bad_member", name);
    }
    return (int) value;
  }

  private double real(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isFloatingPointNumber()) {
      throw new BadMember("bad_member", name);
    }
    return member.doubleValue();
  }

  private List<String> texts(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isArray()) {
      throw new BadMember("bad_member", name);
    }
    List<String> texts = new ArrayList<>(member.size());
    for (JsonNode element : member) {
      if (!element.isString()) {
        throw new BadMember("bad_member", name);
      }
      texts.add(element.stringValue());
    }
    return texts;
  }

  private SortedMap<String, String> map(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isObject()) {
      throw new BadMember("bad_member", name);
    }
    EntryReader inner = new EntryReader(member);
    SortedMap<String, String> map = new TreeMap<>();
    for (String key : member.propertyNames()) {
      map.put(key, inner.text(key));
    }
    return map;
  }

  private List<Entry.PlanEvent> events(String name) throws BadMember {
    JsonNode member = member(name);
    if (!member.isArray()) {
      throw new BadMember("bad_member", name);
    }
    List<Entry.PlanEvent> events = new ArrayList<>(member.size());
    for (JsonNode element : member) {
      EntryReader inner = new EntryReader(element);
      events.add(new Entry.PlanEvent(inner.text("pei"), inner.text("sha256")));
    }
    return events;
  }
}
