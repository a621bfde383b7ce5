package dev.parlance.sim.finality;

import dev.parlance.policy.commit.Meaning;
import dev.parlance.policy.commit.Proposal;
import dev.parlance.policy.commit.QuantVector;
import dev.parlance.policy.commit.RoundId;
import dev.parlance.policy.commit.RoundSpec;
import dev.parlance.policy.text.Sha256;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A round before the adversary moves: what the honest agents say, and who is not honest.
 *
 * @param id which round and epoch
 * @param spec its constants
 * @param honest the honest members
 * @param faulty ids of the others
 */
record Scene(RoundId id, RoundSpec spec, List<Honest> honest, List<String> faulty) {
  /** When an honest agent's proposal arrives. */
  enum Arrival {
    /** Before the seal. */
    IN_TIME,
    /** Behind it. */
    LATE,
    /** It was never sent, or got lost. */
    NEVER
  }

  /**
   * An honest agent.
   *
   * @param agent its id
   * @param verdict what it thinks, whether that arrives or not
   * @param text what its rationale is; stands in for the digest's input
   * @param direction what its rationale means; empty if the encoder was gone when it came
   * @param arrival when it arrives
   */
  record Honest(
      String agent, String verdict, String text, Optional<double[]> direction, Arrival arrival) {
    Proposal proposal() {
      return Scene.proposal(agent, verdict, text, direction);
    }
  }

  Scene {
    honest = List.copyOf(honest);
    faulty = List.copyOf(faulty);
    if (honest.size() + faulty.size() != spec.size()) {
      throw new IllegalArgumentException(
          "expected " + spec.size() + " agents, got " + honest.size() + " and " + faulty.size());
    }
  }

  /** A proposal as the control plane would make it of a text that the encoder maps there. */
  static Proposal proposal(
      String agent, String verdict, String text, Optional<double[]> direction) {
    Meaning meaning =
        direction
            .<Meaning>map(vector ->
                QuantVector.of(vector, vector.length)
                    .<Meaning>map(Meaning.Vector::new)
                    .orElse(Meaning.MALFORMED))
            .orElse(Meaning.UNENCODED);
    return new Proposal(agent, verdict, Sha256.hex(text), meaning);
  }

  /** The honest agents whose proposals come in time. */
  List<Honest> inTime() {
    return honest.stream().filter(one -> one.arrival() == Arrival.IN_TIME).toList();
  }

  /** Verdicts with the number of honest agents that think so, most first, then by name. */
  List<Map.Entry<String, Integer>> verdicts() {
    Map<String, Integer> counts = new HashMap<>();
    honest.forEach(one -> counts.merge(one.verdict(), 1, Integer::sum));
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** The verdict of more honest agents than any other has; empty if two lead. */
  Optional<String> plurality() {
    List<Map.Entry<String, Integer>> counts = verdicts();
    boolean tied = counts.size() > 1 && counts.get(0).getValue().equals(counts.get(1).getValue());
    return tied ? Optional.empty() : Optional.of(counts.getFirst().getKey());
  }

  /** True if no more agents are faulty than the round allows for, and it can bear so many. */
  boolean isWithinAssumption() {
    return faulty.size() <= spec.faults() && isFeasible();
  }

  /** n at least 3f+1. */
  boolean isFeasible() {
    return spec.size() >= 3 * spec.faults() + 1;
  }

  /** True if the honest agents agree, all arrive, and no more than f are faulty. */
  boolean isHonestyUnited() {
    return isWithinAssumption() && inTime().size() == honest.size() && verdicts().size() == 1;
  }

  /** As {@link #isHonestyUnited}, and the round may fall back to the verdict. */
  boolean mustCommit() {
    return isHonestyUnited() && spec.verdictFallback() && spec.extraMargin() == 0;
  }
}
