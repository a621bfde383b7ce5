package dev.parlance.ledger.pact;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactDocument.Term;
import dev.parlance.ledger.pact.PactMembers.BadMember;
import dev.parlance.policy.pact.Predicate;
import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.Sha256;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The attestation of a pact: a C2SP signed note whose text is the line {@code parlance-pact-note-1}
 * and the document on one line of canonical JSON (RFC 8785), signed by both parties, see {@code
 * docs/evidence.md}. Whatever the bytes, reading does not throw.
 */
public final class PactNote {
  private static final String HEADER = "parlance-pact-note-1\n";

  private PactNote() {}

  /** Why a note attests no pact. The codes are stable. */
  public enum Fault implements Coded {
    /** More bytes or signatures than a note has. */
    NOTE_TOO_LARGE,
    /** Not UTF-8, or a control character other than line feed. */
    NOTE_BAD_CHARACTER,
    /** No blank line with lines behind it, or no line feed at the end. */
    NOTE_NO_SIGNATURES,
    /** A signature line of another form. */
    NOTE_BAD_SIGNATURE_LINE,
    /** Not the document's one form, or no pact. */
    PACT_MALFORMED,
    /** A line of a known key that does not hold. */
    NOTE_BAD_SIGNATURE,
    /** A party has not signed with a key that is known here. */
    PACT_NOT_SIGNED,
    /** Both have signed with one public key. */
    PACT_SAME_KEY
  }

  /** What came of reading an attestation. */
  public sealed interface Reading {
    /**
     * A pact.
     *
     * @param textSha256 hex SHA-256 of what is signed: the hash of the pact
     * @param by keys whose signature holds; empty if nobody looked
     */
    record Good(PactDocument document, String textSha256, List<VerifierKey> by) implements Reading {
      /** Copies the list. */
      public Good {
        by = List.copyOf(by);
      }
    }

    /**
     * Do not use it.
     *
     * @param detail for people
     * @param party who has not signed, for {@link Fault#PACT_NOT_SIGNED}
     */
    record Refused(Fault fault, String detail, Optional<String> party) implements Reading {}
  }

  // ---- writing ----

