package dev.parlance.control.lexicon;

import dev.parlance.control.certify.api.AuditRows;
import dev.parlance.control.config.LexiconSettings.Promotion;
import dev.parlance.control.lexicon.BoardRegistry.LexiconContext;
import dev.parlance.control.lexicon.TermDecisions.Found;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.core.TermKey;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.VocabularyTerm;
import dev.parlance.service.Result;
import java.util.Optional;

/**
 * Puts coined terms into plans, as untested governed terms with their definition as gloss.
 *
 * <p>A repair changes what is tested. The plan then gets a revision with the new gloss, and the
 * term stays untested on every board until an audit of that revision has decided on it: only then
 * the ledger says again that it is in the plan. So no word is worth what another meaning of it was
 * certified for.
 */
final class TermPromotions {
  /** Who promotes where no person does. */
  static final String RULE = "rule";

  private static final int TRIES = 5;
  private static final int AUDITS = 100;

  private final LexiconContext context;
  private final TermDecisions decisions;

  TermPromotions(LexiconContext context, TermDecisions decisions) {
    this.context = context;
    this.decisions = decisions;
  }

  /**
   * Puts a term into a plan.
   *
   * @param by who has decided it
   */
  Result<BoardRecord> promote(String board, TermRef term, String plan, String by) {
    return decisions
        .found(board, term)
        .then(this::candidate)
        .then(found ->
            inPlan(found, plan)
                .then(revised ->
                    isAwaited(found, plan, revised)
                        ? Result.done(found.board())
                        : promoted(found, plan, revised.getRevision(), by)));
  }

  /** A term that may go into a plan. */
  private Result<Found> candidate(Found found) {
    BoardEntry entry = found.entry();
    return switch (found.status()) {
      case RETIRED -> TermDecisions.retired(entry.ref());
      case WAITING ->
          Result.refused(
              Result.Kind.PRECONDITION,
              "term_waits",
              "\"" + entry.key() + "\" waits for somebody to share it");
      case ACTIVE, CONTESTED ->
          isUsedEnough(entry, context.settings().promotion())
              ? Result.done(found)
              : Result.refused(
                  Result.Kind.PRECONDITION,
                  "too_few_uses",
                  "got %d uses and %d speakers, expected %d and %d"
                      .formatted(
                          entry.reuse(),
                          entry.speakers().size(),
                          context.settings().promotion().uses(),
                          context.settings().promotion().speakers()));
    };
  }

  static boolean isUsedEnough(BoardEntry entry, Promotion rule) {
    return entry.reuse() >= rule.uses() && entry.speakers().size() >= rule.speakers();
  }

  /** The plan with the term in it, in its present meaning. */
  private Result<Plan> inPlan(Found found, String name) {
    Result<Plan> stored = conflict(name);
    for (int tries = 0; tries < TRIES; tries++) {
      if (!(context.plans().get(name) instanceof Result.Done<Plan>(Plan plan))) {
        return context.plans().get(name);
      }
      Result<Plan> wanted = with(plan, found);
      if (!(wanted instanceof Result.Done<Plan>(Plan next)) || next.equals(plan)) {
        return wanted;
      }
      stored = context.plans().put(next);
      if (!(stored instanceof Result.Refused<Plan> refused)
          || refused.kind() != Result.Kind.CONFLICT) {
        return stored;
      }
    }
    return stored;
  }

  private static Result<Plan> conflict(String name) {
    return Result.refused(
        Result.Kind.CONFLICT, "plan_conflict", "plan " + name + " is being changed; try again");
  }

  private static Result<Plan> with(Plan plan, Found found) {
    BoardEntry entry = found.entry();
    VocabularyTerm wanted =
        VocabularyTerm.newBuilder().setText(entry.term()).setGloss(entry.definition()).build();
    for (int i = 0; i < plan.getTermsCount(); i++) {
      VocabularyTerm there = plan.getTerms(i);
      if (!TermKey.of(there.getText()).equals(Optional.of(entry.key()))) {
        continue;
      }
      if (there.getGloss().equals(entry.definition())) {
        return Result.done(plan);
      }
      // Whatever agents coin, it does not change what a person has put there to be certified.
      return isOurs(found, plan.getName())
          ? Result.done(
              plan.toBuilder().setTerms(i, there.toBuilder().setGloss(entry.definition())).build())
          : Result.refused(
              Result.Kind.PRECONDITION,
              "term_taken",
              "plan " + plan.getName() + " has that term with another meaning");
    }
    return Result.done(plan.toBuilder().addTerms(wanted).build());
  }

  private static boolean isOurs(Found found, String plan) {
    return Optional.ofNullable(found.board().promoted().get(found.entry().ref()))
        .filter(before -> before.plan().equals(plan))
        .isPresent();
  }

  /** True if the term was in this plan in another meaning, and nobody was asked about this one. */
  private boolean isAwaited(Found found, String name, Plan plan) {
    return isOurs(found, name)
        && found.board().isRepaired(found.entry())
        && context.store().audits(Optional.of(name), AUDITS).stream()
            .filter(row -> row.planRevision() >= plan.getRevision())
            .filter(row -> row.state().equals(AuditRows.COMPLETED))
            .map(AuditRows::shown)
            .noneMatch(audit -> hasDecided(audit, found.entry().key()));
  }

  private static boolean hasDecided(Audit audit, String key) {
    return audit.getResultsList().stream().anyMatch(result -> result.getTerm().equals(key));
  }

  private Result<BoardRecord> promoted(Found found, String plan, long revision, String by) {
    BoardEntry entry = found.entry();
    Promotion rule = context.settings().promotion();
    return decisions.decided(
        found,
        now ->
            new LexiconEntry.Promoted(
                found.board().id(),
                entry.visibility().toString(),
                entry.key(),
                plan,
                revision,
                entry.version(),
                rule.uses(),
                rule.speakers(),
                by,
                now),
        record ->
            Optional.ofNullable(record.promoted().get(entry.ref()))
                .filter(one -> one.plan().equals(plan) && one.version() >= entry.version())
                .isPresent());
  }
}
