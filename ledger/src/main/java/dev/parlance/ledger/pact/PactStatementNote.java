package dev.parlance.ledger.pact;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactMembers.BadMember;
import dev.parlance.ledger.pact.PactStatement.Charge;
import dev.parlance.ledger.pact.PactStatement.Counts;
import dev.parlance.ledger.pact.PactStatement.Decision;
import dev.parlance.ledger.pact.PactStatement.Detail;
import dev.parlance.ledger.pact.PactStatement.Dissolution;
import dev.parlance.ledger.pact.PactStatement.Escalation;
import dev.parlance.ledger.pact.PactStatement.Observed;
import dev.parlance.ledger.pact.PactStatement.Progress;
import dev.parlance.ledger.pact.PactStatement.Report;
import dev.parlance.ledger.pact.PactStatement.Template;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.pact.PactCategory;
import dev.parlance.policy.pact.PactScore.Ending;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.policy.text.Coded;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A statement about a pact as it is signed: a C2SP signed note whose text is the line {@code
 * parlance-pact-KIND-1} and one line of canonical JSON (RFC 8785), see {@code docs/evidence.md}.
 * Whatever the bytes, reading does not throw.
 */
public final class PactStatementNote {
  /** Largest note taken, so that an entry of the ledger can hold it. */
  public static final int MAX_BYTES = 45_000;

  private static final String BEFORE_KIND = "parlance-pact-";
  private static final String BEHIND_KIND = "-1\n";

  private PactStatementNote() {}

  /** Why bytes are no statement. */
  public enum Fault implements Coded {
    /** More bytes than an entry can hold. */
    TOO_LARGE,
    /** No note, or not the statement's one form. */
    MALFORMED,
    /** No signature of a key that is known here under the signer's name, or one does not hold. */
    BAD_SIGNATURE
  }

  /** What came of reading a statement. */
  public sealed interface Reading {
    /**
     * A statement.
     *
     * @param textSha256 hex SHA-256 of what is signed
     */
    record Good(PactStatement statement, String textSha256) implements Reading {}

    /**
     * Do not believe it.
     *
     * @param detail for people
     */
    record Refused(Fault fault, String detail) implements Reading {}
  }

  // ---- writing ----

