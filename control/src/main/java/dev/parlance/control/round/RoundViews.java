package dev.parlance.control.round;

import dev.parlance.control.certify.LedgerView;
import dev.parlance.ledger.note.Note;
import dev.parlance.ledger.note.SignerKey;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.OutcomeNote;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundOutcome;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundState;
import dev.parlance.policy.commit.RoundState.RoundEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rounds as they are shown, with their signed outcomes. Of those that ended so long ago that their
 * proposals are only on the ledger these are read from there again.
 */
final class RoundViews {
  private static final int NOTES = 1_000;

  private final SignerKey noteKey;
  private final LedgerView view;

  /** Notes signed last, by round: everybody who waits for a round asks for the same one. */
  private final Map<RoundId, Note> notes =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RoundId, Note> eldest) {
          return size() > NOTES;
        }
      };

  RoundViews(SignerKey noteKey, LedgerView view) {
    this.noteKey = noteKey;
    this.view = view;
  }

  /** A round in a list. */
  RoundSnapshot summary(RoundRecord record, long nowMs) {
    return new RoundSnapshot(record, true, Map.of(), Optional.empty(), endOf(record), nowMs);
  }

  /**
   * A round with its proposals.
   *
   * @param texts words of proposals by digest, for those who may read them
   */
  RoundSnapshot whole(RoundRecord known, Map<String, String> texts, long nowMs) {
    RoundRecord record = withProposals(known);
    Optional<byte[]> note =
        OutcomeNote.outcome(record).map(outcome -> record.signatures().on(note(outcome)).bytes());
    return new RoundSnapshot(record, false, texts, note, endOf(record), nowMs);
  }

  private Note note(RoundOutcome document) {
    synchronized (notes) {
      Note known = notes.get(document.id());
      if (known != null) {
        return known;
      }
    }
    Note signed = Note.sign(OutcomeNote.text(document), noteKey);
    synchronized (notes) {
      notes.put(document.id(), signed);
    }
    return signed;
  }

  /**
   * The round with its proposals, read from the ledger again where they are no longer kept.
   *
   * @throws UncheckedIOException if the ledger cannot be read
   */
  RoundRecord withProposals(RoundRecord round) {
    if (round.isWhole() || round.decidedAt().isEmpty()) {
      return round;
    }
    RoundState state = RoundState.open(round.id(), round.opened().spec());
    List<RoundEntry.Proposed> taken = new ArrayList<>();
    for (Entry entry : entries(round, round.decidedAt().get())) {
      RoundState.Step step =
          switch (entry) {
            case RoundEntry.Proposed proposed -> state.step(event(proposed));
            case RoundEntry.Sealed sealed ->
                state.step(new RoundEvent.Sealed(sealed.cause(), sealed.compared()));
            default -> new RoundState.Step(state, new RoundState.Effect.Nothing());
          };
      if (entry instanceof RoundEntry.Proposed proposed && isTaken(step.effect())) {
        taken.add(proposed);
      }
      state = step.next();
    }
    return round.whole(
        new RoundState(
            round.id(),
            round.opened().spec(),
            round.state().status(),
            state.proposals(),
            round.state().compared(),
            round.outcome()),
        taken);
  }

  /**
   * Index of the entry that ended a round: of its decision, or of the seal if it expired.
   *
   * @throws UncheckedIOException if the ledger cannot be read
   */
  private long endOf(RoundRecord round) {
    if (round.decidedAt().isPresent() || round.outcome().isEmpty()) {
      return round.decidedAt().orElse(0L);
    }
    try {
      // The first seal of an expired round; nothing else of it stands in between.
      return view.first(
              round.openedAt(),
              entry -> entry instanceof RoundEntry.Sealed seal && seal.id().equals(round.id()))
          .orElse(0L);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Entry> entries(RoundRecord round, long to) {
    try {
      return view.entries(
          round.openedAt(),
          to,
          entry -> entry instanceof RoundEntry one && one.id().equals(round.id()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RoundEvent event(RoundEntry.Proposed entry) {
    return new RoundEvent.Proposed(
        entry.id(),
        new Proposal(entry.agent(), entry.verdict(), entry.textSha256(), entry.meaning()));
  }

  private static boolean isTaken(RoundState.Effect effect) {
    return switch (effect) {
      case RoundState.Effect.Accepted _, RoundState.Effect.Equivocated _ -> true;
      case RoundState.Effect.Repeated _,
          RoundState.Effect.Refused _,
          RoundState.Effect.Closed _,
          RoundState.Effect.Ended _,
          RoundState.Effect.Nothing _ ->
          false;
    };
  }
}
