package dev.parlance.proxy.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FingerprintTableTest {
  private static final long MS = 1_000_000;

  /** Lasts ten seconds; a value is its own rank. */
  private static final FingerprintTable.Meaning MEANING =
      new FingerprintTable.Meaning() {
        @Override
        public boolean isOver(long value, long ageMs) {
          return ageMs > 10_000;
        }

        @Override
        public int rank(long value) {
          return (int) value;
        }

        @Override
        public boolean hasValues() {
          return true;
        }
      };

  private static Fingerprint of(int number) {
    return new Fingerprint().add("entry").add(Integer.toString(number));
  }

  private static long put(FingerprintTable table, int number, long value, long nowMs) {
    return table.change(of(number), nowMs * MS, (_, _) -> value);
  }

  @Test
  void withinItsRoom_itIsLikeAMap_whateverHappens() {
    for (int seed = 0; seed < 5; seed++) {
      var random = new Random(seed);
      var table = new FingerprintTable(20_000, MEANING);
      Map<Integer, long[]> model = new HashMap<>();
      long nowMs = random.nextLong(1L << 50);
      for (int i = 0; i < 60_000; i++) {
        int number = random.nextInt(12_000);
        // Whole ticks, so that times are exact.
        nowMs += random.nextInt(1000) == 0 ? 1000 : 0;
        long[] old = model.getOrDefault(number, new long[] {nowMs - 20_000, 0});
        boolean known = nowMs - old[0] <= 10_000;
        assertThat(table.contains(of(number), nowMs * MS)).isEqualTo(known);
        if (random.nextBoolean()) {
          long expected = known ? old[1] + 1 : 1;
          long changed =
              table.change(
                  of(number),
                  nowMs * MS,
                  (found, value) -> {
                    assertThat(found).isEqualTo(known);
                    return value + 1;
                  });
          assertThat(changed).isEqualTo(expected);
          model.put(number, new long[] {nowMs, changed});
        }
      }
    }
  }

  @Test
  void nearlyAllSlots_fillBeforeOneGivesWay() {
    var table = new FingerprintTable(100_000, MEANING);
    for (int i = 0; i < 90_000; i++) {
      put(table, i, 0, 0);
    }
    int kept = 0;
    for (int i = 0; i < 90_000; i++) {
      kept += table.contains(of(i), 0) ? 1 : 0;
    }
    // hashes are keyed anew in each process; 89,808 were kept once, 89,285 another time
    assertThat(kept).isGreaterThan(88_500);
    assertThat(table.size()).isEqualTo(kept);
  }

  @Test
  void pastTheBound_theLowestRankGoes_andThenTheOldest() {
    var table = new FingerprintTable(16, MEANING);
    for (int i = 0; i < 16; i++) {
      put(table, i, i == 3 ? 1 : 0, i * 100L);
    }
    put(table, 0, 0, 2000);
    for (int i = 16; i < 30; i++) {
      put(table, i, 0, 2000 + i * 100L);
    }
    assertThat(table.size()).isEqualTo(16);
    assertThat(table.contains(of(3), 5000 * MS)).as("rank").isTrue();
    assertThat(table.contains(of(0), 5000 * MS)).as("used lately").isTrue();
    assertThat(table.contains(of(1), 5000 * MS)).isFalse();
    assertThat(table.contains(of(15), 5000 * MS)).isFalse();
    assertThat(table.contains(of(29), 5000 * MS)).isTrue();
  }

  @Test
  void whatIsOver_givesWayFirst_whateverItsRank() {
    var table = new FingerprintTable(16, MEANING);
    for (int i = 0; i < 16; i++) {
      put(table, i, i == 3 ? 9 : 0, i == 3 ? 0 : 9000);
    }
    put(table, 100, 0, 12_000);
    for (int i = 0; i < 16; i++) {
      assertThat(table.contains(of(i), 12_000 * MS)).isEqualTo(i != 3);
    }
  }

  @Test
  void manyThreads_loseNoChange() throws Exception {
    var table = new FingerprintTable(5_000, MEANING);
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < 30_000; i++) {
                  table.change(of(i % 3_000), 0, (_, value) -> value + 1);
                }
              });
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (int i = 0; i < 3_000; i++) {
      assertThat(table.change(of(i), 0, (_, value) -> value)).isEqualTo(40);
    }
  }

  @Test
  void roomForNothing_isRefused() {
    assertThatThrownBy(() -> new FingerprintTable(0, MEANING))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
