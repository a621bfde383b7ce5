package dev.parlance.ledger.round;

import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.NoteSignature;
import dev.parlance.ledger.note.Parsed;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.OutcomeNote.OutcomeReading;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundEntry.ProposalStatement;
import dev.parlance.ledger.record.RoundRecord;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Two things that one member has signed in one epoch of a round and that cannot both be honest: two
 * proposals that differ in verdict or text, or two outcomes. It is verified with the member's key
 * alone, without ledger and control plane.
 *
 * <pre>
 * parlance-equivocation-1
 * MEMBER
 * base64 of one signed note
 * base64 of the other one
 * </pre>
 *
 * @param member who has signed both
 * @param first a note whose text is a {@link ProposalStatement} or an outcome
 * @param second another one, of the same kind
 */
public record EquivocationProof(String member, Note first, Note second) {
  private static final String HEADER = "parlance-equivocation-1";
  private static final int LINES = 4;

  /**
   * What the signed proposals of a round prove against this member; empty if they prove nothing.
   */
  public static Optional<EquivocationProof> in(RoundRecord round, String member) {
    List<RoundEntry.Proposed> signed =
        round.proposals().stream()
            .filter(one -> one.agent().equals(member) && one.signature().isPresent())
            .toList();
    return signed.size() < 2
        ? Optional.empty()
        : Optional.of(
                new EquivocationProof(member, note(signed.getFirst()), note(signed.getLast())))
            .filter(proof -> proof.holds(round.signatures().keysOf(member)));
  }

  private static Note note(RoundEntry.Proposed signed) {
    NoteSignature line =
        NoteSignature.of(signed.agent(), signed.signature().orElseThrow()).orElseThrow();
    return new Note(signed.statement().text(), List.of(line));
  }

  /** Whether it proves what it says, under these keys of the member. */
  public boolean holds(Collection<VerifierKey> keys) {
    List<VerifierKey> own = keys.stream().filter(key -> key.name().equals(member)).toList();
    return isSigned(first, own) && isSigned(second, own) && areApart();
  }

  private static boolean isSigned(Note note, List<VerifierKey> keys) {
    return note.signatures().stream()
        .anyMatch(line -> keys.stream().anyMatch(key -> key.verifies(note.text(), line)));
  }

  private boolean areApart() {
    Optional<ProposalStatement> one = ProposalStatement.parse(first.text());
    Optional<ProposalStatement> other = ProposalStatement.parse(second.text());
    if (one.isPresent() && other.isPresent()) {
      return one.get().agent().equals(member) && one.get().contradicts(other.get());
    }
    return OutcomeNote.unverified(first.bytes()) instanceof OutcomeReading.Good here
        && OutcomeNote.unverified(second.bytes()) instanceof OutcomeReading.Good there
        && here.outcome().id().equals(there.outcome().id())
        && !here.documentSha256().equals(there.documentSha256());
  }

  /** The text form. */
  public String text() {
    return String.join("\n", HEADER, member, base64(first), base64(second)) + "\n";
  }

  private static String base64(Note note) {
    return Base64.getEncoder().encodeToString(note.bytes());
  }

  /** Reads {@link #text}; empty for anything else. */
  public static Optional<EquivocationProof> parse(String text) {
    String[] lines = text.split("\n", -1);
    if (lines.length != LINES + 1 || !lines[0].equals(HEADER)) {
      return Optional.empty();
    }
    Optional<Note> first = note(lines[2]);
    Optional<Note> second = note(lines[3]);
    return first.isEmpty() || second.isEmpty()
        ? Optional.empty()
        : Optional.of(new EquivocationProof(lines[1], first.get(), second.get()))
            .filter(proof -> proof.text().equals(text));
  }

  private static Optional<Note> note(String base64) {
    if (!base64.chars().allMatch(c -> c > ' ' && c < 127)) {
      return Optional.empty();
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64.getBytes(StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
    return Note.parse(bytes, OutcomeNote.MAX_BYTES) instanceof Parsed.Ok<Note>(Note note)
        ? Optional.of(note)
        : Optional.empty();
  }
}
