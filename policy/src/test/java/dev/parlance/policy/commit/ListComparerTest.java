package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListComparerTest {
  private static final String TESTS = "All integration tests are green";
  private static final String REVIEW = "two engineers have signed the review";
  private static final String ROLLBACK = "the rollback script was rehearsed on Monday";

  private final ListComparer comparer = new ListComparer(3);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          - %1$s\\n- %2$s                          | - %1$s\\n- %3$s
          1. %1$s\\n2. %2$s                        | * %3$s\\n* %1$s
          (1) %1$s, (2) %2$s                       | (1) %1$s; (2) %3$s.
          Ship it because %1$s, %2$s.              | Ship it because %1$s and %3$s.
          We can ship: %1$s and %2$s.              | First, %3$s. Second, %1$s.
          %1$s; %2$s                               | %1$s
          %1$s. Two engineers have signed the form. | %1$s. The rollback script was rehearsed.
          """)
  void textsThatDifferInWhatTheyList_haveTheRestInCommon(String one, String other) {
    String here = filled(one);
    String there = filled(other);
    ListComparer.Found found = comparer.between(here, there);
    assertThat(found.kind()).contains(CriticalDifference.OTHER_ITEMS);
    assertThat(found.same())
        .anySatisfy(same -> {
          assertThat(found.first().get(same.first())).isEqualToIgnoringCase(TESTS);
          assertThat(found.second().get(same.second())).isEqualToIgnoringCase(TESTS);
        })
        .noneSatisfy(same -> assertThat(found.first().get(same.first())).contains("engineers"));
    assertThat(comparer.between(there, here)).isEqualTo(found.turned());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          - %1$s\\n- %2$s   | - %1$s\\n- one engineer has signed the review
          1 %1$s; %2$s; Mallory earns five percent | 1 %1$s; one engineer has signed the review
          - %1$s\\n- %2$s   | - %1$s\\n- two engineers have not signed the review
          - %1$s\\n- %2$s   | - No integration tests are green\\n- %2$s
          - %1$s\\n- %2$s   | - %1$s\\n- %2$s\\n- None of this is true
          - %1$s\\n- %2$s   | - %1$s\\n- Do the opposite of what is listed here
          - %1$s\\n- %2$s   | - %1$s\\n- Unless the moon is full tonight
          Ship: %1$s; %2$s  | Do not ship: %1$s; %3$s
          """)
  void textThatTurnsWhatAnotherOneLists_isPartedFromIt(String one, String other) {
    ListComparer.Found found = comparer.between(filled(one), filled(other));
    assertThat(found.kind()).isPresent().isNotEqualTo(Optional.of(CriticalDifference.OTHER_ITEMS));
    assertThat(found.same()).isEmpty();
  }

  @Test
  void oneMoreItem_thatTheWholesDoNotDifferBy_isItsOwnAllTheSame() {
    assertThat(
            comparer
                .between(
                    "- " + TESTS + "\n- " + REVIEW,
                    "- " + TESTS + "\n- " + REVIEW + "\n- Mallory gets five percent of sales")
                .kind())
        .contains(CriticalDifference.OTHER_ITEMS);
  }

  @Test
  void sameInAnotherOrder_isTheSame() {
    ListComparer.Found found =
        comparer.between("- " + TESTS + "\n- " + REVIEW, "- " + REVIEW + "\n- " + TESTS);
    assertThat(found.kind()).isEmpty();
    assertThat(found.same())
        .containsExactlyInAnyOrder(new ListComparer.Same(0, 1), new ListComparer.Same(1, 0));
  }

  @Test
  void itemsOfATextAreItsWordsWithoutMarks() {
    assertThat(ListComparer.items("- one is so\n\n2) two was so;  (c) three has been so."))
        .containsExactly("one is so", "two was so", "three has been so");
    assertThat(ListComparer.items("Go, because the gate is open and the road was cleared."))
        .containsExactly("Go", "the gate is open", "the road was cleared");
    assertThat(ListComparer.items("The seller and the buyer are bound if the fee is paid."))
        .containsExactly("The seller and the buyer are bound if the fee is paid");
    assertThat(ListComparer.items("a. ".repeat(9) + "x\n".repeat(9))).isEmpty();
    assertThat(ListComparer.items("x ".repeat(2_001))).isEqualTo(List.of());
  }

  private static String filled(String text) {
    return text.replace("\\n", "\n").formatted(TESTS, REVIEW, ROLLBACK);
  }
}
