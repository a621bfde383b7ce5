package dev.parlance.demo;

import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.demo.api.EndedRound;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.QuantVector;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A round that has ended.
 *
 * @param item the claim and what was planned
 * @param round as the control plane tells it
 * @param casts what every agent sent and heard, those after the end as well
 * @param tookMs from the first question to the outcome
 * @param recomputed what the algorithm makes of the published proposals, here, once more
 */
record RoundResult(Item item, EndedRound round, List<Cast> casts, long tookMs, Outcome recomputed) {
  RoundResult {
    casts = List.copyOf(casts);
  }

  /** The outcome's kind as the control plane tells it. */
  String kind() {
    return round.result().outcome();
  }

  /** Hex digest of a commit; empty for an abort. */
  String digest() {
    return round.result().digest();
  }

  /** True if the agent is in the core. */
  boolean isInCore(String agent) {
    return round.result().core().contains(agent);
  }

  /** What an agent proposed; two proposals if it equivocated. */
  List<EndedRound.Proposed> proposalsOf(String agent) {
    return round.proposals().stream().filter(one -> one.agent().equals(agent)).toList();
  }

  /** Degrees between what an agent means and the core's aggregate; empty without one of them. */
  OptionalDouble degrees(EndedRound.Proposed proposal) {
    if (recomputed instanceof Outcome.SemanticCommit commit) {
      Optional<QuantVector> vector = proposal.vector();
      if (vector.isPresent()) {
        QuantVector one = vector.get();
        QuantVector core = commit.aggregate();
        double cos = one.dot(core) / Math.sqrt((double) one.dot(one) * core.dot(core));
        return OptionalDouble.of(Math.toDegrees(Math.acos(Math.clamp(cos, -1.0, 1.0))));
      }
    }
    return OptionalDouble.empty();
  }

  /** Where it is not as planned, in words. */
  List<String> differences() {
    List<String> differences = new ArrayList<>();
    if (!kind().equals(item.ending().kind())) {
      differences.add("expected " + item.ending().kind() + ", the round ended in " + kind());
    }
    String verdict = round.result().verdict();
    switch (item.ending()) {
      case SEMANTIC, VERDICT -> {
        if (!verdict.equals(item.verdict())) {
          differences.add("expected " + item.verdict() + ", the verdict is " + verdict);
        }
      }
      case NO_QUORUM -> {
        if (!round.result().reason().equals("NO_VERDICT_QUORUM")) {
          differences.add("aborted for " + round.result().reason());
        }
      }
    }
    if (!isSame()) {
      differences.add("the published proposals give another outcome: " + recomputed);
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
    return !kind().equals("abort") && !round.result().verdict().equals(item.verdict());
  }

  /** True if the outcome computed here is the one that the control plane published. */
  boolean isSame() {
    return recomputed.kind().equals(kind())
        && switch (recomputed) {
          case Outcome.SemanticCommit commit -> commit.digest().equals(digest());
          case Outcome.VerdictCommit commit -> commit.digest().equals(digest());
          case Outcome.Abort abort -> abort.reason().code().equals(round.result().reason());
        };
  }

  Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("round", round.round());
    members.put("epoch", round.epoch());
    members.put("claim", item.claim());
    members.put("expected", item.ending().kind());
    members.put("outcome", kind());
    if (!round.result().reason().isEmpty()) {
      members.put("reason", round.result().reason());
    }
    if (!round.result().verdict().isEmpty()) {
      members.put("verdict", round.result().verdict());
    }
    members.put("delivered", round.result().delivered());
    members.put("support", round.result().support());
    members.put("runnerUp", round.result().runnerUp());
    members.put("core", round.result().core());
    if (!digest().isEmpty()) {
      members.put("digest", digest());
    }
    members.put("recomputed", isSame());
    members.put("toldInTheAnswer", heard().map(RoundResult::inWords).orElse(""));
    members.put("tookMs", tookMs);
    members.put("proposals", round.proposals().stream().map(this::toMap).toList());
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

  private Map<String, Object> toMap(EndedRound.Proposed proposal) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("agent", proposal.agent());
    members.put("verdict", proposal.proposal().verdict());
    members.put("text", proposal.text());
    members.put("standing", proposal.standing());
    degrees(proposal).ifPresent(degrees -> members.put("degreesToCore", degrees));
    return members;
  }
}
