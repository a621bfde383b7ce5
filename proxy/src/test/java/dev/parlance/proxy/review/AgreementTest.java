package dev.parlance.proxy.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.proxy.review.ReviewEvent.Verdict;
import dev.parlance.proxy.review.ReviewEvent.Vote;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class AgreementTest {
  private static Vote vote(String who, Verdict verdict) {
    return new Vote(who, "", verdict, 2, 0, 1);
  }

  /** The textbook's table: of 50 applications both say yes to 20, both no to 15. */
  @Test
  void cohen_isThatOfTheTextbook() {
    assertThat(Agreement.cohen(new int[][] {{20, 5}, {10, 15}}).orElseThrow())
        .isCloseTo(0.4, within(1e-12));
    assertThat(Agreement.cohen(new int[][] {{45, 15}, {25, 15}}).orElseThrow())
        .isCloseTo(0.1304, within(1e-4));
    assertThat(Agreement.cohen(new int[][] {{25, 35}, {5, 35}}).orElseThrow())
        .isCloseTo(0.2593, within(1e-4));
  }

  /** Fleiss (1971) as worked out in textbooks: ten subjects, fourteen raters, five categories. */
  @Test
  void fleiss_isThatOfTheTextbook() {
    List<int[]> counts =
        List.of(
            new int[] {0, 0, 0, 0, 14},
            new int[] {0, 2, 6, 4, 2},
            new int[] {0, 0, 3, 5, 6},
            new int[] {0, 3, 9, 2, 0},
            new int[] {2, 2, 8, 1, 1},
            new int[] {7, 7, 0, 0, 0},
            new int[] {3, 2, 6, 3, 0},
            new int[] {2, 5, 3, 2, 2},
            new int[] {6, 5, 2, 1, 0},
            new int[] {0, 2, 2, 3, 7});
    assertThat(Agreement.fleiss(counts).orElseThrow()).isCloseTo(0.210, within(5e-4));
  }

  @Test
  void withoutTwoVotesOnAMessage_nothingIsDefined() {
    Agreement none = Agreement.of(List.of(List.of(), List.of(vote("ann", Verdict.REJECT))));
    assertThat(none)
        .isEqualTo(
            new Agreement(
                0,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                List.of()));
  }

  @Test
  void whereAllSayTheSame_agreementIsWhole_andNoKappaIsDefined() {
    Agreement same =
        Agreement.of(List.of(List.of(vote("ann", Verdict.REJECT), vote("bob", Verdict.REJECT))));
    assertThat(same.observed()).hasValue(1);
    assertThat(same.cohen()).isEmpty();
    assertThat(same.fleiss()).isEmpty();
  }

  @Test
  void pairs_areNamedInOrder_whoeverDecidedFirst() {
    List<List<Vote>> votes = new ArrayList<>();
    votes.add(List.of(vote("bob", Verdict.RELEASE), vote("ann", Verdict.RELEASE)));
    votes.add(List.of(vote("ann", Verdict.REJECT), vote("bob", Verdict.REJECT)));
    votes.add(
        List.of(
            vote("ann", Verdict.REJECT),
            vote("bob", Verdict.RELEASE),
            vote("eve", Verdict.SEND_BACK)));
    Agreement agreement = Agreement.of(votes);
    assertThat(agreement.items()).isEqualTo(3);
    assertThat(agreement.observed().orElseThrow()).isCloseTo(2.0 / 5, within(1e-12));
    assertThat(agreement.pairs())
        .extracting(pair -> pair.one() + " " + pair.other() + " " + pair.items())
        .containsExactly("ann bob 3", "ann eve 1", "bob eve 1");
    assertThat(agreement.pairs().getFirst().observed()).isCloseTo(2.0 / 3, within(1e-12));
    // Pe of 3 by 1/3 and 2/3 to 2/3 and 1/3: 4/9.
    assertThat(agreement.pairs().getFirst().kappa().orElseThrow())
        .isCloseTo((2.0 / 3 - 4.0 / 9) / (5.0 / 9), within(1e-12));
  }
}
