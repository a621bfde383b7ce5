package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.signal.ClaimFindings.Departure;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is critical between two rationales, and what is not. */
class TextComparerTest {
  private final TextComparer comparer = new TextComparer(7);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "The vendor may share the log with its subcontractor.|The vendor must share the log with"
            + " its subcontractor.|MODALITY_CHANGED",
        "The valve was closed before the pump was started.|The valve was not closed before the pump"
            + " was started.|NEGATION_CHANGED",
        "The claim is supported: the tank holds 40 litres of water.|The claim is supported: the"
            + " tank holds 14 litres of water.|NUMBER_CHANGED",
        "Under the contract the carrier informs the supplier of every delay within two days.|Under"
            + " the contract the supplier informs the carrier of every delay within two"
            + " days.|ROLES_EXCHANGED",
        "All samples of the first batch passed the inspection.|Some samples of the first batch"
            + " passed the inspection.|QUANTIFIER_CHANGED",
        "Prices increased in the second quarter of the year.|Prices decreased in the second quarter"
            + " of the year.|WORD_REVERSED",
      })
  void whatTurnsTheMeaning_isFound_eitherWay(String one, String other, Departure departure) {
    assertThat(comparer.between(one, other)).map(TextComparer.Found::departure).contains(departure);
    assertThat(comparer.between(other, one)).map(TextComparer.Found::departure).contains(departure);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "The tank holds 1,200 litres of water.|The tank holds 1200 litres of water.",
        "The tank holds 40 litres of water.|The tank holds forty litres of water.",
        "The report was filed on 3 March 2024 by the auditor.|On 3 March 2024 the report was filed"
            + " by the auditor.",
        "The clause does not apply to loans.|The clause doesn't apply to loans.",
        "The claim follows from section 4, for the licence permits copies.|Copies are allowed, so"
            + " what section 4 says carries it.",
        "The litigant loses the patent license.|The patent license is lost by the litigant.",
        "The Contributor does not pay the damages.|It is not true that the Contributor pays the"
            + " damages.",
        "The Contributor is not allowed to revoke the license.|It is prohibited for the Contributor"
            + " to revoke the license.",
        "No permission to use the marks is granted by the License.|Permission to use the marks is"
            + " not granted by this License.",
        "Same words here.|Same words here.",
        "'' | The vendor may share the log.",
      })
  void whatDoesNot_isNone(String one, String other) {
    assertThat(comparer.between(one, other)).isEmpty();
  }

  @Test
  void theWordsAreShown_asEachTextHasThem() {
    Optional<TextComparer.Found> found =
        comparer.between(
            "The vendor may share the log with others.",
            "The vendor must share the log with others.");
    assertThat(found.orElseThrow().here()).contains("may");
    assertThat(found.orElseThrow().there()).contains("must");
  }

  /** Who lists one more reason with a value of its own has said more, not otherwise. */
  @Test
  void aFurtherSentence_isNoDifference() {
    assertThat(
            comparer.between(
                "The pump failed because its seal was worn.",
                "The pump failed because its seal was worn. It had run for 3000 hours."))
        .isEmpty();
  }
}
