package dev.parlance.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of the rounds.
 *
 * @param encoder id of the encoder
 * @param rounds the rounds in order
 * @param orders what was tried with their outcomes
 * @param ledger what the recomputation of the ledger says
 * @param problems what was not as expected, in words
 */
record RoundReport(
    String encoder,
    List<RoundResult> rounds,
    List<FinalOrder.Outcome> orders,
    Ledger ledger,
    List<String> problems) {
  RoundReport {
    rounds = List.copyOf(rounds);
    orders = List.copyOf(orders);
    problems = List.copyOf(problems);
  }

  /**
   * What the recomputation of the ledger says.
   *
   * @param sound tree, signatures and all outcomes are right
   * @param entries entries on it
   * @param semantic semantic commits recomputed
   * @param verdict verdict commits recomputed
   * @param aborts aborts recomputed
   * @param equivocations members found to have proposed two different things
   */
  record Ledger(
      boolean sound, long entries, long semantic, long verdict, long aborts, long equivocations) {}

  Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("encoder", encoder);
    members.put("rounds", rounds.stream().map(RoundResult::toMap).toList());
    members.put("orders", orders.stream().map(FinalOrder.Outcome::toMap).toList());
    members.put(
        "ledger",
        Map.of(
            "sound", ledger.sound(),
            "entries", ledger.entries(),
            "semanticCommits", ledger.semantic(),
            "verdictCommits", ledger.verdict(),
            "aborts", ledger.aborts(),
            "equivocations", ledger.equivocations()));
    members.put("differences", problems);
    members.put("ok", problems.isEmpty());
    return members;
  }
}
