package dev.parlance.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.policy.commit.RoundId.RoundNames;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class RoundScriptTest {
  @Test
  void panel_isAsLargeAsItsFaultsAllow_andTwoLie() {
    assertThat(RoundScript.panel()).hasSize(7).doesNotHaveDuplicates();
    assertThat(RoundScript.panel()).allMatch(RoundNames::isName);
    assertThat(RoundScript.panel().size()).isEqualTo(3 * RoundScript.FAULTS + 1);
    assertThat(RoundScript.panel().size() - RoundScript.HONEST.size())
        .isEqualTo(RoundScript.FAULTS);
  }

  @Test
  void rounds_haveNamesOfTheirOwn_andEveryKindOfLieOccurs() {
    assertThat(RoundScript.ITEMS).hasSize(8);
    assertThat(RoundScript.ITEMS.stream().map(RoundScript.Item::name))
        .doesNotHaveDuplicates()
        .allMatch(RoundNames::isName);
    assertThat(new HashSet<>(RoundScript.ITEMS.stream().map(RoundScript.Item::rush).toList()))
        .containsExactlyInAnyOrder(RoundScript.Rush.values());
    assertThat(new HashSet<>(RoundScript.ITEMS.stream().map(RoundScript.Item::ending).toList()))
        .containsExactlyInAnyOrder(RoundScript.Ending.values());
  }

  @Test
  void onlyInTheLastRound_anHonestAgentTurns_andThatRoundIsToAbort() {
    assertThat(RoundScript.ITEMS.subList(0, 7))
        .allSatisfy(item -> {
          assertThat(item.turned()).isEmpty();
          assertThat(item.ending()).isNotEqualTo(RoundScript.Ending.NO_QUORUM);
        });
    RoundScript.Item last = RoundScript.ITEMS.getLast();
    assertThat(RoundScript.HONEST).contains(last.turned());
    assertThat(last.ending()).isEqualTo(RoundScript.Ending.NO_QUORUM);
  }

  @Test
  void rationales_differFromEachOther() {
    for (RoundScript.Item item : RoundScript.ITEMS) {
      assertThat(item.rationales()).doesNotHaveDuplicates().doesNotContain(RoundScript.POISON);
    }
  }
}
