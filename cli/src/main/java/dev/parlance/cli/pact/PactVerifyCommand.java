package dev.parlance.cli.pact;

import dev.parlance.cli.InputLine;
import dev.parlance.cli.LineFault;
import dev.parlance.cli.LinesCommand;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactDocument;
import dev.parlance.ledger.pact.PactDocument.Opening;
import dev.parlance.ledger.pact.PactDocument.Term;
import dev.parlance.ledger.pact.PactNote;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.policy.pact.Predicate;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "verify")
final class PactVerifyCommand extends LinesCommand {
  PactVerifyCommand() {
    super("pact verify");
  }

  @Override
  protected void answer(ObjectNode members, ObjectNode line) {
    if (optional(members, "proof").isPresent()) {
      verifyProof(members, line);
    } else if (optional(members, "note").isPresent() || optional(members, "seeds").isEmpty()) {
      verify(members, line, note(members));
    } else {
      make(members, line);
    }
  }

  // ---- verify ----

  private static byte[] note(ObjectNode members) {
    return InputLine.text(members.path("note"), "note").getBytes(StandardCharsets.UTF_8);
  }

  /** The attestation on the other's ledger, which must be of the pact that we hold, if we do. */
  private static void verifyProof(ObjectNode members, ObjectNode line) {
    VerifierKey log = key(new Element(members.path("log"), "log"));
    switch (PactProof.check(members.path("proof"), log)) {
      case PactProof.Refused(String fault, String detail) ->
          line.put("valid", false).put("fault", fault).put("detail", detail);
      case PactProof.Holds(String origin, long index, long size, PactEntry.Attested entry) -> {
        byte[] proven = PactEntry.decoded(entry.note());
        byte[] ours = optional(members, "note").isPresent() ? note(members) : proven;
        boolean isSame =
            PactNote.unverified(proven)
                    instanceof PactNote.Reading.Good(PactDocument document, String sha256, _)
                && sha256.equals(entry.sha256())
                && document.pact().equals(entry.pact())
                && PactNote.unverified(ours)
                    instanceof PactNote.Reading.Good(_, String oursSha256, _)
                && oursSha256.equals(sha256);
        if (!isSame) {
          line.put("valid", false).put("fault", "proof_of_another_pact");
          return;
        }
        verify(members, line, proven);
        line.putObject("ledger")
            .put("origin", origin)
            .put("index", index)
            .put("size", size)
            .put("attester", entry.attester())
            .put("atMs", entry.atMs());
      }
    }
  }

  private static void verify(ObjectNode members, ObjectNode line, byte[] note) {
    long atMs = integer(members.path("at"), "at");
    List<VerifierKey> keys = list(members, "keys", "", PactVerifyCommand::key);
    List<Opening> openings =
        list(
            members,
            "openings",
            "",
            one ->
                new Opening(
                    one.text("id"),
                    optionalText(one.node(), "salt", one.where() + "."),
                    optionalText(one.node(), "body", one.where() + ".")));
    switch (PactNote.verify(note, keys)) {
      case PactNote.Reading.Refused(PactNote.Fault fault, _, Optional<String> party) -> {
        line.put("valid", false).put("fault", fault.code());
        party.ifPresent(name -> line.put("party", name));
      }
      case PactNote.Reading.Good(PactDocument document, String textSha256, _) -> {
        line.put("valid", true).putNull("fault").put("pact", document.pact());
        line.putArray("parties").add(document.initiator()).add(document.responder());
        line.put("status", document.statusAt(atMs).code()).put("textSha256", textSha256);
        PactDocument.Opened opened = document.open(openings);
        ObjectNode byId = line.putObject("opened");
        opened.byId().forEach(byId::put);
        line.put("predicatesHash", opened.predicatesHash().orElse(null));
      }
    }
  }

  private static VerifierKey key(Element one) {
    return VerifierKey.parse(one.text())
        .value()
        .orElseThrow(
            () -> LineFault.BAD_VALUE.problem(one.where() + ": expected a key, name+id+base64"));
  }

  private static long integer(JsonNode node, String where) {
    JsonNode number = InputLine.expect(node, JsonNode::isIntegralNumber, where, "an integer");
    if (!number.canConvertToLong()) {
      throw LineFault.BAD_VALUE.problem(where + ": expected an integer of 64 bits");
    }
    return number.longValue();
  }

  // ---- make ----

  private static void make(ObjectNode members, ObjectNode line) {
    try {
      PactDocument document = document(members);
      line.put(
          "note",
          new String(
              PactNote.bytes(
                  document,
                  sign(document, document.initiator(), members),
                  sign(document, document.responder(), members)),
              StandardCharsets.UTF_8));
    } catch (IllegalArgumentException impossible) {
      throw LineFault.BAD_VALUE.problem(String.valueOf(impossible.getMessage()));
    }
  }

  private static NoteSignature sign(PactDocument document, String party, ObjectNode members) {
    String where = "seeds." + party;
    byte[] seed = HexFormat.of().parseHex(InputLine.text(members.path("seeds").path(party), where));
    return PactNote.sign(document, SignerKey.fromSeed(party, KeyType.ED25519, seed));
  }

  private static PactDocument document(ObjectNode members) {
    String pact = InputLine.text(members.path("pact"), "pact");
    List<String> parties = list(members, "parties", "", Element::text);
    List<Long> validity = list(members, "validity", "", one -> integer(one.node(), one.where()));
    if (parties.size() != 2 || validity.size() != 2) {
      throw LineFault.BAD_VALUE.problem("expected two parties, and start and end of the validity");
    }
    List<Term> terms = list(members, "predicates", "", one -> term(pact, one));
    return new PactDocument(
        pact,
        InputLine.text(members.path("negotiation"), "negotiation"),
        parties.getFirst(),
        parties.getLast(),
        InputLine.text(members.path("history"), "history"),
        validity.getFirst(),
        validity.getLast(),
        terms);
  }

  private static Term term(String pact, Element one) {
    Predicate predicate = new Predicate(one.text("id"), one.text("category"), one.text("body"));
    return optionalText(one.node(), "salt", one.where() + ".")
        .map(salt -> PactDocument.hidden(pact, predicate, salt))
        .orElseGet(() -> new Term.Open(predicate));
  }
}
