package dev.parlance.cli.api;

import dev.parlance.cli.CommandProblem;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.AuditKind;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.GetAuditRequest;
import dev.parlance.proto.v1.GetCoreRequest;
import dev.parlance.proto.v1.GetPlanRequest;
import dev.parlance.proto.v1.ListAuditsRequest;
import dev.parlance.proto.v1.ListCoresRequest;
import dev.parlance.proto.v1.ListPlansRequest;
import dev.parlance.proto.v1.ListSidecarsRequest;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PutPlanRequest;
import dev.parlance.proto.v1.Sidecar;
import dev.parlance.proto.v1.SidecarCore;
import dev.parlance.proto.v1.StartAuditRequest;
import dev.parlance.proto.v1.VocabularyTerm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** What a control plane is asked about plans, audits, cores and sidecars. */
public final class CertificationCalls {
  private static final int[] AUDITS_LOOKED_AT = {10, 100, 1000};

  private CertificationCalls() {}

  /** What came of putting a plan. */
  public record StoredPlan(String name, long revision, boolean changed) {}

  /** The newest audits, of one plan or with an empty name of all. */
  public static List<AuditInfo> audits(ControlClient client, String plan, int limit) {
    return client.ask(stub ->
        stub
            .listAudits(ListAuditsRequest.newBuilder().setPlan(plan).setLimit(limit).build())
            .getAuditsList()
            .stream()
            .map(AuditInfo::of)
            .toList());
  }

  /** One audit as it is now. */
  public static AuditInfo audit(ControlClient client, String id) {
    return client.ask(
        stub -> AuditInfo.of(stub.getAudit(GetAuditRequest.newBuilder().setId(id).build())));
  }

  /** One audit once it has ended. */
  public static AuditInfo watchAudit(
      ControlClient client, String id, Consumer<AuditInfo> onChange) {
    var request = GetAuditRequest.newBuilder().setId(id).build();
    var following = new ControlClient.Following<AuditInfo>("audit");
    return following.follow(
        () ->
            client.watch(stub ->
                stub.watchAudit(request)
                    .forEachRemaining(audit -> {
                      following.changed(AuditInfo.of(audit));
                      onChange.accept(following.last().orElseThrow());
                    })),
        AuditInfo::hasEnded);
  }

  /**
   * Starts an audit.
   *
   * @param kind certify, recertify or renegotiate
   * @param terms keys of the terms; none: all
   */
  public static AuditInfo startAudit(
      ControlClient client, String plan, String kind, List<String> terms) {
    var request =
        StartAuditRequest.newBuilder()
            .setPlan(plan)
            .setKind(AuditKind.valueOf("AUDIT_KIND_" + kind.toUpperCase(Locale.ROOT)))
            .addAllTerms(terms);
    return client.ask(stub -> AuditInfo.of(stub.startAudit(request.build())));
  }

  /** All plans, by name. */
  public static List<PlanInfo> plans(ControlClient client) {
    return client.ask(stub ->
        stub.listPlans(ListPlansRequest.getDefaultInstance()).getPlansList().stream()
            .map(PlanInfo::of)
            .toList());
  }

  /** Creates a plan or changes it; with a revision, only if that is the present one. */
  public static StoredPlan putPlan(ControlClient client, PlanFile.Draft draft) {
    Plan plan = draft.plan();
    Plan old;
    try {
      old =
          client.ask(
              stub -> stub.getPlan(GetPlanRequest.newBuilder().setName(plan.getName()).build()));
    } catch (ControlClient.Refused e) {
      if (e.isNotFound()) {
        return put(client, plan);
      }
      throw e;
    }
    long expected = plan.getRevision() == 0 ? old.getRevision() : plan.getRevision();
    Plan wanted = plan.toBuilder().setRevision(expected).build();
    return wanted.equals(old)
        ? new StoredPlan(old.getName(), old.getRevision(), false)
        : put(client, wanted);
  }

  private static StoredPlan put(ControlClient client, Plan plan) {
    Plan stored =
        client.ask(stub -> stub.putPlan(PutPlanRequest.newBuilder().setPlan(plan).build()));
    return new StoredPlan(stored.getName(), stored.getRevision(), true);
  }

  /**
   * Cores, newest version of each or all.
   *
   * @param agents only of exactly these; none: of all
   * @param domain only of this one; empty: of all
   */
  public static List<ReceivedCore> cores(
      ControlClient client,
      Collection<String> agents,
      String domain,
      boolean history,
      List<VerifierKey> keys) {
    var request =
        ListCoresRequest.newBuilder().addAllAgents(agents).setDomain(domain).setHistory(history);
    return client.ask(stub ->
        stub.listCores(request.build()).getCoresList().stream()
            .map(core -> ReceivedCore.of(core, keys))
            .toList());
  }

  /** The core with this name; version 0 is the newest. */
  public static ReceivedCore core(
      ControlClient client, String name, long version, List<VerifierKey> keys) {
    Optional<ControlClient.Refused> absent = Optional.empty();
    for (CoreName reading : CoreName.readings(name)) {
      var id = CoreId.newBuilder().addAllAgents(reading.agents()).setDomain(reading.domain());
      var request = GetCoreRequest.newBuilder().setId(id).setVersion(version).build();
      try {
        return ReceivedCore.of(client.ask(stub -> stub.getCore(request)), keys);
      } catch (ControlClient.Refused e) {
        if (!e.isNotFound()) {
          throw e;
        }
        absent = Optional.of(e);
      }
    }
    throw absent
        .<CommandProblem>map(e -> e)
        .orElseGet(() -> CommandProblem.failed("there is no core " + name));
  }

