package dev.parlance.demo;

import dev.parlance.client.CheckedRound;
import dev.parlance.demo.RoundMinds.Item;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.policy.commit.CriticalDifference;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundDifference;
import dev.parlance.proto.v1.RoundProposal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A round that has ended.
 *
 * @param item the claim and what was planned
 * @param checked as the control plane tells it, and as the algorithm does here, once more
 * @param casts what every agent sent and heard, those after the end as well
 * @param tookMs from the first question to the outcome
 */
record RoundResult(Item item, CheckedRound checked, List<Cast> casts, long tookMs) {
  RoundResult {
    casts = List.copyOf(casts);
  }

  Round round() {
    return checked.round();
  }

  dev.parlance.proto.v1.RoundResult result() {
    return round().getResult();
  }

  /** True if the outcome's kind, as the control plane tells it, is this. */
  boolean is(String kind) {
    return result().getOutcome().equals(kind);
  }

  /** Hex digest of a commit; empty for an abort. */
  String digest() {
    return CheckedRound.hex(result().getDigest());
  }

  /**
   * Who is outside the core because of its words: the agent, the first member of the core that it
   * is apart from, and the kind of what stands between them.
   */
  List<Map<String, String>> apart() {
    List<String> core = result().getCoreList();
    Map<String, Map<String, String>> found = new TreeMap<>();
    for (RoundDifference difference : round().getDifferencesList()) {
      String first = difference.getFirst();
      String second = difference.getSecond();
      boolean isApart = !difference.getKind().equals(CriticalDifference.ENTAILED);
      if (isApart && core.contains(first) != core.contains(second)) {
        String out = core.contains(first) ? second : first;
        String in = core.contains(first) ? first : second;
        found.putIfAbsent(out, Map.of("agent", out, "from", in, "kind", difference.getKind()));
      }
    }
    return List.copyOf(found.values());
  }

  /** What the core has in common where it lists different reasons, in the words of its first. */
  List<String> common() {
    return result().getClaimsList().stream().map(claim -> claim.getCarriers(0).getText()).toList();
  }

  /** Where it is not as planned, in words. */
  List<String> differences() {
    List<String> differences = new ArrayList<>();
    if (!is(item.ending())) {
      differences.add(
          "expected " + item.ending() + ", the round ended in " + result().getOutcome());
    }
    boolean aborts = item.ending().equals("abort");
    String wanted = aborts ? "NO_VERDICT_QUORUM" : item.verdict();
    String got = aborts ? result().getReason() : result().getVerdict();
    if (!got.equals(wanted)) {
      differences.add("expected " + wanted + ", it is " + got);
    }
    if (!checked.problems().isEmpty()) {
      differences.add("the published proposals give another outcome: " + checked.problems());
    }
    String told = String.join(" ", result().getOutcome(), result().getVerdict(), digest()).strip();
    if (!heard().equals(told)) {
      differences.add(RoundMinds.WAITING + " was told " + heard() + " instead of " + told);
    }
    if (item.rush().equals("late")
        && casts.stream()
            .filter(cast -> cast.agent().equals(RoundMinds.RUSHING))
            .anyMatch(cast -> cast.refused().isEmpty())) {
      differences.add("a late proposal was taken");
    }
    return differences;
  }

  /** What the agent that waits for the outcome was told in the answer to its proposal. */
  String heard() {
    return casts.stream()
        .filter(cast -> cast.agent().equals(RoundMinds.WAITING))
        .flatMap(cast -> cast.outcome().stream())
        .findFirst()
        .orElse("");
  }

  /** What it came to, as its members may tell others. */
  Map<String, Object> outcome(String digest) {
    return Map.of(
        "round",
        round().getRound(),
        "epoch",
        round().getEpoch(),
        "outcome",
        Map.of("kind", result().getOutcome(), "verdict", result().getVerdict(), "digest", digest));
  }

  Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("round", round().getRound());
    members.put("epoch", round().getEpoch());
    members.put("claim", item.claim());
    members.put("expected", item.ending());
    members.put("outcome", result().getOutcome());
    members.put("reason", result().getReason());
    members.put("verdict", result().getVerdict());
    members.put("delivered", result().getDelivered());
    members.put("support", result().getSupport());
    members.put("runnerUp", result().getRunnerUp());
    members.put("core", result().getCoreList());
    members.put("digest", digest());
    members.values().removeIf(""::equals);
    members.put("recomputed", checked.problems().isEmpty());
    members.put("toldInTheAnswer", heard());
    members.put("tookMs", tookMs);
    members.put("proposals", round().getProposalsList().stream().map(this::toMap).toList());
    members.put(
        "refused",
        casts.stream()
            .filter(cast -> cast.refused().isPresent())
            .map(cast ->
                Map.of(
                    "agent",
                    cast.agent(),
                    "epoch",
                    cast.ballot().epoch(),
                    "why",
                    cast.refused().orElse("")))
            .toList());
    members.put("apart", apart());
    members.put("common", common());
    members.put("differences", differences());
    return members;
  }

  private Map<String, Object> toMap(RoundProposal proposal) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("agent", proposal.getAgent());
    members.put("verdict", proposal.getVerdict());
    members.put("text", proposal.getText());
    members.put("standing", proposal.getStanding());
    checked.degrees(proposal).ifPresent(degrees -> members.put("degreesToCore", degrees));
    return members;
  }
}
