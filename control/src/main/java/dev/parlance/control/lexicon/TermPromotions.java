package dev.parlance.control.lexicon;

import dev.parlance.control.certify.api.AuditRows;
import dev.parlance.control.certify.api.Plans.TermPlace;
import dev.parlance.control.config.LexiconSettings.Promotion;
import dev.parlance.control.lexicon.BoardRegistry.LexiconContext;
import dev.parlance.control.lexicon.TermDecisions.Found;
import dev.parlance.ledger.record.BoardRecord;
import dev.parlance.ledger.record.LexiconEntry;
import dev.parlance.policy.lexicon.BoardEntry;
import dev.parlance.policy.lexicon.TurnFacts.TermRef;
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
record TermPromotions(LexiconContext context, TermDecisions decisions) {
  /** Who promotes where no person does. */
  static final String RULE = "rule";

  private static final int AUDITS = 100;

  /**
   * Puts a term into a plan.
   *
   * @param instead another term of the plan, in whose place it is offered
   * @param by who has decided it
   */
  Result<BoardRecord> promote(
      String board, TermRef term, String plan, Optional<String> instead, String by) {
    return decisions
        .found(board, term)
        .then(this::candidate)
        .then(found ->
            context
                .plans()
                .putTerm(
                    plan,
                    found.entry().term(),
                    found.entry().definition(),
                    isOurs(found, plan),
                    instead)
                .then(now ->
                    isAwaited(found, plan, now.revision())
                        ? Result.done(found.board())
                        : promoted(found, now, by)));
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

  private static boolean isOurs(Found found, String plan) {
    return Optional.ofNullable(found.board().promoted().get(found.entry().ref()))
        .filter(before -> before.plan().equals(plan))
        .isPresent();
  }

  /** True if the term was in this plan in another meaning, and nobody was asked about this one. */
  private boolean isAwaited(Found found, String name, long revision) {
    return isOurs(found, name)
        && found.board().isRepaired(found.entry())
        && context.store().audits(Optional.of(name), AUDITS).stream()
            .filter(row -> row.planRevision() >= revision)
            .filter(row -> row.state().equals(AuditRows.COMPLETED))
            .noneMatch(row -> AuditRows.hasDecided(row, found.entry().key()));
  }

  private Result<BoardRecord> promoted(Found found, TermPlace place, String by) {
    BoardEntry entry = found.entry();
    Promotion rule = context.settings().promotion();
    return decisions.decided(
        found,
        now ->
            new LexiconEntry.Promoted(
                found.board().id(),
                entry.visibility().toString(),
                entry.key(),
                place.plan(),
                place.domain(),
                place.revision(),
                entry.version(),
                rule.uses(),
                rule.speakers(),
                by,
                now),
        record ->
            Optional.ofNullable(record.promoted().get(entry.ref()))
                .filter(one -> one.plan().equals(place.plan()) && one.version() >= entry.version())
                .isPresent());
  }
}
