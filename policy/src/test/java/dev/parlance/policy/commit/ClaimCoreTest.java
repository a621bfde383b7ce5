package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parlance.policy.commit.ListedClaims.Claim;
import dev.parlance.policy.commit.ListedClaims.Match;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Cores of what all list. Members list topics, letters; those with one letter say the same, unless
 * a test joins or parts them otherwise.
 */
class ClaimCoreTest {
  private static final int ROUNDS = 1_500 * Math.max(1, Integer.getInteger("soak", 1));

  @Test
  void twoOfThreeReasons_makeACoreOfTheOneThatAllHave() {
    Map<String, String> lists = new TreeMap<>();
    lists.put("a00", "AB");
    lists.put("a01", "AC");
    lists.put("a02", "BC");
    lists.put("a03", "AB");
    Outcome.SemanticCommit commit = (Outcome.SemanticCommit) decide(spec(4, 1), lists);
    assertThat(commit.core()).containsExactly("a00", "a01", "a03");
    assertThat(carried(commit)).containsExactly("AAA");
    assertThat(commit.claimsText())
        .contains("a00 1 %1$s,a01 1 %1$s,a03 1 %1$s".formatted(sha("A")));
  }

  @Test
  void whatIsNoCommonClaim_isNotInTheDigest() {
    Map<String, String> lists = new TreeMap<>(Map.of("a00", "AB", "a01", "AC", "a02", "AD"));
    Outcome.SemanticCommit first = (Outcome.SemanticCommit) decide(spec(3, 0), lists);
    lists.put("a02", "AE");
    Outcome.SemanticCommit other = (Outcome.SemanticCommit) decide(spec(3, 0), lists);
    assertThat(other.digest()).isEqualTo(first.digest());
    Map<String, String> apart = new TreeMap<>(Map.of("a00", "XB", "a01", "XC", "a02", "XD"));
    assertThat(((Outcome.SemanticCommit) decide(spec(3, 0), apart)).digest())
        .isNotEqualTo(first.digest());
  }

  @Test
  void claimOfTwoF_isInNoCore() {
    Map<String, String> lists = new TreeMap<>();
    lists.put("a00", "A");
    lists.put("a01", "AB");
    lists.put("a02", "C");
    lists.put("a03", "D");
    assertThat(decide(spec(4, 1), lists).kind()).isEqualTo("verdict_commit");
  }

  @Test
  void ofRoundsWithoutAgreementOnTexts_listsAreNoMatter() {
    Map<String, String> lists = new TreeMap<>(Map.of("a00", "AB", "a01", "AC", "a02", "AD"));
    RoundSpec paper = Rounds.spec(new RoundId("list", 1), 3, 0, 2, 0.5);
    List<Proposal> proposals = proposals(lists);
    assertThat(Hcsc.decide(paper, proposals, compared(lists, 0)))
        .isEqualTo(Hcsc.decide(paper, proposals));
  }

