package dev.parlance.policy.pact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.pact.PactState.End;
import dev.parlance.policy.pact.PactState.Phase;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a pact ends of which only the signed note is known. */
class PactEndingsTest {
  private static final PactState ACTIVE =
      PactState.attested(
          "p",
          "n",
          "a",
          "b",
          List.of(
              new Predicate("fail", "failure", ""),
              new Predicate("term", "termination", "notice_ms=100")),
          1_000,
          2_000,
          "00");

  private static PactMachine.Step dissolve(PactState state, long at, String from, String reason) {
    return PactMachine.step(
        state,
        new PactEvent.Message(
            at,
            from,
            "",
            new PactEvent.Dissolution("p", reason, Optional.of("fail"), OptionalLong.empty())));
  }

  private static Optional<End> ended(String reason, String... responsible) {
    return Optional.of(new End(reason, List.of(responsible).stream().findFirst()));
  }

  @Test
  void completion_wantsOneMessageOfEachParty() {
    PactState once = dissolve(ACTIVE, 1_100, "a", "work_completed").next();
    assertThat(once.phase()).isEqualTo(Phase.ACTIVE);
    assertThat(dissolve(once, 1_200, "a", "work_completed").next().phase()).isEqualTo(Phase.ACTIVE);
    PactState twice = dissolve(once, 1_200, "b", "work_completed").next();
    assertThat(twice.phase()).isEqualTo(Phase.DISSOLVED);
    assertThat(twice.end()).isEqualTo(ended("work_completed"));
  }

  @Test
  void privateFailurePredicate_isNamedByItsId() {
    assertThat(dissolve(ACTIVE, 1_100, "a", "work_failed").next().end())
        .isEqualTo(ended("work_failed"));
  }

  @Test
  void withdrawal_keepsToTheNotice() {
    assertThat(dissolve(ACTIVE, 1_100, "a", "party_withdrew").fault())
        .contains(PactFault.NOTICE_NOT_GIVEN);
  }

  @ParameterizedTest
  @CsvSource({
    // body, when it takes effect, whether that is long enough
    "notice_ms=100,                                      1200, true",
    "max_messages=9;notice_ms=100;ledger=a,              1199, false",
    "notice_ms=300;notice_ms=100,                        1399, false",
    "notice_ms=999999999999999999,        1000000000000001098, false",
    "notice_ms=999999999999999999,        1000000000000001099, true",
    "notice_ms=9223372036854775807,       9223372036854775807, false",
    "notice_ms=99999999999999999999999,   9223372036854775807, false",
    "notice_ms=00000000000000000000000,   9223372036854775807, false",
    "pre_notice_ms=100,                                  1100, true",
    "notice_ms=100x,                                     1100, true",
  })
  void notice_isTheLongestThatABodyNames_howeverManyDigitsItHas(
      String body, long effectiveMs, boolean isGiven) {
    PactState active =
        PactState.attested(
            "p", "n", "a", "b", List.of(new Predicate("t", "termination", body)), 1, 2_000, "00");
    PactMachine.Step step =
        PactMachine.step(
            active,
            new PactEvent.Message(
                1_100,
                "a",
                "",
                new PactEvent.Dissolution(
                    "p", "party_withdrew", Optional.empty(), OptionalLong.of(effectiveMs))));
    assertThat(step.fault().isEmpty()).isEqualTo(isGiven);
  }

  @Test
  void time_endsItOnce() {
    PactState expired =
        PactMachine.step(ACTIVE, new PactEvent.Clock(2_000, Optional.of("b"))).next();
    assertThat(expired.end()).isEqualTo(ended("timeout", "b"));
    assertThat(dissolve(expired, 2_001, "a", "work_completed").fault()).contains(PactFault.CLOSED);
  }
}
