package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.Outcome.AbortReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random rounds, many of them with ties, against {@link SlowHcsc}. */
@Tag("differential")
class HcscPropertyTest {
  private static final int ROUNDS = 4_000 * Math.max(1, Integer.getInteger("soak", 5) / 50);
  private static final RoundId ID = new RoundId("property", 1);

  @Test
  void everyRound_endsAsTheSevenStepsSay_whateverTheOrderOfArrival() {
    Map<String, Integer> kinds = new TreeMap<>();
    Map<AbortReason, Integer> reasons = new EnumMap<>(AbortReason.class);
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      RoundSpec spec = spec(random);
      List<Proposal> proposals = proposals(spec, random);
      Outcome outcome = Hcsc.decide(spec, proposals);
      assertThat(outcome).as("seed " + seed).isEqualTo(SlowHcsc.decide(spec, proposals));
      Collections.shuffle(proposals, random);
      assertThat(withoutDrops(Hcsc.decide(spec, proposals)))
          .as("seed " + seed)
          .isEqualTo(withoutDrops(outcome));
      kinds.merge(outcome.kind(), 1, Integer::sum);
      if (outcome instanceof Outcome.Abort abort) {
        reasons.merge(abort.reason(), 1, Integer::sum);
      }
    }
    assertThat(kinds).containsOnlyKeys("semantic_commit", "verdict_commit", "abort");
    assertThat(kinds.values()).allMatch(count -> count > ROUNDS / 20);
    assertThat(reasons).containsOnlyKeys(AbortReason.values());
  }

  /** What is critical between two texts parts those two, and changes nothing else. */
  @Test
  void noCore_holdsTwoThatDiffer_andWithoutDifferences_theRoundIsThePapers() {
    int parted = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      RoundSpec paper = spec(random);
      List<Proposal> proposals = proposals(paper, random);
      RoundSpec critical =
          new RoundSpec(
              paper.round(),
              paper.faults(),
              paper.members(),
              paper.encoding(),
              paper.extraMargin(),
              paper.verdictFallback(),
              RoundSpec.Agreement.CRITICAL);
      List<CriticalDifference> differences = new ArrayList<>();
      for (String one : paper.members()) {
        for (String other : paper.members()) {
          if (one.compareTo(other) < 0 && random.nextInt(6) == 0) {
            differences.add(CriticalDifference.between(other, one, "negation_changed"));
          }
        }
      }
      assertThat(Hcsc.decide(paper, proposals, TextComparison.of(differences)))
          .isEqualTo(Hcsc.decide(paper, proposals));
      Outcome plain = Hcsc.decide(critical, proposals);
      assertThat(plain.kind()).isEqualTo(Hcsc.decide(paper, proposals).kind());
      Outcome outcome = Hcsc.decide(critical, proposals, TextComparison.of(differences));
      assertThat(outcome.count()).isEqualTo(plain.count());
      if (outcome instanceof Outcome.SemanticCommit commit) {
        assertThat(differences)
            .noneMatch(
                one -> commit.core().contains(one.first()) && commit.core().contains(one.second()));
        assertThat(commit.core().size()).isGreaterThanOrEqualTo(2 * paper.faults() + 1);
      }
      parted += outcome.kind().equals(plain.kind()) ? 0 : 1;
      if (plain instanceof Outcome.SemanticCommit whole && whole.core().size() > 1) {
        assertThat(Hcsc.decide(paper, proposals))
            .isNotEqualTo(plain); // the digest binds by which rule they agree
      }
    }
    assertThat(parted).isGreaterThan(ROUNDS / 50);
  }

  @Test
  void wholeTable_ofSixteen_isSearchedLikeTheReferenceDoes() {
    for (int seed = 0; seed < 3; seed++) {
      Random random = new Random(seed);
      RoundSpec spec = Rounds.spec(ID, 16, 5 - 2 * seed, 8, 0.0);
      List<Proposal> proposals = new ArrayList<>();
      for (String member : spec.members()) {
        proposals.add(Rounds.proposal(member, "yes", coarse(8, random)));
      }
      assertThat(Hcsc.decide(spec, proposals)).isEqualTo(SlowHcsc.decide(spec, proposals));
    }
  }

  @Test
  void changedByteOfWhatIsBound_changesTheDigest() {
    RoundSpec spec = Rounds.spec(ID, 4, 1, 2, 0.9);
    List<Proposal> all = new ArrayList<>();
    for (String member : spec.members()) {
      all.add(Rounds.proposal(member, "yes", 1, 0));
    }
    Set<String> digests = new HashSet<>();
    digests.add(digest(spec, all));
    digests.add(digest(Rounds.spec(new RoundId("property", 2), 4, 1, 2, 0.9), all));
    digests.add(digest(Rounds.spec(ID, 4, 1, 2, Math.nextUp(0.9)), all));
    digests.add(digest(Rounds.spec(ID, 4, 0, 2, 0.9), all));
    digests.add(digest(spec, all.subList(0, 3)));
    List<Proposal> other = new ArrayList<>(all);
    other.set(0, Rounds.proposal("a00", "yes", "other text", new double[] {1, 0}));
    digests.add(digest(spec, other));
    other.set(0, Rounds.proposal("a00", "yes", 1, 1.0 / 32_000));
    digests.add(digest(spec, other.reversed().subList(1, 4)));
    List<Proposal> no = all.stream().map(HcscPropertyTest::withNo).toList();
    digests.add(digest(spec, no));
    assertThat(digests).hasSize(8);
  }

  private static Proposal withNo(Proposal proposal) {
    return new Proposal(proposal.agent(), "no", proposal.textSha256(), proposal.meaning());
  }

  private static String digest(RoundSpec spec, List<Proposal> proposals) {
    return ((Outcome.SemanticCommit) Hcsc.decide(spec, proposals)).digest();
  }

  private static Outcome withoutDrops(Outcome outcome) {
    return switch (outcome) {
      case Outcome.SemanticCommit c ->
          new Outcome.SemanticCommit(
              c.verdict(), c.count(), c.core(), c.minCos(), c.aggregate(), c.digest(), List.of());
      case Outcome.VerdictCommit c ->
          new Outcome.VerdictCommit(c.verdict(), c.count(), c.core(), c.digest(), List.of());
      case Outcome.Abort a -> new Outcome.Abort(a.reason(), a.count(), List.of());
    };
  }

  private static RoundSpec spec(Random random) {
    int n = 1 + random.nextInt(random.nextInt(8) == 0 ? 12 : 8);
    int f = random.nextInt((n + 2) / 3 + 1);
    boolean isEncoded = random.nextInt(10) > 0;
    double[] thresholds = {-0.999, -0.5, 0.0, 0.5, 0.7071067811865475, 0.9, 1.0};
    return new RoundSpec(
        ID.bound(),
        f,
        Rounds.members(n),
        isEncoded
            ? new Encoding(
                "enc", 1 + random.nextInt(4), thresholds[random.nextInt(thresholds.length)])
            : Encoding.none(),
        random.nextInt(4) == 0 ? random.nextInt(4) : 0,
        random.nextInt(4) > 0);
  }

  private static List<Proposal> proposals(RoundSpec spec, Random random) {
    String[] verdicts = {"yes", "yes", "yes", "yes", "yes", "yes", "no", "maybe"};
    int calm = random.nextInt(9);
    List<Proposal> proposals = new ArrayList<>();
    for (String member : spec.members()) {
      int copies = random.nextInt(12) < 10 ? 1 : random.nextInt(3);
      for (int i = 0; i < copies; i++) {
        proposals.add(
            new Proposal(
                random.nextInt(40) == 0 ? "stranger" : member,
                random.nextInt(60) == 0 ? "no name" : verdicts[random.nextInt(9 - calm) % 8],
                Rounds.sha256("text" + random.nextInt(2)),
                meaning(spec.encoding().dim(), random)));
      }
    }
    return proposals;
  }

  private static Meaning meaning(int dim, Random random) {
    return switch (random.nextInt(60)) {
      case 0 -> Meaning.MALFORMED;
      case 1, 2 -> Meaning.UNENCODED;
      case 3 -> new Meaning.Vector(QuantVector.of(coarse(dim + 1, random), dim + 1).orElseThrow());
      default ->
          dim == 0
              ? Meaning.UNENCODED
              : new Meaning.Vector(QuantVector.of(coarse(dim, random), dim).orElseThrow());
    };
  }

  /** Small whole numbers, so that many angles are equal. */
  private static double[] coarse(int dim, Random random) {
    double[] vector = new double[dim];
    boolean isZero = true;
    while (isZero) {
      for (int i = 0; i < dim; i++) {
        vector[i] = Math.max(-1, random.nextInt(5) - 2);
        isZero &= vector[i] == 0;
      }
    }
    return vector;
  }
}
