package dev.parlance.policy.commit;

import dev.parlance.policy.commit.Outcome.Drop;
import dev.parlance.policy.commit.Outcome.DropReason;
import dev.parlance.policy.commit.RoundId.RoundNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The proposals of a round that count, and those that were dropped (step 2).
 *
 * @param counted one proposal of each agent that counts, by agent in byte order
 * @param dropped the others: first what is dropped by itself, in order of arrival, then the agents
 *     that equivocated, in order of their first proposal
 */
record Delivery(List<Proposal> counted, List<Drop> dropped) {
  static Delivery of(RoundSpec spec, List<Proposal> proposals) {
    List<Drop> dropped = new ArrayList<>();
    Map<String, Set<Proposal>> byAgent = new LinkedHashMap<>();
    for (Proposal proposal : proposals) {
      Optional<DropReason> flaw = flaw(spec, proposal);
      if (flaw.isPresent()) {
        dropped.add(new Drop(proposal.agent(), flaw.get()));
      } else {
        byAgent.computeIfAbsent(proposal.agent(), any -> new LinkedHashSet<>()).add(proposal);
      }
    }
    List<Proposal> counted = new ArrayList<>();
    byAgent.forEach((agent, distinct) -> {
      if (distinct.size() == 1) {
        counted.addAll(distinct);
      } else {
        dropped.add(new Drop(agent, DropReason.EQUIVOCATION));
      }
    });
    // Names are ASCII, so that this is the order of their bytes.
    counted.sort(Comparator.comparing(Proposal::agent));
    return new Delivery(counted, dropped);
  }

  /** d. */
  int size() {
    return counted.size();
  }

  /** Why a proposal counts for nothing whatever the others are. */
  static Optional<DropReason> flaw(RoundSpec spec, Proposal proposal) {
    if (!spec.members().contains(proposal.agent())) {
      return Optional.of(DropReason.UNKNOWN_AGENT);
    }
    boolean isUsable =
        switch (proposal.meaning()) {
          case Meaning.Vector meaning -> meaning.vector().dim() == spec.encoding().dim();
          case Meaning.Malformed malformed -> false;
          case Meaning.Unencoded unencoded -> true;
        };
    return isUsable && RoundNames.isName(proposal.verdict())
        ? Optional.empty()
        : Optional.of(DropReason.MALFORMED);
  }
}
