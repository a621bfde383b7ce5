package dev.parlance.policy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which values of two texts stand for one another. */
class FreeValuesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "It lasts three weeks.|It lasts 21 days.|true",
        "It lasts three weeks.|It lasts 12 days.|false",
        "It lasts a year.|It lasts twelve months.|true",
        "It is ninety days.|It is three months.|true",
        "A fifth was lost.|They lost 20 percent.|true",
        "A fifth was lost.|They lost 50 percent.|false",
        "Four fifths are left.|There are 80 percent left.|true",
        "Half of them left.|They lost 50 percent.|true",
        "It came on 12 May.|It came on the twelfth of May.|true",
        "Two came.|A pair came.|true",
        "Three came.|A pair came.|false",
        "The one who came was late.|Who came was late.|true",
        "It starts at 21:40.|It starts at 21:40 sharp.|true",
        "It starts at 21:40.|It starts at 20:40.|false",
        "Forty came.|Some came.|false",
      })
  void valuesAreComparedInOneUnit(String one, String other, boolean same) {
    FreeValues here = FreeValues.of(Wording.of(one));
    FreeValues there = FreeValues.of(Wording.of(other));
    assertThat(here.isAccountedFor(there)).isEqualTo(same);
    assertThat(there.isAccountedFor(here)).isEqualTo(same);
  }
}
