package dev.parlance.loadtest.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.loadtest.LoadTestMain;
import dev.parlance.loadtest.compare.ComparePlan.Scenario;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.Freshness;
import dev.parlance.loadtest.load.LoadPlan.Pace;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.process.CorePinning;
import dev.parlance.loadtest.process.InstalledPrograms;
import dev.parlance.loadtest.process.MeasuredSidecar;
import dev.parlance.loadtest.process.TargetKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
@Timeout(60)
class ComparisonTest {
  private static final TargetKind[] COMPARED =
      Arrays.stream(TargetKind.values())
          .filter(kind -> !kind.isOfTheMesh())
          .toArray(TargetKind[]::new);

  @TempDir Path scratch;

  private static ComparePlan plan(String command, TargetKind... targets) {
    ComparePlans.Axes axes =
        new ComparePlans.Axes(
            List.of(targets),
            List.of(Freshness.NEW, Freshness.SEEN),
            List.of(Protocol.HTTP1),
            List.of(4),
            List.of(200.0),
            4,
            List.of(1.0));
    return new ComparePlan(
        ComparePlans.contests(axes),
        new ComparePlan.Times(0.15, 2, 0.1, 0),
        List.of(new CorpusPlan(1, 8, 1, 1, 0)),
        20,
        List.of(),
        new MeasuredSidecar.Commands(command, Optional.empty(), Duration.ofSeconds(30)));
  }

  private static String standIn() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return java
        + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "
        + System.getProperty("java.class.path")
        + " "
        + StandInProxy.class.getName()
        + " {config}";
  }

  private static List<Long> childrenNow() {
    return ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
  }

  @Test
  void everyTargetIsMeasuredInEveryRound_andNothingIsLeftRunning() throws Exception {
    List<Long> before = childrenNow();
    List<String> progress = new ArrayList<>();
    Report report =
        new Comparison(plan(standIn(), COMPARED), CorePinning.UNPINNED, scratch, progress::add)
            .run();

    for (Scenario scenario : report.plan().scenarios()) {
      List<Report.Row> rows = report.rows(scenario);
      assertThat(rows)
          .extracting(row -> row.subject().label())
          .contains(
              "direct",
              "parlance-forward",
              "parlance-observe, new",
              "parlance-observe, seen",
              "parlance-enforce, new",
              "parlance-enforce, seen");
      assertThat(rows)
          .allSatisfy(row -> {
            assertThat(row.errors()).isZero();
            assertThat(row.requests()).isPositive();
            assertThat(row.cpuUsPerRequest().isPresent())
                .isEqualTo(row.subject().kind() != TargetKind.DIRECT);
          });
    }
    assertThat(report.isClean()).isTrue();
    for (TargetKind kind : List.of(TargetKind.HAPROXY, TargetKind.NGINX)) {
      boolean measured = report.samples().stream().anyMatch(s -> s.subject().kind() == kind);
      assertThat(measured).isEqualTo(InstalledPrograms.find(kind.code()).isPresent());
      assertThat(report.notes())
          .filteredOn(note -> note.startsWith("SKIPPED: " + kind.code() + ": "))
          .hasSize(measured ? 0 : 1)
          .allMatch(note -> note.contains("is not installed (apt-get install"));
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
                plan(command, TargetKind.DIRECT, TargetKind.PARLANCE_OBSERVE),
                CorePinning.UNPINNED,
                scratch,
                _ -> {})
            .run();
    assertThat(report.notes())
        .anyMatch(note -> note.startsWith("FAILED:") && note.contains("no-such-setting"));
    assertThat(report.samples())
        .isNotEmpty()
        .allMatch(s -> s.subject().kind() == TargetKind.DIRECT);
    assertThat(report.isClean()).isFalse();
  }

  @Test
  void aBaseline_isMeasuredBesideOurs_pairedByRound() throws Exception {
    ComparePlan ours = plan("unused", TargetKind.PARLANCE_ENFORCE);
    ComparePlan both =
        new ComparePlan(
                ours.contests(),
                ours.times(),
                ours.corpora(),
                ours.coreTerms(),
                List.of(),
                new MeasuredSidecar.Commands(
                    standIn(), Optional.of(standIn()), Duration.ofSeconds(30)))
            .besideBaseline();
    Report report = new Comparison(both, CorePinning.UNPINNED, scratch, _ -> {}).run();
    assertThat(report.isClean()).isTrue();
    assertThat(report.rows(both.scenarios().getFirst()))
        .extracting(row -> row.subject().label())
        .containsExactly(
            "parlance-enforce, new",
            "parlance-enforce@baseline, new",
            "parlance-enforce, seen",
            "parlance-enforce@baseline, seen");
    // The few requests of the open loop may take less than a tick of the processor's clock.
    assertThat(report.verdicts())
        .hasSize(4)
        .filteredOn(verdict -> verdict.goal().scenario().pace() instanceof Pace.ClosedLoop)
        .hasSize(2)
        .allMatch(verdict -> verdict.measured().isPresent());
    assertThat(new ReportWriter(report).json())
        .contains("\"target\" : \"parlance-enforce@baseline\"");
  }

  @Test
  void wrongOptions_areRefusedInWords_withStatus2() {
    assertThat(execute("compare", "--targets", "varnish")).startsWith("2 ").contains("varnish");
    assertThat(execute("compare", "--seconds", "NaN")).startsWith("2 ").contains("NaN");
    assertThat(execute("compare", "--rate", "fast")).startsWith("2 ").contains("fast");
    assertThat(execute("compare", "--evidence", "old")).startsWith("2 ").contains("new, seen");
    assertThat(execute("compare", "--protocol", "spdy")).startsWith("2 ").contains("http1, h2");
    assertThat(execute("compare", "--plan", "goals", "--rate", "5"))
        .startsWith("2 ")
        .contains("--rate");
    assertThat(execute("compare", "--rate", "none", "--connections", "none"))
        .startsWith("2 ")
        .contains("connections");
  }

  private static String execute(String... args) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    int status = LoadTestMain.commandLine().setOut(writer).setErr(writer).execute(args);
    return status + " " + text;
  }
}
