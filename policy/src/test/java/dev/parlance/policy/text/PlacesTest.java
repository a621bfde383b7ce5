package dev.parlance.policy.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlacesTest {
  @Test
  void everyNumberHasAPlaceOfItsOwn() {
    SplittableRandom random = new SplittableRandom(20261122);
    for (int count : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 13, 27, 106, 107, 1_000, 6_826, 200_000}) {
      for (int round = 0; round < (count < 2_000 ? 50 : 2); round++) {
        long[] hashes = random.longs(count).toArray();
        Places places = Places.of(hashes).orElseThrow();
        BitSet taken = new BitSet();
        for (long hash : hashes) {
          assertThat(places.of(hash)).isBetween(0, places.count() - 1);
          taken.set(places.of(hash));
        }
        assertThat(taken.cardinality()).isEqualTo(count);
        assertThat(places.count()).isBetween(count, Math.max(4, 12 * count / 5));
        assertThat(places.memoryBytes()).isLessThanOrEqualTo(Math.max(8L, 2L * count));
        assertThat(places.of(random.nextLong())).isBetween(0, places.count() - 1);
      }
    }
  }

  @Test
  void numbersThatNothingTellsApart_haveNoPlaces() {
    assertThat(Places.of(new long[] {5, 9, 5})).isEmpty();
    assertThat(Places.of(new long[] {5, 5 | 1L << 40})).isEmpty();
  }
}