  /**
   * The latest decision on each term and pair that a core rests on, from the audits of its plans.
   * An audit may decide some terms only, so several are looked at, newest first.
   *
   * @return for each term that was decided, one decision for each pair, sorted
   */
  public static Map<String, List<AuditInfo.Result>> latestDecisions(
      ControlClient client, CertifiedCore core) {
    Set<String> terms = core.terms().stream().map(GovernedTerm::key).collect(Collectors.toSet());
    return client.ask(stub -> {
      Map<String, Map<String, AuditInfo.Result>> latest = new HashMap<>();
      for (Plan plan : stub.listPlans(ListPlansRequest.getDefaultInstance()).getPlansList()) {
        if (!plan.getCore().getAgentsList().equals(core.agents())
            || !plan.getCore().getDomain().equals(core.domain())) {
          continue;
        }
        for (int limit : AUDITS_LOOKED_AT) {
          var request = ListAuditsRequest.newBuilder().setPlan(plan.getName()).setLimit(limit);
          List<Audit> audits = stub.listAudits(request.build()).getAuditsList();
          audits.stream()
              .filter(
                  audit -> audit.getCoreVersion() > 0 && audit.getCoreVersion() <= core.version())
              .flatMap(audit -> audit.getResultsList().stream().map(AuditInfo.Result::of))
              // newer results have come first and stay
              .forEach(result ->
                  latest
                      .computeIfAbsent(result.term(), _ -> new TreeMap<>())
                      .putIfAbsent(result.agents().toString(), result));
          if (audits.size() < limit || latest.keySet().containsAll(terms)) {
            break;
          }
        }
      }
      Map<String, List<AuditInfo.Result>> sorted = new HashMap<>();
      latest.forEach((term, results) -> sorted.put(term, new ArrayList<>(results.values())));
      return sorted;
    });
  }

  /** The sidecars that are or were attached. */
  public static List<SidecarInfo> sidecars(ControlClient client) {
    return client.ask(stub ->
        stub.listSidecars(ListSidecarsRequest.getDefaultInstance()).getSidecarsList().stream()
            .map(SidecarInfo::of)
            .toList());
  }

  /**
   * A plan as JSON, without its events.
   *
   * @param terms the vocabulary as it was written
   * @param intervalMs mean time between scheduled audits, 0: only on request
   */
  public record PlanInfo(
      String name,
      long revision,
      List<String> agents,
      String domain,
      List<String> terms,
      double tau,
      double delta,
      double rhoMin,
      String bound,
      String multiplicity,
      int eventsPerTerm,
      long intervalMs,
      double jitter,
      int pauseMs) {
    static PlanInfo of(Plan plan) {
      return new PlanInfo(
          plan.getName(),
          plan.getRevision(),
          List.copyOf(plan.getCore().getAgentsList()),
          plan.getCore().getDomain(),
          plan.getTermsList().stream().map(VocabularyTerm::getText).toList(),
          plan.getParams().getTau(),
          plan.getParams().getDelta(),
          plan.getParams().getRhoMin(),
          plan.getParams().getBound().isEmpty() ? "exact" : plan.getParams().getBound(),
          plan.getMultiplicity().isEmpty() ? "per_term" : plan.getMultiplicity(),
          plan.getEventsPerTerm(),
          plan.getSchedule().getIntervalMs(),
          plan.getSchedule().getJitter(),
          plan.getPauseMs());
    }
  }

  /** A sidecar as JSON, members as in the message {@code Sidecar}. */
  public record SidecarInfo(
      String agent,
      String node,
      String version,
      boolean attached,
      String replica,
      long lastSeenMs,
      long refusedPushes,
      long guardedMessages,
      boolean enforcing,
      String configRevision,
      String configRefusedReason,
      String configRefusedDetail,
      String pod,
      List<Core> cores) {
    /** A core in force there. */
    public record Core(
        List<String> agents,
        String domain,
        long version,
        long latestVersion,
        long ageMs,
        String state,
        String nackReason) {
      static Core of(SidecarCore core) {
        return new Core(
            List.copyOf(core.getId().getAgentsList()),
            core.getId().getDomain(),
            core.getVersion(),
            core.getLatestVersion(),
            core.getAgeMs(),
            core.getState(),
            core.getNackReason());
      }
    }

    static SidecarInfo of(Sidecar sidecar) {
      return new SidecarInfo(
          sidecar.getAgent(),
          sidecar.getNode(),
          sidecar.getVersion(),
          sidecar.getAttached(),
          sidecar.getReplica(),
          sidecar.getLastSeenMs(),
          sidecar.getRefusedPushes(),
          sidecar.getGuardedMessages(),
          sidecar.getEnforcing(),
          sidecar.getConfigRevision(),
          sidecar.getConfigRefusedReason(),
          sidecar.getConfigRefusedDetail(),
          sidecar.getPod(),
          sidecar.getCoresList().stream().map(Core::of).toList());
    }
  }
}
