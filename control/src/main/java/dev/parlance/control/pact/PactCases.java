package dev.parlance.control.pact;

import dev.parlance.control.pact.PactRegistry.PactContext;
import dev.parlance.ledger.pact.PactStatement;
import dev.parlance.ledger.pact.PactStatementNote;
import dev.parlance.ledger.record.LedgerState;
import dev.parlance.ledger.record.PactEntry;
import dev.parlance.ledger.record.PactRecord.Escalated;
import dev.parlance.policy.pact.PactCase;
import dev.parlance.policy.text.Coded;
import dev.parlance.service.Result;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Negotiations that were handed to arbiters, as the ledger has them. For any number of threads;
 * blocks.
 */
public final class PactCases {
  /** Most that wait, of one initiator. */
  static final int MOST_WAITING = 100;

  private final PactContext context;
  private final PactDesk desk;

  PactCases(PactContext context, PactDesk desk) {
    this.context = context;
    this.desk = desk;
  }

  /** Where a case stands. */
  public enum Standing implements Coded {
    /** Its arbiter may decide it. */
    WAITING,
    /** Terms are decided, and no pact is made on them yet. */
    DECIDED,
    /** The arbiter refuses every pact. */
    REFUSED,
    /** Its time was over before it was decided, or before a pact was made. */
    EXPIRED,
    /** Its pact is on the ledger, or was. */
    ATTESTED
  }

  /** A case and where it stands. */
  public record OpenCase(Escalated handed, Standing standing) {}

  /**
   * The newest first.
   *
   * @param wanted which ones
   */
  public Result<List<OpenCase>> list(Predicate<OpenCase> wanted, int limit) {
    long now = context.store().nowMs();
    return desk.read(state ->
        state.escalations().reversed().stream()
            .map(one -> new OpenCase(one, standing(state, one.handed(), now)))
            .filter(wanted)
            .limit(limit)
            .toList());
  }

  private static Standing standing(LedgerState state, PactCase open, long now) {
    if (state.pact(open.pact()).isPresent()) {
      return Standing.ATTESTED;
    }
    Optional<PactEntry.TemplatePut> decided = state.template(open.reference());
    if (decided.filter(PactCases::isRefusal).isPresent()) {
      return Standing.REFUSED;
    }
    if (now >= open.untilMs()) {
      return Standing.EXPIRED;
    }
    return decided.isPresent() ? Standing.DECIDED : Standing.WAITING;
  }

  private static boolean isRefusal(PactEntry.TemplatePut decided) {
    return PactStatementNote.unverified(PactEntry.decoded(decided.note()))
            instanceof PactStatementNote.Reading.Good(PactStatement said, _)
        && said instanceof PactStatement.Template template
        && template.predicates().isEmpty();
  }

  /** Why a case cannot be handed over now; empty if it can, or was before. */
  Optional<Result.Refused<Boolean>> full(PactCase open, long now) {
    if (now >= open.untilMs()) {
      return Optional.of(
          new Result.Refused<>(
              Result.Kind.PRECONDITION,
              "case_over",
              "it could be decided until " + open.untilMs() + ", now is " + now));
    }
    long waiting =
        context
            .view()
            .read(state ->
                state.escalations().stream()
                    .map(Escalated::handed)
                    .filter(one -> one.initiator().equals(open.initiator()))
                    .filter(one -> standing(state, one, now) == Standing.WAITING)
                    .limit(MOST_WAITING)
                    .count());
    return waiting < MOST_WAITING
        ? Optional.empty()
        : Optional.of(
            new Result.Refused<>(
                Result.Kind.EXHAUSTED,
                "too_many_cases",
                MOST_WAITING + " cases of " + open.initiator() + " wait already"));
  }

  /** Why this does not decide a case; empty if it does. */
  Optional<Result.Refused<Boolean>> wrong(PactCase decided, long now) {
    return context
        .view()
        .read(state -> state.wrong(decided, now))
        .map(cause -> {
          Result.Kind kind =
              switch (cause) {
                case CASE_UNKNOWN -> Result.Kind.NOT_FOUND;
                case NOT_THE_ARBITER -> Result.Kind.DENIED;
                default -> Result.Kind.PRECONDITION;
              };
          return new Result.Refused<>(
              kind,
              cause.name().toLowerCase(Locale.ROOT),
              "the initiator has handed "
                  + decided.negotiation()
                  + " to nobody like this, or its time is over");
        });
  }
}
