package dev.parlance.loadtest.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.loadtest.compare.ReportTable.Range;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MachineTest {
  @Test
  void cpuTicks_areUserPlusSystem_whateverTheCommandIsCalled() {
    String rest = " S 1 1 1 0 -1 4194560 10 20 30 40 700 55 3 4 20 0 1 0 100 1 2";
    assertThat(ProcFs.cpuTicks("17 (java)" + rest)).isEqualTo(755);
    assertThat(ProcFs.cpuTicks("17 (a) b (c))" + rest)).isEqualTo(755);
    assertThat(ProcFs.cpuTicks("17 (java) S")).isEqualTo(-1);
  }

  @Test
  void machineTicks_leaveOutIdleAndWaiting() {
    assertThat(ProcFs.machineTicks("cpu  1 2 4 1000 2000 8 16 32 0 0")).isEqualTo(63);
  }

  @Test
  void ownProcess_hasCpuTimeAndMemory_andAMissingOneHasNone() {
    long own = ProcessHandle.current().pid();
    assertThat(ProcFs.cpuUs(own).orElse(0)).isPositive();
    assertThat(ProcFs.residentKb(own).orElse(0)).isPositive();
    assertThat(ProcFs.cpuUs(own, Integer.MAX_VALUE)).isEmpty();
    assertThat(ProcFs.residentKb(Integer.MAX_VALUE)).isEmpty();
  }

  @Test
  void cores_giveTheProxyOneOfItsOwn() {
    assertThat(CorePinning.parse(" 0-2,5\n")).containsExactly(0, 1, 2, 5);
    assertThat(CorePinning.plan(List.of(0))).isEqualTo(CorePinning.UNPINNED);
    assertThat(CorePinning.plan(List.of(2, 3)))
        .isEqualTo(new CorePinning(Optional.of(2), Optional.of(3), Optional.of(3)));
    assertThat(CorePinning.plan(List.of(0, 1, 2, 3)))
        .isEqualTo(new CorePinning(Optional.of(0), Optional.of(1), Optional.of(2)));
    assertThat(CorePinning.on(Optional.of(3), List.of("a")))
        .containsExactly("taskset", "-c", "3", "a");
    assertThat(CorePinning.on(Optional.empty(), List.of("a"))).containsExactly("a");
  }

  @Test
  void range_isMedianAndExtremes() {
    assertThat(Range.of(List.of(3.0, 1.0, 2.0))).contains(new Range(2, 1, 3));
    assertThat(Range.of(List.of(4.0, 1.0))).contains(new Range(2.5, 1, 4));
    assertThat(Range.of(List.of())).isEmpty();
  }
}
