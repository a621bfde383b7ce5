package dev.parlance.policy.claim.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PositionsTest {
  private static final int REACH = ClaimMeasure.NEAR_UNITS;

  @Test
  void nextAmong_losesNoStretchThatHasMore() {
    Random random = new Random(20_261_127);
    Positions positions = new Positions();
    int passedOver = 0;
    for (int round = 0; round < 2_000; round++) {
      int length = 1 + random.nextInt(6_000);
      BitSet set = new BitSet();
      positions.clear();
      for (int i = random.nextInt(120); i >= 0; i--) {
        // Some stand together, as the words of a sentence do.
        int at = i % 3 == 0 ? random.nextInt(length) : length / 2 + random.nextInt(150);
        set.set(at);
        positions.add(at);
      }
      int few = random.nextInt(5);
      int most = few;
      BitSet seen = new BitSet();
      for (int p = positions.nextAmong(0, most); p >= 0; p = positions.nextAmong(p + 1, most)) {
        assertThat(set.get(p)).isTrue();
        seen.set(p);
        most = Math.max(most, before(seen, p));
      }
      int expected = set.stream().map(p -> before(set, p)).max().orElse(0);
      assertThat(most).isEqualTo(Math.max(few, expected));
      passedOver += set.cardinality() - seen.cardinality();
    }
    assertThat(passedOver).isPositive();
  }

  /** How many positions stand in the stretch that ends with one. */
  private static int before(BitSet set, int end) {
    return set.get(Math.max(0, end - REACH), end + 1).cardinality();
  }
}
