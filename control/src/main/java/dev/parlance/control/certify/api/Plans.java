package dev.parlance.control.certify.api;

import dev.parlance.control.store.Store;
import dev.parlance.control.store.Store.CoreKey;
import dev.parlance.control.store.Store.PlanPut;
import dev.parlance.control.store.Store.PlanRow;
import dev.parlance.proto.v1.Plan;
import dev.parlance.service.Result;
import dev.parlance.service.config.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Plans in the store. One core belongs to one plan for good: were there two, their audits would
 * take turns to overwrite each other's core.
 */
public final class Plans {
  private static final String LEASE = "plans";
  private static final Duration LEASE_TTL = Duration.ofSeconds(30);

  private final Store store;
  private final String owner;

  /** Plans in a store; {@code owner} names this process in leases. */
  public Plans(Store store, String owner) {
    this.store = store;
    this.owner = owner;
  }

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
