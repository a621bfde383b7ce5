package dev.parlance.control.round;

import dev.parlance.control.certify.LedgerView;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.RoundEntry;
import dev.parlance.ledger.record.RoundRecord;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.service.Result;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The ledger as rounds use it. Blocks. */
record RoundJournal(LedgerWriter port, LedgerView view) {
  /** What is wrong with the ledger; empty if nothing is. */
  record Trouble(String detail) {
    <T> Result<T> refused() {
      return Result.refused(Result.Kind.UNAVAILABLE, "ledger_unavailable", detail);
    }
  }

  /** Reads what was added. */
  Optional<Trouble> catchUp() {
    try {
      view.catchUp();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(new Trouble("the ledger cannot be read now: " + e.getMessage()));
    }
  }

  /**
   * What came of appending.
   *
   * @param first index of the first entry, if the ledger has acknowledged it
   * @param trouble what was wrong; the entries may be there all the same
   */
  record Appending(OptionalLong first, Optional<Trouble> trouble) {}

  /**
   * Appends entries next to each other and reads up to them. Whether they count, the round as it is
   * then says.
   */
  Appending append(List<? extends RoundEntry> entries) {
    AppendResult result = port.append(List.<Entry>copyOf(entries));
    Optional<Trouble> reading = catchUp();
    return switch (result) {
      case AppendResult.Appended appended ->
          new Appending(OptionalLong.of(appended.firstIndex()), reading);
      case AppendResult.Refused refused ->
          new Appending(
              OptionalLong.empty(),
              Optional.of(new Trouble("the ledger takes nothing now: " + refused.fault().code())));
    };
  }

  /** True if entries that are appended together are next to what was read last, or behind it. */
  boolean isExclusive() {
    return port.isExclusive();
  }

  /** The newest epoch of a round, as read last. */
  Optional<RoundRecord> newest(String name) {
    return view.read(state -> state.round(name));
  }

  /** That epoch of a round, as read last. */
  Optional<RoundRecord> round(RoundId id) {
    return view.read(state -> state.round(id));
  }

  /** Rounds that have not ended, oldest first. */
  List<RoundRecord> unfinished() {
    return view.read(state -> List.copyOf(state.unfinishedRounds()));
  }

  /** The newest rounds first. */
  List<RoundRecord> newest(int limit) {
    return view.read(state -> List.copyOf(state.rounds(limit)));
  }

  /** How many entries were read; grows with every change. */
  long size() {
    return view.size();
  }
}
