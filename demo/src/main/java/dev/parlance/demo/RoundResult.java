package dev.parlance.demo;

import dev.parlance.client.CheckedRound;
import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /** The outcome's kind as the control plane tells it. */
  String kind() {
    return result().getOutcome();
  }

  Round round() {
    return checked.round();
  }

  dev.parlance.proto.v1.RoundResult result() {
    return checked.round().getResult();
  }

  /** Hex digest of a commit; empty for an abort. */
  String digest() {
    return CheckedRound.hex(result().getDigest());
  }

  /** True if the agent is in the core. */
  boolean isInCore(String agent) {
    return result().getCoreList().contains(agent);
  }

  /** What an agent proposed; two proposals if it equivocated. */
  List<RoundProposal> proposalsOf(String agent) {
    return round().getProposalsList().stream().filter(one -> one.getAgent().equals(agent)).toList();
  }

  /** Where it is not as planned, in words. */
  List<String> differences() {
    List<String> differences = new ArrayList<>();
    if (!kind().equals(item.ending().kind())) {
      differences.add("expected " + item.ending().kind() + ", the round ended in " + kind());
    }
    String verdict = result().getVerdict();
    switch (item.ending()) {
      case SEMANTIC, VERDICT -> {
        if (!verdict.equals(item.verdict())) {
          differences.add("expected " + item.verdict() + ", the verdict is " + verdict);
        }
      }
      case NO_QUORUM -> {
        if (!result().getReason().equals("NO_VERDICT_QUORUM")) {
          differences.add("aborted for " + result().getReason());
        }
      }
    }
    if (!isSame()) {
      differences.add("the published proposals give another outcome: " + checked.problems());
    }
    String heard = heard().map(RoundResult::inWords).orElse("nothing");
    String told = inWords(new Cast.Heard(kind(), verdict, digest()));
    if (!heard.equals(told)) {
      differences.add(RoundScript.WAITING + " was told " + heard + " instead of " + told);
    }
    if (item.rush() == RoundScript.Rush.LATE
        && casts.stream()
            .filter(cast -> cast.agent().equals(RoundScript.RUSHING))
            .anyMatch(cast -> cast.refused().isEmpty())) {
      differences.add("a late proposal was taken");
    }
    return differences;
  }

  /** What the agent that waits for the outcome was told in the answer to its proposal. */
  Optional<Cast.Heard> heard() {
    return casts.stream()
        .filter(cast -> cast.agent().equals(RoundScript.WAITING))
        .flatMap(cast -> cast.outcome().stream())
        .findFirst();
  }

  private static String inWords(Cast.Heard heard) {
    return String.join(" ", heard.kind(), heard.verdict(), heard.digest()).strip();
  }

  /** True if it is a commit to another verdict than that of the honest agents. */
  boolean isWhatTheLiarsWanted() {
    return !kind().equals("abort") && !result().getVerdict().equals(item.verdict());
  }

  /** True if the outcome computed here is the one that the control plane published. */
  boolean isSame() {
    return checked.problems().isEmpty();
  }

  Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("round", round().getRound());
    members.put("epoch", round().getEpoch());
    members.put("claim", item.claim());
    members.put("expected", item.ending().kind());
    members.put("outcome", kind());
    if (!result().getReason().isEmpty()) {
      members.put("reason", result().getReason());
    }
    if (!result().getVerdict().isEmpty()) {
      members.put("verdict", result().getVerdict());
    }
    members.put("delivered", result().getDelivered());
    members.put("support", result().getSupport());
    members.put("runnerUp", result().getRunnerUp());
    members.put("core", result().getCoreList());
    if (!digest().isEmpty()) {
      members.put("digest", digest());
    }
    members.put("recomputed", isSame());
    members.put("toldInTheAnswer", heard().map(RoundResult::inWords).orElse(""));
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
