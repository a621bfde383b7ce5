package dev.parlance.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ComparisonTest {
  @TempDir Path scratch;

  private static ComparePlan plan(String command, TargetKind... targets) {
    return new ComparePlan(
        List.of(targets),
        0.15,
        2,
        List.of(200.0),
        List.of(4),
        List.of(new CorpusPlan(1, 8, 1, 1, 0)),
        0.1,
        command,
        Duration.ofSeconds(30));
  }

  private static List<Long> childrenNow() {
    return ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
  }

  @Test
  void everyTargetIsMeasuredInEveryRound_andNothingIsLeftRunning() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String standIn =
        java
            + " -cp "
            + System.getProperty("java.class.path")
            + " "
            + StandInProxy.class.getName()
            + " {config}";
    List<Long> before = childrenNow();
    List<String> progress = new ArrayList<>();
    Report report =
        new Comparison(plan(standIn, TargetKind.values()), Cores.UNPINNED, scratch, progress::add)
            .run();

    for (Scenario scenario : report.plan().scenarios()) {
      List<Report.Row> rows = report.rows(scenario);
      assertThat(rows)
          .extracting(Report.Row::target)
          .contains(TargetKind.DIRECT, TargetKind.PARLANCE_OBSERVE, TargetKind.PARLANCE_ENFORCE);
      assertThat(rows)
          .allSatisfy(row -> {
            assertThat(row.errors()).isZero();
            assertThat(row.requests()).isPositive();
            assertThat(row.cpuUsPerRequest().isPresent())
                .isEqualTo(row.target() != TargetKind.DIRECT);
          });
    }
    assertThat(report.isClean()).isTrue();
    for (TargetKind kind : List.of(TargetKind.HAPROXY, TargetKind.NGINX)) {
      boolean measured = report.samples().stream().anyMatch(s -> s.target() == kind);
      assertThat(measured).isEqualTo(Tools.find(kind.code()).isPresent());
      assertThat(report.notes().contains("skipped: " + kind.code() + " is not installed"))
          .isEqualTo(!measured);
    }
    assertThat(progress).anyMatch(line -> line.startsWith("round 2: parlance-enforce"));
    assertThat(childrenNow()).isSubsetOf(before);
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void sidecarThatEndsAtOnce_isReportedWithItsLastWords_andTheOthersAreMeasured() throws Exception {
    String command = "sh -c echo${IFS}no-such-setting>&2;exit${IFS}3";
    Report report =
        new Comparison(
                plan(command, TargetKind.DIRECT, TargetKind.PARLANCE_ENFORCE),
                Cores.UNPINNED,
                scratch,
                _ -> {})
            .run();
    assertThat(report.notes())
        .anyMatch(note -> note.startsWith("FAILED:") && note.contains("no-such-setting"));
    assertThat(report.samples()).isNotEmpty().allMatch(s -> s.target() == TargetKind.DIRECT);
    assertThat(report.isClean()).isFalse();
  }

  @Test
  void wrongOptions_areRefusedInWords_withStatus2() {
    assertThat(execute("compare", "--targets", "varnish")).startsWith("2 ").contains("varnish");
    assertThat(execute("compare", "--seconds", "NaN")).startsWith("2 ").contains("NaN");
    assertThat(execute("compare", "--rate", "fast")).startsWith("2 ").contains("fast");
    assertThat(execute("run")).startsWith("2 ").contains("--port");
  }

  private static String execute(String... args) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    int status = Main.commandLine().setOut(writer).setErr(writer).execute(args);
    return status + " " + text;
  }
}
