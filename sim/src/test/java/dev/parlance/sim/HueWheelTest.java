package dev.parlance.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.parlance.policy.core.TermVerdict;
import dev.parlance.sim.HueWheel.Speaker;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HueWheelTest {
  private static final int RED = HueWheel.TERMS.indexOf("red");

  @Test
  void aTerm_appliesWithinItsArc_alsoAcrossZero() {
    assertThat(HueWheel.REGULAR.covers(RED, 0.0)).isTrue();
    assertThat(HueWheel.REGULAR.covers(RED, 50.4)).isTrue();
    assertThat(HueWheel.REGULAR.covers(RED, 50.6)).isFalse();
    assertThat(HueWheel.REGULAR.covers(RED, 309.6)).isTrue();
    assertThat(HueWheel.REGULAR.covers(RED, 309.4)).isFalse();
    assertThat(HueWheel.REGULAR.covers(RED, 180.0)).isFalse();
  }

  @Test
  void everyTerm_coversItsShareOfTheCircle_howeverItIsTurned() {
    for (double turn : new double[] {0.0, 18.0, 198.0, 342.0}) {
      HueWheel wheel = HueWheel.REGULAR.turned(turn);
      for (int term = 0; term < HueWheel.TERMS.size(); term++) {
        int covered = 0;
        for (int hue = 0; hue < 36_000; hue++) {
          covered += wheel.covers(term, hue / 100.0) ? 1 : 0;
        }
        assertThat(covered / 100.0).isCloseTo(101.0, within(0.05));
      }
    }
  }

  @Test
  void adopting_takesOneTermOver() {
    HueWheel drifted = HueWheel.REGULAR.turned(RED, 30.0);
    assertThat(drifted.covers(RED, 80.0)).isTrue();
    assertThat(drifted.adopting(RED, HueWheel.REGULAR).covers(RED, 80.0)).isFalse();
    assertThat(HueWheel.REGULAR.adopting(RED, drifted).covers(RED, 80.0)).isTrue();
  }

  @Test
  void noise_neutralisesFivePercent_andFlipsOnePercentOfTheRest() {
    SplittableRandom random = new SplittableRandom(71);
    Map<TermVerdict, Integer> counts = new EnumMap<>(TermVerdict.class);
    Speaker speaker = new Speaker(HueWheel.REGULAR);
    for (int i = 0; i < 400_000; i++) {
      counts.merge(speaker.verdict(RED, 0.0, random), 1, Integer::sum);
    }
    assertThat(share(counts, TermVerdict.NEUTRAL)).isCloseTo(0.05, within(0.002));
    assertThat(share(counts, TermVerdict.DISSENT)).isCloseTo(0.0095, within(0.0008));
  }

  @Test
  void highDivergence_takesEveryTurnOnceInTwentyRuns() {
    List<HueWheel> wheels = Condition.HIGH_DIVERGENCE.secondAgents(45, new SplittableRandom(72));
    assertThat(wheels).hasSize(45);
    for (int block = 0; block < 40; block += 20) {
      Set<Integer> turns = new HashSet<>();
      for (HueWheel wheel : wheels.subList(block, block + 20)) {
        turns.add(firstHueOfRed(wheel));
      }
      assertThat(turns).hasSize(20);
    }
  }

  @Test
  void moderateDrift_turnsTwoTerms_noiseOnlyNone() {
    for (HueWheel wheel : Condition.MODERATE_DRIFT.secondAgents(50, new SplittableRandom(73))) {
      int turned = 0;
      for (int term = 0; term < HueWheel.TERMS.size(); term++) {
        boolean differs = false;
        for (int hue = 0; hue < 360; hue++) {
          differs |= wheel.covers(term, hue) != HueWheel.REGULAR.covers(term, hue);
        }
        turned += differs ? 1 : 0;
      }
      assertThat(turned).isEqualTo(2);
    }
    assertThat(Condition.NOISE_ONLY.secondAgents(3, new SplittableRandom(74)))
        .containsOnly(HueWheel.REGULAR);
  }

  private static int firstHueOfRed(HueWheel wheel) {
    for (int hue = 0; hue < 360; hue++) {
      if (wheel.covers(RED, hue) && !wheel.covers(RED, (hue + 359) % 360)) {
        return hue;
      }
    }
    throw new AssertionError("red applies nowhere");
  }

  private static double share(Map<TermVerdict, Integer> counts, TermVerdict verdict) {
    return counts.getOrDefault(verdict, 0) / 400_000.0;
  }
}
