package dev.parlance.ledger.pact;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.pact.PactMembers.BadMember;
import dev.parlance.ledger.pact.PactStatement.Decision;
import dev.parlance.ledger.pact.PactStatement.Dissolution;
import dev.parlance.ledger.pact.PactStatement.Observed;
import dev.parlance.ledger.pact.PactStatement.Report;
import dev.parlance.ledger.pact.PactStatement.Template;
import dev.parlance.policy.text.Coded;
import dev.parlance.policy.text.Sha256;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;

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
    return BEFORE_KIND
        + statement.kind()
        + BEHIND_KIND
        + PactJson.rfc8785(PactForm.write((Record) statement))
        + "\n";
  }

  /** Hex SHA-256 of what is signed. */
  public static String textSha256(PactStatement statement) {
    return Sha256.hex(text(statement));
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
            case "template" -> PactForm.read(Template.class, in);
            case "observed" -> PactForm.read(Observed.class, in);
            case "dissolution" -> PactForm.read(Dissolution.class, in);
            case "decision" -> PactForm.read(Decision.class, in);
            case "report" -> PactForm.read(Report.class, in);
            default -> throw new BadMember("no such kind of statement");
          };
      return text(statement).equals(text)
          ? new Reading.Good(statement, Sha256.hex(text))
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
}