  @Test
  void seededRounds_haveACoreOfWhatAllOfItSay_whateverTheOrder_andNothingOfALiarsOwn() {
    int ofClaims = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      Random random = new Random(seed);
      int f = random.nextInt(3);
      RoundSpec spec = spec(3 * f + 1 + random.nextInt(2), f);
      Map<String, String> lists = lists(spec, random);
      TextComparison compared = compared(lists, seed);
      List<Proposal> proposals = new ArrayList<>(proposals(lists));
      Outcome outcome = Hcsc.decide(spec, proposals, compared);
      Collections.shuffle(proposals, random);
      assertThat(Hcsc.decide(spec, proposals, compared)).as("seed " + seed).isEqualTo(outcome);
      if (outcome instanceof Outcome.SemanticCommit commit && !commit.claims().isEmpty()) {
        ofClaims++;
        assertThat(commit.core()).hasSizeGreaterThanOrEqualTo(2 * f + 1);
        // Letters are said alike; small ones are a liar's own, which it says several times.
        for (String carried : carried(commit)) {
          assertThat(new HashSet<>(carried.chars().boxed().toList())).hasSize(1);
          assertThat(carried).isUpperCase();
        }
        assertThat(commit.claims().size()).isEqualTo(mostCommon(lists, commit.core().size(), spec));
      } else if (outcome instanceof Outcome.VerdictCommit) {
        assertThat(mostCommon(lists, 2 * f + 1, spec)).as("seed " + seed).isZero();
      }
    }
    assertThat(ofClaims).isGreaterThan(ROUNDS / 4);
  }

  /** The second, slow writing: of all subsets of a size, the most letters that all of it list. */
  private static int mostCommon(Map<String, String> lists, int size, RoundSpec spec) {
    List<String> members = List.copyOf(lists.keySet());
    int least = Math.max(size, Math.max(2 * spec.faults() + 1, members.size() / 2 + 1));
    int most = 0;
    for (int subset = 0; subset < 1 << members.size(); subset++) {
      if (Integer.bitCount(subset) == least) {
        Set<Integer> common = new HashSet<>();
        for (int letter = 'A'; letter <= 'Z'; letter++) {
          common.add(letter);
        }
        for (int i = 0; i < members.size(); i++) {
          if ((subset & 1 << i) != 0) {
            common.retainAll(lists.get(members.get(i)).chars().boxed().toList());
          }
        }
        most = Math.max(most, common.size());
      }
    }
    return most;
  }

  private static Map<String, String> lists(RoundSpec spec, Random random) {
    Map<String, String> lists = new TreeMap<>();
    for (int i = 0; i < spec.size(); i++) {
      boolean isLiar = i < spec.faults();
      List<String> topics = new ArrayList<>(List.of("A", "B", "C", "D", "E"));
      Collections.shuffle(topics, random);
      String list = String.join("", topics.subList(0, 1 + random.nextInt(4)));
      lists.put(Rounds.members(spec.size()).get(i), isLiar ? "m" + list + "m" : list);
    }
    return lists;
  }

  @Test
  void claimThatSaysTheSameAsTwoThatDiffer_isInOneCommonClaimOnly() {
    // b's only claim is like both of a's, which are not like each other; c has both of a's.
    ListedClaims listed =
        ListedClaims.of(
            List.of(
                new Claim("a", 1, sha("1")),
                new Claim("a", 2, sha("2")),
                new Claim("b", 1, sha("3")),
                new Claim("c", 1, sha("1")),
                new Claim("c", 2, sha("2"))),
            List.of(
                new Match("a", 1, "b", 1),
                new Match("a", 2, "b", 1),
                new Match("a", 1, "c", 1),
                new Match("a", 2, "c", 2),
                new Match("b", 1, "c", 1),
                new Match("b", 1, "c", 2)));
    RoundSpec spec =
        new RoundSpec(
            "list:1",
            0,
            List.of("a", "b", "c"),
            new Encoding("enc", 2, 0.5),
            0,
            true,
            RoundSpec.Agreement.CRITICAL);
    List<Proposal> proposals =
        List.of(
            Rounds.proposal("a", "yes", 1, 0),
            Rounds.proposal("b", "yes", 1, 0),
            Rounds.proposal("c", "yes", 1, 0));
    List<CriticalDifference> apart =
        List.of(
            new CriticalDifference("a", "b", CriticalDifference.OTHER_ITEMS),
            new CriticalDifference("a", "c", CriticalDifference.OTHER_ITEMS),
            new CriticalDifference("b", "c", CriticalDifference.OTHER_ITEMS));
    Outcome.SemanticCommit commit =
        (Outcome.SemanticCommit) Hcsc.decide(spec, proposals, new TextComparison(apart, listed));
    assertThat(commit.claimsText())
        .contains("a 1 %1$s,b 1 %2$s,c 1 %1$s".formatted(sha("1"), sha("3")));
  }

  @Test
  void textForm_isReadBack_andNothingElseIs() {
    ListedClaims listed = compared(new TreeMap<>(Map.of("a", "XY", "b", "XZ")), 1).listed();
    assertThat(ListedClaims.parse(listed.text())).isEqualTo(listed);
    assertThat(ListedClaims.parse("")).isEqualTo(ListedClaims.NONE);
    String claim = "a 1 " + sha("X");
    for (String bad :
        List.of(
            ";",
            claim + ";" + claim,
            "b 1 " + sha("X") + ";" + claim,
            claim + ";a 1 b 1",
            "a 0 " + sha("X"),
            "a 9 " + sha("X"),
            "a 1 abc",
            "a 1 b 1 " + sha("X"),
            claim + ";b 1 " + sha("X") + ";b 1 a 1")) {
      assertThatThrownBy(() -> ListedClaims.parse(bad))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static Outcome decide(RoundSpec spec, Map<String, String> lists) {
    return Hcsc.decide(spec, proposals(lists), compared(lists, 0));
  }

  private static RoundSpec spec(int n, int f) {
    return new RoundSpec(
        "list:1",
        f,
        Rounds.members(n),
        new Encoding("enc", 2, 0.5),
        0,
        true,
        RoundSpec.Agreement.CRITICAL);
  }

  private static List<Proposal> proposals(Map<String, String> lists) {
    return lists.keySet().stream().map(member -> Rounds.proposal(member, "yes", 1, 0)).toList();
  }

  private static TextComparison compared(Map<String, String> lists, int seed) {
    TextComparison.Pairs pairs = new TextComparison.Pairs();
    List<String> members = new ArrayList<>(lists.keySet());
    Collections.shuffle(members, new Random(seed));
    for (int i = 0; i < members.size(); i++) {
      for (int j = 0; j < i; j++) {
        pairs.add(
            members.get(i),
            members.get(j),
            found(lists.get(members.get(i)), lists.get(members.get(j))));
      }
    }
    return pairs.all();
  }

  private static ListComparer.Found found(String one, String other) {
    List<String> here = one.chars().mapToObj(Character::toString).toList();
    List<String> there = other.chars().mapToObj(Character::toString).toList();
    List<ListComparer.Same> same = new ArrayList<>();
    for (int i = 0; i < here.size(); i++) {
      int at = there.indexOf(here.get(i));
      if (at >= 0 && same.stream().noneMatch(known -> known.second() == at)) {
        same.add(new ListComparer.Same(i, at));
      }
    }
    return new ListComparer.Found(
        one.equals(other) ? Optional.empty() : Optional.of(CriticalDifference.OTHER_ITEMS),
        here,
        there,
        same);
  }

  /** Of each common claim, what its members say. */
  private static List<String> carried(Outcome.SemanticCommit commit) {
    Map<String, String> letters = new HashMap<>();
    for (int c = 'A'; c <= 'z'; c++) {
      letters.put(sha(Character.toString(c)), Character.toString(c));
    }
    return commit.claims().stream()
        .map(claim ->
            String.join(
                "", claim.carriers().stream().map(one -> letters.get(one.sha256())).toList()))
        .toList();
  }

  private static String sha(String text) {
    return Hcsc.RoundDigest.sha256(text);
  }
}
