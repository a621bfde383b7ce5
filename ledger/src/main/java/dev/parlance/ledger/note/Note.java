package dev.parlance.ledger.note;

import dev.parlance.ledger.note.VerifierKey.KeyType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A signed note of C2SP: a text, a blank line, signature lines.
 *
 * <pre>
 * the text, any lines, the last ends with a newline
 *
 * — name base64(key id, 4 bytes | signature)
 * </pre>
 *
 * The text means nothing until {@link #verify} has found a signature of a key that the reader
 * knows.
 *
 * @param text ends with a newline, which belongs to it; no control characters but newlines
 * @param signatures 1 to {@link #MAX_SIGNATURES}
 */
public record Note(String text, List<NoteSignature> signatures) {
  /** Largest note taken, in bytes of UTF-8. */
  public static final int MAX_BYTES = 1 << 20;

  /** Most signatures taken. */
  public static final int MAX_SIGNATURES = 100;

  public Note {
    if (!text.endsWith("\n") || !onlyText(text)) {
      throw new IllegalArgumentException(
          "a note text ends with a newline and has no other control character");
    }
    signatures = List.copyOf(signatures);
    if (signatures.isEmpty() || signatures.size() > MAX_SIGNATURES) {
      throw new IllegalArgumentException("a note has 1 to 100 signatures");
    }
  }

  /** What came of the signatures. */
  public sealed interface Verification {
    /** At least one known key signed, and every known key that claims to have signed has. */
    record Verified(Note note, List<VerifierKey> by) implements Verification {
      public Verified {
        by = List.copyOf(by);
        if (by.isEmpty()) {
          throw new IllegalArgumentException("verified by no key");
        }
      }
    }

    /** Do not use the text. */
    record Unverified(NoteFault fault, String detail) implements Verification {}
  }

  /** Reads a note; everything that the format forbids is refused. */
  public static Parsed<Note> parse(byte[] bytes) {
    return parse(bytes, MAX_BYTES);
  }

  /** The same for notes that may be larger or must be smaller. */
  public static Parsed<Note> parse(byte[] bytes, int maxBytes) {
    if (bytes.length > maxBytes) {
      return Parsed.bad(NoteFault.TOO_LARGE, bytes.length + " bytes");
    }
    String all;
    try {
      all = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notUtf8) {
      return Parsed.bad(NoteFault.BAD_CHARACTER, "not UTF-8");
    }
    if (!onlyText(all)) {
      return Parsed.bad(NoteFault.BAD_CHARACTER, "a control character");
    }
    // The last blank line divides, since the text may have blank lines of its own.
    int blank = all.lastIndexOf("\n\n");
    if (blank < 0 || !all.endsWith("\n") || blank + 2 == all.length()) {
      return Parsed.bad(NoteFault.NO_SIGNATURES, "no blank line with signature lines after it");
    }
    List<NoteSignature> signatures = new ArrayList<>();
    for (int begin = blank + 2; begin < all.length(); ) {
      int end = all.indexOf('\n', begin);
      String line = all.substring(begin, end);
      Optional<NoteSignature> signature = NoteSignature.parse(line);
      if (signature.isEmpty()) {
        return Parsed.bad(NoteFault.BAD_SIGNATURE_LINE, "line " + (signatures.size() + 1));
      }
      if (signatures.size() == MAX_SIGNATURES) {
        return Parsed.bad(NoteFault.TOO_LARGE, "more than " + MAX_SIGNATURES + " signatures");
      }
      signatures.add(signature.get());
      begin = end + 1;
    }
    return Parsed.ok(new Note(all.substring(0, blank + 1), signatures));
  }

  /** A new note with one signature; the key's type is {@link KeyType#ED25519}. */
  public static Note sign(String text, SignerKey key) {
    return new Note(text, List.of(key.sign(text)));
  }

  /** This note with one more signature. */
  public Note with(NoteSignature signature) {
    List<NoteSignature> more = new ArrayList<>(signatures);
    more.add(signature);
    return new Note(text, more);
  }

  /**
   * Checks the signatures of the known keys; lines of other keys are ignored. One known key whose
   * line does not hold spoils the note, though another's may hold.
   */
  public Verification verify(Collection<VerifierKey> known) {
    List<VerifierKey> by = new ArrayList<>();
    for (NoteSignature signature : signatures) {
      for (VerifierKey key : known) {
        if (!key.claims(signature)) {
          continue;
        }
        if (!key.verifies(text, signature)) {
          return new Verification.Unverified(
              NoteFault.BAD_SIGNATURE, "key " + key.name() + "+" + key.idHex());
        }
        if (!by.contains(key)) {
          by.add(key);
        }
      }
    }
    return by.isEmpty()
        ? new Verification.Unverified(NoteFault.NO_KNOWN_KEY, "none of " + known.size() + " keys")
        : new Verification.Verified(this, by);
  }

  /** The whole note. */
  public String format() {
    StringBuilder all = new StringBuilder(text).append('\n');
    for (NoteSignature signature : signatures) {
      all.append(signature.format()).append('\n');
    }
    return all.toString();
  }

  /** The whole note in UTF-8. */
  public byte[] bytes() {
    return format().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean onlyText(String text) {
    return text.codePoints()
        .noneMatch(c -> (c < 0x20 && c != '\n') || Character.getType(c) == Character.SURROGATE);
  }

  /** Why a note, a key or a checkpoint was refused; the codes are stable. */
  public enum NoteFault {
    /**
     * More bytes than {@link Note#MAX_BYTES}, or more signatures than {@link Note#MAX_SIGNATURES}.
     */
    TOO_LARGE("note_too_large"),
    /** Not UTF-8, or a control character other than newline. */
    BAD_CHARACTER("note_bad_character"),
    /** No blank line with signature lines after it, or no newline at the end. */
    NO_SIGNATURES("note_no_signatures"),
    /** A signature line that is not em dash, name, base64 of at least five bytes. */
    BAD_SIGNATURE_LINE("note_bad_signature_line"),
    /** No signature of a key that the reader knows. */
    NO_KNOWN_KEY("note_no_known_key"),
    /** A signature of a known key that does not hold. */
    BAD_SIGNATURE("note_bad_signature"),
    /** A key text that does not parse. */
    BAD_KEY("key_malformed"),
    /** A key text whose id is not the id of its key. */
    KEY_ID_MISMATCH("key_id_mismatch"),
    /** A key of an algorithm that is not built in. */
    KEY_ALGORITHM("key_algorithm"),
    /** A file with a private key that others than its owner may read. */
    KEY_FILE_READABLE("key_file_readable"),
    /**
     * A note that is no checkpoint: fewer than three lines, or a line that is not as it must be.
     */
    BAD_CHECKPOINT("checkpoint_malformed"),
    /** A checkpoint of another log. */
    ORIGIN_MISMATCH("checkpoint_origin");

    private final String code;

    NoteFault(String code) {
      this.code = code;
    }

    /** The stable code. */
    public String code() {
      return code;
    }
  }
}
