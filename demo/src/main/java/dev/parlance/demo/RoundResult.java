package dev.parlance.demo;

import dev.parlance.demo.RoundScript.Item;
import dev.parlance.demo.agent.Ballot.Cast;
import dev.parlance.policy.commit.Encoding;
import dev.parlance.policy.commit.Hcsc;
import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Outcome;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.proto.v1.Round;
import dev.parlance.proto.v1.RoundProposal;
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
record RoundResult(Item item, Round round, List<Cast> casts, long tookMs, Outcome recomputed) {
  RoundResult {
    casts = List.copyOf(casts);
  }

  static RoundResult of(Item item, Round round, List<Cast> casts, long tookMs) {
    return new RoundResult(item, round, casts, tookMs, recompute(round));
  }

  /** Runs the algorithm on what the control plane has published of the round. */
  private static Outcome recompute(Round round) {
    RoundId id = new RoundId(round.getRound(), round.getEpoch());
    Encoding encoding =
        round.getDim() == 0
            ? Encoding.none()
            : new Encoding(round.getEncoder(), round.getDim(), round.getCosMin());
    RoundSpec spec =
        new RoundSpec(
            id.bound(),
            round.getFaults(),
            round.getMembersList(),
            encoding,
            round.getExtraMargin(),
            !round.getStrictSemantic());
    List<Proposal> proposals = new ArrayList<>();
    for (RoundProposal one : round.getProposalsList()) {
      proposals.add(
          new Proposal(
              one.getAgent(), one.getVerdict(), RoundCalls.hex(one.getTextSha256()), meaning(one)));
    }
    return Hcsc.decide(spec, proposals);
  }

  private static Meaning meaning(RoundProposal one) {
    return switch (one.getMeaning()) {
      case "vector" -> vector(one).<Meaning>map(Meaning.Vector::new).orElse(Meaning.MALFORMED);
      case "unencoded" -> Meaning.UNENCODED;
      default -> Meaning.MALFORMED;
    };
  }

  private static Optional<QuantVector> vector(RoundProposal one) {
    return QuantVector.ofBytes(one.getVector().toByteArray());
  }

  /** The outcome's kind as the control plane tells it. */
  String kind() {
    return round.getResult().getOutcome();
  }

  /** Hex digest of a commit; empty for an abort. */
  String digest() {
    return RoundCalls.hex(round.getResult().getDigest());
  }

  /** True if the agent is in the core. */
  boolean isInCore(String agent) {
    return round.getResult().getCoreList().contains(agent);
  }

  /** What an agent proposed; two proposals if it equivocated. */
  List<RoundProposal> proposalsOf(String agent) {
    return round.getProposalsList().stream().filter(one -> one.getAgent().equals(agent)).toList();
  }

  /** Degrees between what an agent means and the core's aggregate; empty without one of them. */
  OptionalDouble degrees(RoundProposal proposal) {
    if (recomputed instanceof Outcome.SemanticCommit commit && !proposal.getVector().isEmpty()) {
      Optional<QuantVector> vector = vector(proposal);
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
    String verdict = round.getResult().getVerdict();
    switch (item.ending()) {
      case SEMANTIC, VERDICT -> {
        if (!verdict.equals(item.verdict())) {
          differences.add("expected " + item.verdict() + ", the verdict is " + verdict);
        }
      }
      case NO_QUORUM -> {
        if (!round.getResult().getReason().equals("NO_VERDICT_QUORUM")) {
          differences.add("aborted for " + round.getResult().getReason());
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
    return !kind().equals("abort") && !round.getResult().getVerdict().equals(item.verdict());
  }

  /** True if the outcome computed here is the one that the control plane published. */
  boolean isSame() {
    return recomputed.kind().equals(kind())
        && switch (recomputed) {
          case Outcome.SemanticCommit commit -> commit.digest().equals(digest());
          case Outcome.VerdictCommit commit -> commit.digest().equals(digest());
          case Outcome.Abort abort -> abort.reason().code().equals(round.getResult().getReason());
        };
  }

  Map<String, Object> toMap() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("round", round.getRound());
    members.put("epoch", round.getEpoch());
    members.put("claim", item.claim());
    members.put("expected", item.ending().kind());
    members.put("outcome", kind());
    if (!round.getResult().getReason().isEmpty()) {
      members.put("reason", round.getResult().getReason());
    }
    if (!round.getResult().getVerdict().isEmpty()) {
      members.put("verdict", round.getResult().getVerdict());
    }
    members.put("delivered", round.getResult().getDelivered());
    members.put("support", round.getResult().getSupport());
    members.put("runnerUp", round.getResult().getRunnerUp());
    members.put("core", round.getResult().getCoreList());
    if (!digest().isEmpty()) {
      members.put("digest", digest());
    }
    members.put("recomputed", isSame());
    members.put("toldInTheAnswer", heard().map(RoundResult::inWords).orElse(""));
    members.put("tookMs", tookMs);
    members.put("proposals", round.getProposalsList().stream().map(this::toMap).toList());
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
    degrees(proposal).ifPresent(degrees -> members.put("degreesToCore", degrees));
    return members;
  }
}
