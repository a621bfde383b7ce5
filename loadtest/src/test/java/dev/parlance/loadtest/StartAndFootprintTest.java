package dev.parlance.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.loadtest.FootprintCommand.GcPauses;
import dev.parlance.loadtest.StartCommand.StartRun.StartedOnce;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartAndFootprintTest {
  private static StartedOnce started(double readyMs, List<Double> slots, double steadyUs) {
    return new StartedOnce(100, 150, readyMs, 300, 70, slots, steadyUs);
  }

  @Test
  void theFirstSecond_isItsWorseHalf_overTheSteadyState() {
    assertThat(started(200, List.of(900.0, 1200.0, 9000.0), 400).firstSecondRatio()).isEqualTo(3);
    assertThat(started(200, List.of(), 400).firstSecondRatio()).isZero();
    assertThat(started(200, List.of(900.0), 0).firstSecondRatio()).isZero();
  }

  @Test
  void aSummary_hasMediansAndSpread() {
    String text =
        StartCommand.summary(
            List.of(
                started(300, List.of(800.0), 400),
                started(200, List.of(400.0), 400),
                started(250, List.of(1200.0), 400)));
    assertThat(text)
        .containsPattern("ready, ms +median +250\\.0 +\\[200\\.0 - 300\\.0]")
        .containsPattern("first second / steady +median +2\\.0 +\\[1\\.0 - 3\\.0]");
  }

  @Test
  void pauses_areReadFromTheLog() {
    GcPauses pauses =
        GcPauses.of(
            List.of(
                "[0.005s] Using Serial",
                "[1.2s] GC(0) Pause Young (Allocation Failure) 3M->1M(11M) 1.500ms",
                "[2.2s] GC(1) Pause Full (System.gc()) 3M->1M(11M) 6.250ms",
                "[2.3s] GC(2) Pause Young (Allocation Failure) 3M->1M(11M) 0.500ms"));
    assertThat(pauses.sortedMs()).containsExactly(0.5, 1.5, 6.25);
    assertThat(pauses.percentile(50)).isEqualTo(1.5);
    assertThat(pauses.percentile(99.9)).isEqualTo(6.25);
    assertThat(new GcPauses(List.of()).percentile(99.9)).isZero();
  }
}
