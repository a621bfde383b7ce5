package dev.parlance.policy.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StimulusMeaningTest {
  @Test
  void meaning_isTheEventsByVerdict_ofThisAgentAndTerm() {
    List<WitnessedTest> tests =
        List.of(
            test("alice", "e1", "notice", TermVerdict.ASSENT),
            test("alice", "e2", "notice", TermVerdict.DISSENT),
            test("alice", "e3", "notice", TermVerdict.NEUTRAL),
            test("bob", "e4", "notice", TermVerdict.ASSENT),
            test("alice", "e5", "liability", TermVerdict.ASSENT));
    StimulusMeaning meaning = StimulusMeaning.of("alice", "notice", tests);
    assertThat(meaning).isEqualTo(new StimulusMeaning(Set.of("e1"), Set.of("e2"), Set.of("e3")));
    assertThat(meaning.decided()).isEqualTo(2);
  }

  @Test
  void S11_ofTwoTestsOnOneEvent_theFirstCounts() {
    StimulusMeaning meaning =
        StimulusMeaning.of(
            "alice",
            "notice",
            List.of(
                test("alice", "e1", "notice", TermVerdict.DISSENT),
                test("alice", "e1", "notice", TermVerdict.ASSENT)));
    assertThat(meaning).isEqualTo(new StimulusMeaning(Set.of(), Set.of("e1"), Set.of()));
  }

  @Test
  void anEventWithTwoVerdicts_isRefused() {
    assertThatThrownBy(() -> new StimulusMeaning(Set.of("e1"), Set.of("e1"), Set.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tallyOfTwoMeanings_isTheTallyOfTheirVerdicts_onCommonEvents() {
    Random random = new Random(61);
    TermVerdict[] all = TermVerdict.values();
    for (int run = 0; run < 100; run++) {
      List<WitnessedTest> tests = new ArrayList<>();
      List<TermVerdict> first = new ArrayList<>();
      List<TermVerdict> second = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        TermVerdict one = all[random.nextInt(3)];
        TermVerdict other = all[random.nextInt(3)];
        boolean isOneAsked = random.nextInt(4) > 0;
        boolean isOtherAsked = random.nextInt(4) > 0;
        if (isOneAsked) {
          tests.add(test("alice", "e" + i, "notice", one));
        }
        if (isOtherAsked) {
          tests.add(test("bob", "e" + i, "notice", other));
        }
        if (isOneAsked && isOtherAsked) {
          first.add(one);
          second.add(other);
        }
      }
      StimulusMeaning alice = StimulusMeaning.of("alice", "notice", tests);
      StimulusMeaning bob = StimulusMeaning.of("bob", "notice", tests);
      assertThat(alice.against(bob)).isEqualTo(Tally.of(first, second));
      assertThat(bob.against(alice)).isEqualTo(alice.against(bob));
    }
  }

  @Test
  void divergence_isContradictoryBetweenDecided_contraryAgainstNeutral() {
    assertThat(Divergence.between(TermVerdict.ASSENT, TermVerdict.DISSENT))
        .isEqualTo(Divergence.CONTRADICTORY);
    assertThat(Divergence.between(TermVerdict.DISSENT, TermVerdict.ASSENT))
        .isEqualTo(Divergence.CONTRADICTORY);
    assertThat(Divergence.between(TermVerdict.NEUTRAL, TermVerdict.ASSENT))
        .isEqualTo(Divergence.CONTRARY);
    assertThat(Divergence.between(TermVerdict.DISSENT, TermVerdict.NEUTRAL))
        .isEqualTo(Divergence.CONTRARY);
    for (TermVerdict verdict : TermVerdict.values()) {
      assertThat(Divergence.between(verdict, verdict)).isEqualTo(Divergence.NONE);
    }
  }

  private static WitnessedTest test(String agent, String event, String term, TermVerdict verdict) {
    return new WitnessedTest(agent, event, term, verdict);
  }
}
