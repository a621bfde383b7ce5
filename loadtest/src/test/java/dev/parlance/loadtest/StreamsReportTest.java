package dev.parlance.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class StreamsReportTest {
  private static final MemoryUse IDLE = new MemoryUse(20, 16, 150);
  private static final MemoryUse BOUND = new MemoryUse(8, 16, 96);

  private static StreamsReport.Memory held(MemoryUse use, MemoryUse peak) {
    return new StreamsReport.Memory("window", "a long stream", use, peak, BOUND, IDLE);
  }

  @Test
  void memoryInsideItsBounds_isNoFault_andGarbageOnTheHeapDoesNotCount() {
    MemoryUse use = new MemoryUse(27, 20, 200);
    assertThat(held(use, new MemoryUse(250, 31, 260)).faults()).isEmpty();
  }

  @Test
  void everyBoundThatIsBroken_isNamed() {
    StreamsReport report =
        new StreamsReport(
            List.of(),
            List.of(held(new MemoryUse(29, 20, 247), new MemoryUse(250, 33, 260))),
            List.of("observe: 1 streams were not whole"));
    assertThat(report.allFaults())
        .containsExactly(
            "observe: 1 streams were not whole",
            "window, a long stream: heap grew by 9.0 MiB, the bound is 8.0",
            "window, a long stream: direct memory grew by 17.0 MiB, the bound is 16.0",
            "window, a long stream: resident memory grew by 97.0 MiB, the bound is 96.0");
    assertThat(report.memoryTable().markdown()).contains("| 29.0 (+9.0, 8) |");
  }

  @Test
  void delays_areTables_withMediansAndQuartiles() {
    Range quartiles = StreamsRun.quartiles(5, 1, 4, 2, 3);
    assertThat(quartiles).isEqualTo(new Range(3, 2, 4));
    StreamsReport report =
        new StreamsReport(
            List.of(
                new StreamsReport.Delay(
                    "observe", "first byte", quartiles, quartiles, quartiles, quartiles)),
            List.of(),
            List.of());
    assertThat(report.delayTable().text()).contains("3 [2-4]", "3.00 [2.00-4.00]");
  }

  @Test
  void metric_isReadByItsWholeName() {
    String text = "# TYPE a gauge\na_b 1\na 2.5E7\n";
    assertThat(MemoryUse.metric(text, "a").orElseThrow()).isCloseTo(2.5e7, within(1e-9));
    assertThat(MemoryUse.metric(text, "c")).isEmpty();
  }
}