  /** What is signed. */
  public static String text(PactStatement statement) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    switch (statement) {
      case Template one -> write(node, one);
      case Observed one -> write(node, one);
      case Dissolution one -> write(node, one);
      case Decision one -> write(node, one);
      case Report one -> write(node, one);
    }
    return BEFORE_KIND + statement.kind() + BEHIND_KIND + PactJson.rfc8785(node) + "\n";
  }

  /** Hex SHA-256 of what is signed. */
  public static String textSha256(PactStatement statement) {
    return Predicate.sha256(text(statement));
  }

  /**
   * The signed note's bytes.
   *
   * @param key has the signer's name
   */
  public static byte[] sign(PactStatement statement, SignerKey key) {
    if (!key.name().equals(statement.signer())) {
      throw new IllegalArgumentException(
          "expected the key of %s, got that of %s".formatted(statement.signer(), key.name()));
    }
    return Note.sign(text(statement), key).bytes();
  }

  private static void write(ObjectNode node, Template one) {
    node.put("author", one.author()).put("name", one.name()).put("version", one.version());
    one.maxCounters().ifPresent(most -> node.put("max_counters", most));
    write(node, one.predicates());
    one.settles()
        .ifPresent(decided ->
            node.putObject("settles")
                .put("initiator", decided.initiator())
                .put("negotiation", decided.negotiation())
                .put("pact", decided.pact())
                .put("responder", decided.responder())
                .put("until_ms", decided.untilMs()));
  }

  private static void write(ObjectNode node, List<Predicate> all) {
    ArrayNode predicates = node.putArray("predicates");
    for (Predicate predicate : all) {
      predicates
          .addObject()
          .put("id", predicate.id())
          .put("category", predicate.category())
          .put("body", predicate.body());
    }
  }

  private static void write(ObjectNode node, Observed one) {
    node.put("pact", one.pact()).put("observer", one.observer()).put("party", one.party());
    node.put("seq", one.sequence()).put("final", one.progress() == Progress.FINAL);
    node.put("messages", one.messages());
    ObjectNode predicates = node.putObject("predicates");
    one.predicates()
        .forEach((id, counts) ->
            predicates
                .putObject(id)
                .put("held", counts.held())
                .put("violated", counts.violated())
                .put("unmeasured", counts.unmeasured()));
    ObjectNode violations = node.putObject("violations");
    one.violations().forEach((category, number) -> violations.put(category.code(), number));
  }

  private static void write(ObjectNode node, Dissolution one) {
    node.put("pact", one.pact()).put("from", one.from()).put("reason", one.reason().code());
    node.put("t", one.atMs());
    one.failurePredicate().ifPresent(id -> node.put("failure_predicate", id));
    one.effectiveMs().ifPresent(atMs -> node.put("effective_ms", atMs));
    one.responsible().ifPresent(party -> node.put("responsible", party));
  }

  private static void write(ObjectNode node, Decision one) {
    node.put("pact", one.pact()).put("arbiter", one.arbiter()).put("ending", one.ending().code());
    node.put("t", one.atMs());
    one.responsible().ifPresent(party -> node.put("responsible", party));
  }

  private static void write(ObjectNode node, Report one) {
    node.put("kind", one.charge().code()).put("negotiation", one.negotiation());
    node.put("reporter", one.reporter()).put("party", one.party()).put("t", one.atMs());
    ArrayNode details = node.putArray("details");
    for (Detail detail : one.details()) {
      details
          .addObject()
          .put("predicate", detail.predicate())
          .put("key", detail.key())
          .put("ours", detail.ours())
          .put("theirs", detail.theirs());
    }
    if (one.escalation().isPresent()) {
      Escalation open = one.escalation().get();
      node.put("arbiter", open.arbiter()).put("pact", open.pact()).put("until_ms", open.untilMs());
      write(node, open.predicates());
    }
  }

  // ---- reading ----

  /**
   * What a statement says, whoever has signed it: to know whose key is wanted; never to be acted
   * on.
   */
  public static Reading unverified(byte[] note) {
    return read(note, Optional.empty());
  }

  /**
   * Reads a statement.
   *
   * @param keys those of the signer's name count, several are a rotation; every known key that
   *     claims to have signed must have
   */
  public static Reading verify(byte[] note, Collection<VerifierKey> keys) {
    return read(note, Optional.of(keys));
  }

  /**
   * A statement with one more line: what its signer says, another party has signed, too.
   *
   * @param base64 of that party's signature, as a line of a note has it
   * @return empty if the one is no note or the other no signature
   */
  public static Optional<byte[]> cosigned(byte[] note, String party, String base64) {
    return Note.parse(note, MAX_BYTES) instanceof Parsed.Ok<Note>(Note one)
            && one.signatures().size() < Note.MAX_SIGNATURES
        ? NoteSignature.of(party, base64).map(line -> one.with(line).bytes())
        : Optional.empty();
  }

  /** Whether another party than the signer has signed a statement as well, with one of its keys. */
  public static boolean isCosigned(byte[] note, String party, Collection<VerifierKey> keys) {
    return Note.parse(note, MAX_BYTES) instanceof Parsed.Ok<Note>(Note one)
        && one.verify(of(party, keys)) instanceof Note.Verification.Verified;
  }

  private static List<VerifierKey> of(String party, Collection<VerifierKey> keys) {
    return keys.stream()
        .filter(key -> key.type() == KeyType.ED25519)
        .filter(key -> key.name().equals(party))
        .toList();
  }

  private static Reading read(byte[] bytes, Optional<Collection<VerifierKey>> keys) {
    return switch (Note.parse(bytes, MAX_BYTES)) {
      case Parsed.Bad<Note>(NoteFault fault, String detail) ->
          new Reading.Refused(
              fault == NoteFault.TOO_LARGE ? Fault.TOO_LARGE : Fault.MALFORMED,
              fault.code() + ": " + detail);
      case Parsed.Ok<Note>(Note note) ->
          switch (statement(note.text())) {
            case Reading.Good good when keys.isPresent() -> check(note, good, keys.get());
            case Reading reading -> reading;
          };
    };
  }

  private static Reading check(Note note, Reading.Good good, Collection<VerifierKey> keys) {
    return switch (note.verify(of(good.statement().signer(), keys))) {
      case Note.Verification.Verified _ -> good;
      case Note.Verification.Unverified(NoteFault fault, String detail) ->
          new Reading.Refused(Fault.BAD_SIGNATURE, fault.code() + ": " + detail);
    };
  }

  /** What was read is written again and compared, so that a statement has exactly one text. */
  private static Reading statement(String text) {
    int end = text.indexOf(BEHIND_KIND);
    if (!text.startsWith(BEFORE_KIND) || end < BEFORE_KIND.length()) {
      return malformed("expected the line parlance-pact-KIND-1");
    }
    String kind = text.substring(BEFORE_KIND.length(), end);
    try {
      PactMembers in = PactMembers.of(PactJson.read(text.substring(end + BEHIND_KIND.length())));
      PactStatement statement =
          switch (kind) {
            case "template" -> template(in);
            case "observed" -> observed(in);
            case "dissolution" -> dissolution(in);
            case "decision" -> decision(in);
            case "report" -> report(in);
            default -> throw new BadMember("no such kind of statement");
          };
      return text(statement).equals(text)
          ? new Reading.Good(statement, Predicate.sha256(text))
          : malformed("not in the statement's one form");
    } catch (JacksonException notJson) {
      return malformed("not JSON");
    } catch (BadMember bad) {
      return malformed(bad.what());
    } catch (IllegalArgumentException impossible) {
      return malformed(String.valueOf(impossible.getMessage()));
    }
  }

  private static Reading malformed(String detail) {
    return new Reading.Refused(Fault.MALFORMED, detail);
  }

  private static int integer(long number) throws BadMember {
    if (number != (int) number) {
      throw new BadMember("expected a number of 32 bits, got " + number);
    }
    return (int) number;
  }

  private static Template template(PactMembers in) throws BadMember {
    OptionalLong most = in.optionalNumber("max_counters");
    return new Template(
        in.text("author"),
        in.text("name"),
        integer(in.number("version")),
        most.isPresent() ? OptionalInt.of(integer(most.getAsLong())) : OptionalInt.empty(),
        predicates(in),
        settles(in));
  }

  private static Optional<PactCase> settles(PactMembers in) throws BadMember {
    Optional<PactMembers> decided = in.object("settles");
    return decided.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PactCase(
                decided.get().text("negotiation"),
                decided.get().text("initiator"),
                decided.get().text("responder"),
                in.text("author"),
                decided.get().text("pact"),
                decided.get().number("until_ms")));
  }

  private static List<Predicate> predicates(PactMembers in) throws BadMember {
    List<Predicate> predicates = new ArrayList<>();
    for (PactMembers one : in.objects("predicates")) {
      predicates.add(new Predicate(one.text("id"), one.text("category"), one.text("body")));
    }
    return predicates;
  }

  private static Observed observed(PactMembers in) throws BadMember {
    SortedMap<String, Counts> predicates = new TreeMap<>();
    PactMembers byId = in.object("predicates").orElseThrow(() -> new BadMember("predicates"));
    for (String id : byId.names()) {
      PactMembers one = byId.object(id).orElseThrow(() -> new BadMember("predicates." + id));
      predicates.put(
          id, new Counts(one.number("held"), one.number("violated"), one.number("unmeasured")));
    }
    EnumMap<PactCategory, Long> violations = new EnumMap<>(PactCategory.class);
    PactMembers byCategory = in.object("violations").orElseThrow(() -> new BadMember("violations"));
    for (String category : byCategory.names()) {
      violations.put(PactDocument.kind(category), byCategory.number(category));
    }
    return new Observed(
        in.text("pact"),
        in.text("observer"),
        in.text("party"),
        in.number("seq"),
        in.flag("final") ? Progress.FINAL : Progress.GOING_ON,
        in.number("messages"),
        predicates,
        new TreeMap<>(violations));
  }

  private static Ending ending(String code) {
    return Ending.ofCode(code).orElseThrow(() -> PactStatement.noReason(code));
  }

  private static Decision decision(PactMembers in) throws BadMember {
    return new Decision(
        in.text("pact"),
        in.text("arbiter"),
        ending(in.text("ending")),
        in.optionalText("responsible"),
        in.number("t"));
  }

  private static Dissolution dissolution(PactMembers in) throws BadMember {
    return new Dissolution(
        in.text("pact"),
        in.text("from"),
        ending(in.text("reason")),
        in.number("t"),
        in.optionalText("failure_predicate"),
        in.optionalNumber("effective_ms"),
        in.optionalText("responsible"));
  }

  private static Report report(PactMembers in) throws BadMember {
    List<Detail> details = new ArrayList<>();
    for (PactMembers one : in.objects("details")) {
      details.add(
          new Detail(one.text("predicate"), one.text("key"), one.text("ours"), one.text("theirs")));
    }
    Charge charge =
        Coded.find(Charge.values(), in.text("kind"))
            .orElseThrow(
                () -> new BadMember("kind: expected bad_faith, incompatible or escalated"));
    return new Report(
        charge,
        in.text("negotiation"),
        in.text("reporter"),
        in.text("party"),
        details,
        charge == Charge.ESCALATED
            ? Optional.of(
                new Escalation(
                    in.text("arbiter"), in.text("pact"), in.number("until_ms"), predicates(in)))
            : Optional.empty(),
        in.number("t"));
  }
}
