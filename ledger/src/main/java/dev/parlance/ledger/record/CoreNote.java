package dev.parlance.ledger.record;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.Note.NoteFault;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.note.VerifierKey.KeyType;
import dev.parlance.ledger.record.JsonMembers.BadMember;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.text.Coded;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import tools.jackson.core.JacksonException;

/**
 * A core as it is signed: a C2SP signed note whose text is the line {@code parlance-core-1} and the
 * core's document on one line, see {@code docs/evidence.md}.
 */
public final class CoreNote {
  /** Largest note taken: 200,000 terms with the longest keys and alternatives. */
  public static final int MAX_BYTES = 64 << 20;

  private CoreNote() {}

  /** The note's text, which is what is signed. */
  public static String text(CertifiedCore core) {
    return CoreDocument.text(core);
  }

  /** Hex SHA-256 of the note's text. */
  public static String documentSha256(CertifiedCore core) {
    return Digest.of(text(core));
  }

  /** The signed note's bytes. */
  public static byte[] sign(CertifiedCore core, SignerKey key) {
    return Note.sign(text(core), key).bytes();
  }

  /**
   * Reads a signed core; whatever the bytes, it does not throw.
   *
   * @param keys keys whose signature counts; each known key that claims to have signed must have
   */
  public static CoreReading read(byte[] note, List<VerifierKey> keys) {
    return read(note, MAX_BYTES, Optional.of(keys), CoreDocument::read, CoreReading.Refused::new);
  }

  /**
   * What a note says, whoever has signed it: to be shown to people with that remark, never to be
   * acted on.
   */
  public static CoreReading unverified(byte[] note) {
    return read(note, MAX_BYTES, Optional.empty(), CoreDocument::read, CoreReading.Refused::new);
  }

  /**
   * Reads a signed note of a document.
   *
   * @param keys whose signature counts; absent: nobody's is looked at
   * @param document reads the note's text
   * @param refused where the note is none, or its signature does not hold
   */
  static <R> R read(
      byte[] bytes,
      int maxBytes,
      Optional<List<VerifierKey>> keys,
      Function<String, R> document,
      BiFunction<CoreFault, String, R> refused) {
    Note note;
    switch (Note.parse(bytes, maxBytes)) {
      case Parsed.Bad<Note>(NoteFault fault, String detail) -> {
        return refused.apply(ofNote(fault), fault.code() + ": " + detail);
      }
      case Parsed.Ok<Note>(Note parsed) -> note = parsed;
    }
    if (keys.isEmpty()) {
      return document.apply(note.text());
    }
    // A witness's key signs that it has seen a log, never what a document says.
    List<VerifierKey> signers =
        keys.get().stream().filter(key -> key.type() == KeyType.ED25519).toList();
    return switch (note.verify(signers)) {
      case Note.Verification.Unverified(NoteFault fault, String detail) ->
          refused.apply(CoreFault.FOREIGN_SIGNATURE, fault.code() + ": " + detail);
      case Note.Verification.Verified verified -> document.apply(verified.note().text());
    };
  }

  /**
   * Reads a document that is one line and an object behind it. What was read is written again and
   * compared, so that a document has exactly one text.
   */
  static <D, R> R document(
      String text,
      String header,
      Parser<D> parse,
      Function<D, String> write,
      Function<D, R> good,
      BiFunction<CoreFault, String, R> refused) {
    if (!text.startsWith(header)) {
      return refused.apply(CoreFault.MALFORMED, "expected the line " + header.strip());
    }
    try {
      D document = parse.parse(text.substring(header.length()));
      return write.apply(document).equals(text)
          ? good.apply(document)
          : refused.apply(CoreFault.MALFORMED, "not in the document's one form");
    } catch (JacksonException notJson) {
      return refused.apply(CoreFault.MALFORMED, "not JSON");
    } catch (BadMember bad) {
      return refused.apply(CoreFault.MALFORMED, String.valueOf(bad.getMessage()));
    } catch (IllegalArgumentException impossible) {
      return refused.apply(CoreFault.IMPOSSIBLE, String.valueOf(impossible.getMessage()));
    }
  }

  /** Reads the object of a document. */
  interface Parser<D> {
    /** Throws what says that it is none. */
    D parse(String json) throws BadMember;
  }

  private static CoreFault ofNote(NoteFault fault) {
    return switch (fault) {
      case TOO_LARGE -> CoreFault.TOO_LARGE;
      case NO_SIGNATURES -> CoreFault.UNSIGNED;
      default -> CoreFault.MALFORMED;
    };
  }

  /** What came of reading a signed core. */
  public sealed interface CoreReading {
    /**
     * A core whose signature holds.
     *
     * @param documentSha256 hex SHA-256 of the note's text, as the ledger names it
     */
    record Good(CertifiedCore core, String documentSha256) implements CoreReading {}

    /**
     * Do not use it.
     *
     * @param detail for people
     */
    record Refused(CoreFault fault, String detail) implements CoreReading {}
  }

  /** Why a signed core, or a signed outcome of a round, was refused. The codes are stable. */
  public enum CoreFault implements Coded {
    /** No signature on it. */
    UNSIGNED,
    /** No signature of a key that the reader knows, or one that does not hold. */
    FOREIGN_SIGNATURE,
    /** Not the document's one form: unknown or missing members, another order, unsorted terms. */
    MALFORMED,
    /**
     * Well formed, and not a core (tau outside (0,1), one agent, no name, version 0) or not an
     * outcome (a commit without digest, a core of strangers).
     */
    IMPOSSIBLE,
    /** More bytes or more terms than any has. */
    TOO_LARGE
  }
}
