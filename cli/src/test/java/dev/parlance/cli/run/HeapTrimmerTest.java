package dev.parlance.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapTrimmerTest {
  private static final long REST = SidecarRun.HeapTrimmer.REST_MS;

  @Test
  void atRestAfterWork_oneCollectionIsDue_andNoSecond() {
    SidecarRun.HeapTrimmer idle = new SidecarRun.HeapTrimmer(3, 0);
    assertThat(idle.isDue(3, REST - 1)).isFalse();
    assertThat(idle.isDue(3, REST)).isTrue();
    idle.collected(4);
    assertThat(idle.isDue(4, 100 * REST)).isFalse();
  }

  @Test
  void whileThereIsWork_noneIsDue() {
    SidecarRun.HeapTrimmer idle = new SidecarRun.HeapTrimmer(0, 0);
    for (int i = 1; i < 100; i++) {
      assertThat(idle.isDue(i, i * REST)).isFalse();
    }
    assertThat(idle.isDue(99, 100 * REST)).isTrue();
  }

  @Test
  void moreWork_makesItDueAgain() {
    SidecarRun.HeapTrimmer idle = new SidecarRun.HeapTrimmer(0, 0);
    assertThat(idle.isDue(0, REST)).isTrue();
    idle.collected(1);
    assertThat(idle.isDue(2, 2 * REST)).isFalse();
    assertThat(idle.isDue(2, 3 * REST)).isTrue();
  }
}
