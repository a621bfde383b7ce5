package dev.parlance.control.certify.api;

import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.CoreKey;
import dev.parlance.control.store.Store.PlanPut;
import dev.parlance.control.store.Store.PlanRow;
import dev.parlance.policy.core.TermKey;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.VocabularyTerm;
import dev.parlance.service.Result;
import dev.parlance.service.config.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Plans in the store. One core belongs to one plan for good: were there two, their audits would
 * take turns to overwrite each other's core.
 *
 * @param owner names this process in leases
 */
public record Plans(Store store, String owner) {
  private static final String LEASE = "plans";
  private static final int TRIES = 5;
  private static final Duration LEASE_TTL = Duration.ofSeconds(30);

  /** Creates a plan, or changes it if its revision is the present one. */
  public Result<Plan> put(Plan plan) {
    List<String> problems = PlanCheck.problems(plan);
    if (!problems.isEmpty()) {
      return Result.refused(Result.Kind.INVALID, "plan_invalid", String.join("; ", problems));
    }
    Optional<Store.Lease> lease = store.acquire(LEASE, owner, LEASE_TTL);
    if (lease.isEmpty()) {
      return Result.refused(
          Result.Kind.CONFLICT, "plan_conflict", "another plan is being stored; try again");
    }
    try {
      Optional<Result<Plan>> taken = coreOfAnother(plan);
      return taken.isPresent() ? taken.get() : stored(plan);
    } finally {
      store.release(lease.get());
    }
  }

  private Optional<Result<Plan>> coreOfAnother(Plan plan) {
    String key = CoreKey.of(new AuditPlan(plan).core());
    for (PlanRow row : store.plans()) {
      String other = CoreKey.of(AuditPlan.read(row).core());
      boolean isSame = row.name().equals(plan.getName());
      if (isSame && !other.equals(key)) {
        return Optional.of(
            Result.refused(
                Result.Kind.INVALID,
                "core_changed",
                "plan "
                    + plan.getName()
                    + " is of core "
                    + other
                    + " and cannot become one of "
                    + key));
      }
      if (!isSame && other.equals(key)) {
        return Optional.of(
            Result.refused(
                Result.Kind.INVALID,
                "core_taken",
                "core " + key + " has a plan already: " + row.name()));
      }
    }
    return Optional.empty();
  }

  private Result<Plan> stored(Plan plan) {
    byte[] document = plan.toBuilder().clearRevision().build().toByteArray();
    PlanPut put =
        store.putPlan(
            plan.getName(), plan.getRevision(), document, plan.getSchedule().getIntervalMs());
    return switch (put) {
      case PlanPut.Stored(long revision) ->
          Result.done(plan.toBuilder().setRevision(revision).build());
      case PlanPut.Conflict(long present) ->
          Result.refused(
              Result.Kind.CONFLICT,
              "revision_conflict",
              "got revision "
                  + Long.toUnsignedString(plan.getRevision())
                  + ", the present one is "
                  + present);
    };
  }

  /** A plan that has a term, from this revision on. */
  public record TermPlace(String plan, String domain, long revision) {}

  /**
   * Puts a term into a plan, unless it is there with this gloss; the plan that has it.
   *
   * @param isReplaced true if it may be there with another gloss, which it then loses
   * @param instead another term of the plan, whose alternative it becomes
   */
  public Result<TermPlace> putTerm(
      String name, String term, String gloss, boolean isReplaced, Optional<String> instead) {
    Result<Plan> stored =
        Result.refused(
            Result.Kind.CONFLICT, "plan_conflict", "plan " + name + " is being changed; try again");
    for (int tries = 0; tries < TRIES; tries++) {
      Result<Plan> present = get(name);
      Result<Plan> wanted =
          present
              .then(plan -> withTerm(plan, term, gloss, isReplaced))
              .then(plan ->
                  instead.isEmpty()
                      ? Result.done(plan)
                      : withAlternative(plan, instead.get(), term));
      if (!(wanted instanceof Result.Done<Plan>(Plan next)) || wanted.equals(present)) {
        return wanted.then(Plans::place);
      }
      stored = put(next);
      if (!(stored instanceof Result.Refused<Plan> refused)
          || refused.kind() != Result.Kind.CONFLICT) {
        break;
      }
    }
    return stored.then(Plans::place);
  }

  private static Result<TermPlace> place(Plan plan) {
    return Result.done(
        new TermPlace(plan.getName(), plan.getCore().getDomain(), plan.getRevision()));
  }

  private static Result<Plan> withAlternative(Plan plan, String term, String alternative) {
    Optional<String> key = TermKey.of(term);
    for (int i = 0; i < plan.getTermsCount(); i++) {
      VocabularyTerm there = plan.getTerms(i);
      if (TermKey.of(there.getText()).equals(key) && !there.getText().equals(alternative)) {
        return Result.done(
            plan.toBuilder().setTerms(i, there.toBuilder().setAlternative(alternative)).build());
      }
    }
    return Result.refused(
        Result.Kind.PRECONDITION,
        "instead_unknown",
        "plan " + plan.getName() + " has no other term " + Quoted.line(term));
  }

  private static Result<Plan> withTerm(Plan plan, String term, String gloss, boolean isReplaced) {
    Optional<String> key = TermKey.of(term);
    for (int i = 0; i < plan.getTermsCount(); i++) {
      VocabularyTerm there = plan.getTerms(i);
      if (!TermKey.of(there.getText()).equals(key)) {
        continue;
      }
      if (there.getGloss().equals(gloss)) {
        return Result.done(plan);
      }
      // Whatever agents coin, it does not change what a person has put there to be certified.
      return isReplaced
          ? Result.done(plan.toBuilder().setTerms(i, there.toBuilder().setGloss(gloss)).build())
          : Result.refused(
              Result.Kind.PRECONDITION,
              "term_taken",
              "plan " + plan.getName() + " has that term with another meaning");
    }
    return Result.done(
        plan.toBuilder()
            .addTerms(VocabularyTerm.newBuilder().setText(term).setGloss(gloss))
            .build());
  }

  /** The plan with this name. */
  public Result<Plan> get(String name) {
    return store
        .plan(name)
        .map(row -> Result.done(AuditPlan.read(row).message()))
        .orElseGet(() ->
            Result.refused(
                Result.Kind.NOT_FOUND,
                "plan_unknown",
                "there is no plan \"" + Quoted.line(name) + "\""));
  }

  /** All plans by name, without their events. */
  public List<Plan> list() {
    return store.plans().stream()
        .map(row -> AuditPlan.read(row).message().toBuilder().clearEvents().build())
        .toList();
  }
}
