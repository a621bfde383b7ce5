package dev.parlance.control.pact;

import dev.parlance.control.metrics.ControlMeter;
import dev.parlance.control.pact.PactRegistry.PactContext;
import dev.parlance.ledger.log.Log.AppendResult;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.record.Entry;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.service.MinuteQuota;
import dev.parlance.service.Result;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The ledger as the calls about pacts use it: read up to its end before a question, an entry
 * written and read back, a note held against its signer's keys, and what is refused said alike. For
 * any number of threads; blocks.
 */
final class PactDesk {
  /** Most entries of one party within a minute at one replica that nobody else has a part in. */
  static final int MOST_A_MINUTE = 600;

  /** Most counts of one party about one pact; a sidecar reports them once a minute. */
  static final int MOST_COUNTS_A_MINUTE = 60;

  private final PactContext context;
  private final MinuteQuota alone = new MinuteQuota(MOST_A_MINUTE);
  private final MinuteQuota counts = new MinuteQuota(MOST_COUNTS_A_MINUTE);

  PactDesk(PactContext context) {
    this.context = context;
  }

  <T> Result<T> read(Function<LedgerState, T> question) {
    Optional<Result.Refused<Boolean>> behind = catchUp();
    return behind.isPresent() ? again(behind.get()) : Result.done(context.view().read(question));
  }

  /** Reads the ledger up to its end; empty if that was possible. */
  Optional<Result.Refused<Boolean>> catchUp() {
    try {
      context.view().catchUp();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          new Result.Refused<>(
              Result.Kind.UNAVAILABLE,
              "ledger_unavailable",
              "the ledger cannot be read now: " + e.getMessage()));
    }
  }

  /** Writes an entry unless it stands already. */
  Result<Boolean> write(PactEntry entry, BooleanSupplier stands) {
    return write(entry, stands, Optional::empty);
  }

  private Result<Boolean> write(
      PactEntry entry,
      BooleanSupplier stands,
      Supplier<Optional<Result.Refused<Boolean>>> against) {
    Optional<Result.Refused<Boolean>> behind = catchUp();
    if (behind.isPresent()) {
      return behind.get();
    }
    if (stands.getAsBoolean()) {
      return Result.done(false);
    }
    Optional<Result.Refused<Boolean>> refused = against.get();
    return refused.isPresent() ? refused.get() : append(entry);
  }

  /**
   * Writes an entry, unless it stands already, that a party makes by itself: its key, or what it
   * says of others. Of those there is no end but the quota.
   */
  Result<Boolean> writeAlone(PactEntry entry, String party, BooleanSupplier stands) {
    return write(entry, stands, () -> beyond(alone, party, party));
  }

  /** The same of a party's counts about a pact, which grow as it says. */
  Result<Boolean> writeCounts(PactEntry.Observed entry, BooleanSupplier stands) {
    return write(
        entry,
        stands,
        () -> beyond(counts, entry.observer() + " " + entry.pact(), entry.observer()));
  }

  private Optional<Result.Refused<Boolean>> beyond(MinuteQuota quota, String name, String party) {
    return quota.take(name, context.store().nowMs())
        ? Optional.empty()
        : Optional.of(
            new Result.Refused<>(
                Result.Kind.EXHAUSTED,
                "too_many_entries",
                party + " has written as many within a minute as one may"));
  }

  /** Appends and reads up to it. Whether it counts, the state says. */
  Result<Boolean> append(PactEntry entry) {
    AppendResult result = context.ledger().append(List.<Entry>of(entry));
    Optional<Result.Refused<Boolean>> behind = catchUp();
    return switch (result) {
      case AppendResult.Refused refused ->
          Result.refused(
              Result.Kind.UNAVAILABLE,
              "ledger_unavailable",
              "the ledger takes nothing now: " + refused.fault().code());
      case AppendResult.Appended _ when behind.isPresent() -> behind.get();
      case AppendResult.Appended _ -> Result.done(true);
    };
  }

  Result<Boolean> signed(byte[] note, String signer) {
    long now = context.store().nowMs();
    return read(state -> state.partyKeys(signer, now))
        .then(keys -> {
          if (keys.isEmpty()) {
            return Result.refused(
                Result.Kind.NOT_FOUND, "key_unknown", "there is no key of " + signer);
          }
          return PactStatementNote.verify(note, keys)
                  instanceof PactStatementNote.Reading.Refused(_, String detail)
              ? Result.refused(Result.Kind.INVALID, "note_bad_signature", detail)
              : Result.done(true);
        });
  }

  /** Whether another party than its signer has signed a note, too. */
  Result<Boolean> cosigned(byte[] note, String party) {
    long now = context.store().nowMs();
    return read(state -> state.partyKeys(party, now))
        .then(keys ->
            PactStatementNote.isCosigned(note, party, keys)
                ? Result.done(true)
                : Result.refused(
                    Result.Kind.DENIED, "case_not_signed", "expected the signature of " + party));
  }

  boolean takes(PactEntry entry, String speaker) {
    return context.view().read(state -> state.takes(entry, speaker));
  }

  <T> Result<T> counted(String call, Result<T> result) {
    return context.metrics().counted(ControlMeter.ofCall("PACT", call), result);
  }

  static <T> Result<T> again(Result.Refused<?> refused) {
    return new Result.Refused<>(refused.kind(), refused.reason(), refused.message());
  }

  static <T> Result<T> notAParty(String why) {
    return Result.refused(Result.Kind.DENIED, "not_a_party", why);
  }

  static <T> Result<T> invalid(String code, IllegalArgumentException bad) {
    return Result.refused(Result.Kind.INVALID, code, String.valueOf(bad.getMessage()));
  }

  static <T> Result<T> malformed(String code, PactStatementNote.Reading reading) {
    return Result.refused(
        Result.Kind.INVALID,
        code,
        reading instanceof PactStatementNote.Reading.Refused(_, String detail)
            ? detail
            : "it is a statement of another kind");
  }
}
