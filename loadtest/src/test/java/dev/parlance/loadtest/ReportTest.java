package dev.parlance.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {
  private static final Facts FACTS =
      new Facts(Map.of("pinning", "proxy on core 0, load on 1, upstream on 1"));

  private static ComparePlan plan(List<TargetKind> targets, List<Double> rates) {
    return new ComparePlan(
        targets,
        1,
        3,
        rates,
        List.of(4),
        List.of(new CorpusPlan(1, 8, 1, 1, 0)),
        0,
        "unused",
        Duration.ofSeconds(1));
  }

  /** 1,000 answers in one second. */
  private static LoadResult result(long proxyUs, long otherUs, long judged, long lost) {
    boolean direct = proxyUs == 0;
    return new LoadResult(
        Map.of(Outcome.ANSWERED, 1000 - lost, Outcome.LOST, lost),
        0,
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
    for (TargetKind kind : plan.targets()) {
      List<LoadResult> rounds = results.getOrDefault(kind, List.of());
      if (!rounds.isEmpty()) {
        launches.add(new Launch.Ready(kind, 1, Optional.empty(), List.of()));
      }
      for (int i = 0; i < rounds.size(); i++) {
        for (Scenario scenario : plan.scenarios()) {
          samples.add(new Sample(kind, scenario, i + 1, rounds.get(i), OptionalLong.of(20_480)));
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
        List.of(new Launch.Skipped(TargetKind.NGINX, "nginx is not installed")));
  }

  @Test
  void ratio_isAgainstHaproxyOfTheSameRound_notOfTheMedians() {
    Report report = usual();
    Report.Row row = report.rows(report.plan().scenarios().getFirst()).get(1);
    assertThat(row.target()).isEqualTo(TargetKind.PARLANCE_ENFORCE);
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
        .contains("\nskipped: nginx is not installed\n")
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
    assertThat(markdown).contains("| --- | ---: |", "- skipped: nginx is not installed");
  }

  @Test
  void json_holdsEverySampleAndTheSummary() {
    JsonNode json = JsonMapper.builder().build().readTree(new ReportWriter(usual()).json());
    assertThat(json.path("format").asString()).isEqualTo("parlance-loadtest-1");
    assertThat(json.path("clean").asBoolean()).isTrue();
    assertThat(json.path("samples")).hasSize(14);
    assertThat(json.at("/samples/0/outcomes/answered").asInt()).isEqualTo(1000);
    assertThat(json.at("/samples/0/latencyFromDueUs/p999").asDouble()).isEqualTo(300);
    assertThat(json.at("/scenarios/0/targets/1/cpuUsPerRequest/median").asDouble()).isEqualTo(30);
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
            List.of(new Launch.Failed(TargetKind.PARLANCE_ENFORCE, "ended before it answered")));
    assertThat(report.isClean()).isFalse();
    assertThat(new ReportWriter(report).text()).contains("FAILED: parlance-enforce ended before");
  }
}
