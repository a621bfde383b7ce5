package dev.parlance.cli.core;

import dev.parlance.cli.CommandProblem;
import dev.parlance.client.CallRefused;
import dev.parlance.client.ControlClient;
import dev.parlance.ledger.note.VerifierKey;
import dev.parlance.policy.core.CertifiedCore;
import dev.parlance.policy.core.CertifiedCore.GovernedTerm;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.GetCoreRequest;
import dev.parlance.proto.v1.GetPlanRequest;
import dev.parlance.proto.v1.ListAuditsRequest;
import dev.parlance.proto.v1.ListPlansRequest;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.PutPlanRequest;
import dev.parlance.proto.v1.TermResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What takes more than one call of a control plane about plans and cores. */
final class CoreCalls {
  private static final int[] AUDITS_LOOKED_AT = {10, 100, 1000};

  private CoreCalls() {}

  /** What came of putting a plan. */
  record StoredPlan(String name, long revision, boolean changed) {}

  /** Creates a plan or changes it; with a revision, only if that is the present one. */
  static StoredPlan putPlan(ControlClient client, Plan plan) throws CallRefused {
    var wanted = GetPlanRequest.newBuilder().setName(plan.getName()).build();
    Plan old;
    try {
      old = client.certification().ask(stub -> stub.getPlan(wanted));
    } catch (CallRefused e) {
      if (e.isNotFound()) {
        return put(client, plan);
      }
      throw e;
    }
    long expected = plan.getRevision() == 0 ? old.getRevision() : plan.getRevision();
    Plan revised = plan.toBuilder().setRevision(expected).build();
    return revised.equals(old)
        ? new StoredPlan(old.getName(), old.getRevision(), false)
        : put(client, revised);
  }

  private static StoredPlan put(ControlClient client, Plan plan) throws CallRefused {
    var request = PutPlanRequest.newBuilder().setPlan(plan).build();
    Plan stored = client.certification().ask(stub -> stub.putPlan(request));
    return new StoredPlan(stored.getName(), stored.getRevision(), true);
  }

  /** The core with this name; version 0 is the newest. */
  static ReceivedCore core(ControlClient client, String name, long version, List<VerifierKey> keys)
      throws CallRefused {
    Optional<CallRefused> absent = Optional.empty();
    for (CoreName reading : CoreName.readings(name)) {
      var id = CoreId.newBuilder().addAllAgents(reading.agents()).setDomain(reading.domain());
      var request = GetCoreRequest.newBuilder().setId(id).setVersion(version).build();
      try {
        return ReceivedCore.of(client.certification().ask(stub -> stub.getCore(request)), keys);
      } catch (CallRefused e) {
        if (!e.isNotFound()) {
          throw e;
        }
        absent = Optional.of(e);
      }
    }
    throw absent.orElseThrow(() -> CommandProblem.failed("there is no core " + name));
  }

  /**
   * The latest decision on each term and pair that a core rests on, from the audits of its plans.
   * An audit may decide some terms only, so several are looked at, newest first.
   *
   * @return for each term that was decided, one decision for each pair, sorted
   */
  static Map<String, List<TermResult>> latestDecisions(ControlClient client, CertifiedCore core)
      throws CallRefused {
    Set<String> terms = core.terms().stream().map(GovernedTerm::key).collect(Collectors.toSet());
    return client
        .certification()
        .ask(stub -> {
          Map<String, Map<String, TermResult>> latest = new HashMap<>();
          for (Plan plan : stub.listPlans(ListPlansRequest.getDefaultInstance()).getPlansList()) {
            if (!plan.getCore().getAgentsList().equals(core.agents())
                || !plan.getCore().getDomain().equals(core.domain())) {
              continue;
            }
            for (int limit : AUDITS_LOOKED_AT) {
              var request = ListAuditsRequest.newBuilder().setPlan(plan.getName()).setLimit(limit);
              List<Audit> audits = stub.listAudits(request.build()).getAuditsList();
              audits.stream()
                  .filter(audit ->
                      audit.getCoreVersion() > 0 && audit.getCoreVersion() <= core.version())
                  .flatMap(audit -> audit.getResultsList().stream())
                  // newer results have come first and stay
                  .forEach(result ->
                      latest
                          .computeIfAbsent(result.getTerm(), _ -> new TreeMap<>())
                          .putIfAbsent(result.getAgentsList().toString(), result));
              if (audits.size() < limit || latest.keySet().containsAll(terms)) {
                break;
              }
            }
          }
          Map<String, List<TermResult>> sorted = new HashMap<>();
          latest.forEach((term, results) -> sorted.put(term, new ArrayList<>(results.values())));
          return sorted;
        });
  }
}
