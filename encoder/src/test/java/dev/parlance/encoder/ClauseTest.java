package dev.parlance.encoder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.encoder.Clause.Concept;
import dev.parlance.encoder.Clause.Role;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClauseTest {
  /** The clauses of a text: "+" or "-", then concepts with "^" for doers and "_" for objects. */
  private static List<String> read(String text) {
    List<Token> tokens = NumberWords.toDigits(ClosedWords.replace(TokenScanner.scan(text, 512)));
    return Clause.all(tokens).stream().map(ClauseTest::show).toList();
  }

  private static String show(Clause clause) {
    StringJoiner out = new StringJoiner(" ", clause.affirmed() ? "+ " : "- ", "");
    for (Concept concept : clause.concepts()) {
      out.add(
          concept.key()
              + switch (concept.role()) {
                case Role.DOER -> "^";
                case Role.OBJECT -> "_";
                case Role.NONE -> "";
              });
    }
    return out.toString();
  }

  @Test
  void activeAndPassiveHaveTheSameSides() {
    assertThat(read("The tenant must pay the landlord."))
        .containsExactly("+ tenant^ ~must pay landlord_");
    assertThat(read("The landlord must be paid by the tenant."))
        .containsExactly("+ landlord_ ~must pay tenant^");
    assertThat(read("Alice pays Bob.")).containsExactly("+ alic^ pay bob_");
    assertThat(read("Bob is paid by Alice.")).containsExactly("+ bob_ pay alic^");
  }

  @ParameterizedTest
  @CsvSource({
    "The tenant may not disclose the report.",
    "The tenant must not disclose the report.",
    "The tenant is not allowed to disclose the report.",
    "The tenant can't disclose the report.",
    "The tenant is prohibited from disclosing the report.",
    "The tenant has no right to disclose the report."
  })
  void whatIsForbiddenIsNotAllowed(String text) {
    assertThat(read(text)).containsExactly("- tenant^ ~may disclos report_");
  }

  @Test
  void whatIsNotRequiredIsNoProhibition() {
    assertThat(read("The tenant need not pay.")).containsExactly("- tenant^ ~must pay");
    assertThat(read("The tenant is not obliged to pay.")).containsExactly("- tenant^ ~must pay");
  }

  @Test
  void twoNegationsAffirm() {
    assertThat(read("It is not true that the tenant never pays.")).containsExactly("+ tenant^ pay");
  }

  @Test
  void theDoerOfAnImpersonalClauseIsBehindFor() {
    assertThat(read("It is forbidden for the tenant to disclose the report."))
        .containsExactly("- ~may tenant^ disclos report_");
  }

  @Test
  void adjunctsAreOnNoSideWhereverTheyStand() {
    assertThat(read("Within ten days, the tenant must pay the landlord."))
        .containsExactly("+ #10 <=#10 day tenant^ ~must pay landlord_");
    assertThat(read("The tenant must pay the landlord in 10 days or less."))
        .containsExactly("+ tenant^ ~must pay landlord_ #10 day <=#10");
  }

  @Test
  void negationEndsWithItsPartOfTheSentence() {
    assertThat(read("The tenant must not paint the door, but the landlord may sell it."))
        .containsExactly("- tenant^ ~may paint door_", "+ landlord^ ~may sell");
    assertThat(read("If the tenant does not pay, the landlord may sell the house."))
        .containsExactly("- ~if tenant^ pay", "+ landlord^ ~may sell hous_");
  }

  @Test
  void numbersInWordsAndInBracketsAreDigits() {
    assertThat(read("It costs thirty (30) euros.")).containsExactly("+ cost #30 euro");
    assertThat(read("Two thousand three hundred and five sheep.")).containsExactly("+ #2305 sheep");
    assertThat(read("1,000.50 euros, 007 times, 21st place"))
        .containsExactly("+ #1000.5 euro #7 tim #21 plac");
  }

  @Test
  void atLeastAndAtMostAreTwoThings() {
    assertThat(read("no less than 5 days")).containsExactly("+ #5 >=#5 day");
    assertThat(read("no more than 5 days")).containsExactly("+ #5 <=#5 day");
    assertThat(read("more than 5 days")).containsExactly("+ #5 >#5 day");
  }

  @Test
  void whoSaysItIsAClauseByItself() {
    List<Token> tokens =
        ClosedWords.replace(TokenScanner.scan("The text states that the tenant pays.", 512));

    assertThat(Clause.all(tokens)).extracting(Clause::saying).containsExactly(true, false);
  }

  @Test
  void aLongPartBeforeAColonIsNoMereSaying() {
    List<Token> tokens =
        TokenScanner.scan("You must meet these four conditions before distribution: keep.", 512);

    assertThat(Clause.all(tokens)).extracting(Clause::saying).containsExactly(false, false);
  }
}
