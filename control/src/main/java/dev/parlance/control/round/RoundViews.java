package dev.parlance.control.round;

import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.RoundId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Rounds as they are shown, with their signed outcomes. */
final class RoundViews {
  private static final int NOTES = 1_000;

  private final SignerKey noteKey;
  private final RoundHistory history;

  /** Notes signed last, by round: everybody who waits for a round asks for the same one. */
  private final Map<RoundId, byte[]> notes =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RoundId, byte[]> eldest) {
          return size() > NOTES;
        }
      };

  RoundViews(SignerKey noteKey, RoundHistory history) {
    this.noteKey = noteKey;
    this.history = history;
  }

  /** A round in a list. */
  RoundSnapshot summary(RoundRecord record, long nowMs) {
    return new RoundSnapshot(
        record, true, Map.of(), Optional.empty(), history.endOf(record), nowMs);
  }

  /**
   * A round with its proposals.
   *
   * @param texts words of proposals by digest, for those who may read them
   */
  RoundSnapshot whole(RoundRecord known, Map<String, String> texts, long nowMs) {
    RoundRecord record = history.whole(known);
    Optional<byte[]> note = OutcomeNote.outcome(record).map(this::note);
    return new RoundSnapshot(record, false, texts, note, history.endOf(record), nowMs);
  }

  private byte[] note(RoundOutcome document) {
    synchronized (notes) {
      byte[] known = notes.get(document.id());
      if (known != null) {
        return known;
      }
    }
    byte[] signed = OutcomeNote.sign(document, noteKey);
    synchronized (notes) {
      notes.put(document.id(), signed);
    }
    return signed;
  }
}
