package dev.parlance.ledger.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DrawTest {
  private static final List<String> POOL = IntStream.range(0, 10).mapToObj(i -> "e:" + i).toList();

  private static byte[] seed() {
    byte[] seed = new byte[Draw.SEED_BYTES];
    for (int i = 0; i < seed.length; i++) {
      seed[i] = (byte) i;
    }
    return seed;
  }

  /** Computed with Python's hashlib. */
  @Test
  void theOrderIsThatOfTheHashes() {
    assertThat(Draw.of(seed(), "derivative work", POOL, Set.of(), 10))
        .containsExactly("e:9", "e:7", "e:2", "e:4", "e:3", "e:5", "e:8", "e:6", "e:1", "e:0");
    assertThat(Draw.commitment(seed()))
        .isEqualTo("630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
  }

  @Test
  void usedEventsAreLeftOut_andAShortPoolGivesWhatItHas() {
    assertThat(Draw.of(seed(), "derivative work", POOL, Set.of("e:9", "e:2"), 3))
        .containsExactly("e:7", "e:4", "e:3");
    assertThat(Draw.of(seed(), "derivative work", POOL.subList(0, 2), Set.of(), 5))
        .containsExactly("e:1", "e:0");
  }

  @Test
  void anotherTermGetsOtherEvents() {
    assertThat(Draw.of(seed(), "notice", POOL, Set.of(), 10))
        .containsExactlyInAnyOrderElementsOf(POOL)
        .isNotEqualTo(Draw.of(seed(), "derivative work", POOL, Set.of(), 10));
  }

  @Test
  void aSeedOfAnotherLength_isRefused() {
    assertThatThrownBy(() -> Draw.of(new byte[31], "notice", POOL, Set.of(), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
