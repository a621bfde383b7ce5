package dev.parlance.control.lexicon;

import dev.parlance.control.certify.LedgerView;
import dev.parlance.control.certify.LedgerWriter;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.service.Result;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The ledger as boards read and write it. Whether an entry counts, the state says afterwards. */
record BoardJournal(LedgerWriter ledger, LedgerView view) {
  private static final String UNAVAILABLE = "ledger_unavailable";

  /** Asks the state as it was read last. */
  <T> T now(Function<LedgerState, T> question) {
    return view.read(question);
  }

  /** Asks the state with everything that is on the ledger. */
  <T> Result<T> read(Function<LedgerState, T> question) {
    Optional<Result.Refused<T>> behind = catchUp();
    return behind.isPresent() ? behind.get() : Result.done(view.read(question));
  }

  /** Reads what was added; why it cannot. */
  <T> Optional<Result.Refused<T>> catchUp() {
    try {
      view.catchUp();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          new Result.Refused<>(
              Result.Kind.UNAVAILABLE,
              UNAVAILABLE,
              "the ledger cannot be read now: " + e.getMessage()));
    }
  }

  /** Appends entries next to each other, and reads up to them; why it may not be there. */
  <T> Optional<Result.Refused<T>> append(List<Entry> entries) {
    AppendResult result = ledger.append(entries);
    Optional<Result.Refused<T>> behind = catchUp();
    return switch (result) {
      case AppendResult.Refused refused ->
          Optional.of(
              new Result.Refused<>(
                  Result.Kind.UNAVAILABLE,
                  UNAVAILABLE,
                  "the ledger takes nothing now: " + refused.fault().code()));
      case AppendResult.Appended _ -> behind;
    };
  }
}
