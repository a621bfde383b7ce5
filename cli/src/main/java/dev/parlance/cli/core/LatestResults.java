package dev.parlance.cli.core;

import dev.parlance.cli.api.ControlClient;
import dev.parlance.cli.api.ControlReply;
import dev.parlance.proto.v1.Audit;
import dev.parlance.proto.v1.CoreId;
import dev.parlance.proto.v1.ListAuditsRequest;
import dev.parlance.proto.v1.ListPlansRequest;
import dev.parlance.proto.v1.Plan;
import dev.parlance.proto.v1.TermResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The latest decision on each term and pair that a core rests on, from the audits of its plans. An
 * audit may decide some terms only, so several are looked at, newest first.
 */
final class LatestResults {
  private static final int[] AUDITS_LOOKED_AT = {10, 100, 1000};

  private final Map<String, Map<List<String>, TermResult>> byTerm = new HashMap<>();

  /**
   * Asks for what is known.
   *
   * @param version version of the core; later audits are passed over
   * @param terms the keys that are asked about
   */
  static ControlReply<LatestResults> of(
      ControlClient client, CoreId id, long version, Collection<String> terms) {
    return client.ask(stub -> {
      var latest = new LatestResults();
      for (Plan plan : stub.listPlans(ListPlansRequest.getDefaultInstance()).getPlansList()) {
        if (!plan.getCore().equals(id)) {
          continue;
        }
        for (int limit : AUDITS_LOOKED_AT) {
          List<Audit> audits =
              stub.listAudits(
                      ListAuditsRequest.newBuilder()
                          .setPlan(plan.getName())
                          .setLimit(limit)
                          .build())
                  .getAuditsList();
          audits.stream()
              .filter(audit -> audit.getCoreVersion() > 0 && audit.getCoreVersion() <= version)
              .forEach(latest::add);
          if (audits.size() < limit || latest.byTerm.keySet().containsAll(terms)) {
            break;
          }
        }
      }
      return latest;
    });
  }

  /** Newer results have come first and stay. */
  private void add(Audit audit) {
    for (TermResult result : audit.getResultsList()) {
      byTerm
          .computeIfAbsent(
              result.getTerm(), _ -> new TreeMap<>((a, b) -> a.toString().compareTo(b.toString())))
          .putIfAbsent(List.copyOf(result.getAgentsList()), result);
    }
  }

  /** One for each pair, sorted; empty if the term was never decided, or longer ago than kept. */
  List<TermResult> of(String term) {
    return new ArrayList<>(byTerm.getOrDefault(term, Map.of()).values());
  }
}