  /** What is signed. */
  public static String text(PactDocument document) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("history", document.history()).put("negotiation", document.negotiation());
    node.put("pact", document.pact());
    node.putArray("parties").add(document.initiator()).add(document.responder());
    ArrayNode predicates = node.putArray("predicates");
    for (Term term : document.terms()) {
      ObjectNode one = predicates.addObject();
      one.put("id", term.id()).put("category", term.category());
      switch (term) {
        case Term.Open(Predicate predicate) -> one.put("body", predicate.body());
        case Term.Hidden hidden -> one.put("hash", hidden.hash());
      }
    }
    document.replaces().ifPresent(old -> node.put("replaces", old));
    node.putArray("validity").add(document.startMs()).add(document.endMs());
    return HEADER + PactJson.rfc8785(node) + "\n";
  }

  /** Hex SHA-256 of what is signed: the hash of the pact, which travels with its messages. */
  public static String textSha256(PactDocument document) {
    return Sha256.hex(text(document));
  }

  /** The signature line of a party, which is the name of the key. */
  public static NoteSignature sign(PactDocument document, SignerKey party) {
    return Note.sign(text(document), party).signatures().getFirst();
  }

  /** The note's bytes, the initiator's line first. */
  public static byte[] bytes(
      PactDocument document, NoteSignature initiator, NoteSignature responder) {
    return new Note(text(document), List.of(initiator, responder)).bytes();
  }

  /** Whether a signature line is of one of these keys and holds for the document. */
  public static boolean holds(
      PactDocument document, NoteSignature signature, Collection<VerifierKey> keys) {
    String text = text(document);
    return keys.stream()
        .anyMatch(key -> key.type() == KeyType.ED25519 && key.verifies(text, signature));
  }

  // ---- reading ----

  /**
   * What a note says, whoever has signed it: to know whose keys are wanted, or to be shown with
   * that remark; never to be acted on.
   */
  public static Reading unverified(byte[] note) {
    return switch (Note.parse(note)) {
      case Parsed.Bad<Note>(NoteFault fault, String detail) -> refused(of(fault), detail);
      case Parsed.Ok<Note>(Note parsed) -> document(parsed.text());
    };
  }

  /**
   * Reads an attestation and checks it: form, document, every line of a known key, both parties,
   * two keys; the first fault is the answer.
   *
   * @param keys several of one name are a rotation: any of them will do
   */
  public static Reading verify(byte[] note, Collection<VerifierKey> keys) {
    return switch (Note.parse(note)) {
      case Parsed.Bad<Note>(NoteFault fault, String detail) -> refused(of(fault), detail);
      case Parsed.Ok<Note>(Note parsed) ->
          switch (document(parsed.text())) {
            case Reading.Good(PactDocument document, String sha256, _) ->
                check(parsed, document, sha256, keys);
            case Reading.Refused refused -> refused;
          };
    };
  }

  private static Reading check(
      Note note, PactDocument document, String textSha256, Collection<VerifierKey> keys) {
    List<VerifierKey> known =
        keys.stream()
            .filter(key -> key.type() == KeyType.ED25519 && document.isParty(key.name()))
            .distinct()
            .toList();
    List<VerifierKey> by;
    switch (note.verify(known)) {
      case Note.Verification.Unverified(NoteFault fault, String detail)
          when fault == NoteFault.BAD_SIGNATURE -> {
        return refused(Fault.NOTE_BAD_SIGNATURE, detail);
      }
      case Note.Verification.Unverified _ -> by = List.of();
      case Note.Verification.Verified verified -> by = verified.by();
    }
    for (String party : List.of(document.initiator(), document.responder())) {
      if (by.stream().noneMatch(key -> key.name().equals(party))) {
        return new Reading.Refused(
            Fault.PACT_NOT_SIGNED, "no known key of " + party + " has signed", Optional.of(party));
      }
    }
    for (VerifierKey one : by) {
      for (VerifierKey other : by) {
        if (!one.name().equals(other.name()) && one.hasKeyOf(other)) {
          return refused(Fault.PACT_SAME_KEY, "one key signs for both");
        }
      }
    }
    return new Reading.Good(document, textSha256, by);
  }

  private static Fault of(NoteFault fault) {
    return switch (fault) {
      case TOO_LARGE -> Fault.NOTE_TOO_LARGE;
      case BAD_CHARACTER -> Fault.NOTE_BAD_CHARACTER;
      case NO_SIGNATURES -> Fault.NOTE_NO_SIGNATURES;
      case BAD_SIGNATURE_LINE -> Fault.NOTE_BAD_SIGNATURE_LINE;
      case NO_KNOWN_KEY,
          BAD_SIGNATURE,
          BAD_KEY,
          KEY_ID_MISMATCH,
          KEY_ALGORITHM,
          KEY_FILE_READABLE,
          BAD_CHECKPOINT,
          ORIGIN_MISMATCH ->
          throw new IllegalStateException("no fault of a note's form: " + fault);
    };
  }

  private static Reading refused(Fault fault, String detail) {
    return new Reading.Refused(fault, detail, Optional.empty());
  }

  /** What was read is written again and compared, so that a document has exactly one text. */
  private static Reading document(String text) {
    if (!text.startsWith(HEADER)) {
      return refused(Fault.PACT_MALFORMED, "expected the line parlance-pact-note-1");
    }
    try {
      PactMembers in = PactMembers.of(PactJson.read(text.substring(HEADER.length())));
      List<String> parties = in.texts("parties");
      List<Long> validity = in.numbers("validity");
      if (parties.size() != 2 || validity.size() != 2) {
        return refused(Fault.PACT_MALFORMED, "expected two parties and two times");
      }
      List<Term> terms = new ArrayList<>();
      for (PactMembers one : in.objects("predicates")) {
        String id = one.text("id");
        String category = one.text("category");
        terms.add(
            one.has("hash")
                ? new Term.Hidden(id, category, one.text("hash"))
                : new Term.Open(new Predicate(id, category, one.text("body"))));
      }
      PactDocument document =
          new PactDocument(
              in.text("pact"),
              in.text("negotiation"),
              parties.getFirst(),
              parties.getLast(),
              in.text("history"),
              validity.getFirst(),
              validity.getLast(),
              terms,
              in.optionalText("replaces"));
      return text(document).equals(text)
          ? new Reading.Good(document, Sha256.hex(text), List.of())
          : refused(Fault.PACT_MALFORMED, "not in the document's one form");
    } catch (JacksonException notJson) {
      return refused(Fault.PACT_MALFORMED, "not JSON");
    } catch (BadMember bad) {
      return refused(Fault.PACT_MALFORMED, bad.what());
    } catch (IllegalArgumentException impossible) {
      return refused(Fault.PACT_MALFORMED, String.valueOf(impossible.getMessage()));
    }
  }
}
