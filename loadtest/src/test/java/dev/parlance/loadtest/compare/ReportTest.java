package dev.parlance.loadtest.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parlance.loadtest.compare.ComparePlan.Scenario;
import dev.parlance.loadtest.compare.ComparePlan.Subject;
import dev.parlance.loadtest.compare.Report.Sample;
import dev.parlance.loadtest.compare.ReportTable.Range;
import dev.parlance.loadtest.load.CpuWatch;
import dev.parlance.loadtest.load.ExchangeCorpus.CorpusPlan;
import dev.parlance.loadtest.load.Freshness;
import dev.parlance.loadtest.load.LoadPlan.Protocol;
import dev.parlance.loadtest.load.LoadResult;
import dev.parlance.loadtest.load.LoadResult.Outcome;
import dev.parlance.loadtest.load.LoadResult.Percentiles;
import dev.parlance.loadtest.process.GuardCount;
import dev.parlance.loadtest.process.MeasuredSidecar;
import dev.parlance.loadtest.process.TargetKind;
import dev.parlance.loadtest.process.TargetKind.Target;
import dev.parlance.loadtest.process.TargetLauncher.Launch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {
  private static final MachineFacts FACTS =
      new MachineFacts(Map.of("pinning", "proxy on core 0, load on 1, upstream on 1"));

  private static ComparePlan plan(List<TargetKind> targets, List<Double> rates) {
    return plan(targets, rates, List.of());
  }

  private static ComparePlan plan(List<TargetKind> targets, List<Double> rates, List<Goal> goals) {
    ComparePlans.Axes axes =
        new ComparePlans.Axes(
            targets,
            List.of(Freshness.SEEN),
            List.of(Protocol.HTTP1),
            List.of(4),
            rates,
            4,
            List.of(1.0));
    return new ComparePlan(
        ComparePlans.contests(axes),
        new ComparePlan.Times(1, 3, 0, 0),
        List.of(new CorpusPlan(1, 8, 1, 1, 0)),
        1000,
        goals,
        new MeasuredSidecar.Commands("unused", Optional.empty(), Duration.ofSeconds(1)));
  }

  private static Subject subject(TargetKind kind) {
    return new Subject(kind, Freshness.SEEN);
  }

  private static Target target(TargetKind kind) {
    return new Target(kind, Protocol.HTTP1);
  }

  /** 1,000 answers in one second. */
  private static LoadResult result(long proxyUs, long otherUs, long judged, long lost) {
    boolean direct = proxyUs == 0;
    return new LoadResult(
        Map.of(Outcome.ANSWERED, 1000 - lost, Outcome.LOST, lost),
        Map.of(),
        0,
        judged,
        1,
        1000,
        new Percentiles(100, 150, 200, 300, 400),
        new Percentiles(90, 140, 190, 290, 390),
        new CpuWatch.Reading(
            direct ? OptionalLong.empty() : OptionalLong.of(proxyUs),
            OptionalLong.of(950_000),
            OptionalLong.of(950_000 + proxyUs + otherUs)));
  }

  private static Report report(
      ComparePlan plan, Map<TargetKind, List<LoadResult>> results, List<Launch> further) {
    List<Launch> launches = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    for (Target target : plan.targets()) {
      TargetKind kind = target.kind();
      List<LoadResult> rounds = results.getOrDefault(kind, List.of());
      if (!rounds.isEmpty()) {
        launches.add(new Launch.Ready(target, 1, 1, List.of(), OptionalInt.empty(), List.of()));
      }
      for (int i = 0; i < rounds.size(); i++) {
        for (Scenario scenario : plan.scenarios()) {
          samples.add(
              new Sample(
                  subject(kind),
                  scenario,
                  i + 1,
                  rounds.get(i),
                  OptionalLong.of(20_480),
                  new GuardCount(2000, 9000)));
        }
      }
    }
    launches.addAll(further);
    return new Report(FACTS, plan, launches, samples);
  }

  private static Report usual() {
    return report(
        plan(
            List.of(
                TargetKind.DIRECT,
                TargetKind.PARLANCE_ENFORCE,
                TargetKind.HAPROXY,
                TargetKind.NGINX),
            List.of(1000.0)),
        Map.of(
            TargetKind.DIRECT, List.of(result(0, 0, 0, 0)),
            TargetKind.PARLANCE_ENFORCE,
                List.of(
                    result(30_000, 0, 1000, 0),
                    result(60_000, 0, 1000, 0),
                    result(24_000, 0, 1000, 0)),
            TargetKind.HAPROXY,
                List.of(result(20_000, 0, 0, 0), result(40_000, 0, 0, 0), result(20_000, 0, 0, 0))),
        List.of(new Launch.Skipped(target(TargetKind.NGINX), "nginx is not installed")));
  }

  @Test
  void ratio_isAgainstHaproxyOfTheSameRound_notOfTheMedians() {
    Report report = usual();
    Report.Row row = report.rows(report.plan().scenarios().getFirst()).getLast();
    assertThat(row.subject()).isEqualTo(subject(TargetKind.PARLANCE_ENFORCE));
    assertThat(row.cpuUsPerRequest()).contains(new Range(30, 24, 60));
    assertThat(row.ratio()).contains(new Range(1.5, 1.2, 1.5));
  }

  @Test
  void withoutHaproxy_theRatioIsAgainstNoProxy() {
    Report report =
        report(
            plan(List.of(TargetKind.DIRECT, TargetKind.PARLANCE_ENFORCE), List.of(1000.0)),
            Map.of(
                TargetKind.DIRECT, List.of(result(0, 0, 0, 0)),
                TargetKind.PARLANCE_ENFORCE, List.of(result(30_000, 0, 1000, 0))),
            List.of());
    List<Scenario> scenarios = report.plan().scenarios();
    assertThat(report.ratioLabel(scenarios.get(0))).isEqualTo("req/s, direct = 1");
    assertThat(report.ratioLabel(scenarios.get(1))).isEqualTo("p50, direct = 1");
    assertThat(report.rows(scenarios.get(1)).get(1).ratio()).contains(new Range(1, 1, 1));
  }

  @Test
  void text_showsMedianAndExtremes_andSaysWhatWasSkipped() {
    String text = new ReportWriter(usual()).text();
    assertThat(text)
        .contains("closed loop, 4 connections", "open loop at 1,000/s", "30.0 [24.0-60.0]")
        .contains("CPU, haproxy = 1", "1.50 [1.20-1.50]", "p99.9 us")
        .contains("\nSKIPPED: nginx: nginx is not installed\n")
        .contains("is the limit of its requests/s, not the proxy");
    assertThat(usual().isClean()).isTrue();
  }

  @Test
  void markdown_isATablePerLoad_withEqualColumns() {
    String markdown = new ReportWriter(usual()).markdown();
    List<String> rows = markdown.lines().filter(line -> line.startsWith("|")).toList();
    assertThat(rows).hasSize(2 * 5);
    assertThat(rows.subList(0, 5).stream().map(row -> row.chars().filter(c -> c == '|').count()))
        .containsOnly(rows.getFirst().chars().filter(c -> c == '|').count());
    assertThat(markdown).contains("| --- | ---: |", "- SKIPPED: nginx: nginx is not installed");
  }

  @Test
  void json_holdsEverySampleAndTheSummary() {
    JsonNode json = JsonMapper.builder().build().readTree(new ReportWriter(usual()).json());
    assertThat(json.path("format").asString()).isEqualTo("parlance-loadtest-2");
    assertThat(json.path("clean").asBoolean()).isTrue();
    assertThat(json.path("samples")).hasSize(14);
    assertThat(json.at("/samples/0/outcomes/answered").asInt()).isEqualTo(1000);
    assertThat(json.at("/samples/0/latencyFromDueUs/p999").asDouble()).isEqualTo(300);
    assertThat(json.at("/scenarios/0/targets/2/cpuUsPerRequest/median").asDouble()).isEqualTo(30);
    assertThat(json.at("/scenarios/1/ratePerSecond").asDouble()).isEqualTo(1000);
    assertThat(json.at("/targets/3/status").asString()).isEqualTo("skipped");
    assertThat(json.at("/targets/3/reason").asString()).isEqualTo("nginx is not installed");
  }

  @Test
  void faultsUnjudgedAnswersAndNoise_areSaidAloud_andTheFirstTwoAreNotClean() {
    Report lost =
        report(
            plan(List.of(TargetKind.HAPROXY), List.of()),
            Map.of(TargetKind.HAPROXY, List.of(result(20_000, 0, 0, 3))),
            List.of());
    assertThat(lost.notes())
        .anyMatch(note -> note.startsWith("FAULTS:") && note.endsWith("lost 3"));
    assertThat(lost.isClean()).isFalse();
    Report unjudged =
        report(
            plan(List.of(TargetKind.PARLANCE_OBSERVE), List.of()),
            Map.of(TargetKind.PARLANCE_OBSERVE, List.of(result(20_000, 400_000, 999, 0))),
            List.of());
    assertThat(unjudged.notes())
        .anyMatch(note -> note.startsWith("UNJUDGED:") && note.contains("999 of 1000"))
        .anyMatch(note -> note.startsWith("NOISY:") && note.contains("0.40 cores"));
    assertThat(unjudged.isClean()).isFalse();
  }

  @Test
  void targetThatDidNotStart_isNotClean() {
    Report report =
        report(
            plan(List.of(TargetKind.PARLANCE_ENFORCE), List.of()),
            Map.of(),
            List.of(
                new Launch.Failed(
                    target(TargetKind.PARLANCE_ENFORCE), "ended before it answered")));
    assertThat(report.isClean()).isFalse();
    assertThat(new ReportWriter(report).text()).contains("FAILED: parlance-enforce ended before");
  }

  @Test
  void unguardedAnswers_areSaidAloud_andNotClean() {
    ComparePlan plan = plan(List.of(TargetKind.PARLANCE_ENFORCE), List.of());
    Report report =
        new Report(
            FACTS,
            plan,
            List.of(),
            List.of(
                new Sample(
                    subject(TargetKind.PARLANCE_ENFORCE),
                    plan.scenarios().getFirst(),
                    1,
                    result(20_000, 0, 1000, 0),
                    OptionalLong.empty(),
                    new GuardCount(1999, 9000))));
    assertThat(report.notes())
        .anyMatch(note -> note.startsWith("UNGUARDED:") && note.contains("1999 messages"));
    assertThat(report.isClean()).isFalse();
  }

  private static Report withGoals() {
    List<TargetKind> targets =
        List.of(TargetKind.DIRECT, TargetKind.HAPROXY, TargetKind.PARLANCE_ENFORCE);
    Scenario closed = plan(targets, List.of(3000.0)).scenarios().getFirst();
    Scenario open = plan(targets, List.of(3000.0)).scenarios().getLast();
    Subject enforce = subject(TargetKind.PARLANCE_ENFORCE);
    Subject haproxy = subject(TargetKind.HAPROXY);
    Goal.Bound most = new Goal.Bound(Goal.Side.AT_MOST, 1.25);
    return report(
        plan(
            targets,
            List.of(3000.0),
            List.of(
                new Goal("judging", Goal.Figure.CPU_RATIO, closed, enforce, haproxy, most),
                new Goal(
                    "the other way",
                    Goal.Figure.CPU_RATIO,
                    closed,
                    haproxy,
                    enforce,
                    new Goal.Bound(Goal.Side.AT_LEAST, 0.6)),
                new Goal(
                    "added",
                    Goal.Figure.ADDED_P99_MS,
                    open,
                    enforce,
                    subject(TargetKind.DIRECT),
                    new Goal.Bound(Goal.Side.AT_MOST, 0.5)),
                new Goal(
                    "in Lua",
                    Goal.Figure.CPU_RATIO,
                    closed,
                    subject(TargetKind.HAPROXY_LUA),
                    enforce,
                    most))),
        Map.of(
            TargetKind.DIRECT,
            List.of(result(0, 0, 0, 0)),
            TargetKind.HAPROXY,
            List.of(result(20_000, 0, 0, 0), result(40_000, 0, 0, 0)),
            TargetKind.PARLANCE_ENFORCE,
            List.of(result(30_000, 0, 1000, 0), result(60_000, 0, 1000, 0))),
        List.of());
  }

  @Test
  void goals_areMeasuredRoundByRound_andMissingRowsAreNotReached() {
    List<Report.Verdict> verdicts = withGoals().verdicts();
    assertThat(verdicts.get(0).measured()).contains(new Range(1.5, 1.5, 1.5));
    assertThat(verdicts.get(0).isReached()).isFalse();
    assertThat(verdicts.get(1).measured().orElseThrow().median()).isEqualTo(2 / 3.0);
    assertThat(verdicts.get(1).isReached()).isTrue();
    assertThat(verdicts.get(2).measured()).contains(new Range(0, 0, 0));
    assertThat(verdicts.get(2).isReached()).isTrue();
    assertThat(verdicts.get(3).measured()).isEmpty();
    assertThat(verdicts.get(3).isReached()).isFalse();
    assertThat(withGoals().reachesGoals()).isFalse();
    assertThat(withGoals().isClean()).isTrue();
  }

  @Test
  void goalsTable_standsFirst_inMarkdownAndJson() {
    String markdown = new ReportWriter(withGoals()).markdown();
    assertThat(markdown)
        .contains("| judging | <= 1.25 | 1.50 | no |")
        .contains("| the other way | >= 0.60 | 0.67 | yes |")
        .contains("| in Lua | <= 1.25 | - | not measured |");
    assertThat(markdown.indexOf("**goals**")).isLessThan(markdown.indexOf("**closed loop"));
    JsonNode json = JsonMapper.builder().build().readTree(new ReportWriter(withGoals()).json());
    assertThat(json.path("goalsReached").asBoolean()).isFalse();
    assertThat(json.at("/goals/0/atMost").asDouble()).isEqualTo(1.25);
    assertThat(json.at("/goals/1/atLeast").asDouble()).isEqualTo(0.6);
    assertThat(json.at("/goals/0/measured/median").asDouble()).isEqualTo(1.5);
    assertThat(json.at("/goals/1/reached").asBoolean()).isTrue();
    assertThat(json.at("/goals/3").has("measured")).isFalse();
    assertThat(json.at("/scenarios/0/protocol").asString()).isEqualTo("http1");
    assertThat(json.at("/scenarios/0/targets/2/evidence").asString()).isEqualTo("seen");
    assertThat(json.at("/scenarios/0/targets/2/guardedMessages").asInt()).isEqualTo(4000);
    assertThat(json.at("/scenarios/0/targets/1").has("evidence")).isFalse();
  }

  private static Report openLoop(Map<Outcome, Long> outcomes, Map<Outcome, Long> warmup) {
    ComparePlan plan = plan(List.of(TargetKind.HAPROXY), List.of(3000.0));
    LoadResult late =
        new LoadResult(
            outcomes,
            warmup,
            0,
            0,
            1,
            1000,
            new Percentiles(100, 150, 200, 300, 400),
            new Percentiles(90, 140, 190, 290, 390),
            CpuWatch.Reading.EMPTY);
    return new Report(
        FACTS,
        plan,
        List.of(),
        List.of(
            new Sample(
                subject(TargetKind.HAPROXY),
                plan.scenarios().getLast(),
                1,
                late,
                OptionalLong.empty(),
                GuardCount.NONE)));
  }

  @Test
  void rateThatATargetDoesNotKeep_isSaid_andNoFault_unlessSomethingElseWasWrong() {
    Map<Outcome, Long> late =
        Map.of(Outcome.ANSWERED, 1000L, Outcome.UNSENT, 1900L, Outcome.TIMED_OUT, 64L);
    Report overloaded = openLoop(late, Map.of(Outcome.TIMED_OUT, 3L));
    assertThat(overloaded.notes())
        .anyMatch(note ->
            note.startsWith("OVERLOADED: haproxy")
                && note.contains("only 1,000 answers a second")
                && note.contains("timedOut in the warm-up 3"));
    assertThat(overloaded.isClean()).isTrue();
    Report wrong = openLoop(late, Map.of(Outcome.WRONG_ID, 1L));
    assertThat(wrong.notes())
        .anyMatch(note -> note.startsWith("FAULTS:") && note.contains("wrongId in the warm-up 1"));
    assertThat(wrong.isClean()).isFalse();
  }
}
